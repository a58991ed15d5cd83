// Between two games or puzzles: the end of the last one, and the buttons for what may follow.

import { element } from "./elements.js";
import { drawEnding, showJudgement } from "./ending.js";
import { drawVerdict } from "./verdict.js";

const WISHES = { same: ["Same cards again", "r"], seat: ["Same cards, next seat", "s"], new: ["New cards", "c"], table: ["Another table", "t"], next: ["Next puzzle", "n"], leave: ["Leave", "l"] };

export class Interlude {
  // `places` has the elements `ending` and `verdict`; `action` makes a button; `refuse` shows why a wish is refused.
  constructor(places, action, refuse) {
    Object.assign(this, { places, action, refuse });
    this.shown = "";
  }

  close() {
    this.shown = "";
    this.places.ending.replaceChildren();
    this.places.verdict.replaceChildren();
    document.body.className = "";
  }

  // Shows the end of a game, or the answer to a puzzle in a moment. Returns whether it is a new one.
  show(news, answer) {
    const name = `${news.game} ${answer?.number ?? ""} ${news.offers}`;
    const isNew = this.shown !== name;
    this.shown = name;
    if (isNew) this.draw(news, answer);
    else if (news.ending) showJudgement(this.places.ending, news.ending);
    return isNew;
  }

  draw(news, answer) {
    const buttons = news.offers.map((wish, number) => this.action(...WISHES[wish], number ? "" : "main", () => this.send(wish)));
    if (news.ending) {
      document.body.className = "ended";
      this.places.ending.replaceChildren(...drawEnding(news.ending, buttons));
    } else if (answer) {
      const replay = news.replays ? [element("a", { class: "btn", href: "replay", target: "_blank", rel: "noopener" }, "How it went on")] : [];
      const [first, ...others] = buttons;
      const key = `${news.title} ${answer.number}`;
      this.places.verdict.replaceChildren(...drawVerdict(answer.verdict, [first, ...replay, ...others], key, () => this.draw(news, answer)));
    }
    document.getElementById("result")?.focus();
  }

  async send(wish) {
    const reply = await fetch("wish", { method: "POST", body: JSON.stringify({ wish }), headers: { "Content-Type": "application/json" } });
    if (!reply.ok) this.refuse((await reply.json()).error);
  }
}
