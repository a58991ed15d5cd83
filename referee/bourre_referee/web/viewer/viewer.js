// Replays deals on the card table: the table comes from the data next to the log, and the words come from the log.

import { CardTable } from "./table.js";
import { Autoplay } from "./autoplay.js";
import { readDeal, tableAt } from "./replay_deal.js";

const FRAGMENT = /^#(.*?)-?step-(\d+)(?:-as-(\d+))?(?:-play-([\d.]+))?$/;
const ANYWHERE = new Set(["ArrowLeft", "ArrowRight"]); // the other keys work only while the focus is in the viewer
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", r: "renege", p: "play", " ": "play", c: "link" };

class Viewer {
  constructor(root) {
    this.root = root;
    this.deals = [...root.querySelectorAll(".viewer-deal")].map(readDeal);
    this.find = (name) => root.querySelector(name);
    this.viewpoint = this.find(".viewer-viewpoint");
    this.choice = this.find(".viewer-deals");
    this.slider = this.find("input[type=range]");
    this.guess = this.find(".viewer-guess input");
    this.asked = null; // the step before whose answer the reader is asked now
    this.speed = this.find(".viewer-speed");
    this.deal = this.deals[0];
    this.at = 0;
    this.autoplay = new Autoplay((pace) => this.advance(pace), (plays) => this.showPlaying(plays));
    this.moves = {
      first: () => this.show(0),
      back: () => this.show(this.at - 1),
      forward: () => this.forward(),
      last: () => this.show(this.deal.steps.length - 1),
      renege: () => this.nextRenege(),
      play: () => this.play(),
      link: () => this.copyLink(),
    };
  }

  start() {
    this.choice.replaceChildren(...this.deals.map((one, index) => new Option(one.article.dataset.title, index)));
    this.find(".viewer-deal-choice").hidden = this.deals.length < 2;
    this.find(".viewer-stage").hidden = false;
    this.root.classList.add("running");
    this.table = new CardTable(this.find(".viewer-table"));
    this.open(this.deal);
    this.begin({ remember: false });
    this.listen();
    this.follow();
  }

  listen() {
    document.addEventListener("keydown", (event) => this.press(event));
    for (const button of this.root.querySelectorAll("button")) button.addEventListener("click", () => this.go(button.dataset.go));
    this.slider.addEventListener("input", () => { this.autoplay.stop(); this.show(Number(this.slider.value)); });
    this.viewpoint.addEventListener("change", () => this.changeViewpoint());
    this.guess.addEventListener("change", () => this.show(this.at));
    this.choice.addEventListener("change", () => { this.autoplay.stop(); this.open(this.deals[this.choice.value]); this.begin(); });
    this.speed.addEventListener("change", () => { this.autoplay.speed = Number(this.speed.value); });
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("pageshow", () => this.follow()); // the browser may scroll once more after loading
  }

