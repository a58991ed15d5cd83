// The page of a seat: shows each moment, then the question, and sends the answer. The server holds all state.

import { SUITS, cardName, cardPicture } from "./cards.js";
import { element, plural } from "./elements.js";
import { Interlude } from "./interlude.js";
import { listenToKeys } from "./keys.js";
import { CardTable, trumpBadge } from "./table.js";

const find = (id) => document.getElementById(id);

const RETRY_MS = 2000;
const MOST_LESSONS = 4;
const DELAYS = { card: 800, trick: 1200, pot: 1500, bourre: 1500, renege: 1800, deal: 700, end: 0, "": 550 };
const state = { version: -1, after: 0, queue: [], news: null, deals: 0, last: "", shown: 0, names: [], cards: 5, game: 0, answer: null, keyed: false, selected: new Set(), sent: 0 };
let wake = () => {};

const cardTable = new CardTable(find("table"));
const interlude = new Interlude({ ending: find("ending"), verdict: find("verdict") }, action, (why) => { find("warning").textContent = why; });

function showTable(table, acting = null) {
  const names = table.seats.map((_, seat) => (seat === table.you ? "You" : state.names[seat] ?? `Seat ${seat}`));
  const begins = !table.trick.length && !table.seats.some((seat) => seat.tricks);
  if (begins && table.hand.length) state.cards = table.hand.length; // the other seats were dealt as many
  const dealt = table.hand.length > 0 || table.trick.length > 0;
  const pace = Number(find("pace").value);
  cardTable.show({ ...table, names, acting, dealt, cards: state.cards }, { moves: pace > 0, pace });
  find("trump").replaceChildren(...trumpBadge(table.trump));
  state.deals = state.news?.question?.deals ?? state.deals;
  find("place").textContent = table.deal ? `Deal ${table.deal}${state.deals ? ` of ${state.deals}` : ""}` : "";
}

// The hand and the buttons.

function drawHand(table, question) {
  const exchanging = Boolean(question?.exchanges);
  const verb = exchanging ? "Exchange" : "Play";
  const playing = question && (exchanging || question.asks === "play" || question.asks === "recall");
  find("hand").replaceChildren(...table.hand.map((card, index) => {
    const button = element("button", { type: "button", "data-card": card, "data-key": index + 1,
      "aria-label": `${playing ? `${verb} the ` : ""}${cardName(card)}${card[1] === table.trump ? ", trump" : ""}`,
      "aria-pressed": exchanging && String(state.selected.has(card)), class: [question?.wrong === card && "wrong", card[1] === table.trump && "trump"].filter(Boolean).join(" ") },
    cardPicture(card), playing ? element("kbd", { "aria-hidden": "true" }, index + 1) : "");
    button.disabled = !playing;
    button.addEventListener("click", () => (exchanging ? toggle(card, question) : answer(question, cardAnswer(card, question))));
    return button;
  }));
}

const cardAnswer = (card, question) => (question.asks === "recall" ? `recall ${card}` : card);

function toggle(card, question) {
  if (!state.selected.delete(card)) state.selected.add(card);
  find("hand").querySelector(`[data-card="${card}"]`).setAttribute("aria-pressed", String(state.selected.has(card)));
  drawActions(question);
}

