"""Plays a model at a referee."""

from __future__ import annotations

from bourre_seats.models.model_bot import model_bot
from bourre_seats.models.settings import ModelSettings


def run_model(settings: ModelSettings) -> None:
    """Plays this model at the referee that started the program, until the room closes; see `bourre.run`."""
    from bourre.connection.client import run  # loads gRPC

    run(model_bot(settings))
