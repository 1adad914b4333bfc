from __future__ import annotations

import pytest

from md_mcp.errors import EditError
from md_mcp.server.execute import execute
from md_mcp.server.results import Answer
from md_mcp.server.tool import STRING, Tool, ToolValue


def answer_of(*outcomes: ToolValue | BaseException, writes: bool = False) -> Answer:
    (outcome,) = outcomes

    def function(files: object, path: str) -> ToolValue:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    tool = Tool("cut", "", {"path": STRING}, ("path",), function, writes=writes)
    return execute({"cut": tool}, "cut", {"path": "A"}, None)


def test_a_value_is_the_answer() -> None:
    assert answer_of({"a": [1]}) == Answer('{"a":[1]}')


def test_a_refused_edit_says_that_nothing_was_written() -> None:
    answer = answer_of(EditError("no."), writes=True)
    assert answer == Answer("EDIT_REFUSED: no. Nothing was written.", is_error=True)


def test_a_refused_question_does_not() -> None:
    assert answer_of(EditError("no.")) == Answer("EDIT_REFUSED: no.", is_error=True)


@pytest.mark.parametrize(
    "fault", [SystemExit(3), KeyboardInterrupt(), MemoryError(), RecursionError("deep")]
)
def test_any_fault_in_a_tool_is_an_answer(
    fault: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answer_of(fault)
    assert answer.is_error
    assert answer.text == (
        f"INTERNAL_ERROR: cut failed ({type(fault).__name__}: {fault}); "
        "this is a fault of md-mcp."
    )
    assert capsys.readouterr().err.count("\n") == 1


def test_a_fault_while_writing_does_not_claim_that_nothing_was_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = answer_of(ValueError("a\nb"), writes=True)
    assert "Nothing was written" not in answer.text
    assert answer.text.endswith("Read the section again before repeating the edit.")
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unknown_tool_is_refused_with_the_nearest() -> None:
    tool = Tool("cut", "", {}, (), lambda files: "")
    assert execute({"cut": tool}, "cuts", {}, None) == Answer(
        'UNKNOWN_TOOL: no tool "cuts". Did you mean "cut"?', is_error=True
    )
    assert execute({"cut": tool}, "paste", {}, None) == Answer(
        'UNKNOWN_TOOL: no tool "paste". There are cut.', is_error=True
    )


def test_a_misspelt_argument_reaches_no_tool() -> None:
    tool = Tool("cut", "", {"path": STRING}, (), lambda files: "cut", writes=True)
    answer = execute({"cut": tool}, "cut", {"paht": "A"}, None)
    assert answer == Answer(
        'INVALID_ARGUMENT: unknown argument "paht". Did you mean "path"? '
        "cut takes path (optional). Nothing was written.",
        is_error=True,
    )
