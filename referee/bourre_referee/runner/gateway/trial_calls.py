"""The calls before the first card, one for each model, which find a wrong key or option while nothing is at stake.

Each start of a run makes them, also to continue: what refused them may be what the organiser has just corrected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.gateway.call_budget import CapExceeded
from bourre_referee.runner.gateway.upstream import Answered, Caller, hide_key
from bourre_referee.text.names import shorten
from bourre_seats.models.openai_chat import SCHEMA_REFUSING, may_pass
from bourre_seats.models.trial import TRIAL, TRIAL_FORM

Complete = Callable[[Caller, bytes, float], tuple[int, Answered]]
LONGEST_TRIAL_S = 30.0
_MOST_QUOTED = 300
_FIXES = {
    401: "set the variable of key_variable to a key of this server",
    403: "set the variable of key_variable to a key that may use this model",
    404: "correct model and base_url",
}


def try_models(callers: Sequence[Caller], complete: Complete) -> tuple[str, ...]:
    """Asks every model at the same time. Returns what to tell; raises ContestError if a server refuses."""
    first = {caller.model.name: caller for caller in reversed(callers)}
    if not first:
        return ()
    with ThreadPoolExecutor(len(first)) as pool:
        told = [*pool.map(lambda caller: _try(caller, complete), reversed(first.values()))]
    refusals = [refusal for refusal, _ in told if refusal]
    if refusals:
        raise ContestError("\n".join(refusals))
    return tuple(notice for _, notice in told if notice)


def _try(caller: Caller, complete: Complete) -> tuple[str, str]:
    """Returns why the contest cannot begin, and what to tell. A cap that leaves no call is told in play."""
    try:
        refused = _ask(caller, complete, structured=caller.model.structured)
        if caller.model.structured and refused and refused.reply.status in SCHEMA_REFUSING:
            schema_refused, refused = refused, _ask(caller, complete, structured=False)
            if refused is None:
                return _refusal(caller, schema_refused, "its server takes no JSON schema: set structured = false"), ""
    except CapExceeded:
        return "", ""
    if refused is None:
        return "", ""
    status = refused.reply.status
    if may_pass(status):
        said = f"[[models]] {caller.model.name}: a trial call failed: {_said(caller, refused)}"
        return "", f"{said}; play begins, and its bots ask again"
    elsewhere = "correct base_url: the server is elsewhere" if status < 400 else "correct options and base_url"
    return _refusal(caller, refused, _FIXES.get(status, elsewhere)), ""


def _ask(caller: Caller, complete: Complete, *, structured: bool) -> Answered | None:
    """Makes a call, and returns its end if it failed."""
    form = {"response_format": TRIAL_FORM.as_sent} if structured else {}
    asked = {"messages": [{"role": TRIAL.role, "content": TRIAL.text}], **form}
    _, answered = complete(caller, json.dumps(asked).encode(), LONGEST_TRIAL_S)
    return None if answered.reply.status < 300 else answered


def _refusal(caller: Caller, refused: Answered, fix: str) -> str:
    return f"[[models]] {caller.model.name}: {_said(caller, refused)}.\nhint: {fix}, and run again"


def _said(caller: Caller, answered: Answered) -> str:
    """Returns the status and the server's own sentence, printable and without the key."""
    sentence = " ".join(next(_sentences(answered.reply.body), "").split())
    quoted = shorten(hide_key(sentence, caller.key).rstrip("."), _MOST_QUOTED)
    return f"its server answered {answered.reply.status}" + (f": {quoted}" if quoted else "")


def _sentences(body: str) -> Iterator[str]:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return
    match said:
        case {"error": {"message": str(text)}} | {"error": str(text)} | {"message": str(text)} | {"detail": str(text)}:
            yield text
