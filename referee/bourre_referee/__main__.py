"""`python -m bourre_referee` is the command `bourre`."""

from bourre_referee.cli import main

if __name__ == "__main__":  # processes that are spawned load this file too
    main()
