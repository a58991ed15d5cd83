// The card table: seats around the felt, their cards, the trick, trump and the pot. Changes move.

import { SUITS, cardBack, cardName, cardPicture, indexCard, suitMark } from "./cards.js";
import { element, plural, signed, svg } from "./elements.js";
import { at, fly, jump, mayMove, slide } from "./motion.js";
import { arrange } from "./places.js";
import { pileOf } from "./pot.js";
import { spritesOf } from "./sprites.js";

const DEAL_GAP = 55; // milliseconds between two cards that are dealt
const LONGEST_DEAL = 1100;
const GATHER_WAIT = 140; // the next lead waits for the last trick to go
const LONG = 15; // letters of a name that needs small type
const MARKED = new Set(["renege", "bourre", "wins"]);

export function trumpBadge(trump) {
  if (!trump) return [];
  const red = trump === "D" || trump === "H" ? "red" : "black";
  const mark = svg("svg", { viewBox: "0 0 32 32", class: red, "aria-hidden": "true" }, suitMark(trump, 16, 16, 32));
  return [mark, element("i", { class: "bar", "aria-hidden": "true" }),
    element("span", {}, `Trump: ${SUITS[trump]}`)];
}

function seatWords(seat) {
  if (seat.state === "out") return "passed";
  if (seat.state !== "in") return "";
  return seat.drew === null ? "in" : seat.drew ? `drew ${seat.drew}` : "stood pat";
}

const hidden = (words) => element("span", { class: "symbols" }, words);
const DEALER = () => [element("span", { class: "dealer", title: "dealer", "aria-hidden": "true" }, "D"), hidden("Dealer: ")];

// What the deal has brought the seat so far.
function gainOf(chips) {
  return element("span", { class: `gain ${chips > 0 ? "up" : "down"}` }, "deal ", signed(chips));
}

export class CardTable {
  // `root` is an empty element of the table's size. Its style is table.css.
  constructor(root) {
    this.root = root;
    root.classList.add("card-table");
    this.seats = element("ul", { class: "seats" });
    this.trick = element("ul", { class: "symbols", "aria-label": "Trick" });
    this.pot = element("span", { class: "sum" });
    this.trump = element("p", { class: "trump" });
    this.potLine = element("p", { class: "pot" }, pileOf(0), element("span", {}, "Pot ", this.pot));
    this.cards = element("div", { class: "cards", "aria-hidden": "true" });
    root.replaceChildren(this.seats, this.potLine, this.trump, this.cards, this.trick);
    this.sprites = new Map();
    this.state = null;
    this.places = null;
    new ResizeObserver(() => this.state && this.show(this.state, { moves: false })).observe(root);
  }

  // Shows this state. Changes move, `pace` times as slowly, unless motion is off. Returns the duration in milliseconds.
  show(state, { moves = true, pace = 1 } = {}) {
    const old = moves && mayMove() && this.state?.seats.length === state.seats.length ? this.state : null;
    const count = state.seats.length;
    this.root.style.setProperty("--seats", count);
    const { clientWidth, clientHeight } = this.root;
    this.places = arrange(clientWidth, clientHeight, { seats: count, first: state.you ?? 0, dealer: state.dealer ?? count - 1, isOwn: "you" in state });
    this.root.style.setProperty("--hand", `${this.places.hand}px`);
    this.root.classList.toggle("narrow", this.places.narrow);
    this.root.classList.toggle("low", this.places.low);
    this.state = state;
    this.drawSeats(state);
    this.drawMiddle(state);
    const cards = this.moveCards(state, old, pace);
    const chips = old ? this.moveChips(old, state, pace) : 0;
    return Math.max(cards, chips, old ? this.notice(state, pace) : 0);
  }

  drawSeats(state) {
    while (this.seats.children.length > state.seats.length) this.seats.lastElementChild.remove();
    while (this.seats.children.length < state.seats.length) this.seats.append(element("li", { "data-seat": this.seats.children.length }));
    state.seats.forEach((seat, number) => this.drawSeat(this.seats.children[number], seat, number));
  }

  drawSeat(item, seat, number) {
    const { state } = this;
    const { plate, trick } = this.places.places[number];
    const name = state.names[number];
    const isDealer = number === state.dealer;
    const marks = [seat.state, number === state.acting && "acts", state.winner === number && "took", seat.barred && "cannot-win", name.length > LONG && "long", seat.mark];
    item.className = ["seat", ...marks].filter(Boolean).join(" ");
    item.style.width = `${plate.width}px`;
    item.style.height = `${plate.height}px`;
    item.style.transform = at(plate);
    item.style.setProperty("--slot", `${trick.x - plate.x}px`);
    const tricks = Array.from({ length: seat.tricks }, () => element("i", { "aria-hidden": "true" }));
    const held = seat.hand?.length && seat.shown !== false && !seat.hand.includes("?") ? `. Holds ${seat.hand.map(cardName).join(", ")}.` : "";
    item.replaceChildren(
      element("span", { class: "name", title: name }, ...(isDealer ? DEALER() : []), element("bdi", {}, name)),
      element("span", { class: "chips" }, signed(seat.chips), hidden(Math.abs(seat.chips) === 1 ? " chip" : " chips")),
      element("span", { class: "state" }, element("span", { class: "did" }, seatWords(seat)),
        element("span", { class: "tricks" }, ...tricks, hidden(seat.tricks ? `, ${plural(seat.tricks, "trick")}` : "")),
        ...(seat.barred ? [element("span", { class: "barred", title: "It cannot win this pot (R8)." }, "barred")] : [])),
      ...(seat.say ? [element("span", { class: "say" }, seat.say)] : []),
      ...(seat.gain ? [gainOf(seat.gain)] : []), hidden(held));
  }

