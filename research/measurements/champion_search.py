"""Would the champion play better if it searched? Its decisions in a mixed field of five, judged by sampled deals.

Run: OPENBLAS_NUM_THREADS=1 .venv/bin/python research/measurements/champion_search.py [--deals N]

A search samples the hidden cards as a review does, plays each of the most promising choices out with the champion at
every seat, and takes the best. Other samples of the same position measure what this brings over the champion's own
choice, so chance cannot flatter it. Tables in Markdown on stdout; research/champion.md.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from time import process_time

import numpy as np
from rows import head, line

from bourre.practice import practice
from bourre.record import RecordedAsk, asks, read
from bourre.rules.actions import Missing
from bourre_lab.champion.weights import SHA256
from bourre_lab.review import reviewable
from bourre_lab.review.compared_choices import compared_choices
from bourre_lab.review.playing_out import Chips, ReviewQuestion, chips_of_choices

FIELD = ("champion", "monte_carlo", "drawer", "tight", "counter")
SEARCHED = (16, 64, 256)
MEASURED = 256
CHOICES = 5
KINDS = {"entry": "coming in, and what to discard", **{str(trick): f"card of trick {trick}" for trick in range(1, 5)}}


def decisions(deals: int) -> Iterator[RecordedAsk]:
    """Yields the champion's decisions where it has a choice, in deals that are settled one by one."""
    for seed in range(deals):
        record = read(practice({name: name for name in FIELD}, deals=1, seed=seed).matches[0].record)
        for one in reviewable(f"m{seed}", asks(record, record.header.bots.index(FIELD[0]))):
            if one.ask.view.decision != "play" or len(one.ask.view.legal) > 1:
                yield one.ask


def gains(chips: Chips) -> list[float]:
    """Returns what a search with each number of samples brings over the first choice, by the samples left for that."""
    measured = chips[:, -MEASURED:].mean(axis=1)
    return [float(measured[chips[:, :number].mean(axis=1).argmax()] - measured[0]) for number in SEARCHED]


def main() -> None:
    """Prints for each kind of decision what a search would bring per 100 deals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300)
    deals = parser.parse_args().deals
    found: dict[str, list[list[float]]] = defaultdict(list)
    seconds = 0.0
    for place, ask in enumerate(decisions(deals)):
        view, chosen = ask.view, ask.action
        assert not isinstance(chosen, Missing)
        question = ReviewQuestion(view, compared_choices(view, chosen, CHOICES), f"search {place}")
        begun = process_time()
        (chips,) = chips_of_choices([question], SEARCHED[-1] + MEASURED)
        seconds += process_time() - begun
        found[str(len(view.tricks) + 1) if view.decision == "play" else "entry"].append(gains(chips))
    print(f"champion {SHA256[:12]}, {deals} deals, {seconds:.0f} s of search\n")
    print(head(("decision", "number", *(f"{number} samples" for number in SEARCHED))))
    found["all"] = [row for rows in found.values() for row in rows]
    for kind, name in (*KINDS.items(), ("all", "all")):
        rows = np.array(found[kind]) * 100 / deals
        sums, errors = rows.sum(axis=0), rows.std(axis=0) * np.sqrt(len(rows))
        cells = [f"{one:+.1f} ± {1.96 * error:.1f}" for one, error in zip(sums, errors, strict=True)]
        print(line([name, f"{len(rows)}", *cells]), flush=True)
    print("\nIn chips per 100 deals; ± is half of a 95 % interval.")


if __name__ == "__main__":
    main()
