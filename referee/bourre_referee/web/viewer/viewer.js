"use strict";
// The replay of deals: every step's table is drawn from the data beside the log; the words are those of the log.

const SVG = "http://www.w3.org/2000/svg";
const NARROW = window.matchMedia("(max-width: 40rem)");
const SIZES = {
  wide: { width: 44, height: 62, step: 26, rank: 19, suit: 15, name: 16, small: 14 },
  narrow: { width: 30, height: 44, step: 17, rank: 14, suit: 12, name: 13, small: 12 },
};

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The first step is whole; each later one holds only what is new in it.
function merged(old, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const whole = { ...old };
  for (const [key, value] of Object.entries(change)) whole[key] = merged(whole[key], value);
  return whole;
}

function read(article) {
  const data = JSON.parse(article.querySelector(".viewer-data").textContent);
  let table = {};
  const steps = data.steps.map((change) => (table = merged(table, change)));
  const lines = [...article.querySelectorAll("li")];
  const reneges = steps.flatMap((step, index) => (step.mark === "renege" ? [index] : []));
  return { article, names: data.names, dealer: data.dealer, steps, lines, reneges, prefix: article.dataset.prefix };
}

function cardsOf(text) {
  return text ? text.split(" ") : [];
}

function short(name, most) {
  const letters = [...name];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : name;
}

function card(text, x, y, size, marks = "") {
  if (!text) {
    return drawn("rect", { class: "back", x, y, width: size.width, height: size.height, rx: 4 });
  }
  const suit = text[1];
  const rank = text[0] === "T" ? "10" : text[0];
  const middle = x + size.step / 2;
  const large = size.suit * 1.5;
  const use = (left, top, side) => drawn("use", { href: `#suit-${suit}`, x: left, y: top, width: side, height: side });
  return drawn("g", { class: `card ${suit} ${marks}`, "data-card": text },
    drawn("rect", { x, y, width: size.width, height: size.height, rx: 4 }),
    drawn("text", { x: middle, y: y + size.rank, "font-size": size.rank }, rank),
    use(middle - size.suit / 2, y + size.rank + 4, size.suit),
    use(x + size.width - large - 3, y + size.height - large - 4, large));
}

// What a card of a hand is at a renege: the one against the rules, or one that was legal; a sign besides the colour.
function sign(text, x, y) {
  return drawn("text", { class: "sign", x, y, "font-size": 16 }, text);
}

function hand(step, seat, place, size, seen) {
  const cards = cardsOf(step.seats[seat].hand);
  const renege = seen && step.renege && step.renege[0] === seat ? step.renege : [null, "", ""];
  const legal = cardsOf(renege[2]);
  const width = size.width + size.step * (cards.length - 1);
  const top = place[1] - size.height / 2;
  return cards.flatMap((text, index) => {
    const x = place[0] - width / 2 + index * size.step;
    if (!seen) return [card("", x, top, size)];
    const marks = text === renege[1] ? "wrong" : legal.includes(text) ? "legal" : "";
    const signs = marks ? [sign(marks === "wrong" ? "!" : "✓", x + size.step / 2, top - 10)] : [];
    return [card(text, x, marks ? top - 6 : top, size, marks), ...signs];
  });
}

function told(seat) {
  const tricks = seat.tricks ? `${seat.tricks} trick${seat.tricks === 1 ? "" : "s"}` : "";
  const drew = seat.drew === null ? "in" : seat.drew ? `drew ${seat.drew}` : "stood pat";
  const entry = seat.standing === "in" ? tricks || drew : seat.standing === "out" ? "passed" : "";
  return [entry, seat.barred ? "barred" : ""].filter(Boolean).join(", ");
}

function seatDrawn(deal, step, seat, place, size, seen) {
  const state = step.seats[seat];
  const below = place[1] + size.height / 2;
  const above = place[1] - size.height / 2;
  const chips = state.chips > 0 ? `+${state.chips}` : String(state.chips).replace("-", "−");
  const dealer = deal.dealer === seat ? "(D) " : "";
  const classes = ["seat", state.standing, step.acting === seat ? "acting" : "", step.winner === seat ? "winner" : ""];
  const text = (y, font, kind, words) => drawn("text", { class: kind, x: place[0], y, "font-size": font }, words);
  const cards = hand(step, seat, place, size, seen);
  const gap = cards.some((one) => one.matches(".sign")) ? 29 : 16; // signs stand between the name and the cards
  const name = text(above - gap, size.name, "name", dealer + short(deal.names[seat], size === SIZES.wide ? 17 : 11));
  name.append(drawn("title", {}, deal.names[seat]));
  const half = size.width / 2 + size.step * 2 + 7;
  return drawn("g", { class: classes.filter(Boolean).join(" "), "data-seat": seat },
    drawn("rect", { class: "place", x: place[0] - half, y: above - 7, width: 2 * half, height: size.height + 14, rx: 8 }),
    name, ...cards,
    text(below + size.small + 9, size.small, "chips", chips),
    text(below + size.small * 2 + 12, size.small, "told", told(state)));
}

function trickDrawn(step, places, size) {
  return step.trick.map(([seat, text, wrong], index) => {
    const [, , x, y] = places[seat];
    const marks = `${wrong ? "wrong" : ""} ${step.winner === seat ? "won" : ""}`;
    const lying = card(text, x - size.width / 2, y - size.height / 2, size, marks);
    const words = [index === 0 ? "led" : "", step.winner === seat ? "won" : "", wrong ? "!" : ""].filter(Boolean);
    lying.append(drawn("text", { class: "sign", x, y: y + size.height / 2 + 13, "font-size": 12 }, words.join(" ")));
    lying.setAttribute("data-seat", seat);
    return lying;
  });
}

