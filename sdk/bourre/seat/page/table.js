// Draws the table: the seats around the felt, trump, pot and trick.

import { SUITS, cardName, cardPicture, suitMark, svg } from "./cards.js";

export const find = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const signed = (chips) => (chips > 0 ? `+${chips}` : String(chips).replace("-", "−"));
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function nameOf(seat, you, names) {
  if (seat === you) return "You";
  return names[seat] ?? `Seat ${seat}`;
}

// The table: seats clockwise around the felt, the person at the bottom.

function place(seat, table, across, down) {
  const angle = Math.PI / 2 + (2 * Math.PI * (seat - (table.you ?? 0))) / table.seats.length;
  return [50 + across * Math.cos(angle), 50 + down * Math.sin(angle)];
}

function put(item, [x, y]) {
  item.style.setProperty("--x", `${x}%`);
  item.style.setProperty("--y", `${y}%`);
}

function seatWords(seat) {
  const tricks = seat.tricks ? plural(seat.tricks, "trick") : "";
  const drew = seat.drew === null ? "in" : seat.drew ? `in, drew ${seat.drew}` : "in, stood pat";
  const entry = seat.state === "in" ? [drew, tricks].filter(Boolean).join(", ") : seat.state === "out" ? "passed" : "";
  return [entry, seat.barred ? "cannot win" : ""].filter(Boolean).join(", ") || " ";
}

function drawSeats(table, names, acting) {
  find("seats").replaceChildren(...table.seats.map((seat, number) => {
    const marks = [seat.state, number === table.dealer && "dealer", number === acting && "acts"].filter(Boolean);
    const dealer = number === table.dealer ? element("span", { class: "symbols" }, "dealer") : "";
    const item = element("li", { class: marks.join(" ") },
      element("span", { class: "name" }, nameOf(number, table.you, names)), dealer,
      element("span", {}, `${signed(seat.chips)} ${Math.abs(seat.chips) === 1 ? "chip" : "chips"}`), element("br"), element("span", { class: "did" }, seatWords(seat)));
    put(item, place(number, table, 42, 41));
    return item;
  }));
}

function drawMiddle(table) {
  const pot = find("pot");
  const words = `Pot ${table.pot}`;
  pot.classList.toggle("moves", pot.textContent !== "" && pot.textContent !== words);
  pot.textContent = words;
  find("turned").replaceChildren(...(table.turned && !table.trick.length
    ? [cardPicture(table.turned), element("span", { class: "symbols" }, `Turned up: ${cardName(table.turned)}`)] : []));
  const trump = table.trump;
  if (!trump) return find("trump").replaceChildren();
  const red = trump === "D" || trump === "H" ? "red" : "";
  find("trump").replaceChildren(
    svg("svg", { viewBox: "0 0 32 32", class: red, "aria-hidden": "true" }, suitMark(trump, 16, 16, 32)),
    `Trump: ${SUITS[trump]}`);
}

// Cards that lie there already stay in place, so that only a new one moves.
function drawTrick(table, names) {
  const lying = new Map([...find("trick").children].map((item) => [item.dataset.key, item]));
  find("trick").replaceChildren(...table.trick.map(([seat, card]) => {
    const key = `${table.deal} ${seat} ${card}`;
    const item = lying.get(key) ?? trickCard(seat, card, table, names, key);
    item.classList.toggle("won", table.winner === seat);
    return item;
  }));
}

function trickCard(seat, card, table, names, key) {
  const name = nameOf(seat, table.you, names);
  const item = element("li", { "data-key": key, "data-name": name },
    cardPicture(card), element("span", { class: "symbols" }, `${name}: ${cardName(card)}`));
  const [x, y] = place(seat, table, table.seats.length > 4 ? 21 : 15, 19);
  put(item, [x, y]);
  item.style.setProperty("--from-x", `${(x - 50) * 8}%`);
  item.style.setProperty("--from-y", `${(y - 50) * 6}%`);
  return item;
}

export function drawTable(table, names, acting) {
  drawSeats(table, names, acting);
  drawMiddle(table);
  drawTrick(table, names);
}
