"""Makes mutants of a module: mutmut's small mistakes, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Any

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one mistake."""

    module: str
    number: int
    """Its number within the module."""
    path: Path
    lines: range
    """The lines of the statement with the mistake."""
    source: str

    def difference(self) -> list[str]:
        """Returns the removed lines, then the added ones."""
        lines = unified_diff(self.path.read_text("utf-8").splitlines(), self.source.splitlines(), n=0, lineterm="")
        return [line for line in lines if line[:3] not in ("---", "+++") and not line.startswith("@@")]


def mutants_of(path: Path, module: str, most: int | None = None) -> Iterator[Mutant]:
    """Of its functions, in the order of the source: types and constants have no behaviour to be noticed by.

    No more than `most` of them, drawn with the seed 1.
    """
    source = path.read_text("utf-8")
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    wrapper = MetadataWrapper(libcst.parse_module(source))
    positions = wrapper.resolve(PositionProvider)
    mutations = list(enumerate(_mutations(wrapper), 1))
    if most is not None and most < len(mutations):
        mutations = sorted(Random(1).sample(mutations, most), key=lambda numbered: numbered[0])
    for number, mutation in mutations:
        changed = deep_replace(wrapper.module, mutation.original_node, mutation.mutated_node)
        line = positions[mutation.original_node].start.line
        yield Mutant(module, number, path, _lines_of_statement(statements, line), changed.code)


def unchanged(path: Path, module: str) -> Mutant:
    """Returns the module without a mistake, which must survive, as number 0."""
    source = path.read_text("utf-8")
    return Mutant(module, 0, path, range(1, source.count("\n") + 1), source)


def _mutations(wrapper: MetadataWrapper) -> list[Any]:
    """Returns mutmut's mutations, including those in decorated functions, which mutmut itself cannot run."""
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    skips = visitor._skip_node_and_children
    visitor._skip_node_and_children = lambda node: not _is_decorated(node) and skips(node)
    wrapper.visit(visitor)
    functions = [(mutation, mutation.contained_by_top_level_function) for mutation in visitor.mutations]
    return [mutation for mutation, function in functions if isinstance(function, libcst.FunctionDef)]


def _is_decorated(node: libcst.CSTNode) -> bool:
    return isinstance(node, libcst.FunctionDef) and bool(node.decorators)


def _lines_of_statement(statements: list[ast.stmt], line: int) -> range:
    """Returns the lines of the shortest statement around a line."""
    spans = [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in statements]
    return min((span for span in spans if line in span), key=len)
