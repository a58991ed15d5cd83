"""What is said about a contest's seed."""

from bourre_referee.storage.manifest import Seed


def seed_in_words(public: int | None, seed: Seed) -> str:
    """Whether anybody could know the cards; `public` is a practice seed as the contest file gives it."""
    if public is not None:
        return f"practice seed {public}, not secret"
    return f"seed {seed.note}, SHA-256 {seed.commitment}"
