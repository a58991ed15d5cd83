"""Everything in the product is called by the product, and nothing by its tests alone.

A function or class counts as called if its own module names it, outside of it, or another one imports it; a method, if
any module or page names it. Programs for this (vulture) ask by name alone, so that they miss what shares its name with
something else, and report every field of a table.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLAIN = {"abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod", "contextmanager"}
PLAIN |= {"dataclass", "override", "property", "staticmethod", "total_ordering"}
"""The decorators that call nothing; others, such as those of routes and commands, register what they decorate."""
OUTSIDERS = {
    "the bench, benchmarks/bench": ["SingleMessages", "record_bytes"],
    "Alembic": ["upgrade"],
    "asyncio": ["eof_received"],
    "Dask": ["dask_setup"],
    "FastMCP": ["verify_token"],
    "Python's imports": ["create_module", "find_spec"],
    "http.server": ["do_GET", "do_POST", "log_message", "version_string"],
    "Jupyter": ["_repr_html_"],
    "MaskablePPO": ["action_masks"],
    "OpenSpiel's games": ["make_py_observer", "max_chance_nodes_in_history", "new_initial_state"],
    "OpenSpiel's observers": ["set_from", "string_from"],
    "OpenSpiel's states": ["_action_to_string", "_apply_action", "_legal_actions", "chance_outcomes", "current_player"],
    "OpenSpiel's tests": ["returns"],
    "pytest": ["pytest_addoption", "pytest_assertrepr_compare", "pytest_collect_file", "pytest_configure"],
    "pytest's items": ["reportinfo", "runtest"],
    "SQLAlchemy": ["process_bind_param", "process_result_value"],
    "urllib": ["redirect_request"],
    "users, as docs/learn.md tells them": ["SeatVectorEnv"],
}
"""Who calls what from outside."""


def modules() -> Iterator[tuple[str, Path]]:
    """The modules of the product, without generated code, files that users get, and attacks, which go by name."""
    for top in (ROOT / "sdk", ROOT / "referee"):
        for path in top.rglob("*.py"):
            parts = path.relative_to(top).with_suffix("").parts
            if not {"attacks", "starters"} & {*parts} and not path.stem.endswith(("_pb2", "_pb2_grpc")):
                yield ".".join(parts).removesuffix(".__init__"), path


class Uses:
    """What a tree of code names."""

    def __init__(self) -> None:
        self.imported: set[tuple[str, str]] = set()
        """Modules, and what others import from them or name in a text as an entry point."""
        self.attributes: set[str] = set()

    def read(self, text: str, tree: ast.Module) -> None:
        """Adds a module's."""
        self.imported.update(re.findall(r"[\"']([\w.]+):(\w+)[\"']", text))
        nodes = list(ast.walk(tree))
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        known = {name.asname or name.name: f"{node.module}.{name.name}" for node in imports for name in node.names}
        self.imported.update((node.module or "", name.name) for node in imports for name in node.names)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                self.attributes.add(node.attr)
                if isinstance(node.value, ast.Name) and node.value.id in known:
                    self.imported.add((known[node.value.id], node.attr))
            elif isinstance(node, ast.Dict):  # the homes of what a package imports when it is asked for
                for key, home in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(home, ast.Constant):
                        self.imported.add((str(home.value), str(key.value)))


def names_in(node: ast.AST) -> Counter[str]:
    return Counter(inside.id for inside in ast.walk(node) if isinstance(inside, ast.Name))


def defined(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """What is defined there, and not registered by a decorator or known to Python itself."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("__"):
            decorators = (ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list)
            if isinstance(node, ast.ClassDef) or all(name.rpartition(".")[2] in PLAIN for name in decorators):
                yield node


def unused(module: str, tree: ast.Module, uses: Uses) -> Iterator[str]:
    """Yields what nothing calls of a module."""
    named = names_in(tree)
    for top in defined(tree.body):
        if (module, top.name) not in uses.imported and named[top.name] == names_in(top)[top.name]:
            yield top.name
        for method in defined(top.body) if isinstance(top, ast.ClassDef) else ():
            if method.name not in uses.attributes:
                yield method.name


def found() -> set[tuple[str, str]]:
    """Returns what nothing in the product calls, by module."""
    texts = {module: path.read_text("utf-8") for module, path in modules()}
    trees = {module: ast.parse(text) for module, text in texts.items()}
    uses = Uses()
    for module, tree in trees.items():
        uses.read(texts[module], tree)
    for path in (*ROOT.glob("examples/**/*.py"), *ROOT.glob("docs/**/*.py")):
        uses.read("", ast.parse(path.read_text("utf-8")))
    uses.read((ROOT / "pyproject.toml").read_text("utf-8"), ast.Module([], []))
    for page in (ROOT / "referee").rglob("*.html"):
        uses.attributes.update(re.findall(r"\.(\w+)", page.read_text("utf-8")))
    return {(module, name) for module, tree in trees.items() for name in unused(module, tree, uses)}


def test_nothing_is_called_only_by_its_tests() -> None:
    outside = {name for names in OUTSIDERS.values() for name in names}
    dead = found()
    assert not [f"{module}: {name}" for module, name in sorted(dead) if name not in outside], (
        "call it, move it to the tests, or remove it; OUTSIDERS is for what a library or a user calls"
    )
    assert outside <= {name for _, name in dead}, "OUTSIDERS lists what the product calls, or no longer has"


def test_what_shares_its_name_with_something_else_is_found() -> None:
    """Two modules have a function of one name, which calls nothing but itself."""
    uses = Uses()
    uses.read("", caller := ast.parse("from bourre.one import read\nread().look()\n"))
    tree = ast.parse("def read(): return read()\nclass Reader:\n    def look(self): ...\n    def listen(self): ...\n")
    assert list(unused("bourre.one", tree, uses)) == ["Reader", "listen"]
    assert list(unused("bourre.two", tree, uses)) == ["read", "Reader", "listen"]
    assert list(unused("bourre.three", caller, uses)) == []
