"""Lockstep deals follow `bourre.rules`: the same questions, answers, cards and chips, with every preset and others."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import numpy as np
import pytest

from bourre.rules.cards import DECK, Suit, card_set, cards_in
from bourre.rules.deal import Deal
from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre.rules.house import CHOICES, PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import settle
from bourre.rules.tricks import Position, best_card, legal_plays
from bourre.rules.view import View
from bourre_lab.batch_deals import ACTIONS, CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals.action_numbers import COME_IN, NAME_TRUMP, PASS, TAKE
from bourre_lab.batch_deals.card_sets import Ints, count, has, highest, lowest, sorted_cards, spread
from bourre_lab.batch_deals.deals import SUPPORTED, settle_deals
from bourre_lab.batch_deals.stocks import Shuffles, Stocks
from bourre_lab.batch_deals.tricks import Positions, legal_cards
from tests.batch_deals.rule_matches import SameDeals
from tests.long_tests import parts

DEALS = 8


def random_house(dice: Random) -> HouseRules:
    """House rules in which every key that matters in step is chosen by itself."""
    keys: dict[str, object] = {key: dice.choice(words) for key, words in CHOICES.items() if key != "first_dealer"}
    keys |= {field.name: dice.random() < 0.5 for field in fields(HouseRules) if isinstance(field.default, bool)}
    keys |= {"ante": dice.randint(0, 3), "second_ante": dice.choice([0, 1, 2]), "cards": dice.choice([4, 5])}
    keys |= {"max_discards": dice.choice([5, 5, 5, 4, 2, 0]), "seven_player_limit": dice.choice([None, 3])}
    return HouseRules.preset("pagat", **keys, pot_limit=dice.choice([None, 2, 7, 20]))


TABLES = [(preset, seats) for preset in PRESETS for seats in (2, 4, PRESET_SEATS.get(preset, 8))]


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_random_play_is_the_same_as_in_the_rules(preset: str, seats: int) -> None:
    play_beside_the_rules(HouseRules.preset(preset), seats, [seats, len(preset)], keen=0.8)


@pytest.mark.parametrize("part", parts(40, 400))
def test_so_it_is_in_any_house(part: int) -> None:
    seats, keen = (2, 3, 8, 5, 8, 7)[part % 6], 0.8 if part % 4 == 3 else 2.0
    play_beside_the_rules(random_house(Random(part)), seats, [part], keen)


def play_beside_the_rules(house: HouseRules, seats: int, seed: list[int], keen: float) -> None:
    """Plays some deals at random in both, and asserts that they are the same at every question and at the end."""
    same = SameDeals(house, seats, DEALS, np.random.default_rng(seed), keen)
    antes = np.full(seats, house.ante)
    if house.dealer_antes_all:
        antes = np.array([0] * (seats - 1) + [house.ante * seats])
    shown = [Shown(match.deal) for match in same.matches]
    for legal in same.steps():
        assert (legal.any(axis=1) == ~same.deals.over).all()
        for row in same.open_rows():
            shown[row].follow()
            check_decision(same.deals, row, same.matches[row], np.flatnonzero(legal[row]), antes, shown[row])
    settled = same.deals.settle()
    assert len(same.ends) == DEALS
    for row, end in same.ends.items():
        chips = settled.chips[row] - same.deals.state.paid[row] - antes
        assert (end.balances, end.pot) == (tuple(chips.tolist()), settled.next_pot[row])
        if shown[row].deal.number == 1:
            shown[row].follow()
            assert same.deals.state.played[row].tolist() == shown[row].played
            assert same.deals.state.barred_cards[row].tolist() == shown[row].barred


def check_decision(deals: LockstepDeals, row: int, match: Match, legal: Ints, antes: Ints, shown: Shown) -> None:
    """Asserts that both ask the same seat the same question, in the same state, with the same legal answers."""
    deal, entry, tricks, state = match.deal, match.deal.entry, match.deal.tricks, deals.state
    asked, view = Asked(int(state.asked[row])), match.view(match.to_act)
    assert match.decision.name == ("DECLARE" if asked == Asked.ENTER else asked.name)
    facts: dict[str, object] = {
        "to_act": match.to_act,
        "pot": match.ledger.pot,
        "paid": [-chips - ante for chips, ante in zip(match.ledger.balances, antes.tolist(), strict=True)],
        "hands": list(deal.hands),
        "plays": [-1 if plays is None else int(plays) for plays in entry.plays],
        "drawn": [-1 if drawn is None else drawn for drawn in entry.drawn],
        "discarded": list(entry.discarded),
        "trump": -1 if entry.trump is None else int(entry.trump),
        "turned": int(entry.turned or 0),
        "dead": entry.dead,
        "played": shown.played,
        "barred_cards": shown.barred,
    }
    if tricks is not None:
        facts |= {
            "won": [tricks.won.get(seat, 0) for seat in range(match.seats)],
            "leader": tricks.leader,
            "seen": tricks.seen,
            "laid": card_set(tricks.trick),
            "in_trick": len(tricks.trick),
            "playing": len(tricks.order),
            "tricks": len(tricks.completed),
        }
    assert {name: getattr(state, name)[row].tolist() for name in facts} == facts
    assert set(legal.tolist()) == answers(asked, view)


def answers(asked: Asked, view: View) -> set[int]:
    """The actions that the rules allow where this is asked."""
    if asked == Asked.PLAY:
        return {CARD_ACTIONS + card for card in view.legal}
    if asked == Asked.NAME_TRUMP:
        return {NAME_TRUMP + suit for suit in Suit}
    if asked in (Asked.DECLARE, Asked.STAY):
        return {PASS, COME_IN}
    subsets = [subset for subset in range(1 << len(view.hand)) if subset.bit_count() <= view.max_discards]
    takes = {TAKE + subset for subset in subsets if subset and view.may_take_turned}
    return {COME_IN + subset for subset in subsets} | takes | ({PASS} if asked == Asked.ENTER else set())


class Shown:
    """What the plays of a deal show: the cards of each seat, and those that it cannot have held beside them (R5)."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.played = [0] * len(deal.ledger.balances)
        self.barred = list(self.played)
        self._plays = 0

    def follow(self) -> None:
        """Takes in the cards that were played since this was last called."""
        tricks = self.deal.tricks
        if tricks is None:
            return
        order, lying = tricks.order, [(trick.leader, trick.cards) for trick in tricks.completed]
        lying.append((tricks.leader, tuple(tricks.trick)))
        plays = [
            (order[(order.index(leader) + turn) % len(order)], card, cards[:turn])
            for leader, cards in lying
            for turn, card in enumerate(cards)
        ]
        for seat, card, before in plays[self._plays :]:
            self.played[seat] |= 1 << card
            if before:
                house = replace(self.deal.house, cinch=False)
                at = Position(0, before, tricks.trump, len(order), 0, 0, 0, house)
                pairs = ((other, legal_plays(at._replace(hand=1 << card | 1 << other))) for other in DECK)
                self.barred[seat] |= sum(1 << other for other, legal in pairs if not legal >> card & 1)
        self._plays = len(plays)


