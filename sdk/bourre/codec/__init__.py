"""Converts wire messages to game types and back."""

from bourre.codec.bundles import BundleWriter, bundle_from_wire, bundle_to_wire, load_events
from bourre.codec.replies import answers_from_wire, answers_to_wire, hello_from_wire, hello_to_wire

__all__ = [
    "BundleWriter",
    "answers_from_wire",
    "answers_to_wire",
    "bundle_from_wire",
    "bundle_to_wire",
    "hello_from_wire",
    "hello_to_wire",
    "load_events",
]
