// Draws the chips of the pot: the more chips, the higher the stacks.

import { svg } from "./elements.js";

const WORTH = 3; // chips for each coin that is drawn
const HEIGHT = 6; // coins in a stack
const STACKS = 3;

export function pileOf(pot) {
  const coins = Math.min(STACKS * HEIGHT, Math.ceil(Math.max(0, pot) / WORTH));
  const stacks = Math.ceil(coins / HEIGHT);
  const drawn = Array.from({ length: coins }, (_, coin) => {
    const [x, y] = [36 + 24 * (Math.floor(coin / HEIGHT) - (stacks - 1) / 2), 28 - 4 * (coin % HEIGHT)];
    return svg("g", {}, svg("path", { class: "edge", d: `M${x - 11} ${y}v3a11 4 0 0 0 22 0v-3` }),
      svg("ellipse", { class: "coin", cx: x, cy: y, rx: 11, ry: 4 }));
  });
  return svg("svg", { viewBox: "0 0 72 36", class: "pile", "aria-hidden": "true" }, ...drawn);
}