def random_position(dice: Random, house: HouseRules) -> Position:
    """Any position, often with trumps in the hand and out of play, on which a cinch depends (R6)."""
    done, playing, trump = dice.randrange(house.cards), dice.randint(2, 8), dice.choice(list(Suit))
    cards, share = dice.sample(DECK, 52), dice.choice([0, 0.25, 0.4])
    cards.sort(key=lambda card: card.suit == trump and dice.random() < share)
    hand = [cards.pop() for _ in range(house.cards - done)]
    dead = 1 << next(card for card in cards if card.suit == trump) if dice.random() < 0.5 else 0
    cards = [card for card in cards if not dead >> card & 1]
    trick = tuple(cards.pop() for _ in range(dice.randrange(playing)))
    seen = card_set(cards[: done * playing])
    return Position(card_set(hand), trick, trump, playing, dice.randint(0, done), seen, dead, house)


def test_legal_cards_are_those_of_the_rules_in_any_position() -> None:
    dice = Random(5)
    for _ in range(30):
        house = replace(random_house(dice), cinch=dice.random() < 0.8)
        some = [random_position(dice, house) for _ in range(150)]
        at = Positions(
            hand=np.array([each.hand for each in some], np.uint64),
            trump=np.array([int(each.trump) for each in some]),
            led=np.array([int(each.trick[0]) if each.trick else 8 for each in some]),
            best=np.array([int(best_card(each.trick, each.trump)) if each.trick else 8 for each in some]),
            laid=np.array([card_set(each.trick) for each in some], np.uint64),
            leads=np.array([not each.trick for each in some]),
            last=np.array([bool(each.trick) and len(each.trick) == each.playing - 1 for each in some]),
            won=np.array([each.tricks_won for each in some]),
            seen=np.array([each.seen for each in some], np.uint64),
            dead=np.array([each.dead for each in some], np.uint64),
        )
        assert legal_cards(at, house).tolist() == [legal_plays(each) for each in some]


