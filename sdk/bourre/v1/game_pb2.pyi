from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Decision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_UNSPECIFIED: _ClassVar[Decision]
    DECISION_DECLARE: _ClassVar[Decision]
    DECISION_DRAW: _ClassVar[Decision]
    DECISION_PLAY: _ClassVar[Decision]
    DECISION_NAME_TRUMP: _ClassVar[Decision]
    DECISION_STAY: _ClassVar[Decision]

class Standing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STANDING_UNDECLARED: _ClassVar[Standing]
    STANDING_PASSED: _ClassVar[Standing]
    STANDING_IN: _ClassVar[Standing]
DECISION_UNSPECIFIED: Decision
DECISION_DECLARE: Decision
DECISION_DRAW: Decision
DECISION_PLAY: Decision
DECISION_NAME_TRUMP: Decision
DECISION_STAY: Decision
STANDING_UNDECLARED: Standing
STANDING_PASSED: Standing
STANDING_IN: Standing

class HouseRules(_message.Message):
    __slots__ = ("first_dealer", "ante", "second_ante", "dealer_antes_all", "ante_when", "exempt_bourre", "exempt_tied", "cards", "trump_card", "declare_mode", "max_discards", "seven_player_limit", "recycle", "must_hold", "second_pass", "must_beat", "must_overtrump", "must_trump", "lead_honour", "lead_honour_when", "cinch", "cinch_adjacent", "tie", "pot_limit", "renege_multiple", "renege_policy", "renege_pot", "fault_fine")
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    ANTE_FIELD_NUMBER: _ClassVar[int]
    SECOND_ANTE_FIELD_NUMBER: _ClassVar[int]
    DEALER_ANTES_ALL_FIELD_NUMBER: _ClassVar[int]
    ANTE_WHEN_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_BOURRE_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_TIED_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    DECLARE_MODE_FIELD_NUMBER: _ClassVar[int]
    MAX_DISCARDS_FIELD_NUMBER: _ClassVar[int]
    SEVEN_PLAYER_LIMIT_FIELD_NUMBER: _ClassVar[int]
    RECYCLE_FIELD_NUMBER: _ClassVar[int]
    MUST_HOLD_FIELD_NUMBER: _ClassVar[int]
    SECOND_PASS_FIELD_NUMBER: _ClassVar[int]
    MUST_BEAT_FIELD_NUMBER: _ClassVar[int]
    MUST_OVERTRUMP_FIELD_NUMBER: _ClassVar[int]
    MUST_TRUMP_FIELD_NUMBER: _ClassVar[int]
    LEAD_HONOUR_FIELD_NUMBER: _ClassVar[int]
    LEAD_HONOUR_WHEN_FIELD_NUMBER: _ClassVar[int]
    CINCH_FIELD_NUMBER: _ClassVar[int]
    CINCH_ADJACENT_FIELD_NUMBER: _ClassVar[int]
    TIE_FIELD_NUMBER: _ClassVar[int]
    POT_LIMIT_FIELD_NUMBER: _ClassVar[int]
    RENEGE_MULTIPLE_FIELD_NUMBER: _ClassVar[int]
    RENEGE_POLICY_FIELD_NUMBER: _ClassVar[int]
    RENEGE_POT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FINE_FIELD_NUMBER: _ClassVar[int]
    first_dealer: str
    ante: int
    second_ante: int
    dealer_antes_all: bool
    ante_when: str
    exempt_bourre: bool
    exempt_tied: bool
    cards: int
    trump_card: str
    declare_mode: str
    max_discards: int
    seven_player_limit: int
    recycle: str
    must_hold: str
    second_pass: bool
    must_beat: bool
    must_overtrump: bool
    must_trump: str
    lead_honour: str
    lead_honour_when: str
    cinch: bool
    cinch_adjacent: bool
    tie: str
    pot_limit: int
    renege_multiple: int
    renege_policy: str
    renege_pot: str
    fault_fine: int
    def __init__(self, first_dealer: _Optional[str] = ..., ante: _Optional[int] = ..., second_ante: _Optional[int] = ..., dealer_antes_all: bool = ..., ante_when: _Optional[str] = ..., exempt_bourre: bool = ..., exempt_tied: bool = ..., cards: _Optional[int] = ..., trump_card: _Optional[str] = ..., declare_mode: _Optional[str] = ..., max_discards: _Optional[int] = ..., seven_player_limit: _Optional[int] = ..., recycle: _Optional[str] = ..., must_hold: _Optional[str] = ..., second_pass: bool = ..., must_beat: bool = ..., must_overtrump: bool = ..., must_trump: _Optional[str] = ..., lead_honour: _Optional[str] = ..., lead_honour_when: _Optional[str] = ..., cinch: bool = ..., cinch_adjacent: bool = ..., tie: _Optional[str] = ..., pot_limit: _Optional[int] = ..., renege_multiple: _Optional[int] = ..., renege_policy: _Optional[str] = ..., renege_pot: _Optional[str] = ..., fault_fine: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "deal", "dealer", "hand", "trump", "turned", "pot", "balances", "standings", "drawn", "discarded", "tricks", "leaders", "trick", "barred", "recalled", "recalled_by", "owed_turns", "legal", "max_discards", "seed", "dead")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TURNED_FIELD_NUMBER: _ClassVar[int]
    POT_FIELD_NUMBER: _ClassVar[int]
    BALANCES_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    BARRED_FIELD_NUMBER: _ClassVar[int]
    RECALLED_FIELD_NUMBER: _ClassVar[int]
    RECALLED_BY_FIELD_NUMBER: _ClassVar[int]
    OWED_TURNS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    MAX_DISCARDS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    DEAD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    deal: int
    dealer: int
    hand: str
    trump: str
    turned: str
    pot: int
    balances: _containers.RepeatedScalarFieldContainer[int]
    standings: _containers.RepeatedScalarFieldContainer[Standing]
    drawn: _containers.RepeatedScalarFieldContainer[int]
    discarded: str
    tricks: _containers.RepeatedScalarFieldContainer[str]
    leaders: _containers.RepeatedScalarFieldContainer[int]
    trick: str
    barred: _containers.RepeatedScalarFieldContainer[int]
    recalled: str
    recalled_by: _containers.RepeatedScalarFieldContainer[int]
    owed_turns: _containers.RepeatedScalarFieldContainer[int]
    legal: str
    max_discards: int
    seed: int
    dead: str
    def __init__(self, seat: _Optional[int] = ..., deal: _Optional[int] = ..., dealer: _Optional[int] = ..., hand: _Optional[str] = ..., trump: _Optional[str] = ..., turned: _Optional[str] = ..., pot: _Optional[int] = ..., balances: _Optional[_Iterable[int]] = ..., standings: _Optional[_Iterable[_Union[Standing, str]]] = ..., drawn: _Optional[_Iterable[int]] = ..., discarded: _Optional[str] = ..., tricks: _Optional[_Iterable[str]] = ..., leaders: _Optional[_Iterable[int]] = ..., trick: _Optional[str] = ..., barred: _Optional[_Iterable[int]] = ..., recalled: _Optional[str] = ..., recalled_by: _Optional[_Iterable[int]] = ..., owed_turns: _Optional[_Iterable[int]] = ..., legal: _Optional[str] = ..., max_discards: _Optional[int] = ..., seed: _Optional[int] = ..., dead: _Optional[str] = ...) -> None: ...