function action(text, key, kind, act) {
  const button = element("button", { type: "button", class: kind, "data-key": key }, `${text} `,
    element("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
  button.addEventListener("click", act);
  return button;
}

function exchangeWords(question) {
  const count = state.selected.size;
  if (question.asks === "draw") return count ? `Exchange ${plural(count, "card")}` : "Keep every card";
  return count ? `Play, exchanging ${plural(count, "card")}` : question.exchanges ? "Play with these cards" : "Play";
}

function drawActions(question) {
  const say = (text, key, kind, words) => action(text, key, kind, () => answer(question, words()));
  const chosen = (word) => [word, ...state.selected, find("takes")?.checked && state.selected.size ? "take" : ""].join(" ").trim();
  const buttons = {
    declare: () => [say(exchangeWords(question), "i", "main", () => chosen("in")), say("Pass", "o", "", () => "pass")],
    draw: () => [say(exchangeWords(question), "i", "main", () => chosen("draw"))],
    stay: () => [say("Stay", "i", "main", () => "stay"), say("Leave", "o", "", () => "leave")],
    name_trump: () => Object.entries(SUITS).map(([suit, name]) => say(`Name ${name}`, suit.toLowerCase(), "", () => `trump ${suit}`)),
    recall: () => [say("Let it stand", "o", "", () => "keep")],
    play: () => [],
  }[question.asks]();
  const takes = question.takes && element("label", {}, element("input", { type: "checkbox", id: "takes", checked: find("takes")?.checked ?? false }),
    `Take the ${cardName(question.takes)} for one of them`);
  const hint = action("Hint", "h", "", () => showHint(question));
  const back = state.news.may_take_back ? [action("Take back", "b", "", takeBack)] : [];
  find("actions").replaceChildren(...buttons, ...(takes ? [takes] : []), hint, ...back);
}

async function showHint(question) {
  find("hint").textContent = "Sampling the hidden cards …";
  const reply = await fetch(`hint?question=${question.number}`);
  const hint = await reply.json();
  if (state.shown !== question.number) return;
  find("hint").replaceChildren(...(hint.lines ?? [hint.error]).map((line) => element("p", {}, line)));
  for (const card of hint.legal ?? []) find("hand").querySelector(`[data-card="${card}"]`)?.classList.add("legal");
}

async function answer(question, words) {
  if (state.sent === question.number) return;
  state.sent = question.number;
  settle("Sent. The others are playing.");
  const body = JSON.stringify({ question: question.number, answer: words });
  try {
    const reply = await fetch("answer", { method: "POST", body, headers: { "Content-Type": "application/json" } });
    if (reply.ok) return;
    const { error } = await reply.json();
    state.sent = state.shown = 0;
    wake();
    find("warning").textContent = error;
  } catch {
    state.sent = state.shown = 0; // the poll reports that the server is gone, and shows the question when it is back
  }
}

// In practice, the same cards are dealt again, and the same is played up to this answer.
async function takeBack() {
  settle("Dealing the same cards again.");
  try {
    const reply = await fetch("back", { method: "POST" });
    if (!reply.ok) find("ask").textContent = (await reply.json()).error;
  } catch {
    state.shown = 0; // the poll reports that the server is gone, and shows the question when it is back
  }
}

function settle(words, now = "waiting") {
  find("turn").dataset.state = now;
  clearInterval(state.ticking);
  find("clock").textContent = "";
  find("warning").textContent = "";
  find("hint").replaceChildren();
  find("actions").replaceChildren();
  for (const button of find("hand").children) button.disabled = true;
  find("ask").textContent = words;
}

function ask(question) {
  state.shown = question.number;
  find("turn").dataset.state = `question ${question.number}`;
  state.selected.clear();
  find("hint").replaceChildren();
  find("event").textContent = "";
  showTable(question.table, question.table.you);
  drawHand(question.table, question);
  drawActions(question);
  teach(question.lessons);
  find("warning").textContent = question.warning;
  const limit = question.seconds === null ? "" : ` You have ${question.seconds} seconds.`;
  find("ask").textContent = `${question.text}${limit}`;
  startClock(question);
  if (state.keyed && (document.activeElement === document.body || !document.activeElement.isConnected)) {
    find("hand").querySelector("button:not(:disabled)")?.focus();
  }
}

// The seconds left, in digits that a screen reader skips, because the question has the limit.
function startClock(question) {
  clearInterval(state.ticking);
  find("clock").textContent = "";
  if (question.seconds === null) return;
  const until = state.heard + question.seconds * 1000;
  const tick = () => { find("clock").textContent = `${Math.max(0, Math.round((until - Date.now()) / 1000))} s left`; };
  tick();
  state.ticking = setInterval(tick, 1000);
}

// The history, moment by moment.

function tell(moment) {
  const log = find("log");
  log.append(element("p", { class: `told-${moment.kind}` }, moment.text));
  log.scrollTop = log.scrollHeight;
  find("event").textContent = state.last = moment.text;
  find("ask").textContent = "";
  teach(moment.lessons);
}

// The latest rules stay visible, the newest first. Each appears once.
function teach(lessons) {
  if (!lessons.length) return;
  find("lessons").hidden = false;
  const list = find("lessons").querySelector("dl");
  list.prepend(...lessons.flatMap(([rule, text]) => [element("dt", {}, rule), element("dd", {}, text)]));
  while (list.children.length > 2 * MOST_LESSONS) list.lastElementChild.remove();
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A deal's end stays until the person continues.
function goOn(words, label, now) {
  return new Promise((resolve) => {
    const next = action(label, "n", "main", resolve);
    settle(words, now);
    find("actions").replaceChildren(next);
    if (document.activeElement === document.body) next.focus();
  });
}

async function show(moment) {
  showTable(moment.table);
  drawHand(moment.table, null);
  tell(moment);
  const timed = state.news.question?.seconds != null; // with a deadline, the pace costs thinking time
  await sleep(DELAYS[moment.kind] * Number(find("pace").value) * (timed ? 0.25 : 1));
  const { deal } = moment.table;
  if (moment.verdict) state.answer = moment;
  if (moment.kind !== "end" || deal === state.deals || timed) return;
  await goOn("The deal is over.", "Next deal", `deal ${deal} over`);
  settle("");
}

async function run() {
  for (;;) {
    const { news } = state;
    if (news && (state.queue[0]?.game ?? news.game) !== state.game) beginGame(news);
    if (state.queue.length) await show(state.queue.shift());
    else if (news?.over) return finish(news);
    else if (news?.offers.length) await offer(news);
    else {
      const question = news?.question ?? null;
      if (question && question.number !== state.shown && question.number !== state.sent) ask(question);
      if (!question && state.shown) { state.shown = 0; settle("The others are playing."); }
      await new Promise((resolve) => { wake = resolve; });
    }
  }
}

// A new game or puzzle: its name, an empty log, no verdict.
function beginGame(news) {
  state.game = news.game;
  find("log").replaceChildren();
  state.answer = null;
  interlude.close();
  find("name").className = news.title ? "" : "symbols";
  find("title").textContent = news.title || "Your seat";
  find("kicker").textContent = news.kicker;
  document.title = `${news.title || "Your seat"} · Bourré`;
}

// Between two games or puzzles. The judgement of a game arrives while its end is shown.
async function offer(news) {
  if (interlude.show(news, state.answer)) {
    find("event").textContent = "";
    settle(news.ending ? state.last : "", news.ending ? "game over" : `answer ${state.answer?.number}`);
  }
  await new Promise((resolve) => { wake = resolve; });
  if (state.news.offers.length || state.news.over) return;
  interlude.close();
  state.answer = null;
  settle("The cards are dealt.");
}

function finish(news) {
  interlude.close();
  find("event").textContent = "";
  settle(`${state.last} ${news.status} You may close this page.`, "over");
  document.title = "Game over · Bourré";
}

// News from the server, by long polling.

function take(news) {
  const first = state.news === null;
  Object.assign(state, { version: news.version, news, heard: Date.now(), names: news.names.map((name) => name[0].toUpperCase() + name.slice(1)) });
  state.after = news.moments.at(-1)?.number ?? state.after;
  // After a reload, seen moments are only listed.
  if (first && (news.question || news.offers.length)) list(news);
  else state.queue.push(...news.moments);
  wake();
}

function list(news) {
  beginGame(news);
  const answer = news.offers.length ? news.moments.findLast((moment) => moment.verdict) : null;
  for (const moment of news.moments) if (moment !== answer) tell(moment);
  if (answer) state.queue.push(answer);
}

async function follow() {
  for (;;) {
    try {
      const reply = await fetch(`news?version=${state.version}&after=${state.after}`);
      if (!reply.ok) throw new Error(reply.statusText);
      take(await reply.json());
      find("lost").textContent = "";
      if (state.news.over) return;
    } catch {
      find("lost").textContent = "The program of your seat does not answer: is it still running? Trying again.";
      state.version = -1; // an immediate answer, even without news
      await sleep(RETRY_MS);
    }
  }
}

find("pace").addEventListener("change", () => find("pace").blur()); // keys are for the game again
document.addEventListener("keydown", () => { state.keyed = true; }); // before that, nobody asked for a focus
listenToKeys(find("hand"), document.querySelector("main"), find("letters"));

follow();
run();
