// The places of seats, hands, trick and pot on a table of this size, in pixels from its top left corner.

const RATIO = 1.4; // height of a card to its width
const GAP = 6;
// A hand: the visible share of its height, of which the plate with the name covers the rest, and the room above it for
// the mark of trumps, and above the highest one for the sign on a card. A hidden hand has neither.
const FACES = { seen: 0.8, bar: 8, head: 22 };
const BACKS = { seen: 0.5, bar: 0, head: 8 };
const NARROW = 560;
const PLATE = 50; // height of a plate beside the oval
const WIDE_PLATES = [[198, 40], [164, 34], [128, 28]]; // width, and the least width of a card for which it is worth it
const MOST = 78; // width of a card in a hand
const BREADTHS = [2.2, 2.6, 3.2, 4, 6]; // of the trick, in cards
const RINGS = [1.1, 1.45].flatMap((tallness) => BREADTHS.map((breadth) => [breadth, tallness])); // of the trick, in cards
export const POT = { width: 84, height: 62 };
const TRUMP = { width: 152, height: 30 }; // in the lower left corner of a wide table, where no seat is
const STRIP = 38; // at the top of a narrow table, for the pot and trump
const EDGE = 6;
const THREE_LINES = 44; // height of a plate in a row with three lines of words
const SIGN = 8; // beside a card: for its sign
const CARDS = 5; // in a hand, at most

const OVERLAP = 0.48; // the visible share of a card's width in a hand beside the oval
const box = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const apart = (one, other) => one.right + GAP <= other.left || other.right + GAP <= one.left
  || one.bottom + GAP <= other.top || other.bottom + GAP <= one.top;
const bulge = (share) => Math.sign(share) * Math.abs(share) ** 0.8; // an oval with fuller corners

// The seats around the middle, from -1 to 1. An odd number has no seat at the top, so those nearest to it go there.
function ovalOf(seats, first) {
  const angles = Array.from({ length: seats }, (_, seat) => Math.PI / 2 + (2 * Math.PI * (seat - first)) / seats);
  const oval = angles.map((angle) => [bulge(Math.cos(angle)), bulge(Math.sin(angle))]);
  const top = -Math.min(...oval.map(([, y]) => y));
  return oval.map(([x, y]) => [x, y < 0 ? y / top : y]);
}

// A seat: its hand above its plate, around the middle of both, and its card in the trick.
function seatPlace(x, y, hand, { seen, bar }, plate, trick) {
  const shown = hand * RATIO * seen;
  const height = bar + shown + plate.height;
  const top = y - height / 2;
  return { x, hand: top + bar + (hand * RATIO) / 2, plate: { ...plate, x, y: top + bar + shown + plate.height / 2 },
    box: box(x, y, plate.width, height), trick };
}

function onOval({ width, height, seats, first, kind }, hand, least, [breadth, tallness]) {
  const plate = { width: Math.max(least, Math.round(hand * (1 + (CARDS - 1) * OVERLAP)) + 8), height: PLATE };
  const card = hand * 1.12;
  const cluster = kind.bar + hand * RATIO * kind.seen + plate.height;
  const [across, down] = [width / 2 - plate.width / 2 - GAP, (height - kind.head) / 2 - cluster / 2 - GAP];
  const middle = (height + kind.head) / 2;
  const [most, tall] = [card * breadth, card * RATIO];
  const inner = [Math.min(across - (plate.width / 2 + card / 2 + GAP) / 0.75, Math.max(POT.width / 2 + card / 2 + 2 * GAP, most)),
    Math.min(down - cluster / 2 - tall / 2 - GAP, Math.max(POT.height / 2 + tall / 2 + 2 * GAP, tall * tallness))];
  const places = ovalOf(seats, first).map(([x, y]) => {
    const trick = { x: width / 2 + inner[0] * x, y: middle + inner[1] * y };
    return seatPlace(width / 2 + across * x, middle + down * y, hand, kind, plate, trick);
  });
  return { narrow: false, low: false, hand, card, step: hand * OVERLAP, places, pot: { x: width / 2, y: middle }, trump: { x: TRUMP.width / 2 + 20, y: height - TRUMP.height / 2 - 14 } };
}

function fits({ places, card, pot, trump }) {
  const boxes = [...places.map((place) => place.box), box(pot.x, pot.y, POT.width, POT.height),
    box(trump.x, trump.y, TRUMP.width, TRUMP.height),
    ...places.map(({ trick }) => box(trick.x, trick.y, card, card * RATIO))];
  return boxes.every((one, index) => boxes.slice(index + 1).every((other) => apart(one, other)));
}

// A row for each seat, from the dealer's left: its plate, its hand, and its card in the trick.
function inRows({ width, height, seats, dealer, kind }) {
  const row = (height - STRIP) / seats;
  const plate = { width: Math.min(200, Math.round(width * 0.37)), height: row - GAP };
  const room = width - plate.width - 2 * EDGE - 3 * GAP - SIGN;
  const hand = Math.min((row - GAP - kind.bar) / RATIO, room / 4.6, MOST);
  const step = Math.min(hand * 0.94, (room - 2 * hand) / (CARDS - 1));
  const places = Array.from({ length: seats }, (_, number) => {
    const y = STRIP + row * (((number - dealer - 1 + seats) % seats) + 0.5) - GAP / 2;
    const x = EDGE + plate.width + GAP + (hand + (CARDS - 1) * step) / 2;
    return { x, hand: y + kind.bar / 2, plate: { ...plate, x: EDGE + plate.width / 2, y }, trick: { x: width - EDGE - SIGN - hand / 2, y: y + kind.bar / 2 } };
  });
  return { narrow: true, low: plate.height < THREE_LINES, hand, card: hand, step, places, pot: { x: width * 0.77, y: STRIP / 2 }, trump: { x: width * 0.27, y: STRIP / 2 } };
}

// Chooses wide plates, then the largest cards without overlaps. The seat `first` is at the bottom, the others follow
// clockwise (R1.1). On a person's own table, the other hands show backs.
export function arrange(width, height, { seats, first, dealer, isOwn }) {
  const table = { width, height, seats, first, dealer, kind: isOwn ? BACKS : FACES };
  for (const [plate, least] of width < NARROW ? [] : WIDE_PLATES) {
    for (let hand = MOST; hand >= least; hand--) {
      for (const ring of RINGS) {
        const found = onOval(table, hand, plate, ring);
        if (fits(found)) return found;
      }
    }
  }
  return inRows(table); // a narrow table, or many seats on a low one
}

export const fan = (index, count, step) => (index - (count - 1) / 2) * step;
