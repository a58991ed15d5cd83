"""What `bourre --help` shows: the commands that a newcomer needs, as text, because Typer takes long to load."""

SCREEN = """\
Usage: bourre COMMAND ...

Tournaments for bots that play the card game Bourré.

Play
  play       Play a few hands yourself, against bots
  rules      Read the rules, or ask which cards are legal

Write a bot
  new        Create a bot to edit (Python or JavaScript)
  practice   Play 500 deals with example bots, until the first mistake
  check      Test a bot against every rule preset, as a contest would
  compare    Find out which of two bots is better

Run a contest
  run        Play a contest, or continue one
  standings  Show the standings of a contest
  replay     Show a match, deal by deal
  view       Watch a contest in the browser

More
  grade      Grade a class
  ladder     Host a ladder that never ends

Run 'bourre help' for all commands, 'bourre help COMMAND' for one.

Start here:  bourre new mybot
"""
