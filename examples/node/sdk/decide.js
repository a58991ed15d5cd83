// Asks a bot's methods for a decision and checks the answer. The methods may be `async`.

const SUIT = /^[CDHS]$/;
const CARD = /^[2-9TJQKA][CDHS]$/;

/** The fields of the answer to this decision; throws if a method returns something that is not an answer. */
export async function decide(bot, decision, view) {
  switch (decision) {
    case "DECISION_DECLARE":
      return declare(bot, view);
    case "DECISION_DRAW":
      return draw(bot, view);
    case "DECISION_PLAY":
      return { card: checked("play", await bot.play(view), CARD, "a card such as view.legal[0]") };
    case "DECISION_NAME_TRUMP":
      return { trump: checked("nameTrump", await bot.nameTrump(view), SUIT, 'a suit such as "S"') };
    case "DECISION_STAY":
      return { stays: yesOrNo("stay", await bot.stay(view)) };
    default:
      throw new Error(`The referee asks for ${decision}, which this bot does not know.`);
  }
}

/** The fields of a recall after a silent renege (R8.4); null without one. */
export async function recall(bot, view, { card }) {
  const isRenege = card !== undefined && view.hand.includes(card) && !view.legal.includes(card);
  if (!isRenege || view.house.renege_policy !== "silent") {
    return null;
  }
  const better = await bot.recall(view, card);
  return better === null ? null : { recall: checked("recall", better, CARD, "a card, or null") };
}

/** With `declare_mode = "turn"`, a declaration to play includes the discards (R4.1). */
async function declare(bot, view) {
  const plays = yesOrNo("declare", await bot.declare(view));
  return plays && view.house.declare_mode === "turn" ? { plays, ...(await draw(bot, view)) } : { plays };
}

async function draw(bot, view) {
  const chosen = await bot.draw(view);
  if (!Array.isArray(chosen)) {
    throw new TypeError(`draw returned ${shown(chosen)}: return an array of the cards to discard`);
  }
  const discards = chosen.map((card) => checked("draw", card, CARD, "an array of cards")).join(" ");
  const takes = chosen.length > 0 && mayTakeTurned(view) && yesOrNo("takeTurned", await bot.takeTurned(view));
  return takes ? { discards, takes } : { discards };
}

function mayTakeTurned(view) {
  return view.house.trump_card === "separate_dealer_option" && view.seat === view.dealer && view.dead !== null;
}

function yesOrNo(method, answer) {
  if (typeof answer !== "boolean") {
    throw new TypeError(`${method} returned ${shown(answer)}: return true or false`);
  }
  return answer;
}

function checked(method, answer, pattern, wanted) {
  if (typeof answer !== "string" || !pattern.test(answer)) {
    throw new TypeError(`${method} returned ${shown(answer)}: return ${wanted}`);
  }
  return answer;
}

function shown(answer) {
  return typeof answer === "string" ? `"${answer}"` : String(answer);
}
