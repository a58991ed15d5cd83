"""What is mounted in a sandbox: which Python, which files, and what is refused."""

import os
import subprocess
from pathlib import Path

import pytest

from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox.bwrap.box_contents import system
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Link, Text, holder_of
from bourre_referee.sandbox.bwrap.bwrap_probe import explain, explain_unreadable
from bourre_referee.sandbox.bwrap.interpreter import Interpreter, box_python, interpreter_of
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles


def python_in(prefix: Path, name: str = "python3.11") -> Path:
    """The program of an installed Python, as far as files can tell."""
    for folder in ("bin", f"lib/{name}"):
        (prefix / folder).mkdir(parents=True)
    (prefix / "lib" / name / "os.py").touch()
    (prefix / "bin" / name).touch()
    (prefix / "bin" / "python3").symlink_to(name)
    return prefix / "bin" / "python3"


def venv_in(folder: Path, base: Path, more: str = "") -> Path:
    """The program of an environment of this Python."""
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\n{more}")
    (folder / "bin" / "python").symlink_to(base)
    return folder / "bin" / "python"


def test_a_python_is_known_by_its_files_and_an_environment_tells_its_python(tmp_path: Path) -> None:
    program = python_in(tmp_path / "installed")
    assert interpreter_of(program) == Interpreter(tmp_path / "installed", "python3.11")
    found = interpreter_of(venv_in(tmp_path / "env", program))
    assert found == Interpreter(tmp_path / "installed", "python3.11", tmp_path / "env")
    assert found.packages == tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    shown = venv_in(tmp_path / "other", python_in(tmp_path / "second"), "include-system-site-packages = true\n")
    assert interpreter_of(shown) == Interpreter(tmp_path / "second", "python3.11", tmp_path / "other", True)


@pytest.mark.parametrize("name", ["node", "python", "python3.11"])
def test_what_has_no_library_is_no_python(tmp_path: Path, name: str) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / name).touch()
    assert interpreter_of(tmp_path / "bin" / name) is None


@pytest.mark.parametrize("linked", ["installed/bin", "installed/lib", "env/lib"])
def test_no_folder_of_a_python_leads_elsewhere(tmp_path: Path, linked: str) -> None:
    for folder in ("installed/bin", "installed/lib", "env/lib", "secret"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / linked).rmdir()
    (tmp_path / linked).symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match=rf"{linked} is a link\.\nhint: recreate [^:]* with a real folder in its place$"):
        box_python(Interpreter(tmp_path / "installed", "python3.11", tmp_path / "env"), "/python", "/venv")


