"""Are copies found, and honest bots not? Renamed and reformatted copies of bots, and bots edited in one place.

Run: .venv/bin/python research/measurements/copies.py [--copies N]
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

from bourre.bot_code.bot_file import load
from bourre.practice import PracticeError, practice
from bourre.rules.errors import BourreError

ROOT = Path(__file__).parents[2]
SOURCES = [
    *(ROOT / "examples" / f"{name}.py" for name in ("counter", "drawer", "follower", "loose", "lowest")),
    *(ROOT / "examples" / f"{name}.py" for name in ("pot_aware", "random_bot", "tight")),
    ROOT / "referee" / "bourre_referee" / "evaluation" / "starters" / "python" / "bot.py",
]
DEALS, SEED, SECOND_SEED = 600, 5, 6
"""About 2,000 decisions of each bot; the second seed tells an edit without effect from one that was missed."""
FOUND_EQUAL, NO_EFFECT = "equal play", "equal play with the second seed, too"


class Renaming(ast.NodeTransformer):
    """Renames everything that a file names itself; what `bourre` calls by name stays."""

    def __init__(self, tree: ast.Module, rng: Random) -> None:
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        self._names = {name: f"n{rng.randrange(10**9)}" for name in sorted(own - attributes)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Renames a variable."""
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Renames a parameter that shares its name with a variable."""
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Renames a class."""
        self.generic_visit(node)
        node.name = self._names[node.name]
        return node


def copied(text: str, rng: Random) -> str:
    """Returns the same program with other names and another layout, without its comments."""
    tree = ast.parse(text)
    return ast.unparse(Renaming(tree, rng).visit(tree))


def edits(text: str) -> Iterator[str]:
    """Yields the program with one number, one comparison, one `and` or one order changed."""
    places = len(list(ast.walk(ast.parse(text))))
    for place in range(places):
        tree = ast.parse(text)
        node = list(ast.walk(tree))[place]
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.GtE | ast.Gt):
            node.ops[0] = ast.Gt() if isinstance(node.ops[0], ast.GtE) else ast.GtE()
        elif isinstance(node, ast.BoolOp):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif isinstance(node, ast.Subscript) and ast.unparse(node).endswith("legal[0]"):
            node.slice = ast.UnaryOp(ast.USub(), ast.Constant(1))
        else:
            continue
        yield ast.unparse(tree)


def digest(text: str, folder: Path, seed: int) -> str | None:
    """Returns the hash of its play; None for an edit that does not work."""
    file = folder / f"bot{sha256(text.encode()).hexdigest()[:12]}.py"
    file.write_text(text)
    try:
        played = practice({"it": load(str(file)), "tight": "tight", "random": "random"}, DEALS, seed)
    except (PracticeError, BourreError):
        return None
    return sha256("".join(match.record for match in played.matches).encode()).hexdigest()


def main(argv: Sequence[str] | None = None) -> None:
    """Measures, and prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=12, help="renamed copies of each bot (12)")
    number, rng, began = parser.parse_args(argv).copies, Random(1), process_time()
    texts = [file.read_text("utf-8") for file in SOURCES]
    with TemporaryDirectory() as place:
        folder = Path(place)
        found = sum(
            digest(text, folder, SEED) == digest(copied(text, rng), folder, SEED)
            for text in texts
            for _ in range(number)
        )
        print(f"copies found: {found} of {number * len(texts)}")
        programs = list(dict.fromkeys([*texts, *(edit for text in texts for edit in edits(text))]))
        plays = {text: played for text in programs if (played := digest(text, folder, SEED))}
        equal = [(one, two) for one, two in combinations(plays, 2) if plays[one] == plays[two]]
        missed = [
            pair for pair in equal if digest(pair[0], folder, SECOND_SEED) != digest(pair[1], folder, SECOND_SEED)
        ]
    print(f"programs that work: {len(plays)}, pairs of them: {len(plays) * (len(plays) - 1) // 2}")
    print(f"{FOUND_EQUAL}: {len(equal)} pairs; of these {NO_EFFECT}: {len(equal) - len(missed)}")
    print(f"processor seconds: {process_time() - began:.0f}")


if __name__ == "__main__":
    main()
