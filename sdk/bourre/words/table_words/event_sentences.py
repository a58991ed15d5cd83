"""One sentence for each event of a deal, for any reader. A reader at a seat is called `you`."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import Card
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    StockGathered,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
    TurnForfeited,
)
from bourre.rules.pot import UNIT, leading_seats, settle_in_units
from bourre.rules.sentences import sentence
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.readers import SUIT_NAMES, Reader, exact_chips
from bourre.words.table_words.story_parts import Incident, Outcome

Opening = DealStarted | CardDrawn | AntePaid | HandDealt | TrumpTurned | TurnedReturned | TrumpNamed
Action = TurnedTaken | Declared | Drew | Stayed | CardPlayed | TrickTaken
TURNED = {
    "dealer_fifth": "",
    "separate_dead": ", nobody's card",
    "separate_dealer_option": ", for the dealer to take",
    "separate_returned": " and shuffled back",
}
"""The fate of the turned card, by the house rule `trump_card`."""
IF_IT_STANDS = {
    "prompt": " if it stands",
    "silent": " if it stands",
    "retract": " if no legal card follows",
    "retract_renege": "",
    "strict": "",
}
"""The condition for paying a renege, by the house rule `renege_policy` (R8.4)."""


def tell(event: Event, story: DealStory, reader: Reader) -> str:
    """Puts the last event of the story in words, without capital and full stop."""
    if isinstance(event, Opening):
        return opening_words(event, story, reader)
    if isinstance(event, Action):
        return f"{reader.name(event.seat)} {action_words(event, story, reader)}"
    if isinstance(event, Outcome):
        return outcome_words(event, story, reader)
    return "; ".join(incident_words(event, story.incidents[-1], story, reader))


def opening_words(event: Opening, story: DealStory, reader: Reader) -> str:
    """Describes an event before the declarations."""
    match event:
        case DealStarted(deal, dealer):
            carried = f", {story.carried} in the pot" * bool(story.carried)
            return f"deal {deal}: {reader.name(dealer)} {reader.verb(dealer, 'deal')}{carried}"
        case CardDrawn(seat, card):
            return reader.does(seat, "draw", f"{reader.cards([card])} for the first deal")
        case AntePaid(seat, chips):
            return reader.does(seat, "pay", f"{_payment(seat, story)} of {chips}")
        case HandDealt(seat, cards):
            hand = f"{story.house.cards} cards" if cards is None else reader.cards(cards)
            return reader.does(seat, "are", f"dealt {hand}")
        case TrumpTurned(card, trump):
            turned = TURNED[story.house.trump_card]
            return f"{reader.cards([card])} is turned up{turned}: {SUIT_NAMES[trump]} are trumps"
        case TurnedReturned(card):
            return f"{reader.cards([card])} is shuffled back into the stock"
        case TrumpNamed(seat, trump):
            return reader.does(seat, "name", f"{SUIT_NAMES[trump]} as trumps")


def _payment(seat: int, story: DealStory) -> str:
    """Names the seat's last payment into the pot."""
    if story.seats[seat].dealt is not None:
        return "a second ante"
    return "an ante" if seat in story.antes else "a stake"


def action_words(event: Action, story: DealStory, reader: Reader) -> str:
    """Describes a seat's action, as a verb."""
    seat = event.seat
    match event:
        case TurnedTaken():
            return _taking_words(event, reader)
        case Declared(plays=plays, obliged=obliged):
            if obliged:
                return "must play" if plays else "may not play"
            return reader.verb(seat, "play" if plays else "pass")
        case Drew():
            return _draw_words(event, story.seats[seat].took, reader)
        case Stayed(stays=stays):
            return reader.verb(seat, "stay") if stays else f"{reader.verb(seat, 'pass')} after the draw"
        case CardPlayed(card=card):
            leads = next(iter(story.tricks[-1].cards)) == seat
            return f"{reader.verb(seat, 'lead' if leads else 'play')} {reader.cards([card])}"
        case TrickTaken(trick=trick):
            return f"{reader.verb(seat, 'take')} trick {trick}"


