"""Read what a replay shows in a browser, and compute from the match what it should show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Page

from bourre.record import Header, Record, Step, chance_of, read, replay
from bourre.rules.cards import show
from bourre.rules.events import DealStarted, Event, MatchEnded, PotShared, TurnForfeited
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from bourre.words.table_words import sort_hand
from bourre_referee.web.viewer import render_standalone
from tests.sdk.recorded import header, recorded
from tests.sdk.rules.observer import Observer

READ = """() => {
  const all = (place, name) => [...place.querySelectorAll(name)];
  const text = (place, name) => place.querySelector(name)?.textContent ?? "";
  const suit = (drawn) => drawn.querySelector("use").href.baseVal.slice(-1);
  const card = (drawn) => text(drawn, ".rank").replace("10", "T") + suit(drawn);
  const table = document.querySelector(".viewer-table");
  const seats = all(table, ".seat");
  const laid = (name) => all(table, name).sort((one, other) => one.style.zIndex - other.style.zIndex);
  const hands = seats.map((seat) => laid(`.held:is(.hand, .refused)[data-seat="${seat.dataset.seat}"]`));
  const words = (seat) => [".did", ".tricks", ".barred"].map((part) => text(seat, part).replace(", ", ""))
    .filter(Boolean).join(", ");
  return {
    hands: hands.map((cards) => cards.filter((one) => one.querySelector(".rank")).map(card).join(" ")),
    backs: hands.map((cards) => cards.filter((one) => one.querySelector(".back")).length),
    names: seats.map((seat) => text(seat, "bdi")),
    balances: seats.map((seat) => parseInt(text(seat, ".chips").replace("\\u2212", "-"))),
    statuses: seats.map(words),
    noticed: seats.map((seat) => text(seat, ".say")),
    pot: parseInt(text(table, ".pot .sum")),
    trump: table.querySelector(".trump use") ? suit(table.querySelector(".trump")) : "",
    trick: laid(".held.trick").map((one) => `${one.dataset.seat} ${card(one)}`),
    tags: laid(".held.trick").map((one) => text(one, ".tag")),
    caption: document.querySelector(".viewer-caption").innerText,
    counter: text(document, ".viewer-controls output"),
    line: document.querySelector("[aria-current=step]").id,
  };
}"""
"""Reads what is visible: ranks from their text, suits from their shapes."""
READ_STEPS = f"""(steps) => Array.from({{length: steps}}, () => {{
  const shown = ({READ})();
  const forward = new KeyboardEvent("keydown", {{key: "ArrowRight", bubbles: true}});
  document.querySelector(".viewer").dispatchEvent(forward);
  return shown;
}})"""
"""Reads this many steps, and goes on after each by its key."""

HOUSES = {
    "prompt": (HouseRules.preset("limit"), 4),
    "silent": (HouseRules.preset("bicycle", renege_policy="silent"), 3),
    "dealer takes the turned card": (HouseRules.preset("separate_dealer_option"), 1),
    "retract": (HouseRules.preset("nba", renege_policy="retract"), 1),
}
"""House rules, and a seed for matches with many incidents under them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The picture of one step, and the text beside it; lists are by seat."""

    hands: list[str]
    """Face-up cards only."""
    backs: list[int]
    """The number of face-down cards."""
    names: list[str]
    balances: list[int]
    statuses: list[str]
    """Such as `passed`, or `drew 2, 2 tricks, barred`."""
    noticed: list[str]
    """Such as `renege!`; empty for most seats at most steps."""
    pot: int
    trump: str
    trick: list[str]
    """Such as `2 KH`: seat and card."""
    tags: list[str]
    """What is marked on these cards: `led`, `best`, `won`, or nothing."""
    caption: str
    counter: str
    """Such as `3 / 40`."""
    line: str
    """The anchor of the marked line of the log."""


@dataclass(frozen=True, slots=True)
class Table:
    """The table after an event, according to the rules; lists are by seat."""

    event: Event
    hands: list[str]
    balances: list[int]
    pot: int
    trump: str
    trick: list[str]
    """The last one until the next is led."""
    statuses: list[str]
    """What each seat has done so far, in the words of the picture."""


def as_shown(text: str) -> str:
    """Returns a text with its cards as pages write them."""
    return re.sub(r"T(?=[♣♦♥♠])", "10", text)


def opening_of(page: Page) -> int:
    """Returns the number of the step at which the shown deal opens."""
    begins = page.locator("article:not([hidden])").get_attribute("data-begins")
    assert begins is not None
    return int(begins.rpartition("step-")[2])


def mischievous_match(name: str = "prompt", seats: int = 4, deals: int = 4, bots: tuple[str, ...] = ()) -> Record:
    """Returns a match with many incidents: illegal cards, missing answers, answers out of turn."""
    house, dice = HOUSES[name]
    head = header(seats, deals, house=house)
    return read(recorded(replace(head, bots=bots or head.bots), dice, 0.25)[0])


def read_viewer(page: Page) -> Shown:
    """Returns what the viewer on this page shows now."""
    return Shown(**page.evaluate(READ))


def read_steps(page: Page, steps: int) -> list[Shown]:
    """Returns what the viewer shows at this many steps from here; a call for each would take most of a test's time."""
    return [Shown(**shown) for shown in page.evaluate(READ_STEPS, steps)]