def test_a_python_may_be_reached_by_links(tmp_path: Path) -> None:
    """For example, the home is a link, or all environments are in one folder."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk")
    program = venv_in(tmp_path / "home" / "env", python_in(tmp_path / "home" / "installed"))
    (tmp_path / "home" / "env" / "lib64").symlink_to("lib")
    (tmp_path / "env").symlink_to("home/env")
    for named in (program, tmp_path / "env" / "bin" / "python"):
        found = interpreter_of(named)
        assert found is not None
        targets = [item.target for item in box_python(found, "/python", "/venv").content if isinstance(item, Bind)]
        assert targets == ["/python/bin", "/python/lib", "/venv/lib"]


def test_an_environment_is_rebuilt_at_neutral_paths(tmp_path: Path) -> None:
    house = box_python(Interpreter(tmp_path / "installed", "python3.11", tmp_path / "env"), "/python", "/venv")
    assert (house.program, house.libraries) == ("/venv/bin/python", "/python/lib")
    assert Text("home = /python/bin\ninclude-system-site-packages = false\n", "/venv/pyvenv.cfg") in house.content
    assert Link("/python/bin/python3.11", "/venv/bin/python") in house.content
    bound = {item.target: item.source for item in house.content if isinstance(item, Bind)}
    installed = tmp_path / "installed"
    assert bound == {
        "/python/bin": installed / "bin",
        "/python/lib": installed / "lib",
        "/venv/lib": tmp_path / "env/lib",
    }


def test_a_python_of_the_system_is_there_already() -> None:
    house = box_python(Interpreter(Path("/usr"), "python3.11"), "/python", "/venv")
    assert (house.program, house.libraries, house.content) == ("/usr/bin/python3.11", None, ())


LED_AWAY = (
    "leads through a link to something else, which its `files` do not list.\n"
    "hint: ask its author to put the file or folder itself there$"
)


def entry(folder: Path, *files: str) -> BotEntry:
    return BotEntry("tested", ("python", "bot.py"), folder, files)


def test_files_keep_their_places_to_one_another(tmp_path: Path) -> None:
    for file in ("contest/bot.py", "contest/data/x", "shared/model"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    alone = SandboxFiles(entry(tmp_path / "contest", "bot.py", "data"))
    assert (alone.folder, [bind.target for bind in alone.binds()]) == ("/bot", ["/bot/bot.py", "/bot/data"])
    shared = SandboxFiles(entry(tmp_path / "contest", "bot.py", "../shared/model"))
    assert shared.folder == "/bot/contest"
    assert [bind.target for bind in shared.binds()] == ["/bot/contest/bot.py", "/bot/shared/model"]
    assert shared.translate(str(tmp_path / "shared/model")) == "/bot/shared/model"
    assert shared.translate("../shared/model") == "../shared/model"
    assert shared.translate("/etc/hosts") == "/etc/hosts"


def test_a_link_opens_no_other_folder_of_the_host(tmp_path: Path) -> None:
    folder = tmp_path / "contest"
    folder.mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").touch()
    (folder / "data").symlink_to(tmp_path / "secret")
    (folder / "bot.py").touch()
    for file in ("data", "data/key"):
        with pytest.raises(OSError, match=LED_AWAY) as refused:
            SandboxFiles(entry(folder, file)).binds()
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("link", "target", "file"),
    [
        ("deep/weights", "../runs/run.db", "deep/weights"),
        ("deep/weights", "../rival/main.py", "deep/weights"),
        ("deep2", "rival", "deep2"),
        ("deep2", "rival", "deep2/main.py"),
        ("deep.py", "rival.py", "deep.py"),
    ],
)
def test_a_link_opens_nothing_of_a_neighbour(tmp_path: Path, link: str, target: str, file: str) -> None:
    folder = tmp_path / "contest"
    for other in ("runs/run.db", "rival/main.py", "deep/bot.py", "rival.py"):
        (folder / other).parent.mkdir(parents=True, exist_ok=True)
        (folder / other).touch()
    (folder / link).symlink_to(target)
    with pytest.raises(OSError, match=LED_AWAY):
        SandboxFiles(entry(folder, "deep/bot.py", file)).binds()


@pytest.mark.parametrize("files", [("main.py", "v2/bot.py"), ("main.py", "v2")])
def test_a_link_to_what_is_the_bots_too_is_followed(tmp_path: Path, files: tuple[str, ...]) -> None:
    """The contest's folder may be reached through links, like a home or /tmp on some systems."""
    (tmp_path / "disk" / "contest" / "v2").mkdir(parents=True)
    (tmp_path / "home").symlink_to("disk")
    folder = tmp_path / "home" / "contest"
    (folder / "v2" / "bot.py").touch()
    (folder / "main.py").symlink_to("v2/bot.py")
    real = tmp_path.resolve() / "disk" / "contest"
    bound = SandboxFiles(entry(folder, *files)).binds()
    assert bound == [Bind(real / "v2/bot.py", "/bot/main.py"), Bind(real / files[1], f"/bot/{files[1]}")]


def test_a_file_beside_the_contest_is_named_by_its_own_path(tmp_path: Path) -> None:
    """However the contest's folder is reached."""
    (tmp_path / "disk" / "contest").mkdir(parents=True)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "large").touch()
    (tmp_path / "contest").symlink_to("disk/contest")
    model = tmp_path.resolve() / "models" / "large"
    (bind,) = SandboxFiles(entry(tmp_path / "contest", str(model))).binds()
    assert bind.source == model


@pytest.mark.parametrize("whole", [".", "..", "../contest"])
def test_the_folder_of_the_contest_is_nobodys_file(tmp_path: Path, whole: str) -> None:
    (tmp_path / "contest").mkdir()
    with pytest.raises(OSError, match="contains the whole contest folder"):
        SandboxFiles(entry(tmp_path / "contest", whole)).binds()


def test_a_file_that_others_may_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data" / "key").touch(mode=0o600)
    (tmp_path / "bot.py").touch(mode=0o644)
    assert SandboxFiles(entry(tmp_path, "bot.py")).find_unreadable() is None
    hidden = SandboxFiles(entry(tmp_path, "bot.py", "data")).find_unreadable()
    assert hidden == (tmp_path / "data" / "key", tmp_path / "data")


@pytest.mark.parametrize("target", ["secret", "secret/key"])
def test_what_a_link_in_a_bots_folder_leads_to_is_none_of_its_files(tmp_path: Path, target: str) -> None:
    """Root would open it if it were told to change the permissions of the link."""
    (tmp_path / "secret").mkdir(mode=0o700)
    (tmp_path / "secret" / "key").touch(mode=0o600)
    (tmp_path / "bot").mkdir(mode=0o755)
    (tmp_path / "bot" / "data").symlink_to(tmp_path / target)
    assert SandboxFiles(entry(tmp_path, "bot")).find_unreadable() is None
    for file in ("bot/data", "bot/data/key"):
        with pytest.raises(OSError, match=r"bot/data.* leads through a link to something else") as refused:
            SandboxFiles(entry(tmp_path, "bot", file)).find_unreadable()
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize("target", ["gone", "bot.py", "loop"])
def test_a_link_that_leads_nowhere_is_refused_by_its_own_name(tmp_path: Path, target: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "bot.py").symlink_to(tmp_path / target)
    with pytest.raises(
        OSError, match=rf"^{tmp_path}/bot\.py leads through a link to something else\.\nhint: ask its author"
    ):
        SandboxFiles(entry(tmp_path, "bot.py")).binds()