def _draw_words(drew: Drew, took: TurnedTaken | None, reader: Reader) -> str:
    """Describes a seat's discards and draws. If the cards are hidden, it gives only their number."""
    seat, number = drew.seat, drew.number
    if not number:
        return f"{reader.verb(seat, 'stand')} pat"
    if drew.discarded is None:
        return f"{reader.verb(seat, 'discard')} {number} card{'s' * (number != 1)}"
    parts = [f"{reader.verb(seat, 'discard')} {reader.cards(drew.discarded)}"]
    parts += [] if took is None else [_taking_words(took, reader)]
    parts += [f"{reader.verb(seat, 'draw')} {reader.cards(drew.received)}"] if drew.received else []
    return ", ".join(parts)


def _taking_words(took: TurnedTaken, reader: Reader) -> str:
    card = reader.cards([took.card]).removeprefix("the ")
    return f"{reader.verb(took.seat, 'take')} the turned {card}"


def outcome_words(event: Outcome, story: DealStory, reader: Reader) -> str:
    """Puts one event of the settlement in words: pots, payments with their reasons, and balances."""
    match event:
        case PotTaken(seat, chips):
            return _pot_taken_words(seat, chips, story, reader)
        case PotCarried():
            return _pot_carried_words(event, story, reader)
        case MatchPaid(seat, chips, bourred, reneged):
            why = " and ".join(["bourré, no trick (R7.3)"] * bourred + ["a renege (R8.1)"] * reneged)
            return reader.does(seat, "pay", f"{chips} into {_next_pot(story)}: {why}")
        case FinePaid(seat, chips):
            fines = "fines for faults or corrected reneges (R8.6)"
            return reader.does(seat, "pay", f"{chips} into {_next_pot(story)}: {fines}")
        case DealEnded(deal, balances) if reader.you is not None:
            return f"deal {deal} is over: you stand at {balances[reader.you]:+d}"
        case DealEnded() if story.independent:
            return _deal_result_words(event, reader)
        case DealEnded(_, balances, pot):
            return f"balances: {_balances(balances, reader)}; pot {pot}"
        case MatchEnded(balances) if reader.you is not None:
            return f"the game is over: you end with {balances[reader.you]:+d}"
        case MatchEnded(balances):
            return f"the match ends: {_balances(balances, reader)}"
        case PotShared(seat, chips):
            return reader.does(seat, "get", f"{chips} of the pot left on the table (R7.6)")


def _next_pot(story: DealStory) -> str:
    """Names the pot for late payments. A deal that is settled alone has no next pot, and shares them with its own."""
    return "the pot" if story.independent else "the next pot"


