"""The parts of the project to mutate, and the tests that judge each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Part:
    """A part, as patterns of paths."""

    folder: str
    """The folder of the packages."""
    modules: tuple[str, ...]
    """Patterns of modules below that folder."""
    tests: tuple[str, ...]
    """Patterns of the judging tests, below the folder `tests`."""

    def paths(self) -> list[Path]:
        """Returns the paths of its modules."""
        return sorted(path for pattern in self.modules for path in (ROOT / self.folder).glob(pattern))

    def files_of_tests(self) -> list[str]:
        """Returns the paths of its tests, relative to the project."""
        return sorted(str(path.relative_to(ROOT)) for name in self.tests for path in (ROOT / "tests").glob(name))

    def name_of(self, path: Path) -> str:
        """Returns the import name of a module."""
        return ".".join(path.relative_to(ROOT / self.folder).with_suffix("").parts).removesuffix(".__init__")


PARTS = {
    "schedule": Part(
        folder="referee",
        modules=("bourre_referee/contest/schedule/*.py",),
        tests=("referee/contest/schedule/test_*.py", "referee/derived/test_answers_cache.py"),
    ),
    "ratings": Part(
        folder="referee",
        modules=("bourre_referee/ratings/*.py",),
        tests=("referee/ratings/test_*.py", "referee/statistics/test_rating_comparison.py"),
    ),
    "table": Part(
        folder="referee",
        modules=("bourre_referee/server/table.py",),
        tests=("referee/server/test_table*.py",),
    ),
    "rules": Part(
        folder="sdk",
        modules=("bourre/rules/*.py", "bourre/rules/events/*.py"),
        tests=(
            "sdk/rules/test_[adehv]*.py",
            "sdk/rules/test_c*ds.py",
            "sdk/rules/test_leaving.py",
            "sdk/rules/test_lint.py",
            "sdk/rules/test_markup.py",
            "sdk/rules/test_r[1-8]_*.py",
            "sdk/rules/test_scenes.py",
            "sdk/test_sampling.py",
            "sdk/test_notebook.py",
        ),
    ),
}
