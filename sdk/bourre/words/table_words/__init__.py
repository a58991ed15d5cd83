"""What happens at a table, in words and as a picture: for people, agents and models, at a seat or looking on."""

from bourre.words.table_words.deal_lines import DealLines
from bourre.words.table_words.hand_order import sort_hand
from bourre.words.table_words.readers import (
    SUIT_NAMES,
    CardWriter,
    CodeWriter,
    as_codes,
    as_signs,
    card_name,
    code_writer_for,
    glyph,
    name_cards,
    show_glyphs,
    writer_for,
)
from bourre.words.table_words.view_words import cards_text, choice_words, describe_cards, seats_text, trump_text

__all__ = [
    "SUIT_NAMES",
    "CardWriter",
    "CodeWriter",
    "DealLines",
    "as_codes",
    "as_signs",
    "card_name",
    "cards_text",
    "choice_words",
    "code_writer_for",
    "describe_cards",
    "glyph",
    "name_cards",
    "seats_text",
    "show_glyphs",
    "sort_hand",
    "trump_text",
    "writer_for",
]
