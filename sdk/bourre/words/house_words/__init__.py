"""The house rules in plain words, one sentence each, in the order of play."""

from bourre.words.house_words.house_rule_sentences import CHAPTERS
from bourre.words.house_words.house_rule_statement import DEFAULTS, Chapter, Statement, house_values

__all__ = ["CHAPTERS", "DEFAULTS", "Chapter", "Statement", "house_values"]