  drawMiddle(state) {
    this.potLine.style.transform = at(this.places.pot);
    this.pot.textContent = state.pot;
    this.potLine.firstChild.replaceWith(pileOf(state.pot));
    this.trump.replaceChildren(...trumpBadge(state.trump));
    this.trump.style.transform = at(this.places.trump);
    this.trump.title = state.turned ? `${cardName(state.turned)} was turned up` : "";
    this.trick.replaceChildren(...state.trick.map(([seat, card], number) =>
      element("li", {}, `${state.names[seat]}: ${cardName(card)}${number ? "" : ", led"}${state.winner === seat ? ", takes the trick" : ""}`)));
  }

  moveCards(state, old, pace) {
    const wanted = spritesOf(state, this.places);
    const gathers = old && [...this.sprites.values()].some((sprite) => sprite.lies === "trick" && !wanted.has(sprite.key));
    let until = this.removeCards(wanted, state, old, pace);
    for (const sprite of wanted.values()) {
      const known = this.sprites.get(sprite.key);
      const drawn = known?.element ?? element("div", { class: "held" });
      sprite.element = drawn;
      this.drawCard(sprite, known);
      if (!known) this.cards.append(drawn);
      if (!old) { for (const animation of drawn.getAnimations()) animation.cancel(); drawn.style.transform = at(sprite); continue; }
      const isLead = sprite.lies === "trick" && known?.lies !== "trick";
      const start = known ? null : this.startOf(sprite, state);
      const delay = !known && sprite.lies === "hand" ? this.dealDelay(sprite, state) : isLead && gathers ? GATHER_WAIT : 0;
      until = Math.max(until, slide(drawn, sprite, { start, delay, pace }));
    }
    this.sprites = wanted;
    return until;
  }

  // A trick goes to its winner, and a discard to the dealer. A hidden card may appear as a face elsewhere.
  removeCards(wanted, state, old, pace) {
    let until = 0;
    for (const [key, sprite] of this.sprites) {
      if (wanted.has(key)) continue;
      const owner = sprite.lies === "trick" ? old?.winner : old?.dealer;
      if (!old || owner === null || owner === undefined || (!sprite.face && sprite.lies === "hand" && state.deal === old.deal)) {
        sprite.element.remove();
        continue;
      }
      sprite.element.className = "leaving";
      const to = this.places.places[owner] ?? this.places.places[0];
      until = Math.max(until, slide(sprite.element, { x: to.plate.x, y: to.plate.y, scale: 0.3 }, { pace, fades: true }));
    }
    return until;
  }

  startOf(sprite, state) {
    const from = this.places.places[sprite.lies === "trick" ? sprite.seat : state.dealer ?? 0];
    return sprite.lies === "trick" ? { x: from.x, y: from.hand, scale: 1 } : { x: from.plate.x, y: from.plate.y, scale: 0.4 };
  }

  dealDelay(sprite, state) {
    const count = state.seats.length;
    const turn = (sprite.seat - (state.dealer ?? 0) - 1 + count) % count;
    const gap = Math.min(DEAL_GAP, LONGEST_DEAL / (5 * count));
    return (sprite.order * count + turn) * gap;
  }

  drawCard(sprite, known) {
    const { element: drawn } = sprite;
    drawn.style.zIndex = sprite.layer;
    drawn.style.setProperty("--unscale", 1 / sprite.scale);
    drawn.className = `held ${sprite.lies} ${sprite.mark}`;
    drawn.dataset.seat = sprite.seat ?? "";
    drawn.dataset.card = sprite.face;
    if (known?.face !== sprite.face || known?.isIndex !== sprite.isIndex || !drawn.firstChild) {
      drawn.replaceChildren(sprite.face ? (sprite.isIndex ? indexCard : cardPicture)(sprite.face) : cardBack());
    }
    for (const old of drawn.querySelectorAll("span")) old.remove();
    if (sprite.sign) drawn.append(element("span", { class: "sign" }, sprite.sign));
    if (sprite.tag) drawn.append(element("span", { class: "tag" }, sprite.tag));
  }

  // Paid chips fly to the pot, and taken chips fly to the seats.
  moveChips(old, state, pace) {
    const times = state.seats.map((seat, number) => {
      const won = seat.chips - old.seats[number].chips;
      const paid = state.pot - old.pot;
      if (!won || !paid || won > 0 === paid > 0) return 0;
      const { plate } = this.places.places[number];
      return won > 0 ? fly(this.root, won, this.places.pot, plate, pace) : fly(this.root, -won, plate, this.places.pot, pace);
    });
    return Math.max(0, ...times);
  }

  notice(state, pace) {
    const marked = state.seats.flatMap((seat, number) => (MARKED.has(seat.mark) ? [number] : []));
    return Math.max(0, ...marked.map((number) => jump(this.seats.children[number], pace)));
  }
}