def test_deals_are_settled_as_by_the_rules() -> None:
    dice = Random(6)
    for _ in range(60):
        house, seats = random_house(dice), dice.randint(2, 8)
        tricks = [random_tricks(dice, house.cards, seats) for _ in range(20)]
        pots = [dice.choice([0, 1, 5, 11, 30]) for _ in tricks]
        plays = np.array([[seat in won for seat in range(seats)] for won in tricks])
        taken = np.array([[won.get(seat, 0) for seat in range(seats)] for won in tricks])
        settled = settle_deals(np.array(pots), plays, taken, house)
        for row, (pot, won) in enumerate(zip(pots, tricks, strict=True)):
            end = settle(pot, won, (), (), house)
            chips = [end.taken.get(seat, 0) - end.payments.get(seat, 0) for seat in range(seats)]
            assert settled.chips[row].tolist() == chips
            assert np.flatnonzero(settled.exempt[row]).tolist() == sorted(end.exempt)
            assert settled.next_pot[row] == end.next_pot


def random_tricks(dice: Random, cards: int, seats: int) -> dict[int, int]:
    """The tricks of the seats that play, none to all of them."""
    playing = dice.sample(range(seats), dice.randint(0, seats))
    takers = [dice.choice(playing) for _ in range(cards) if playing]
    return {seat: takers.count(seat) for seat in playing}


def test_sets_are_the_whole_numbers_of_the_rules() -> None:
    dice = Random(1)
    sets = [0, *(1 << card for card in DECK), *((1 << card + 1) - 256 for card in DECK)]
    sets += [card_set(dice.sample(DECK, size)) for size in range(1, 52)]
    array = np.array(sets, np.uint64)
    assert sorted_cards(array, 5).tolist() == [[*map(int, cards_in(each)), *[64] * 5][:5] for each in sets]
    assert count(array).tolist() == [each.bit_count() for each in sets]
    assert lowest(array).tolist() == [(each & -each).bit_length() - 1 if each else 64 for each in sets]
    assert highest(array).tolist() == [each.bit_length() - 1 for each in sets]
    held = [[bool(each >> card & 1) for card in range(60)] for each in sets]
    assert has(array[:, None], np.arange(60)).tolist() == held
    assert spread(array).reshape(-1, 52).tolist() == [[each >> card & 1 for card in DECK] for each in sets]
    assert array.tolist() == sets


