"""Language models as bots, over any server with the interface of OpenAI: `python -m bourre.models --model NAME`."""

from bourre.models.model_bot import model_bot
from bourre.models.run_model import run_model
from bourre.models.settings import ModelSettings

__all__ = ["ModelSettings", "model_bot", "run_model"]
