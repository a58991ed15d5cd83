"""Version 2, the oldest that can be read."""

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Does nothing."""
