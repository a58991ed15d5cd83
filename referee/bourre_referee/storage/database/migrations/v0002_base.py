"""Version 2, the oldest that is read: there is nothing to do."""

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Does nothing."""