  press(event) {
    const move = KEYS[event.key];
    const isHere = this.root.contains(event.target) || (event.target === document.body && ANYWHERE.has(event.key));
    if (!move || !isHere || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    event.preventDefault();
    this.go(move);
  }

  go(move) {
    if (move !== "play" && move !== "link") this.autoplay.stop();
    this.moves[move]();
  }

  // Whether the next step answers a question that the reader wants to answer first, and was not yet asked.
  get asks() {
    const asked = this.guesses && this.deal.steps[this.at + 1]?.asked;
    return Boolean(asked) && String(asked[0]) === this.viewpoint.value && this.asked !== this.at + 1;
  }

  get guesses() {
    return this.guess.checked && this.viewpoint.value !== "";
  }

  forward() {
    if (!this.asks) return this.show(this.at + 1);
    this.asked = this.at + 1;
    const caption = this.find(".viewer-caption");
    caption.className = "box viewer-caption asked";
    const [seat, question] = this.deal.steps[this.asked].asked;
    caption.textContent = `You are ${this.deal.names[seat]}. ${question} Then one step on.`;
    return 0;
  }

  // Goes to a step, with motion if it is a neighbour. Returns the milliseconds of the motion.
  show(step, { remember = true, pace = 0.7 } = {}) {
    const last = this.at;
    this.at = Math.max(0, Math.min(step, this.deal.steps.length - 1));
    this.asked = null;
    const moves = Math.abs(this.at - last) === 1;
    const motion = this.table.show(tableAt(this.deal, this.at, this.viewpoint.value), { moves, pace });
    this.updateText();
    if (remember) history.replaceState(null, "", this.fragment());
    return motion;
  }

  fragment() {
    const seen = this.viewpoint.value === "" ? "" : `-as-${this.viewpoint.value}`;
    return `#${this.deal.prefix}step-${this.at + 1}${seen}`;
  }

  updateText() {
    const { deal, at, slider } = this;
    for (const line of this.root.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
    deal.lines.forEach((later, index) => { later.hidden = this.guesses && index > at; });
    this.find(".viewer-guess").hidden = this.viewpoint.value === "" || !deal.steps.some((step) => step.asked);
    deal.lines.forEach((one, index) => { one.firstElementChild.tabIndex = index === at ? 0 : -1; }); // one tab stop
    const line = deal.lines[at];
    const link = line.firstElementChild;
    line.setAttribute("aria-current", "step");
    this.showCaption(line, link);
    this.markTricks();
    this.root.classList.toggle("early", at < deal.steps.length - 1);
    const box = deal.article.querySelector("ol"); // whose height depends on the caption's
    box.scrollTop = line.offsetTop - box.clientHeight / 2;
    this.find("output").textContent = `${at + 1} / ${deal.steps.length}`;
    slider.max = deal.steps.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${deal.steps.length}`);
    this.find(".viewer-copied").textContent = "";
  }

  showCaption(line, link) {
    const { deal, at } = this;
    const { mark, number } = deal.steps[at];
    const caption = this.find(".viewer-caption");
    caption.className = `box viewer-caption ${mark}`;
    const place = document.createElement("p");
    place.className = "kick";
    place.textContent = `Step ${at + 1} of ${deal.steps.length} · ${number ? `trick ${number}` : "before the play"}`;
    const notes = [...line.querySelectorAll("[data-note-of]:not([hidden])")].map((note) => this.noteOf(note));
    const copy = (parts) => [...parts].map((part) => part.cloneNode(true));
    const [weighed, calls] = ["weighed", "viewer-call"].map((kind) => copy(line.querySelectorAll(`.${kind}:not([hidden])`)));
    caption.replaceChildren(place, ...copy(link.children), ...weighed, ...notes, ...calls);
  }

  // The table of tricks shows what is to come faintly, and to a seat neither that nor the hands of others.
  markTricks() {
    const seen = this.viewpoint.value;
    const tricks = this.deal.article.querySelector(".viewer-tricks");
    tricks.classList.toggle("seen", seen !== "");
    for (const row of tricks.querySelectorAll("[data-seat]")) row.classList.toggle("own", row.dataset.seat === seen);
    for (const card of tricks.querySelectorAll("[data-step]")) {
      card.classList.toggle("later", Number(card.dataset.step) > this.at + 1);
      card.classList.toggle("now", Number(card.dataset.step) === this.at + 1);
    }
  }

  // Shows the bot's note next to its move. The log has all of a long note.
  noteOf(details) {
    const quote = document.createElement("q");
    quote.className = "viewer-note";
    const name = details.querySelector("summary bdi").cloneNode(true);
    quote.append(name, ": ", ...[...details.querySelector("p").childNodes].map((node) => node.cloneNode(true)));
    return quote;
  }

  // Where the log names cards, the full words are stored so that they can be restored after the public ones.
  changeViewpoint(options) {
    const seen = this.viewpoint.value;
    for (const part of this.root.querySelectorAll("li [data-public]")) {
      part.full ??= [...part.childNodes].map((node) => node.cloneNode(true));
      const shown = seen === "" || part.dataset.seat === seen;
      part.replaceChildren(...(shown ? part.full.map((node) => node.cloneNode(true)) : [part.dataset.public]));
    }
    for (const note of this.root.querySelectorAll("li [data-note-of]")) {
      note.hidden = seen !== "" && note.dataset.noteOf !== seen;
    }
    for (const part of this.root.querySelectorAll("li [data-seen-by]")) part.hidden = seen !== "" && part.dataset.seenBy !== seen;
    this.show(this.at, options);
  }

  open(other) {
    this.deal = other;
    this.at = 0;
    for (const one of this.deals) one.article.hidden = one !== other;
    const seen = this.viewpoint.value;
    const options = other.names.map((name, seat) => new Option(name, seat));
    this.viewpoint.replaceChildren(new Option("everyone", ""), ...options);
    this.viewpoint.value = seen;
    this.choice.value = this.deals.indexOf(other);
    this.find(".viewer-next").hidden = !other.reneges.length;
  }

  nextRenege() {
    const next = this.deal.reneges.find((index) => index > this.at) ?? this.deal.reneges[0];
    if (next !== undefined) this.show(next);
  }

  play() {
    if (this.autoplay.isPlaying) this.autoplay.stop();
    else this.autoplay.start();
  }

  showPlaying(plays) {
    this.find("[data-go=play]").classList.toggle("playing", plays);
    this.find(".viewer-caption").setAttribute("aria-live", plays ? "off" : "polite"); // or it would talk without end
  }

  // Goes one step on, and after the last to the next deal of this page, or to the page of the next deal.
  advance(pace) {
    if (this.asks) return void this.forward();
    if (this.at < this.deal.steps.length - 1) {
      const motion = this.show(this.at + 1, { pace });
      return { motion, mark: this.deal.steps[this.at].mark };
    }
    const next = this.deals[this.deals.indexOf(this.deal) + 1];
    if (next) {
      this.open(next);
      return { motion: this.show(this.opening), mark: "trick" };
    }
    const page = document.querySelector("a[rel=next]");
    if (page && !page.closest(".viewer")) location.href = `${page.href}#step-1-play-${this.autoplay.speed}`;
    return null;
  }

  async copyLink() {
    const link = new URL(this.fragment(), location.href).href;
    const said = this.find(".viewer-copied");
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Link copied.";
    } catch { // without access to the clipboard, the page shows the link
      said.textContent = link;
    }
  }

  // Where a deal becomes interesting: the hands are dealt, or it is as the page wants.
  begin({ remember = true } = {}) {
    this.goTo(this.deal.article.dataset.begins, remember);
  }

  get opening() {
    return Number(this.deal.article.dataset.begins.match(FRAGMENT)[2]) - 1;
  }

  // A link to something else on the page does not move the replay.
  follow() {
    if (this.goTo(location.hash, false)) this.reveal();
  }

  goTo(fragment, remember) {
    const [, before, step, seen, speed] = fragment.match(FRAGMENT) ?? [null, fragment.slice(1), 0];
    const other = this.deals.find((one) => one.article.id === before);
    if (!other && !step) return false;
    this.autoplay.stop();
    if (other && other !== this.deal) this.open(other);
    if (seen !== undefined && seen !== this.viewpoint.value && Number(seen) < this.deal.names.length) {
      this.viewpoint.value = seen;
      this.changeViewpoint({ remember });
    }
    this.show(step ? Number(step) - 1 : this.opening, { remember: remember || Boolean(speed) });
    if (speed) this.playAt(speed);
    return true;
  }

  playAt(speed) {
    if (![...this.speed.options].some((option) => option.value === speed)) return;
    this.speed.value = speed;
    this.autoplay.speed = Number(speed);
    this.autoplay.start();
  }

  // The browser scrolls to the step's line in the log. The heading stays in sight only where the table and buttons do too.
  reveal() {
    window.scrollTo(0, 0);
    if (this.find("input[type=range]").getBoundingClientRect().bottom > window.innerHeight) this.find(".viewer-table").scrollIntoView();
  }
}

for (const root of document.querySelectorAll(".viewer")) new Viewer(root).start();
