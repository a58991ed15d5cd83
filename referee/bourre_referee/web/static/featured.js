"use strict";
// Plays the deal of the contest card by card, from its first trick, until someone pauses it. With reduced motion, all its
// cards stay on the table.

const EVERY_MS = 500;
const HOLD = 8; // beats during which the whole deal is shown
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
let beat = -HOLD / 2;
let paused = false;

function cells(figure) {
  const step = (cell) => Math.max(...[...cell.querySelectorAll("[data-step]")].map((card) => Number(card.dataset.step)));
  const played = [...figure.querySelectorAll("td.trick")].filter((cell) => cell.querySelector("[data-step]"));
  return played.sort((one, other) => step(one) - step(other));
}

// The server may have replaced the figure since the last beat.
function draw() {
  const figure = document.querySelector(".featured");
  if (!figure) return;
  const order = cells(figure);
  const first = figure.querySelectorAll("td.trick:nth-child(2)").length;
  if (beat > order.length + HOLD || (beat >= 0 && beat < first)) beat = first;
  const shown = STILL.matches || beat < 0 ? order.length : beat;
  order.forEach((cell, place) => cell.classList.toggle("waits", place >= shown));
  figure.querySelectorAll("tbody td.chips").forEach((cell) => cell.classList.toggle("waits", shown < order.length));
  const button = figure.querySelector("button");
  button.hidden = STILL.matches;
  button.textContent = paused ? "Play" : "Pause";
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".featured button")) return;
  paused = !paused;
  draw();
});
STILL.addEventListener("change", draw);
setInterval(() => {
  if (!paused && !STILL.matches && !document.hidden) beat += 1;
  draw();
}, EVERY_MS);
draw();
