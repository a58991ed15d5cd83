"""Tests of the SDK: what a bot author touches."""
