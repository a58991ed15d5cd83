"""Tests of the rules: one at least for every id of docs/rules.md, and second opinions on the hard parts."""
