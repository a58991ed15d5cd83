"""The checked-in generated code matches proto/, and runs with the libraries we promise."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import dev

CHECKED_IN = dev.ROOT / "sdk"


def generated_code(root: Path) -> dict[str, bytes]:
    """The content of every generated file below a folder, by its path there."""
    found = root.glob("bourre/v1/*_pb2*.py*")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The code, generated anew in another folder."""
    folder = tmp_path_factory.mktemp("generated")
    subprocess.run(dev.protoc(sys.executable, folder), check=True)
    return generated_code(folder)


def test_every_proto_has_its_code(fresh: dict[str, bytes]) -> None:
    nouns = {path.stem for path in (dev.ROOT / "proto/bourre/v1").glob("*.proto")}
    assert nouns >= {"game", "referee"}
    assert {f"bourre/v1/{noun}_pb2.py" for noun in nouns} <= fresh.keys()


def test_checked_in_code_is_what_proto_gives(fresh: dict[str, bytes]) -> None:
    checked_in = generated_code(CHECKED_IN)
    stale = {name for name in fresh.keys() | checked_in if fresh.get(name) != checked_in.get(name)}
    assert not stale, "fix: python3 dev.py generate"


@pytest.mark.parametrize(
    ("library", "mark"),
    [("grpcio", r"GRPC_GENERATED_VERSION = '(.+)'"), ("protobuf", r"Protobuf Python Version: (.+)")],
)
def test_oldest_promised_library_runs_it(library: str, mark: str) -> None:
    """A runtime older than the generated code refuses to import it."""
    project = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {asked.name: asked.specifier for asked in map(Requirement, project["dependencies"])}
    code = b"".join(generated_code(CHECKED_IN).values()).decode()
    needed = set(re.findall(mark, code))
    oldest = [Version(clause.version) for clause in promised[library] if clause.operator == ">="]
    assert needed
    assert max(map(Version, needed)) <= oldest[0]