def course(deals: LockstepDeals, decks: Ints, shuffles: Shuffles | None = None) -> Ints:
    """The hands of all seats after each step, of shape (deals, steps, seats): all draw five, and play high."""
    deals.reset(decks, decks[:, 0], shuffles)
    hands = []
    while not deals.all_over:
        deals.step(ACTIONS - 1 - deals.legal_actions()[:, ::-1].argmax(axis=1))  # any number where the deal is over
        hands.append(deals.state.hands.astype(np.int64))
    settled = deals.settle()
    assert np.array_equal(settled.chips.sum(axis=1) + settled.next_pot, decks[:, 0])
    return np.stack(hands, axis=1)


@pytest.mark.parametrize("trump_card", ["dealer_fifth", "separate_returned"])
def test_a_second_reset_equals_that_of_fresh_deals(trump_card: str) -> None:
    """What is gathered follows from the deck and the number of the gathering, in whatever row the deal is."""
    house, decks = HouseRules.preset("pagat", trump_card=trump_card), random_decks(12, np.random.default_rng(3))
    kept, used = decks.copy(), LockstepDeals(house, 8)

    def orders(rows: Ints, times: Ints) -> Ints:
        pairs = zip(rows.tolist(), times.tolist(), strict=True)
        seeds = [[*kept[row].tolist(), time] for row, time in pairs]
        return np.concatenate([random_decks(1, np.random.default_rng(seed)) for seed in seeds])

    first = course(used, decks)
    assert np.array_equal(np.sort(decks, axis=1), [list(map(int, DECK))] * 12)
    assert np.array_equal(decks, kept)
    assert np.array_equal(course(used, decks[::-1]), first[::-1])
    assert np.array_equal(course(used, decks), first)
    assert np.array_equal(course(LockstepDeals(house, 8), decks, orders), first)


def test_a_stock_begins_where_each_deal_says() -> None:
    """It serves what is left, then the pile: passed hands first, where the house says so."""
    cards = np.array([list(map(int, DECK))] * 2)
    for recycle, last in (("together", [8, 9, 20, 21]), ("folded_first", [20, 21, 8, 9])):
        stocks = Stocks(cards, np.array([10, 50]), HouseRules(recycle=recycle), lambda rows, times: cards[rows])
        stocks.passed[:], stocks.discards[:] = 1 << 20 | 1 << 21, 1 << 8 | 1 << 9
        served = [stocks.serve(np.arange(2), np.array([1, 1])).tolist() for _ in range(6)]
        assert [cards_in(hand)[0] + 0 for hand, _ in served] == list(range(18, 24))
        assert [cards_in(hand)[0] + 0 for _, hand in served] == [58, 59, *last]


@pytest.mark.parametrize(("early", "late"), [(-1, -1), (CARD_ACTIONS + 8, CARD_ACTIONS + 7), (ACTIONS, ACTIONS)])
def test_an_action_that_answers_another_question_is_refused(early: int, late: int) -> None:
    deals = LockstepDeals(HouseRules.preset("limit"), 3)
    deals.reset(random_decks(2, np.random.default_rng(1)), 3)
    with pytest.raises(InvalidAction, match=f"deal 1 asks to enter, which action {early} does not"):
        deals.step(np.array([COME_IN, early]))
    while (deals.asked < Asked.PLAY).any():
        deals.step(np.array([COME_IN, COME_IN]))
    with pytest.raises(InvalidAction, match=f"deal 0 asks to play, which action {late} does not"):
        deals.step(np.array([late, CARD_ACTIONS + 8]))


def test_a_house_rule_that_is_not_supported_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new key must be played in step before it is listed."""
    assert {field.name for field in fields(HouseRules)} == SUPPORTED
    monkeypatch.setattr("bourre_lab.batch_deals.deals.SUPPORTED", SUPPORTED - {"second_pass"})
    LockstepDeals(HouseRules.preset("limit"), 3)
    with pytest.raises(InvalidHouse, match=r"this value of 'second_pass'\.\nhint: use False"):
        LockstepDeals(HouseRules.preset("indiana"), 3)
    with pytest.raises(InvalidHouse, match="9 seats cannot play"):
        LockstepDeals(HouseRules.preset("limit"), 9)
