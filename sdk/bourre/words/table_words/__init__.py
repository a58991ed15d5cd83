"""What a player at a table knows, in words: what its view shows, and what happened in earlier deals."""

from bourre.words.table_words.deal_lines import DealLines
from bourre.words.table_words.view_words import (
    SUIT_NAMES,
    card_name,
    cards_text,
    describe_cards,
    seats_text,
    trump_text,
)

__all__ = ["SUIT_NAMES", "DealLines", "card_name", "cards_text", "describe_cards", "seats_text", "trump_text"]