def test_a_file_that_is_missing_is_told_by_the_system(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk")
    with pytest.raises(FileNotFoundError):
        SandboxFiles(entry(tmp_path / "home", "bot.py")).binds()


def test_folders_of_the_system_are_links_or_folders_as_on_the_host(tmp_path: Path) -> None:
    (tmp_path / "usr" / "bin").mkdir(parents=True)
    (tmp_path / "lib64").mkdir()
    (tmp_path / "bin").symlink_to("usr/bin")
    assert set(system(tmp_path)) == {
        Bind(tmp_path / "usr", "/usr"),
        Link("usr/bin", "/bin"),
        Bind(tmp_path / "lib64", "/lib64"),
    }


@pytest.mark.parametrize(
    ("path", "holder"),
    [("usr/src/contest", "usr"), ("usr", "usr"), ("home/contest", "usr"), ("usrs", None), ("", None), ("open", None)],
)
def test_what_a_box_holds_is_told_through_links(tmp_path: Path, path: str, holder: str | None) -> None:
    for folder in ("usr/src/contest", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "home").symlink_to("usr/src")
    (tmp_path / "usr" / "open").symlink_to("../elsewhere")
    content = (Link("usr/bin", "/bin"), Bind(tmp_path / "usr", "/usr"), Bind(tmp_path / "lib64", "/lib64"))
    assert holder_of(tmp_path / path, content) == (holder and tmp_path / holder)
    assert holder_of(tmp_path / "usr" / "open" / "contest", content) is None


def test_a_refusal_of_the_system_names_the_file_and_a_hint_unless_it_has_one() -> None:
    said = explain(PermissionError(13, "Permission denied", "/private/bin/python"))
    what, _, hint = said.partition(".\nhint: ")
    assert what == "/private/bin/python: Permission denied"
    assert hint.startswith("let the user who runs bourre read it")
    assert explain(OSError("x is a link.\nhint: make another")) == "x is a link.\nhint: make another"


@pytest.mark.parametrize("name", ["bots", "my bots; $(touch gone)", "it's"])
def test_the_command_that_opens_a_bots_files_opens_nothing_else(tmp_path: Path, name: str) -> None:
    """Follows no link, and changes no file that has a second name."""
    bots, key = tmp_path / name, tmp_path / "key"
    bots.mkdir(mode=0o700)
    for private in (key, tmp_path / "other", bots / "bot.py", bots / "-exec"):
        private.touch(mode=0o600)
    (bots / "link").symlink_to(key)
    (bots / "second").hardlink_to(tmp_path / "other")
    told, _, command = explain_unreadable(bots / "bot.py", bots).partition(" to run ")
    assert told == (
        f"{bots}/bot.py: bots that root starts run as nobody, who may not read it.\n"
        f"hint: ask its owner, {bots.owner()},"
    )
    subprocess.run(["/bin/sh", "-c", command], check=True, cwd=tmp_path)
    assert [rights(path) for path in (bots, bots / "bot.py", bots / "-exec")] == [0o705, 0o604, 0o604]
    assert (rights(key), rights(tmp_path / "other")) == (0o600, 0o600)
    assert not (tmp_path / "gone").exists()


def rights(path: Path) -> int:
    """Its permissions, as a number for chmod."""
    return path.stat().st_mode & 0o777


def test_nobody_is_told_to_open_a_file_that_has_a_second_name(tmp_path: Path) -> None:
    (tmp_path / "key").touch(mode=0o600)
    (tmp_path / "data").hardlink_to(tmp_path / "key")
    said = explain_unreadable(tmp_path / "data", tmp_path / "data")
    assert said.endswith("and it has a second hard link elsewhere.\nhint: ask its author to put a copy there")
    assert "chmod" not in said


def test_the_owner_may_have_no_name_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(path: Path) -> str:
        raise KeyError(path)

    monkeypatch.setattr(Path, "owner", nobody)
    (tmp_path / "bot\x1b.py").touch(mode=0o600)
    said = explain_unreadable(tmp_path / "bot\x1b.py", tmp_path)
    assert f"ask its owner, user {os.geteuid()}, to run " in said
    assert "\x1b" not in said
