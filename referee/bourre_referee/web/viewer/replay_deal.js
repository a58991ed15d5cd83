// Reads the deals of a page: each step's table from the data next to its log, as the card table shows it.

import { signed } from "./elements.js";

// The first step is complete. Each later one contains only its changes.
function merge(old, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const result = { ...old };
  for (const [key, value] of Object.entries(change)) result[key] = merge(result[key], value);
  return result;
}

export function readDeal(article) {
  const data = JSON.parse(article.querySelector(".viewer-data").textContent);
  let table = {};
  const steps = data.steps.map((change) => (table = merge(table, change)));
  const lines = [...article.querySelectorAll("li")];
  const reneges = steps.flatMap((step, index) => (step.mark === "renege" ? [index] : []));
  return { article, names: data.names, dealer: data.dealer, steps, lines, reneges, prefix: article.dataset.prefix };
}

const cardsOf = (text) => (text ? text.split(" ") : []);

// What has just happened to a seat and should be noticed.
function moment(step, before, seat) {
  const won = step.seats[seat].chips - (before ?? step).seats[seat].chips;
  if (step.mark === "renege" && step.renege?.[0] === seat) return { mark: "renege", say: "renege!" };
  if (step.mark === "bourre" && step.acting === seat) return { mark: "bourre", say: `bourré! ${signed(won)}` };
  return step.mark === "chips" && won > 0 ? { mark: "wins", say: `wins ${signed(won)}` } : {};
}

// The table after a step, as seat `seen` saw it: it saw its own cards and those on the table; an empty `seen` is everyone.
export function tableAt(deal, index, seen) {
  const step = deal.steps[index];
  const isFirst = Object.values(deal.steps[0].seats).every((seat) => seat.chips === 0); // until then, the chips are those of the deal
  const seats = deal.names.map((_, seat) => {
    const { hand, status, ...rest } = step.seats[seat];
    const shown = seen === "" || Number(seen) === seat;
    const gain = isFirst ? undefined : rest.chips - deal.steps[0].seats[seat].chips;
    return { ...rest, gain, state: status, hand: cardsOf(hand), shown, ...moment(step, deal.steps[index - 1], seat) };
  });
  const renege = step.renege && (seen === "" || Number(seen) === step.renege[0])
    ? [step.renege[0], step.renege[1], cardsOf(step.renege[2])] : null;
  const { pot, trump, turned, trick, winner, acting } = step;
  return { deal: deal.article.id, dealer: deal.dealer, names: deal.names, pot, trump, turned, trick, winner, acting, renege, seats };
}
