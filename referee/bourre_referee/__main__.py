"""`python -m bourre_referee` is the command `bourre`."""

from bourre_referee.cli import main

main()
