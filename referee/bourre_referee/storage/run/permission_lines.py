"""Notes below the standings: anchors, bots with special permissions, and authors who could see more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.text.names import printable


def permission_lines(manifest: Manifest) -> Iterator[str]:
    """Yields the notes about anchors, and about bots with a network or their own isolation level."""
    if anchors := manifest.anchors:
        given = (f"{printable(bot)} ({rating.mu:g}, sigma {rating.sigma:g})" for bot, rating in anchors.items())
        yield f"anchors, whose ratings are given and set the scale: {', '.join(given)}"
    networks = manifest.networks
    if networks:
        had = (f"{printable(bot)} ({_in_words(network)})" for bot, network in networks.items())
        yield f"network: {', '.join(had)}"
    if len(networks) > 1:
        yield f"network: {_names(networks)} can talk to each other there, about their cards too"
    for terms in {model.name: model for model in manifest.models.values()}.values():
        yield f"model: {terms.name} is {printable(terms.model)} at {printable(terms.base_url)}"
    for reached in manifest.caps or ():
        yield f"cap: {printable(str(reached))}"
    for bot, level in manifest.own_levels.items():
        yield f"isolation: {printable(bot)} has level {level}, the contest {manifest.terms.isolation.level}"


def trusted_lines(manifest: Manifest) -> Iterator[str]:
    """Yields the notes about bots of a duplicate contest whose authors could see every hand of a deal."""
    networks = manifest.networks
    started = [bot for bot in manifest.trusted if bot not in networks]
    reached = [bot for bot in manifest.trusted if bot in networks]
    for bots, how in ((started, "started by the author, who"), (reached, "with a network, through which the author")):
        if bots:
            yield f"trusted: {_names(bots)}: {how} could see every hand of a deal, seating by seating"


def _in_words(network: bool | tuple[str, ...]) -> str:
    return "any public address" if isinstance(network, bool) else ", ".join(map(printable, network))


def _names(bots: Iterable[str]) -> str:
    return ", ".join(map(printable, bots))
