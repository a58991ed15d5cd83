"""How `bourre` reads its words: former names lead to the new ones, and every page of help has one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from typer.core import TyperCommand, TyperGroup

from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.first_screen import SCREEN
from bourre_referee.cli.former_options import modern_words
from bourre_referee.cli.help_pages import command_page, group_page, option_lines, section_lines

if TYPE_CHECKING:
    from typer._click import Command as AnyCommand
    from typer._click import Context


SECTIONS = {
    "Play": ("play", "rules", "rules legal", "rules settle"),
    "Write a bot": ("new", "practice", "check", "compare", "debug", "review", "exploit"),
    "Run a contest": (
        *("run", "standings", "stats", "replay", "view"),
        *("verify", "annul", "export", "copy", "tokens"),
    ),
    "Grade a class": ("grade", "course new"),
    "Check this machine": ("doctor",),
}
"""What `bourre help` shows, before the ladder."""

LADDER_SECTIONS = {
    "Run it": ("init", "start", "status", "log", "verify", "backup", "restore"),
    "Bots and their owners": (
        *("add", "token", "key", "notify", "pause", "resume"),
        *("retire", "suspend", "reinstate", "copies"),
    ),
    "Seasons and results": ("season", "freeze", "annul"),
}

FORMER_COMMANDS = {
    "bench": "benchmark",
    "import": "copy",
    "invite": "tokens",
    "plot": "export --format plots",
    "puzzle": "play --puzzle",
    "rate": "stats --ratings",
    "repro": "debug",
    "schedule": "run --plan",
    "serve": "view",
    "void": "annul",
}
"""Names of the last release, and the words that replace them."""

FORMER_LADDER_COMMANDS = {"bench": "suspend", "new": "init", "serve": "start", "void": "annul"}
"""The same for `bourre ladder`."""


class Command(TyperCommand):
    """A command with our page of help, which also takes the former names of its options."""

    def get_help(self, ctx: Context) -> str:
        """Returns its page of help."""
        return command_page(self, ctx.command_path)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parses the words after the command."""
        known = {name for param in self.params for name in param.opts}
        say = (lambda _: None) if ctx.resilient_parsing else tell
        return super().parse_args(ctx, modern_words(args, known, say))


class CommandGroup(TyperGroup):
    """A group of commands in sections; former names of commands lead to the new ones."""

    sections: ClassVar[Mapping[str, Sequence[str]]] = {}
    former: ClassVar[Mapping[str, str]] = {}

    def get_help(self, ctx: Context) -> str:
        """Returns its page of help."""
        return group_page(self, ctx.command_path, self.sections)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Returns the command that is meant, and the words after it."""
        name, *rest = args
        if name not in self.former:
            return super().resolve_command(ctx, args)
        new = self.former[name]
        if not ctx.resilient_parsing:
            group = ctx.command_path.partition(" ")[2]
            tell(f"`{f'{group} {name}'.strip()}` is now `{f'{group} {new}'.strip()}`")
        return super().resolve_command(ctx, [*new.split(), *rest])


class RulesGroup(CommandGroup):
    """`bourre rules`: a word that is no command is a preset."""

    sections: ClassVar = {"Commands": ("legal", "settle")}

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parses the words after `rules`."""
        return super().parse_args(ctx, args or ["show"])

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Returns the command that is meant, and the words after it."""
        return super().resolve_command(ctx, args if args[0] in self.commands else ["show", *args])


class CourseGroup(CommandGroup):
    """`bourre course`."""

    sections: ClassVar = {"Commands": ("new",)}


class LadderGroup(CommandGroup):
    """`bourre ladder`."""

    sections: ClassVar = LADDER_SECTIONS
    former: ClassVar = FORMER_LADDER_COMMANDS


class BourreGroup(CommandGroup):
    """`bourre` itself: its first screen shows what a newcomer needs, and `bourre help` shows all."""

    former: ClassVar = FORMER_COMMANDS

    def get_help(self, ctx: Context) -> str:
        """Returns the first screen."""
        return SCREEN.rstrip("\n")

    def all_commands(self) -> str:
        """Returns the page with every command."""
        ladder = {"Host a ladder": tuple(f"ladder {name}" for names in LADDER_SECTIONS.values() for name in names)}
        sections = section_lines(self, SECTIONS | ladder)
        return "\n".join(["Usage: bourre COMMAND ...", *sections, "", "Options", *option_lines(self.params)])
