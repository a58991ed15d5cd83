"use strict";
// Says when a live page has lost its server, and when it is back, and lets no row jump away from a reader.
// The server is heard every two seconds, even if nothing is new.

const SILENCE_MS = 4500;
const note = document.querySelector(".lost");
let silence = 0;

function lose() {
  if (!note.hidden) return;
  note.querySelector("time").textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  note.hidden = false;
}

function hear() {
  note.hidden = true;
  clearTimeout(silence);
  silence = setTimeout(lose, SILENCE_MS);
}

document.addEventListener("htmx:sseOpen", (event) => {
  event.detail.source.addEventListener("here", hear);
  hear();
});
// Rows do not move under a pointer, or under the focus of the keyboard: the newest content waits, but not for a hand at rest.
const REST_MS = 15000;
let moved = 0;
let waiting = null;

function isHeld(part) {
  const held = part.querySelector("tbody tr:hover, li:hover, tbody :focus-visible, li :focus-visible");
  return held !== null && performance.now() - moved < REST_MS;
}

function release() {
  const part = document.querySelector("[sse-swap]");
  if (waiting === null || isHeld(part)) return;
  htmx.swap(part, waiting, { swapStyle: "innerHTML" });
  waiting = null;
}

for (const motion of ["pointermove", "keydown"]) document.addEventListener(motion, () => { moved = performance.now(); });
document.addEventListener("htmx:sseBeforeMessage", (event) => {
  hear();
  waiting = isHeld(event.target) ? event.detail.data : null;
  if (waiting !== null) event.preventDefault();
});
setInterval(release, 250);
