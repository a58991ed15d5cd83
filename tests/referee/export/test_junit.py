"""The JUnit report as a build server reads it, even if the texts in it are hostile."""

from xml.etree import ElementTree

from bourre_referee.export.junit import JUnitCase, junit_text


def test_counts_and_tells_what_failed() -> None:
    cases = [
        JUnitCase("start", "check", seconds=0.25),
        JUnitCase("legality", "check", failure="AS reneges on R5.2\nhand AS KH", output="the bot said so"),
    ]
    suite = ElementTree.fromstring(junit_text("tight", cases)).find("testsuite")
    assert suite is not None
    assert suite.attrib == {"name": "tight", "tests": "2", "failures": "1", "errors": "0", "skipped": "0"}
    start, legality = suite.findall("testcase")
    assert start.attrib == {"name": "start", "classname": "check", "time": "0.250"}
    assert list(start) == []
    failure, output = legality
    assert (failure.tag, output.tag) == ("failure", "system-out")
    assert failure.attrib == {"message": "AS reneges on R5.2"}
    assert failure.text == "AS reneges on R5.2\nhand AS KH"
    assert output.text == "the bot said so"


def test_any_text_makes_a_document_that_can_be_read_again() -> None:
    everything = "".join(map(chr, [*range(0x300), 0xD800, 0xDFFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F0A1]))
    hostile = '</failure><script>&"]]>' + everything
    text = junit_text(hostile, [JUnitCase(hostile, hostile, failure=hostile, output=hostile)])
    case = ElementTree.fromstring(text.encode()).find("testsuite/testcase")
    assert case is not None
    failure = case.findtext("failure") or ""
    assert failure.startswith('</failure><script>&"]]>')
    assert failure.endswith("\u02ff\ufffd\U0001f0a1")
    assert not {"\x1b", "\x00"} & set(text)


def test_an_empty_suite_is_a_document_too() -> None:
    suite = ElementTree.fromstring(junit_text("nothing", [])).find("testsuite")
    assert suite is not None
    assert suite.attrib["tests"] == "0"
