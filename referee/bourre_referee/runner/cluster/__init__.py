"""Rooms on other machines, through Dask: what its workers do, and how they are asked. Nothing else imports Dask."""
