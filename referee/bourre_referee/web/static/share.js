"use strict";
// Shares the address of a page, or copies it. Where a browser can do neither, and for files, there is no button.

const share = document.querySelector("button.share");
const word = share.querySelector("span");
const plain = word.textContent;
share.hidden = !location.protocol.startsWith("http") || !(navigator.share || navigator.clipboard);

share.addEventListener("click", async () => {
  try {
    if (navigator.share) {
      await navigator.share({ title: document.title, url: location.href });
    } else {
      await navigator.clipboard.writeText(location.href);
      word.textContent = "Link copied";
    }
  } catch (error) {
    if (error.name !== "AbortError") word.textContent = "Copy the address above"; // an abort is the visitor's
  }
});
share.addEventListener("blur", () => {
  word.textContent = plain;
});
