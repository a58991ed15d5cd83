"""What a deal is remembered for: a headline, and its result in a sentence. Names are isolated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre.rules.events import MatchPaid, PotCarried, PotTaken, Reneged
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.readers import Reader
from bourre_referee.text.amounts import in_chips, unsigned
from bourre_referee.text.names import isolate_names
from bourre_referee.text.narration.events_by_deal import DealEvents, story_of
from bourre_referee.web.template_filters import in_words


@dataclass(frozen=True, slots=True)
class DealHeadline:
    """A deal in a few words."""

    title: str
    """Such as `A renege in a pot of 59`."""
    result: str
    """Such as `drawer takes 20 of 59 with two tricks; loose goes bourré and pays 20`."""


def deal_headline(deal: DealEvents) -> DealHeadline:
    """Returns the headline of a finished deal."""
    story, reader = story_of(deal), Reader(isolate_names(deal.bots))
    return DealHeadline(_title(story, reader), "; ".join((*_winning(story, reader), *_losing(story, reader))))


def _title(story: DealStory, reader: Reader) -> str:
    pot = f"pot of {_chips(story.pot)}"
    reneges = sum(isinstance(incident.event, Reneged) for incident in story.incidents)
    bourred = [event.seat for event in story.outcome if isinstance(event, MatchPaid) and event.bourred]
    taken = [event for event in story.outcome if isinstance(event, PotTaken)]
    if reneges:
        return f"{_many(reneges, 'renege')} in a {pot}"
    if len(bourred) > 1:
        return f"{_many(len(bourred), 'bourré')} in a {pot}"
    if bourred:
        return f"{reader.name(bourred[0])} goes bourré in a {pot}"
    if len(taken) == 1:
        return f"{reader.name(taken[0].seat)} takes {_share(taken[0], story)}"
    return f"A split {pot}" if _tied(story) else f"The {pot} stays"


def _many(times: int, noun: str) -> str:
    return f"A {noun}" if times == 1 else f"{in_words(times).capitalize()} {noun}s"


def _winning(story: DealStory, reader: Reader) -> Iterator[str]:
    taken = [event for event in story.outcome if isinstance(event, PotTaken)]
    if len(taken) == 1:
        won = story.seats[taken[0].seat].tricks
        how = f"with {_tricks(won)}" if story.tricks else "alone"
        yield f"{reader.name(taken[0].seat)} takes {_share(taken[0], story)} {how}"
    elif tied := _tied(story):
        end = f"share {_chips(sum(event.chips for event in taken))}" if taken else "the pot stays"
        yield f"{reader.names_of(tied)} tie at {_tricks(story.seats[tied[0]].tricks)}: {end}"
    elif any(isinstance(event, PotCarried) and not event.played for event in story.outcome):
        yield "nobody plays"
    else:
        yield "the winner is barred from the pot, which stays"


def _losing(story: DealStory, reader: Reader) -> Iterator[str]:
    for event in story.outcome:
        if isinstance(event, MatchPaid):
            why = "goes bourré and pays" if event.bourred else "pays for a renege:"
            yield f"{reader.name(event.seat)} {why} {_chips(event.chips)}"


def _tied(story: DealStory) -> Sequence[int]:
    """Returns the seats that split the pot, whether they took or left it."""
    carried = [event.tied for event in story.outcome if isinstance(event, PotCarried)]
    return carried[0] if carried else [event.seat for event in story.outcome if isinstance(event, PotTaken)]


def _share(taken: PotTaken, story: DealStory) -> str:
    return (
        f"{_chips(taken.chips)} of {_chips(story.pot)}"
        if taken.chips < story.pot
        else f"the pot of {_chips(story.pot)}"
    )


def _tricks(number: int) -> str:
    return f"{in_words(number)} trick{'s' * (number != 1)}"


def _chips(chips: int) -> str:
    return unsigned(in_chips(chips, 1), 0)
