"""Tests of deals played in step."""
