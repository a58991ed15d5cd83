"""Tests of the rules: at least one for every id in docs/rules.md, and second opinions on the hard parts."""
