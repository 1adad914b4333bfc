"""How arguments are read: strictly, in any order, text that looks like options too."""

from __future__ import annotations

import pytest

from md_mcp.cli.parser import Parser
from md_mcp.cli.writing import VERBS
from md_mcp.errors import ArgumentError

WRITING = {verb.name: verb for verb in VERBS}


def parser(verb: str) -> Parser:
    made = Parser(f"md-mcp {verb}", "")
    WRITING[verb].add_arguments(made)
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["f.md", "## X", "text", "--under", "R"], id="options last"),
        pytest.param(["f.md", "## X", "--under", "R", "text"], id="options between"),
        pytest.param(["--under", "R", "f.md", "## X", "text"], id="options first"),
        pytest.param(
            ["--under=R", "f.md", "--", "## X", "text"], id="after two dashes"
        ),
    ],
)
def test_options_may_stand_anywhere(arguments: list[str]) -> None:
    options = parser("add").parse(arguments)
    found = (options.file_path, options.heading, options.content, options.under)
    assert found == ("f.md", "## X", "text", "R")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["f.md", "A", "- item one"], id="a list item with a blank"),
        pytest.param(["f.md", "A", "--- dashes"], id="dashes with a blank"),
        pytest.param(["f.md", "A", "-1"], id="a negative number"),
        pytest.param(["f.md", "A", "--", "-item"], id="a word after two dashes"),
        pytest.param(["f.md", "A", "--", "-h"], id="-h after two dashes"),
        pytest.param(["f.md", "A", "--", "--json"], id="an option after two dashes"),
        pytest.param(["--", "f.md", "A", "--"], id="two dashes after two dashes"),
        pytest.param(["f.md", "--json", "A", "--", "--"], id="and after an option"),
        pytest.param(["f.md", "A", ""], id="nothing at all"),
    ],
)
def test_text_that_starts_with_a_dash_is_text(arguments: list[str]) -> None:
    assert parser("replace").parse(arguments).content == arguments[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["f.md", "A", "x", "--dryrun"],
            'no option "--dryrun". Nearest: "--dry-run". '
            'Put "--" before text that starts so.',
            id="a misspelt option offers the nearest",
        ),
        pytest.param(
            ["f.md", "A", "x", "--dry"],
            'no option "--dry". Nearest: "--dry-run". '
            'Put "--" before text that starts so.',
            id="abbreviations are not options",
        ),
        pytest.param(
            ["f.md", "A", "-item"],
            'no option "-item". Put "--" before text that starts so.',
            id="text that looks like an option says how to pass it",
        ),
        pytest.param(
            ["f.md", "A", "x", "y"],
            'one argument too many: "y".',
            id="too many",
        ),
        pytest.param(
            ["--", "f.md", "A", "x", "--json"],
            'one argument too many: "--json".',
            id="an option after two dashes is text",
        ),
        pytest.param(
            ["f.md"], "the following arguments are required: PATH.", id="too few"
        ),
    ],
)
def test_a_wrong_argument_is_named_with_the_next_step(
    arguments: list[str], message: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        parser("replace").parse(arguments)
    assert str(caught.value) == f'{message} See "md-mcp replace --help".'


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_is_shown_even_when_arguments_are_missing(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parser("delete").parse([word])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("usage: md-mcp delete [--help]")