def _deal_result_words(ended: DealEnded, reader: Reader) -> str:
    """Describes each seat's gain from the deal, including its share of the pot."""
    units = enumerate(settle_in_units(ended.balances, ended.pot))
    result = f"the deal ends: {', '.join(f'{reader.name(seat)} {exact_chips(won)}' for seat, won in units)}"
    if not ended.pot:
        return result
    share = exact_chips(UNIT // len(ended.balances) * ended.pot).removeprefix("+")
    return f"the pot of {ended.pot} that is left is shared equally, {share} each (R7.6); {result}"


def _pot_taken_words(seat: int, chips: int, story: DealStory, reader: Reader) -> str:
    tricks = {number: seat.tricks for number, seat in enumerate(story.seats)}
    barred = [number for number, seat in enumerate(story.seats) if seat.barred]
    if len(leading_seats(tricks, barred, story.house)) > 1:
        share = f"{reader.own(seat)} share of a split pot (R7.2)"
        return reader.does(seat, "take", f"{chips} of the pot of {story.pot}, {share}")
    limited = chips < story.pot
    pot = f"{chips} of the pot of {story.pot}" if limited else f"the pot of {chips}"
    limit = ", R7.4" * limited
    if not story.tricks:
        return f"{reader.name(seat)}, alone in, {reader.verb(seat, 'take')} {pot} (R4.8{limit})"
    why = "R7.1" if _most_tricks(story) == [seat] else "R8.3: barred seats are left out"
    return reader.does(seat, "take", f"{pot} with {_tricks(story.seats[seat].tricks)} ({why}{limit})")


def _pot_carried_words(carried: PotCarried, story: DealStory, reader: Reader) -> str:
    stay = f"the pot of {carried.chips} stays"
    if carried.chips < story.pot:
        stay = f"the pot is shared out, {carried.chips or 'nothing'} stays in it"
    if not carried.played:
        return f"nobody plays: {stay} (R4.6)"
    if carried.tied:
        level = _tricks(story.seats[carried.tied[0]].tricks)
        return f"{reader.names_of(carried.tied)} tie at {level}: {stay} (R7.2)"
    most = _most_tricks(story)
    barred = reader.verb(most[0], "are") if len(most) == 1 else "are"
    return f"{reader.names_of(most)}, with most tricks, {barred} barred: {stay} (R8.3)"


def _most_tricks(story: DealStory) -> list[int]:
    """Returns the seats with most tricks, barred or not."""
    most = max(seat.tricks for seat in story.seats)
    return [number for number in story.order if most and story.seats[number].tricks == most]


def _tricks(number: int) -> str:
    return f"{number} trick{'s' * (number != 1)}"


def _balances(balances: Sequence[int], reader: Reader) -> str:
    return ", ".join(f"{reader.name(seat)} {chips:+d}" for seat, chips in enumerate(balances))


def incident_lines(incident: Incident, story: DealStory, reader: Reader) -> list[str]:
    """Puts an incident in lines. The first has the place and the seat."""
    where = f"trick {incident.trick}" if incident.trick else "before the play"
    first, *rest = incident_words(incident.event, incident, story, reader)
    return [f"! {where}: {first}", *(f"  {line}" for line in rest)]


def incident_words(event: Event, incident: Incident, story: DealStory, reader: Reader) -> list[str]:
    """Puts an incident's event in words, without the hand and the legal cards if the event hides them."""
    policy, forfeits = story.house.renege_policy, not story.independent
    match event:
        case Reneged(seat, card, rule, legal, due):
            return [
                reader.does(seat, "renege", f"with {reader.cards([card])}: {sentence(rule)}"),
                f"{_position(incident, story, legal, reader)}costs {_due(due)}{IF_IT_STANDS[policy]}",
            ]
        case RenegeCorrected(seat, card):
            unasked = " unasked" * (policy == "silent")
            lost = f", {reader.verb(seat, 'forfeit')} {reader.own(seat)} next turn to deal" * forfeits
            back = f"{reader.cards([card])} back{unasked}"
            return [reader.does(seat, "take", f"{back}: cannot win this pot{lost} (R8.2)")]
        case RenegeRetracted(seat, card):
            free = ", at no cost" * (policy == "retract")
            return [reader.does(seat, "take", f"{reader.cards([card])} back{free} (R8.4)")]
        case TrickReopened(trick):
            return [f"trick {trick} is open again"]
        case StockGathered(cards):
            return [f"the stock is empty: {cards} cards are gathered and shuffled (R4.4)"]
        case Penalized(seat, rule, due):
            return [reader.does(seat, "owe", f"{_due(due)} and cannot win this pot: {sentence(rule)}")]
        case Faulted(seat, fault):
            return [reader.does(seat, "are", f"at fault: {fault.replace('_', ' ')}")]
        case DealForfeited(seat):
            lost = f": {reader.verb(seat, 'forfeit')} {reader.own(seat)} next turn to deal" * forfeits
            return [f"{reader.name(seat)} spoke before {reader.own(seat)} turn{lost} (R4.7)"]
        case TurnForfeited(seat):
            return [reader.does(seat, "forfeit", "this turn to deal (R1.4)")]
        case HouseTookOver(seat):
            return [f"the referee plays for {reader.name(seat)} from now on"]
        case other:
            return [str(other)]


def _due(chips: int) -> str:
    return f"{chips} to match the pot" if chips else "nothing more"


def _position(incident: Incident, story: DealStory, legal: Sequence[Card] | None, reader: Reader) -> str:
    """Describes the trick, trump and hand that decided legality; empty if they are hidden."""
    if legal is None:
        return ""
    trick = f"on {reader.cards(incident.played)}" if incident.played else "leading"
    trumps = "" if story.trump is None else f"{SUIT_NAMES[story.trump]} trumps, "
    return f"{trick}, {trumps}holding {reader.cards(incident.hand)}; legal: {reader.cards(legal)}; "
