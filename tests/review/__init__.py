"""Tests of the review of decisions."""
