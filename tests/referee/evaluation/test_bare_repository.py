"""Submissions in bare git repositories: the files of the last commit, whatever the repository's settings say."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.intake import bare_repository
from bourre_referee.evaluation.grade.intake.class_folder import find_submissions
from bourre_referee.evaluation.grade.intake.submissions import BadSubmission, copy_submission

LAUNCHERS = ("python", "node")
BOT = "from bourre import Bot, run\nrun(Bot)\n"


def git(folder: Path, *words: str, text: str | None = None) -> str:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()


def pushed(place: Path, files: Mapping[str, str], name: str = "ada.git", branch: str = "main") -> Path:
    """A bare repository to which these files were pushed, whose default branch is `main`."""
    work = place / f"work of {name}"
    for path, text in files.items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_text(text)
    git(work, "init", "--quiet", "--initial-branch", branch)
    git(work, "add", "--force", "--all")
    git(work, "commit", "--quiet", "--message", "Hand in")
    bare = place / "class" / name
    bare.mkdir(parents=True)
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    git(work, "push", "--quiet", str(bare), branch)
    return bare


def taken(bare: Path, place: Path) -> dict[str, str]:
    """The files that are taken from a repository."""
    (submission,) = find_submissions([bare], place).submissions
    copy_submission(submission, place / "submission", LAUNCHERS)
    files = [path for path in (place / "submission").rglob("*") if not path.is_dir()]
    return {path.relative_to(place / "submission").as_posix(): path.read_text() for path in files}


def test_the_last_commit_of_a_bare_repository_is_handed_in(tmp_path: Path) -> None:
    bare = pushed(tmp_path, {"bot.py": BOT, "lib/a.py": "A = 1\n"})
    assert taken(bare, tmp_path) == {"bot.py": BOT, "lib/a.py": "A = 1\n"}
    git(bare, "gc", "--quiet", "--prune=now")
    assert not (bare / "refs" / "heads" / "main").exists()
    assert taken(bare, tmp_path) == {"bot.py": BOT, "lib/a.py": "A = 1\n"}
    assert [one.student for one in find_submissions([bare], tmp_path).submissions] == ["ada"]


def test_a_class_of_repositories_loses_what_their_names_share(tmp_path: Path) -> None:
    for name in ("week-3-ada.git", "week-3-bob.git"):
        pushed(tmp_path, {"bot.py": BOT}, name)
    assert [one.student for one in find_submissions([tmp_path / "class"], tmp_path).submissions] == ["ada", "bob"]


def test_the_only_branch_is_taken_if_the_default_one_was_never_pushed(tmp_path: Path) -> None:
    bare = pushed(tmp_path, {"bot.py": BOT}, branch="master")
    assert taken(bare, tmp_path) == {"bot.py": BOT}
    git(bare, "branch", "other", "master")
    with pytest.raises(BadSubmission, match=r"has several branches and no HEAD.\nhint: push"):
        taken(bare, tmp_path)


def test_a_repository_without_a_commit_has_no_bot(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "empty.git")
    with pytest.raises(BadSubmission, match=r"its repository has no commit.\nhint: push"):
        taken(tmp_path / "empty.git", tmp_path)


def test_no_setting_of_a_repository_runs_anything(tmp_path: Path) -> None:
    """Filters, hooks and servers of missing objects are programs that the author chooses."""
    attributes = {".gitattributes": "*.py filter=own diff=own export-subst ident\n"}
    bare = pushed(tmp_path, {"bot.py": f"{BOT}# $Format:%H$ $Id$\n", **attributes})
    ran = tmp_path / "ran"
    for key in ("filter.own.smudge", "filter.own.clean", "filter.own.process", "core.fsmonitor", "core.pager"):
        git(bare, "config", key, f"touch {ran}")
    git(bare, "config", "diff.own.textconv", f"touch {ran}")
    git(bare, "config", "remote.origin.url", str(tmp_path / "nowhere"))
    git(bare, "config", "remote.origin.uploadpack", f"touch {ran}; false")
    git(bare, "config", "remote.origin.promisor", "true")
    git(bare, "config", "extensions.partialClone", "origin")
    git(bare, "config", "core.repositoryFormatVersion", "1")
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"):
        (bare / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (bare / "hooks" / hook).chmod(0o755)
    assert taken(bare, tmp_path)["bot.py"] == f"{BOT}# $Format:%H$ $Id$\n"
    for number in git(bare, "rev-list", "--objects", "--all").split()[2:3]:
        (bare / "objects" / number[:2] / number[2:]).unlink()
    with pytest.raises(BadSubmission, match=r"its repository is incomplete.\nhint: push again"):
        taken(bare, tmp_path)
    assert not ran.exists()


def test_links_submodules_and_other_repositories_are_left_out(tmp_path: Path) -> None:
    secret = pushed(tmp_path, {"secret.txt": "of the staff"}, "staff.git")
    blob = git(secret, "rev-parse", "main:secret.txt")
    commit = git(secret, "rev-parse", "main")
    bare = pushed(tmp_path, {"bot.py": BOT})
    target = git(bare, "hash-object", "-w", "--stdin", text="/etc/passwd")
    own = git(bare, "rev-parse", "main:bot.py")
    lines = [f"100644 blob {own}\tbot.py", f"120000 blob {target}\tlink", f"160000 commit {commit}\tmodule"]
    commit_tree(bare, lines)
    assert taken(bare, tmp_path) == {"bot.py": BOT}
    (bare / "objects" / "info" / "alternates").write_text(f"{secret / 'objects'}\n")
    commit_tree(bare, [f"100644 blob {own}\tbot.py", f"100644 blob {blob}\tsecret.txt"])
    with pytest.raises(BadSubmission, match="its repository is incomplete"):
        taken(bare, tmp_path)


def commit_tree(bare: Path, lines: list[str]) -> None:
    """Commits a tree of these entries, which need not exist."""
    tree = git(bare, "mktree", "--missing", text="".join(f"{line}\n" for line in lines))
    git(bare, "update-ref", "refs/heads/main", git(bare, "commit-tree", tree, "-m", "Hand in"))


def test_a_tree_that_repeats_itself_is_too_large(tmp_path: Path) -> None:
    """Ten thousand million files in a few hundred bytes."""
    bare = pushed(tmp_path, {"bot.py": BOT})
    lines = [f"100644 blob {git(bare, 'rev-parse', 'main:bot.py')}\t{number}.py" for number in range(10)]
    for _ in range(9):
        tree = git(bare, "mktree", text="".join(f"{line}\n" for line in lines))
        lines = [f"040000 tree {tree}\t{number}" for number in range(10)]
    commit_tree(bare, lines)
    with pytest.raises(BadSubmission, match="too many or too large files"):
        taken(bare, tmp_path)


def test_a_file_that_does_not_fit_is_refused_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_repository, "LARGEST_BOT", 1000)
    bare = pushed(tmp_path, {"bot.py": BOT, "zeros": "0" * 1001})
    with pytest.raises(BadSubmission, match="too many or too large files"):
        taken(bare, tmp_path)
    monkeypatch.setattr(bare_repository, "_LARGEST", 100)
    with pytest.raises(BadSubmission, match=r"its repository is larger than .*\nhint: hand in a zip"):
        taken(bare, tmp_path)
