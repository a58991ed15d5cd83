"""Checks that a bot answers every question once, validly and by the rules, for every kind of decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bourre.rules.actions import Decision, Declare
from bourre.rules.house import HouseRules
from bourre_referee.evaluation.check.answer_judge import Area, Complaint, find_complaint
from bourre_referee.evaluation.check.check_report import Check, CheckVerdict, Finding, make_check
from bourre_referee.evaluation.check.finding_context import Context
from bourre_referee.evaluation.check.transcript import Exchange, Stray
from bourre_referee.evaluation.check.trial_matches import CORRECTION, TESTED_BOT

TAKE_TURNED = "take_turned"


def answer_checks(context: Context) -> Iterator[Check]:
    """Yields the checks of protocol, decisions, legality and correction."""
    found = list(complaints(context.played.exchanges))
    yield _protocol(context, found)
    yield _decisions(context, found)
    yield _legality(context, found)
    yield _correction(context, found)


def complaints(exchanges: Iterable[Exchange]) -> Iterator[Complaint]:
    """Yields a complaint for each exchange that has one."""
    return (found for exchange in exchanges if (found := find_complaint(exchange)) is not None)


def findings_in(area: Area, context: Context, found: Sequence[Complaint]) -> list[Finding]:
    """Turns the complaints of one area into findings."""
    return [context.finding(each) for each in found if each.area == area]


def _protocol(context: Context, found: Sequence[Complaint]) -> Check:
    played = context.played
    findings = [*findings_in(Area.PROTOCOL, context, found), *map(_stray_finding, played.strays)]
    if played.chatter:
        findings.insert(0, Finding(f"cut off: {_CHATTER}", cost="the referee plays its seat to the end"))
    if not found and not findings and played.gone is None:
        findings += _unexplained_findings(context)
    answered = sum(exchange.answer is not None for exchange in played.exchanges)
    title = "answers every question once, with the right ids and the right kind of answer"
    return make_check("protocol", title, f"{answered} answers to {len(played.exchanges)} questions", findings)


_CHATTER = "it sent more than two answers per question plus 32"


def _stray_finding(stray: Stray) -> Finding:
    answer = f" ({stray.answer.action}, table {stray.answer.table}, id {stray.answer.id})" if stray.answer else ""
    cost = "a fault at that table, and during the declarations also its next turn to deal (R4.7)"
    return Finding(
        f"{stray.why}{answer}",
        cost=cost if answer else "",
        mend="answer each question once, with its own `table` and `id`",
    )


def _unexplained_findings(context: Context) -> Iterator[Finding]:
    """Yields faults and reneges that the referee recorded but no check noticed."""
    for outcome in context.played.outcomes:
        seat = [result.bot for result in outcome.result.seats].index(TESTED_BOT)
        for fault in outcome.faults:
            if fault.seat == seat:
                yield Finding(f"{fault.times} times {fault.fault} in match {outcome.result.match}")
        by_rule = outcome.result.seats[seat].reneges_by_rule if outcome.result.match != CORRECTION else ()
        for rule, times in by_rule:
            yield Finding(f"{times} reneges ({rule}) in match {outcome.result.match}", rule)


def _decisions(context: Context, found: Sequence[Complaint]) -> Check:
    name, title = "decisions", "answers every kind of decision under every preset without an error"
    if findings := findings_in(Area.DECISIONS, context, found):
        presets = {context.trials[each.exchange.match].preset for each in found if each.area == Area.DECISIONS}
        check = make_check(name, title, "", findings)
        return Check(
            name, title, check.verdict, f"under {_join_words(presets)}: {check.summary}", check.findings, check.times
        )
    asked = count_asked(context.played.exchanges)
    detail = ", ".join(f"{times} {kind}" for kind, times in asked.items())
    missing = [kind for kind in _expected_kinds(context) if not asked[kind]]
    if missing:
        detail += f", never asked: {_join_words(missing)} (try more --deals)"
    if str(Decision.PLAY) in missing:
        finding = Finding(detail, mend="make sure that the bot does not pass every hand")
        return make_check(name, title, "", [finding], CheckVerdict.WARNED)
    return make_check(name, title, detail, [])


def count_asked(exchanges: Iterable[Exchange]) -> Counter[str]:
    """Counts how often each method of a bot was needed. A declaration in turn includes the discards (R4.1)."""
    asked: Counter[str] = Counter()
    for exchange in exchanges:
        view, action = exchange.ask.view, exchange.answer.action if exchange.answer else None
        asked[str(view.decision)] += 1
        in_turn = view.house.declares_in_turn and isinstance(action, Declare) and action.plays
        asked[str(Decision.DRAW)] += in_turn
        asked[TAKE_TURNED] += view.may_take_turned and (in_turn or view.decision == Decision.DRAW)
    return +asked


def _expected_kinds(context: Context) -> list[str]:
    """Lists the kinds of decisions in the chosen presets."""
    houses = [HouseRules.preset(trial.preset) for trial in context.trials.values()]
    kinds = [str(Decision.DECLARE), str(Decision.DRAW), str(Decision.PLAY)]
    if any(house.dealer_names_trump for house in houses):
        kinds.append(str(Decision.NAME_TRUMP))
    if any(house.dealer_may_take_turned for house in houses):
        kinds.append(TAKE_TURNED)
    return [*kinds, str(Decision.STAY)] if any(house.cost_to_stay is not None for house in houses) else kinds


def _legality(context: Context, found: Sequence[Complaint]) -> Check:
    deals = sum(trial.deals for trial in context.trials.values())
    until = ", as long as it played" if context.played.gone else ""
    good = f"no renege and no illegal discard in {deals} deals of {len(context.trials)} matches{until}"
    findings = findings_in(Area.LEGALITY, context, found)
    title = "plays and discards by the rules"
    check = make_check("legality", title, good, findings)
    if not findings:
        return check
    rules = Counter(each.rule.partition(",")[0] or "others" for each in findings)
    detail = ", ".join(f"{rule} {times} times" for rule, times in sorted(rules.items()))
    return Check(
        check.name,
        title,
        check.verdict,
        f"{len(findings)} in {deals} deals: {detail}",
        check.findings,
        check.times,
    )


def _correction(context: Context, found: Sequence[Complaint]) -> Check:
    name, title = "correction", "gives a legal card when the referee refuses one"
    asked = sum(exchange.ask.view.correcting is not None for exchange in context.played.exchanges)
    if not asked and context.played.gone:
        return Check(name, title, CheckVerdict.SKIPPED, "not tried, because the bot left too early")
    if not asked:
        return Check(
            name, title, CheckVerdict.WARNED, "never asked, because the bot rarely plays or had no illegal card"
        )
    good = f"{asked} times, after the referee misplayed a card for it"
    return make_check(name, title, good, findings_in(Area.CORRECTION, context, found))


def _join_words(words: Iterable[str]) -> str:
    *others, last = sorted(words)
    return f"{', '.join(others)} and {last}" if others else last
