from bourre.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BotMessage(_message.Message):
    __slots__ = ("hello", "answers")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "token", "client", "forced_plays", "events")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    FORCED_PLAYS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    token: str
    client: str
    forced_plays: bool
    events: bool
    def __init__(self, protocol: _Optional[int] = ..., token: _Optional[str] = ..., client: _Optional[str] = ..., forced_plays: bool = ..., events: bool = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "id", "plays", "discards", "card", "error", "takes", "trump", "stays", "recall", "spent_us", "note", "usage")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    TAKES_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    STAYS_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    SPENT_US_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    table: int
    id: int
    plays: bool
    discards: str
    card: str
    error: str
    takes: bool
    trump: str
    stays: bool
    recall: str
    spent_us: int
    note: str
    usage: Usage
    def __init__(self, table: _Optional[int] = ..., id: _Optional[int] = ..., plays: bool = ..., discards: _Optional[str] = ..., card: _Optional[str] = ..., error: _Optional[str] = ..., takes: bool = ..., trump: _Optional[str] = ..., stays: bool = ..., recall: _Optional[str] = ..., spent_us: _Optional[int] = ..., note: _Optional[str] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("tokens_in", "tokens_out", "calls", "cost_millionths")
    TOKENS_IN_FIELD_NUMBER: _ClassVar[int]
    TOKENS_OUT_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    COST_MILLIONTHS_FIELD_NUMBER: _ClassVar[int]
    tokens_in: int
    tokens_out: int
    calls: int
    cost_millionths: int
    def __init__(self, tokens_in: _Optional[int] = ..., tokens_out: _Optional[int] = ..., calls: _Optional[int] = ..., cost_millionths: _Optional[int] = ...) -> None: ...

class RefereeMessage(_message.Message):
    __slots__ = ("welcome", "refusal", "seatings", "asks", "match_ends", "goodbye", "notice")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    SEATINGS_FIELD_NUMBER: _ClassVar[int]
    ASKS_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDS_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    refusal: Refusal
    seatings: _containers.RepeatedCompositeFieldContainer[Seating]
    asks: _containers.RepeatedCompositeFieldContainer[Ask]
    match_ends: _containers.RepeatedCompositeFieldContainer[MatchEnd]
    goodbye: Goodbye
    notice: str
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., seatings: _Optional[_Iterable[_Union[Seating, _Mapping]]] = ..., asks: _Optional[_Iterable[_Union[Ask, _Mapping]]] = ..., match_ends: _Optional[_Iterable[_Union[MatchEnd, _Mapping]]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., notice: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("bot", "room", "decision_ms", "bank_ms", "match_ms", "reconnect_ms", "stays")
    BOT_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    MATCH_MS_FIELD_NUMBER: _ClassVar[int]
    RECONNECT_MS_FIELD_NUMBER: _ClassVar[int]
    STAYS_FIELD_NUMBER: _ClassVar[int]
    bot: str
    room: str
    decision_ms: int
    bank_ms: int
    match_ms: int
    reconnect_ms: int
    stays: bool
    def __init__(self, bot: _Optional[str] = ..., room: _Optional[str] = ..., decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., match_ms: _Optional[int] = ..., reconnect_ms: _Optional[int] = ..., stays: bool = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Seating(_message.Message):
    __slots__ = ("table", "match", "seat", "seats", "deals", "house")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    table: int
    match: str
    seat: int
    seats: int
    deals: int
    house: _game_pb2.HouseRules
    def __init__(self, table: _Optional[int] = ..., match: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., deals: _Optional[int] = ..., house: _Optional[_Union[_game_pb2.HouseRules, _Mapping]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("table", "id", "decision", "bank_ms", "view", "renege", "events", "match_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    RENEGE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    MATCH_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    id: int
    decision: _game_pb2.Decision
    bank_ms: int
    view: _game_pb2.View
    renege: _game_pb2.Renege
    events: _containers.RepeatedCompositeFieldContainer[_game_pb2.Event]
    match_ms: int
    def __init__(self, table: _Optional[int] = ..., id: _Optional[int] = ..., decision: _Optional[_Union[_game_pb2.Decision, str]] = ..., bank_ms: _Optional[int] = ..., view: _Optional[_Union[_game_pb2.View, _Mapping]] = ..., renege: _Optional[_Union[_game_pb2.Renege, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_game_pb2.Event, _Mapping]]] = ..., match_ms: _Optional[int] = ...) -> None: ...

class MatchEnd(_message.Message):
    __slots__ = ("table", "balances", "events")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    BALANCES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    table: int
    balances: _containers.RepeatedScalarFieldContainer[int]
    events: _containers.RepeatedCompositeFieldContainer[_game_pb2.Event]
    def __init__(self, table: _Optional[int] = ..., balances: _Optional[_Iterable[int]] = ..., events: _Optional[_Iterable[_Union[_game_pb2.Event, _Mapping]]] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...
