// The places of seats, hands, trick and pot on a table of this size, in pixels from its top left corner.

const RATIO = 1.4; // height of a card to its width
const GAP = 6;
const FACES = 0.8; // the visible share of a hand's height; the plate with the name covers the rest
const BACKS = 0.5; // the visible share of a hidden hand
const NARROW = 560;
const WIDE_PLATES = [164, 128].map((width) => ({ width, height: 46 })); // the first holds "Monte Carlo", mark and chips
const NARROW_PLATE = { width: 104, height: 38 };
const HEAD = 14; // above the highest hand: for the sign on a card
const [LEAST, MOST] = [28, 78]; // width of a card in a hand
const BREADTHS = [2.2, 2.6, 3.2, 4, 6]; // of the trick, in cards
const POT = { width: 88, height: 28 };
const TRUMP = { width: 152, height: 30 }; // in the lower left corner of a wide table, where no seat is
const STRIP = 40; // at the top of a narrow table, for the pot and trump

const fanStep = (width) => width * 0.48;
const box = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const apart = (one, other) => one.right + GAP <= other.left || other.right + GAP <= one.left
  || one.bottom + GAP <= other.top || other.bottom + GAP <= one.top;
const bulge = (share) => Math.sign(share) * Math.abs(share) ** 0.8; // an oval with fuller corners

// A seat: its hand above its plate, around the middle of both, and its card in the trick.
function seatPlace(x, y, hand, seen, plate, trick) {
  const shown = hand * RATIO * seen;
  const height = shown + plate.height;
  const top = y - height / 2;
  return { x, hand: top + (hand * RATIO) / 2, plate: { ...plate, x, y: top + shown + plate.height / 2 },
    box: box(x, y, plate.width, height), trick };
}

function plateFor(least, hand) {
  return { ...least, width: Math.max(least.width, Math.round(hand + 4 * fanStep(hand)) + 8) };
}

function onOval({ width, height, seats, first, seen }, hand, least, breadth) {
  const plate = plateFor(least, hand);
  const card = hand * 1.12;
  const cluster = hand * RATIO * seen + plate.height;
  const [across, down] = [width / 2 - plate.width / 2 - GAP, (height - HEAD) / 2 - cluster / 2 - GAP];
  const middle = (height + HEAD) / 2;
  const [most, tall] = [card * breadth, card * RATIO];
  const inner = [Math.min(across - (plate.width / 2 + card / 2 + GAP) / 0.75, Math.max(POT.width / 2 + card / 2 + 2 * GAP, most)),
    Math.min(down - cluster / 2 - tall / 2 - GAP, Math.max(POT.height / 2 + tall / 2 + 2 * GAP, tall * 1.1))];
  const places = Array.from({ length: seats }, (_, seat) => {
    const angle = Math.PI / 2 + (2 * Math.PI * (seat - first)) / seats;
    const [x, y] = [bulge(Math.cos(angle)), bulge(Math.sin(angle))];
    const trick = { x: width / 2 + inner[0] * x, y: middle + inner[1] * y };
    return seatPlace(width / 2 + across * x, middle + down * y, hand, seen, plate, trick);
  });
  return { narrow: false, hand, card, places, pot: { x: width / 2, y: middle }, trump: { x: TRUMP.width / 2 + 12, y: height - TRUMP.height / 2 - 10 } };
}

function fits({ places, card, pot, trump }) {
  const boxes = [...places.map((place) => place.box), box(pot.x, pot.y, POT.width, POT.height),
    box(trump.x, trump.y, TRUMP.width, TRUMP.height),
    ...places.map(({ trick }) => box(trick.x, trick.y, card, card * RATIO))];
  return boxes.every((one, index) => boxes.slice(index + 1).every((other) => apart(one, other)));
}

// Two columns: the first half of the seats goes up the left side, the others go down the right side.
function inColumns({ width, height, seats, first, seen }) {
  const left = Math.ceil(seats / 2);
  const room = (height - STRIP) / left;
  const column = width * 0.355;
  const hand = Math.min((column - GAP) / 2.92, (room - GAP - NARROW_PLATE.height) / (RATIO * seen), (NARROW_PLATE.height - 2) / (RATIO * (1 - seen)));
  const card = Math.min((width - 2 * column) / 2 - GAP, (room - GAP) / RATIO, 60);
  const plate = { ...NARROW_PLATE, width: Math.min(Math.floor(column) - 4, Math.max(160, Math.ceil(hand + 4 * fanStep(hand)))) };
  const places = Array.from({ length: seats }, (_, number) => {
    const turn = (number - first + seats) % seats;
    const isLeft = turn < left;
    const rows = isLeft ? left : seats - left;
    const row = isLeft ? left - 1 - turn : turn - left;
    const y = STRIP + ((height - STRIP) * (row + 0.5)) / rows;
    const side = isLeft ? -1 : 1;
    return seatPlace(width / 2 + (side * (width - column)) / 2, y, hand, seen, plate, { x: width / 2 + (side * (card + GAP)) / 2, y });
  });
  return { narrow: true, hand, card, places, pot: { x: width * 0.22, y: STRIP / 2 + 2 }, trump: { x: width * 0.68, y: STRIP / 2 + 2 } };
}

// Chooses the largest cards without overlaps. The seat `first` is at the bottom, the others follow clockwise (R1.1).
// On a person's own table, the other hands show backs.
export function arrange(width, height, seats, first, isOwn = false) {
  const table = { width, height, seats, first, seen: isOwn ? BACKS : FACES };
  for (let hand = MOST; width >= NARROW && hand >= LEAST; hand--) {
    for (const plate of WIDE_PLATES) {
      for (const breadth of BREADTHS) {
        const found = onOval(table, hand, plate, breadth);
        if (fits(found)) return found;
      }
    }
  }
  return inColumns(table); // a narrow table, or many seats on a low one
}

export const fan = (index, count, width) => (index - (count - 1) / 2) * fanStep(width);
