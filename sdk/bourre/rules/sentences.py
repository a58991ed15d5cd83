"""A sentence for each rule in an event, for readers who do not know its id."""

SENTENCES = {
    "R5.2": "follow suit if you can",
    "R5.3": "following suit, beat the best card so far if you can",
    "R5.4": "without the suit led, play a trump, one that wins if you can",
    "R5.6": "lead an honour of trumps if you hold one",
    "R6.2": "sure of three tricks, play the highest trump",
    "R8.1": "a renege that stands",
    "R8.5": "no usable card came, so the referee played the lowest legal one",
}

RENEGE_RULES = tuple(rule for rule in SENTENCES if rule.startswith(("R5.", "R6.")))
"""The rules that a card can break."""


def sentence(rule: str) -> str:
    """Returns a rule's id and its sentence: `R5.2, follow suit if you can`."""
    return f"{rule}, {SENTENCES[rule]}" if rule in SENTENCES else rule
