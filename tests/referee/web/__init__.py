"""Tests of the web pages, the API and the viewer."""
