"""The example bots, importable from a clone and a wheel: `from bourre_referee.examples.tight import Tight`."""

from bourre.bot_code.example_folders import shipped_folders

__path__ = [str(folder) for folder in shipped_folders() if folder.is_dir()]
"""A module with a path is a package; the bots lie beside it in a wheel, at the top in a clone."""
