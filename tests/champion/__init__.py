"""Tests of the champion, and of how it is trained."""