function potDrawn(step, [x, y], size) {
  const parts = [drawn("text", { class: "pot", x, y, "font-size": size.name + 6 }, `pot ${step.pot}`)];
  if (step.trump) {
    parts.push(drawn("text", { class: "told", x: x - 12, y: y + 22, "font-size": size.small }, "trumps"));
    parts.push(drawn("use", { class: `trump ${step.trump}`, href: `#suit-${step.trump}`, x: x + 15, y: y + 7, width: 18, height: 18 }));
  }
  if (step.turned) {
    parts.push(drawn("text", { class: "told turned", x, y: y + 40, "font-size": size.small }, `${step.turned} turned up`));
  }
  return drawn("g", { class: "middle" }, ...parts);
}

function start(root) {
  const layouts = JSON.parse(root.querySelector(".viewer-layouts").textContent);
  const deals = [...root.querySelectorAll(".viewer-deal")].map(read);
  const find = (name) => root.querySelector(name);
  const [slider, eyes, choice] = [find("input"), find(".viewer-eyes"), find(".viewer-deals")];
  let deal = deals[0];
  let at = 0;

  function draw() {
    const layout = NARROW.matches ? layouts[1] : layouts[0];
    const size = NARROW.matches ? SIZES.narrow : SIZES.wide;
    const step = deal.steps[at];
    const seats = layout.seats.map((place, seat) =>
      seatDrawn(deal, step, seat, place, size, eyes.value === "" || Number(eyes.value) === seat));
    find("svg").setAttribute("viewBox", `0 0 ${layout.size.join(" ")}`);
    find(".viewer-drawing").replaceChildren(...seats, potDrawn(step, layout.pot, size), ...trickDrawn(step, layout.seats, size));
  }

  function tell() {
    for (const line of root.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
    const link = deal.lines[at].firstElementChild;
    link.setAttribute("aria-current", "step");
    const box = deal.article.querySelector("ol");
    box.scrollTop = link.offsetTop - box.offsetTop - box.clientHeight / 2;
    const caption = find(".viewer-caption");
    caption.className = `viewer-caption ${deal.steps[at].mark}`;
    caption.replaceChildren(...[...link.children].map((part) => part.cloneNode(true)));
    find("output").textContent = `${at + 1} / ${deal.steps.length}`;
    slider.max = deal.steps.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${deal.steps.length}`);
  }

  function show(step, remember = true) {
    at = Math.max(0, Math.min(step, deal.steps.length - 1));
    draw();
    tell();
    if (remember) history.replaceState(null, "", `#${deal.prefix}step-${at + 1}`);
  }

  // Words that tell cards are kept whole beside the public ones, to be put back.
  function look() {
    for (const part of root.querySelectorAll("li [data-public]")) {
      part.whole ??= [...part.childNodes].map((node) => node.cloneNode(true));
      const seen = eyes.value === "" || part.dataset.seat === eyes.value;
      part.replaceChildren(...(seen ? part.whole.map((node) => node.cloneNode(true)) : [part.dataset.public]));
    }
    show(at, false);
  }

  function open(other) {
    deal = other;
    for (const one of deals) one.article.hidden = one !== deal;
    const seen = eyes.value;
    const options = deal.names.map((name, seat) => new Option(name, seat));
    eyes.replaceChildren(new Option("everybody", ""), ...options);
    eyes.value = seen;
    choice.value = deals.indexOf(deal);
    find(".viewer-next").disabled = !deal.reneges.length;
  }

  function nextRenege() {
    const next = deal.reneges.find((index) => index > at) ?? deal.reneges[0];
    if (next !== undefined) show(next);
  }

  const ways = {
    first: () => show(0),
    back: () => show(at - 1),
    forward: () => show(at + 1),
    last: () => show(deal.steps.length - 1),
    renege: nextRenege,
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", r: "renege" };

  // A link to something else on the page leaves the replay where it is.
  function follow() {
    const [, before, step] = location.hash.match(/^#(.*?)-?step-(\d+)$/) ?? [null, location.hash.slice(1), 0];
    const other = deals.find((one) => one.article.id === before);
    if (other && other !== deal) open(other);
    if (!other && !step) return;
    show(Number(step) - 1, false);
    reveal();
  }

  // The browser scrolls to the step's line in the log, which on a narrow screen lies far below the table.
  function reveal() {
    const table = find("svg").getBoundingClientRect();
    const button = find("button").getBoundingClientRect();
    if (table.top < 0 || button.bottom > window.innerHeight) find("svg").scrollIntoView();
  }

  root.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    event.preventDefault();
    ways[way]();
  });
  for (const button of root.querySelectorAll("button")) button.addEventListener("click", () => ways[button.dataset.go]());
  slider.addEventListener("input", () => show(Number(slider.value)));
  eyes.addEventListener("change", look);
  choice.addEventListener("change", () => { open(deals[choice.value]); show(0); });
  window.addEventListener("hashchange", follow);
  window.addEventListener("pageshow", follow); // the browser may scroll once more after all has been loaded
  NARROW.addEventListener("change", draw);

  choice.replaceChildren(...deals.map((one, index) => new Option(one.article.dataset.title, index)));
  find(".viewer-choose").hidden = deals.length < 2;
  find(".viewer-stage").hidden = false;
  root.classList.add("running");
  open(deal);
  show(0, false);
  follow();
  if (document.activeElement === document.body) root.focus({ preventScroll: true });
}

document.querySelectorAll(".viewer").forEach(start);
