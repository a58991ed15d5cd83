"""Tests of the rules: one at least for every id of RULES.md, and second opinions on the hard parts."""
