"use strict";
// Shows the panels of the wall in turn. With reduced motion, it shows all of them, one below the other.

const EVERY_MS = 12000;
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const controls = document.querySelector(".wall-controls");
const pause = controls.querySelector("[data-wall=pause]");
let at = 0;

function show() {
  const panels = [...document.querySelectorAll(".panel")];
  at %= panels.length;
  panels.forEach((panel, index) => { panel.hidden = !STILL.matches && index !== at; });
  controls.hidden = STILL.matches || panels.length < 2;
}

function next() {
  at += 1;
  show();
}

controls.querySelector("[data-wall=next]").addEventListener("click", next);
pause.addEventListener("click", () => pause.setAttribute("aria-pressed", pause.getAttribute("aria-pressed") !== "true"));
STILL.addEventListener("change", show);
// When the server sends new panels, they are hidden again before anything is painted.
new MutationObserver(show).observe(document.querySelector("#wall").parentElement, { childList: true });
setInterval(() => { if (!STILL.matches && pause.getAttribute("aria-pressed") !== "true") next(); }, EVERY_MS);
show();