def write_replay(record: Record, folder: Path, deal: int | None = None) -> str:
    """Writes the match as one file and returns its address."""
    path = folder / "match.html"
    path.write_text(render_standalone(record, deal), encoding="utf-8")
    return path.as_uri()


def tables(record: Record) -> Iterator[Table]:
    """Yields the table after every event of a match.

    It combines what each seat sees and notes, and is compared after every action with a match that is played again.
    In `duplicate` it ends with each deal, because what is left in the pot is not shared in whole chips.
    """
    unseen = (PotShared, MatchEnded) if record.header.format == "duplicate" else ()
    for step in replay(record):
        if step.seat is None or step.action is None:
            match = _match(record.header, step)
            notebooks = [Observer(seat, match.seats) for seat in range(match.seats)]
            match.start()
        else:
            match.apply(step.seat, step.action)
        for event in step.events:
            for notebook in notebooks:
                _note(notebook, event)
            if not isinstance(event, unseen):
                yield _table(event, notebooks)
        for notebook in notebooks if not match.over else ():
            notebook.check(match.view(notebook.seat))


def _match(header: Header, first: Step) -> Match:
    started = next(event for event in first.events if isinstance(event, DealStarted))
    only = started.deal if header.format == "duplicate" else None
    return Match(len(header.bots), header.deals, header.house, chance_of(header), only)


def _note(notebook: Observer, event: Event) -> None:
    if isinstance(event, TurnForfeited):
        notebook.forget_deal()  # the next deal begins with the turns forfeited before it
    for seen in visible_to(notebook.seat, [event]):
        notebook.hear(seen)


def _table(event: Event, notebooks: list[Observer]) -> Table:
    one = notebooks[0]
    return Table(
        event=event,
        hands=[show(sort_hand(notebook.hand, one.trump)) for notebook in notebooks],
        balances=list(one.chips.balances),
        pot=one.chips.pot,
        trump="" if one.trump is None else str(one.trump),
        trick=_trick(one),
        statuses=[_status(one, seat) for seat in range(one.seats)],
    )


def _status(notebook: Observer, seat: int) -> str:
    plays, drawn = notebook.plays[seat], notebook.drawn[seat]
    tricks = sum(trick.winner == seat for trick in notebook.tricks)
    entry = "in" if drawn is None else f"drew {drawn}" if drawn else "stood pat"
    words = [entry if plays else "" if plays is None else "passed"]
    if plays and tricks:
        words.append(f"{tricks} trick{'s' * (tricks > 1)}")
    return ", ".join(filter(None, (*words, "barred" * (seat in notebook.barred))))


def _trick(notebook: Observer) -> list[str]:
    if notebook.trick or not notebook.tricks:
        return [f"{seat} {card}" for seat, card in notebook.trick]
    leader, cards, _ = notebook.tricks[-1]
    turns = [seat % notebook.seats for seat in range(leader, leader + notebook.seats)]
    playing = [seat for seat in turns if notebook.plays[seat]]
    return [f"{seat} {card}" for seat, card in zip(playing, cards, strict=True)]