class Renege(_message.Message):
    __slots__ = ("card", "rule", "sentence", "match")
    CARD_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    card: str
    rule: str
    sentence: str
    match: int
    def __init__(self, card: _Optional[str] = ..., rule: _Optional[str] = ..., sentence: _Optional[str] = ..., match: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("turn_forfeited", "deal_started", "ante_paid", "hand_dealt", "trump_turned", "declared", "drew", "stock_gathered", "card_played", "reneged", "renege_corrected", "penalized", "faulted", "deal_forfeited", "house_took_over", "trick_taken", "pot_taken", "pot_carried", "match_paid", "deal_ended", "pot_shared", "match_ended", "card_drawn", "turned_returned", "trump_named", "turned_taken", "stayed", "renege_retracted", "trick_reopened", "fine_paid")
    class TurnForfeited(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class DealStarted(_message.Message):
        __slots__ = ("deal", "dealer")
        DEAL_FIELD_NUMBER: _ClassVar[int]
        DEALER_FIELD_NUMBER: _ClassVar[int]
        deal: int
        dealer: int
        def __init__(self, deal: _Optional[int] = ..., dealer: _Optional[int] = ...) -> None: ...
    class AntePaid(_message.Message):
        __slots__ = ("seat", "chips")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        chips: int
        def __init__(self, seat: _Optional[int] = ..., chips: _Optional[int] = ...) -> None: ...
    class HandDealt(_message.Message):
        __slots__ = ("seat", "cards")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARDS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        cards: str
        def __init__(self, seat: _Optional[int] = ..., cards: _Optional[str] = ...) -> None: ...
    class TrumpTurned(_message.Message):
        __slots__ = ("card",)
        CARD_FIELD_NUMBER: _ClassVar[int]
        card: str
        def __init__(self, card: _Optional[str] = ...) -> None: ...
    class CardDrawn(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: str
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[str] = ...) -> None: ...
    class TurnedReturned(_message.Message):
        __slots__ = ("card",)
        CARD_FIELD_NUMBER: _ClassVar[int]
        card: str
        def __init__(self, card: _Optional[str] = ...) -> None: ...
    class TrumpNamed(_message.Message):
        __slots__ = ("seat", "trump")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        TRUMP_FIELD_NUMBER: _ClassVar[int]
        seat: int
        trump: str
        def __init__(self, seat: _Optional[int] = ..., trump: _Optional[str] = ...) -> None: ...
    class TurnedTaken(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: str
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[str] = ...) -> None: ...
    class Stayed(_message.Message):
        __slots__ = ("seat", "stays")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        STAYS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        stays: bool
        def __init__(self, seat: _Optional[int] = ..., stays: bool = ...) -> None: ...
    class RenegeRetracted(_message.Message):
        __slots__ = ("seat", "recalled")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        RECALLED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        recalled: str
        def __init__(self, seat: _Optional[int] = ..., recalled: _Optional[str] = ...) -> None: ...
    class TrickReopened(_message.Message):
        __slots__ = ("trick",)
        TRICK_FIELD_NUMBER: _ClassVar[int]
        trick: int
        def __init__(self, trick: _Optional[int] = ...) -> None: ...
    class Declared(_message.Message):
        __slots__ = ("seat", "plays", "obliged")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        PLAYS_FIELD_NUMBER: _ClassVar[int]
        OBLIGED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        plays: bool
        obliged: bool
        def __init__(self, seat: _Optional[int] = ..., plays: bool = ..., obliged: bool = ...) -> None: ...
    class Drew(_message.Message):
        __slots__ = ("seat", "number", "discarded", "received")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        DISCARDED_FIELD_NUMBER: _ClassVar[int]
        RECEIVED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        number: int
        discarded: str
        received: str
        def __init__(self, seat: _Optional[int] = ..., number: _Optional[int] = ..., discarded: _Optional[str] = ..., received: _Optional[str] = ...) -> None: ...
    class StockGathered(_message.Message):
        __slots__ = ("cards",)
        CARDS_FIELD_NUMBER: _ClassVar[int]
        cards: int
        def __init__(self, cards: _Optional[int] = ...) -> None: ...
    class CardPlayed(_message.Message):
        __slots__ = ("seat", "card")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: str
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[str] = ...) -> None: ...
    class Reneged(_message.Message):
        __slots__ = ("seat", "card", "rule", "legal", "match")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CARD_FIELD_NUMBER: _ClassVar[int]
        RULE_FIELD_NUMBER: _ClassVar[int]
        LEGAL_FIELD_NUMBER: _ClassVar[int]
        MATCH_FIELD_NUMBER: _ClassVar[int]
        seat: int
        card: str
        rule: str
        legal: str
        match: int
        def __init__(self, seat: _Optional[int] = ..., card: _Optional[str] = ..., rule: _Optional[str] = ..., legal: _Optional[str] = ..., match: _Optional[int] = ...) -> None: ...
    class RenegeCorrected(_message.Message):
        __slots__ = ("seat", "recalled")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        RECALLED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        recalled: str
        def __init__(self, seat: _Optional[int] = ..., recalled: _Optional[str] = ...) -> None: ...
    class Penalized(_message.Message):
        __slots__ = ("seat", "rule", "match")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        RULE_FIELD_NUMBER: _ClassVar[int]
        MATCH_FIELD_NUMBER: _ClassVar[int]
        seat: int
        rule: str
        match: int
        def __init__(self, seat: _Optional[int] = ..., rule: _Optional[str] = ..., match: _Optional[int] = ...) -> None: ...
    class Faulted(_message.Message):
        __slots__ = ("seat", "fault")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        FAULT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        fault: str
        def __init__(self, seat: _Optional[int] = ..., fault: _Optional[str] = ...) -> None: ...
    class DealForfeited(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class HouseTookOver(_message.Message):
        __slots__ = ("seat",)
        SEAT_FIELD_NUMBER: _ClassVar[int]
        seat: int
        def __init__(self, seat: _Optional[int] = ...) -> None: ...
    class TrickTaken(_message.Message):
        __slots__ = ("seat", "trick")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        TRICK_FIELD_NUMBER: _ClassVar[int]
        seat: int
        trick: int
        def __init__(self, seat: _Optional[int] = ..., trick: _Optional[int] = ...) -> None: ...
    class PotTaken(_message.Message):
        __slots__ = ("seat", "chips")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        chips: int
        def __init__(self, seat: _Optional[int] = ..., chips: _Optional[int] = ...) -> None: ...
    class PotCarried(_message.Message):
        __slots__ = ("chips", "tied", "played")
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        TIED_FIELD_NUMBER: _ClassVar[int]
        PLAYED_FIELD_NUMBER: _ClassVar[int]
        chips: int
        tied: _containers.RepeatedScalarFieldContainer[int]
        played: bool
        def __init__(self, chips: _Optional[int] = ..., tied: _Optional[_Iterable[int]] = ..., played: bool = ...) -> None: ...
    class MatchPaid(_message.Message):
        __slots__ = ("seat", "chips", "bourred", "reneged")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        BOURRED_FIELD_NUMBER: _ClassVar[int]
        RENEGED_FIELD_NUMBER: _ClassVar[int]
        seat: int
        chips: int
        bourred: bool
        reneged: bool
        def __init__(self, seat: _Optional[int] = ..., chips: _Optional[int] = ..., bourred: bool = ..., reneged: bool = ...) -> None: ...
    class FinePaid(_message.Message):
        __slots__ = ("seat", "chips")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        chips: int
        def __init__(self, seat: _Optional[int] = ..., chips: _Optional[int] = ...) -> None: ...
    class DealEnded(_message.Message):
        __slots__ = ("deal", "balances", "pot")
        DEAL_FIELD_NUMBER: _ClassVar[int]
        BALANCES_FIELD_NUMBER: _ClassVar[int]
        POT_FIELD_NUMBER: _ClassVar[int]
        deal: int
        balances: _containers.RepeatedScalarFieldContainer[int]
        pot: int
        def __init__(self, deal: _Optional[int] = ..., balances: _Optional[_Iterable[int]] = ..., pot: _Optional[int] = ...) -> None: ...
    class PotShared(_message.Message):
        __slots__ = ("seat", "chips")
        SEAT_FIELD_NUMBER: _ClassVar[int]
        CHIPS_FIELD_NUMBER: _ClassVar[int]
        seat: int
        chips: int
        def __init__(self, seat: _Optional[int] = ..., chips: _Optional[int] = ...) -> None: ...
    class MatchEnded(_message.Message):
        __slots__ = ("balances",)
        BALANCES_FIELD_NUMBER: _ClassVar[int]
        balances: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, balances: _Optional[_Iterable[int]] = ...) -> None: ...
    TURN_FORFEITED_FIELD_NUMBER: _ClassVar[int]
    DEAL_STARTED_FIELD_NUMBER: _ClassVar[int]
    ANTE_PAID_FIELD_NUMBER: _ClassVar[int]
    HAND_DEALT_FIELD_NUMBER: _ClassVar[int]
    TRUMP_TURNED_FIELD_NUMBER: _ClassVar[int]
    DECLARED_FIELD_NUMBER: _ClassVar[int]
    DREW_FIELD_NUMBER: _ClassVar[int]
    STOCK_GATHERED_FIELD_NUMBER: _ClassVar[int]
    CARD_PLAYED_FIELD_NUMBER: _ClassVar[int]
    RENEGED_FIELD_NUMBER: _ClassVar[int]
    RENEGE_CORRECTED_FIELD_NUMBER: _ClassVar[int]
    PENALIZED_FIELD_NUMBER: _ClassVar[int]
    FAULTED_FIELD_NUMBER: _ClassVar[int]
    DEAL_FORFEITED_FIELD_NUMBER: _ClassVar[int]
    HOUSE_TOOK_OVER_FIELD_NUMBER: _ClassVar[int]
    TRICK_TAKEN_FIELD_NUMBER: _ClassVar[int]
    POT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    POT_CARRIED_FIELD_NUMBER: _ClassVar[int]
    MATCH_PAID_FIELD_NUMBER: _ClassVar[int]
    DEAL_ENDED_FIELD_NUMBER: _ClassVar[int]
    POT_SHARED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    TURNED_RETURNED_FIELD_NUMBER: _ClassVar[int]
    TRUMP_NAMED_FIELD_NUMBER: _ClassVar[int]
    TURNED_TAKEN_FIELD_NUMBER: _ClassVar[int]
    STAYED_FIELD_NUMBER: _ClassVar[int]
    RENEGE_RETRACTED_FIELD_NUMBER: _ClassVar[int]
    TRICK_REOPENED_FIELD_NUMBER: _ClassVar[int]
    FINE_PAID_FIELD_NUMBER: _ClassVar[int]
    turn_forfeited: Event.TurnForfeited
    deal_started: Event.DealStarted
    ante_paid: Event.AntePaid
    hand_dealt: Event.HandDealt
    trump_turned: Event.TrumpTurned
    declared: Event.Declared
    drew: Event.Drew
    stock_gathered: Event.StockGathered
    card_played: Event.CardPlayed
    reneged: Event.Reneged
    renege_corrected: Event.RenegeCorrected
    penalized: Event.Penalized
    faulted: Event.Faulted
    deal_forfeited: Event.DealForfeited
    house_took_over: Event.HouseTookOver
    trick_taken: Event.TrickTaken
    pot_taken: Event.PotTaken
    pot_carried: Event.PotCarried
    match_paid: Event.MatchPaid
    deal_ended: Event.DealEnded
    pot_shared: Event.PotShared
    match_ended: Event.MatchEnded
    card_drawn: Event.CardDrawn
    turned_returned: Event.TurnedReturned
    trump_named: Event.TrumpNamed
    turned_taken: Event.TurnedTaken
    stayed: Event.Stayed
    renege_retracted: Event.RenegeRetracted
    trick_reopened: Event.TrickReopened
    fine_paid: Event.FinePaid
    def __init__(self, turn_forfeited: _Optional[_Union[Event.TurnForfeited, _Mapping]] = ..., deal_started: _Optional[_Union[Event.DealStarted, _Mapping]] = ..., ante_paid: _Optional[_Union[Event.AntePaid, _Mapping]] = ..., hand_dealt: _Optional[_Union[Event.HandDealt, _Mapping]] = ..., trump_turned: _Optional[_Union[Event.TrumpTurned, _Mapping]] = ..., declared: _Optional[_Union[Event.Declared, _Mapping]] = ..., drew: _Optional[_Union[Event.Drew, _Mapping]] = ..., stock_gathered: _Optional[_Union[Event.StockGathered, _Mapping]] = ..., card_played: _Optional[_Union[Event.CardPlayed, _Mapping]] = ..., reneged: _Optional[_Union[Event.Reneged, _Mapping]] = ..., renege_corrected: _Optional[_Union[Event.RenegeCorrected, _Mapping]] = ..., penalized: _Optional[_Union[Event.Penalized, _Mapping]] = ..., faulted: _Optional[_Union[Event.Faulted, _Mapping]] = ..., deal_forfeited: _Optional[_Union[Event.DealForfeited, _Mapping]] = ..., house_took_over: _Optional[_Union[Event.HouseTookOver, _Mapping]] = ..., trick_taken: _Optional[_Union[Event.TrickTaken, _Mapping]] = ..., pot_taken: _Optional[_Union[Event.PotTaken, _Mapping]] = ..., pot_carried: _Optional[_Union[Event.PotCarried, _Mapping]] = ..., match_paid: _Optional[_Union[Event.MatchPaid, _Mapping]] = ..., deal_ended: _Optional[_Union[Event.DealEnded, _Mapping]] = ..., pot_shared: _Optional[_Union[Event.PotShared, _Mapping]] = ..., match_ended: _Optional[_Union[Event.MatchEnded, _Mapping]] = ..., card_drawn: _Optional[_Union[Event.CardDrawn, _Mapping]] = ..., turned_returned: _Optional[_Union[Event.TurnedReturned, _Mapping]] = ..., trump_named: _Optional[_Union[Event.TrumpNamed, _Mapping]] = ..., turned_taken: _Optional[_Union[Event.TurnedTaken, _Mapping]] = ..., stayed: _Optional[_Union[Event.Stayed, _Mapping]] = ..., renege_retracted: _Optional[_Union[Event.RenegeRetracted, _Mapping]] = ..., trick_reopened: _Optional[_Union[Event.TrickReopened, _Mapping]] = ..., fine_paid: _Optional[_Union[Event.FinePaid, _Mapping]] = ...) -> None: ...
