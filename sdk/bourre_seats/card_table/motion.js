// Moves things on the table with transforms and opacity, which the compositor handles. Reduced motion stops all of it.

const REDUCED = window.matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE_MS = 360;
const CHIP_MS = 520;
const MOST_CHIPS = 6; // that fly for one payment
const EASE = "cubic-bezier(.22,.8,.3,1)";

export const mayMove = () => !REDUCED.matches;

export function at({ x, y, scale = 1, turn = 0 }) {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%) rotate(${turn}deg) scale(${scale.toFixed(3)})`;
}

// Starts at the present place, even in mid-flight, or at `start`; returns the time of arrival in milliseconds.
export function slide(moved, place, { start = null, delay = 0, pace = 1, fades = false } = {}) {
  const flying = moved.getAnimations().length > 0;
  const from = start ? at(start) : flying ? getComputedStyle(moved).transform : moved.style.transform;
  for (const animation of moved.getAnimations()) animation.cancel();
  moved.style.transform = at(place);
  if (!from || from === moved.style.transform) return 0;
  const frames = [{ transform: from }, { transform: at(place) }];
  if (fades) frames[1].opacity = 0;
  const timing = { duration: SLIDE_MS * pace, delay: delay * pace, easing: EASE, fill: fades ? "both" : "backwards" };
  const animation = moved.animate(frames, timing);
  if (fades) animation.finished.then(() => moved.remove(), () => moved.remove()); // also remove it if it is cancelled
  return (SLIDE_MS + delay) * pace;
}

// Lets a few chips fly from one place to another.
export function fly(table, count, from, to, pace) {
  const flying = Math.min(count, MOST_CHIPS);
  for (let number = 0; number < flying; number++) {
    const chip = document.createElement("i");
    chip.className = "chip";
    chip.setAttribute("aria-hidden", "true");
    table.append(chip);
    const timing = { duration: CHIP_MS * pace, delay: 45 * number * pace, easing: "ease-in-out", fill: "both" };
    const gone = () => chip.remove();
    chip.animate([{ transform: at(from) }, { transform: at(to) }], timing).finished.then(gone, gone);
  }
  return flying ? (CHIP_MS + 45 * flying) * pace : 0;
}

// Makes a thing jump, to draw attention.
export function jump(noticed, pace) {
  const rest = noticed.style.transform;
  const frames = [1, 1.14, 0.96, 1.07, 1].map((size) => ({ transform: `${rest} scale(${size})` }));
  noticed.animate(frames, { duration: 600 * pace, easing: "ease-out" });
  return 600 * pace;
}
