"use strict";
// Says when a live page has lost its server, and when it is back. The server is heard every two seconds, even if nothing is new.

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
document.addEventListener("htmx:sseMessage", hear);
document.addEventListener("htmx:sseError", lose);
