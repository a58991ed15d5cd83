"""Writes matches as JSON lines, reads them back, and replays them by the same rules.

The first line of a record holds the match, its bots by seat, deals, seed and house rules. Then each deal has a line
with all cards, actions and balances. The last line holds the final balances. A record depends only on the match's spec
and its answers: the same seed and the same answers give the same bytes.
"""

from bourre.record.asks import RecordedAsk, asks, asks_of_all
from bourre.record.reader import read
from bourre.record.record import DealRecord, Format, Header, Record, RecordError, chance_of
from bourre.record.record_text import duplicate_text
from bourre.record.recorder import Recorder
from bourre.record.replayer import Step, replay

__all__ = [
    "DealRecord",
    "Format",
    "Header",
    "Record",
    "RecordError",
    "RecordedAsk",
    "Recorder",
    "Step",
    "asks",
    "asks_of_all",
    "chance_of",
    "duplicate_text",
    "read",
    "replay",
]
