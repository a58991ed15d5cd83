"""Language models as bots, on any server with OpenAI's interface: `python -m bourre_seats.models --model NAME`."""

from bourre_seats.models.model_bot import model_bot, run_model
from bourre_seats.models.settings import ModelSettings

__all__ = ["ModelSettings", "model_bot", "run_model"]
