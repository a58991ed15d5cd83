"""What a box that could not be prepared is said to need."""

from __future__ import annotations

from bourre_referee.launch.box.mends import refused


def test_a_refusal_of_the_system_names_the_file_and_the_mend() -> None:
    said = refused(PermissionError(13, "Permission denied", "/private/bin/python"))
    what, _, mend = said.partition("; ")
    assert what == "/private/bin/python: Permission denied"
    assert mend.startswith("it must be readable by the user who runs bourre")


def test_an_error_that_says_its_mend_is_left_as_it_is() -> None:
    assert refused(OSError("x is a link: put a copy in its place")) == "x is a link: put a copy in its place"
