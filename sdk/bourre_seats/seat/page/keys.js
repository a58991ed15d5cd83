// Keys: digits for cards, letters for buttons, arrows within the hand.

export function listenToKeys(hand, turn, letters) {
  function step(by) {
    const cards = [...hand.children];
    const at = cards.indexOf(document.activeElement);
    cards[(at + by + cards.length) % cards.length]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (event.target.closest("#hand") || event.target === document.body) step(event.key === "ArrowLeft" ? -1 : 1);
      return;
    }
    if (!letters.checked) return;
    turn.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`)?.click();
  });
}
