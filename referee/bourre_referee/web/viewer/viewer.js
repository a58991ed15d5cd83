"use strict";
// Replays deals: each step's table is drawn from the data beside the log, and its words come from the log.

const SVG = "http://www.w3.org/2000/svg";
const NARROW = window.matchMedia("(max-width: 40rem)");
const SIZES = {
  wide: { width: 44, height: 62, step: 26, rank: 19, suit: 15, name: 16, small: 14 },
  narrow: { width: 30, height: 44, step: 17, rank: 14, suit: 12, name: 13, small: 12 },
};

function svgElement(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The first step is complete; each later one contains only its changes.
function merge(old, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const result = { ...old };
  for (const [key, value] of Object.entries(change)) result[key] = merge(result[key], value);
  return result;
}

function read(article) {
  const data = JSON.parse(article.querySelector(".viewer-data").textContent);
  let table = {};
  const steps = data.steps.map((change) => (table = merge(table, change)));
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
  if (!text || text === "?") {
    return svgElement("rect", { class: "back", x, y, width: size.width, height: size.height, rx: 4 });
  }
  const suit = text[1];
  const rank = text[0] === "T" ? "10" : text[0];
  const middle = x + size.step / 2;
  const large = size.suit * 1.5;
  const use = (left, top, side) => svgElement("use", { href: `#suit-${suit}`, x: left, y: top, width: side, height: side });
  return svgElement("g", { class: `card ${suit} ${marks}`, "data-card": text },
    svgElement("rect", { x, y, width: size.width, height: size.height, rx: 4 }),
    svgElement("text", { x: middle, y: y + size.rank, "font-size": size.rank }, rank),
    use(middle - size.suit / 2, y + size.rank + 4, size.suit),
    use(x + size.width - large - 3, y + size.height - large - 4, large));
}

// At a renege, a sign besides the colour marks the card that broke the rules, and the cards that were legal.
function sign(text, x, y) {
  return svgElement("text", { class: "sign", x, y, "font-size": 16 }, text);
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

function seatStatus(seat) {
  const tricks = seat.tricks ? `${seat.tricks} trick${seat.tricks === 1 ? "" : "s"}` : "";
  const drew = seat.drew === null ? "in" : seat.drew ? `drew ${seat.drew}` : "stood pat";
  const entry = seat.status === "in" ? tricks || drew : seat.status === "out" ? "passed" : "";
  return [entry, seat.barred ? "barred" : ""].filter(Boolean).join(", ");
}

function drawSeat(deal, step, seat, place, size, seen) {
  const state = step.seats[seat];
  const below = place[1] + size.height / 2;
  const above = place[1] - size.height / 2;
  const chips = state.chips > 0 ? `+${state.chips}` : String(state.chips).replace("-", "−");
  const dealer = deal.dealer === seat ? "(D) " : "";
  const classes = ["seat", state.status, step.acting === seat ? "acting" : "", step.winner === seat ? "winner" : ""];
  const text = (y, font, kind, words) => svgElement("text", { class: kind, x: place[0], y, "font-size": font }, words);
  const cards = hand(step, seat, place, size, seen);
  const gap = cards.some((one) => one.matches(".sign")) ? 29 : 16; // room for signs between the name and the cards
  const name = text(above - gap, size.name, "name", dealer + short(deal.names[seat], size === SIZES.wide ? 17 : 11));
  name.append(svgElement("title", {}, deal.names[seat]));
  const half = size.width / 2 + size.step * 2 + 7;
  return svgElement("g", { class: classes.filter(Boolean).join(" "), "data-seat": seat },
    svgElement("rect", { class: "place", x: place[0] - half, y: above - 7, width: 2 * half, height: size.height + 14, rx: 8 }),
    name, ...cards,
    text(below + size.small + 9, size.small, "chips", chips),
    text(below + size.small * 2 + 12, size.small, "status", seatStatus(state)));
}

function drawTrick(step, places, size) {
  return step.trick.map(([seat, text, wrong], index) => {
    const [, , x, y] = places[seat];
    const marks = `${wrong ? "wrong" : ""} ${step.winner === seat ? "won" : ""}`;
    const drawing = card(text, x - size.width / 2, y - size.height / 2, size, marks);
    const words = [index === 0 ? "led" : "", step.winner === seat ? "won" : "", wrong ? "!" : ""].filter(Boolean);
    drawing.append(svgElement("text", { class: "sign", x, y: y + size.height / 2 + 13, "font-size": 12 }, words.join(" ")));
    drawing.setAttribute("data-seat", seat);
    return drawing;
  });
}

function drawPot(step, [x, y], size) {
  const parts = [svgElement("text", { class: "pot", x, y, "font-size": size.name + 6 }, `pot ${step.pot}`)];
  if (step.trump) {
    parts.push(svgElement("text", { class: "status", x: x - 12, y: y + 22, "font-size": size.small }, "trump"));
    parts.push(svgElement("use", { class: `trump ${step.trump}`, href: `#suit-${step.trump}`, x: x + 15, y: y + 7, width: 18, height: 18 }));
  }
  if (step.turned) {
    parts.push(svgElement("text", { class: "status turned", x, y: y + 40, "font-size": size.small }, `${step.turned} turned up`));
  }
  return svgElement("g", { class: "middle" }, ...parts);
}

function start(root) {
  const layouts = JSON.parse(root.querySelector(".viewer-layouts").textContent);
  const deals = [...root.querySelectorAll(".viewer-deal")].map(read);
  const find = (name) => root.querySelector(name);
  const [slider, viewpoint, choice] = [find("input"), find(".viewer-viewpoint"), find(".viewer-deals")];
  let deal = deals[0];
  let at = 0;

  function draw() {
    const layout = NARROW.matches ? layouts[1] : layouts[0];
    const size = NARROW.matches ? SIZES.narrow : SIZES.wide;
    const step = deal.steps[at];
    const seats = layout.seats.map((place, seat) =>
      drawSeat(deal, step, seat, place, size, viewpoint.value === "" || Number(viewpoint.value) === seat));
    find("svg").setAttribute("viewBox", `0 0 ${layout.size.join(" ")}`);
    find(".viewer-drawing").replaceChildren(...seats, drawPot(step, layout.pot, size), ...drawTrick(step, layout.seats, size));
  }

  function updateText() {
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
    updateText();
    if (remember) history.replaceState(null, "", `#${deal.prefix}step-${at + 1}`);
  }

  // Where the log names cards, the full words are stored so that they can be restored after the public ones.
  function updateViewpoint() {
    for (const part of root.querySelectorAll("li [data-public]")) {
      part.full ??= [...part.childNodes].map((node) => node.cloneNode(true));
      const seen = viewpoint.value === "" || part.dataset.seat === viewpoint.value;
      part.replaceChildren(...(seen ? part.full.map((node) => node.cloneNode(true)) : [part.dataset.public]));
    }
    for (const note of root.querySelectorAll("li [data-note-of]")) {
      note.hidden = viewpoint.value !== "" && note.dataset.noteOf !== viewpoint.value;
    }
    show(at, false);
  }

  function open(other) {
    deal = other;
    for (const one of deals) one.article.hidden = one !== deal;
    const seen = viewpoint.value;
    const options = deal.names.map((name, seat) => new Option(name, seat));
    viewpoint.replaceChildren(new Option("everyone", ""), ...options);
    viewpoint.value = seen;
    choice.value = deals.indexOf(deal);
    find(".viewer-next").disabled = !deal.reneges.length;
  }

  function nextRenege() {
    const next = deal.reneges.find((index) => index > at) ?? deal.reneges[0];
    if (next !== undefined) show(next);
  }

  const moves = {
    first: () => show(0),
    back: () => show(at - 1),
    forward: () => show(at + 1),
    last: () => show(deal.steps.length - 1),
    renege: nextRenege,
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", r: "renege" };

  // A link to something else on the page does not move the replay.
  function follow() {
    const [, before, step] = location.hash.match(/^#(.*?)-?step-(\d+)$/) ?? [null, location.hash.slice(1), 0];
    const other = deals.find((one) => one.article.id === before);
    if (other && other !== deal) open(other);
    if (!other && !step) return;
    show(Number(step) - 1, false);
    reveal();
  }

  // The browser scrolls to the step's line in the log, which on a narrow screen is far below the table.
  function reveal() {
    const table = find("svg").getBoundingClientRect();
    const button = find("button").getBoundingClientRect();
    if (table.top < 0 || button.bottom > window.innerHeight) find("svg").scrollIntoView();
  }

  root.addEventListener("keydown", (event) => {
    const move = keys[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    event.preventDefault();
    moves[move]();
  });
  for (const button of root.querySelectorAll("button")) button.addEventListener("click", () => moves[button.dataset.go]());
  slider.addEventListener("input", () => show(Number(slider.value)));
  viewpoint.addEventListener("change", updateViewpoint);
  choice.addEventListener("change", () => { open(deals[choice.value]); show(0); });
  window.addEventListener("hashchange", follow);
  window.addEventListener("pageshow", follow); // the browser may scroll once more after loading
  NARROW.addEventListener("change", draw);

  choice.replaceChildren(...deals.map((one, index) => new Option(one.article.dataset.title, index)));
  find(".viewer-deal-choice").hidden = deals.length < 2;
  find(".viewer-stage").hidden = false;
  root.classList.add("running");
  open(deal);
  show(0, false);
  follow();
  if (document.activeElement === document.body) root.focus({ preventScroll: true });
}

document.querySelectorAll(".viewer").forEach(start);
