"""Plays rooms on other machines through Dask. No other module imports Dask."""
