"""Properties of every edit on documents from a nasty alphabet (exact contract, 9)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.document.diff import unified_diff
from md_mcp.document.edit import add, delete, patch, replace, replace_in
from md_mcp.document.model import Document
from md_mcp.errors import MdMcpError

LINES = [
    "# A", "## B", "### C", "## B ##", "# [x](y) `z`", "#", "## A.1", "## T[2]", "#no",
    "Setext", "===", "---", "text", "text  ", "two\twords", "- item", "  ## in item",
    "> quote", "> # in quote", "```", "~~~ sh", "    code", "<!-- c -->", "<!--", "-->",
    "<div>", "</div>", "<a name='x'></a>", "[x]: /u", "[^n]: note", "| a |", "| - |",
    "{{ a", "}}", "{{ x }}", "", "", "", " ", "\t", "\x0b\x0c", "a\u2028b", "é\u0301",
    "***", "1. one", "title: x", "+++", "\\# no", "&#35; no",
]  # fmt: skip

CONTENT = [
    "",
    "new",
    "new\n\ntwo\n",
    "- x\n- y",
    "### D\n\nd",
    "```\n# x\n```",
    "---\n\nt",
]

ENDINGS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn, ending: str | None = None) -> str:
    lines = draw(st.lists(st.sampled_from(LINES), max_size=14))
    front = draw(st.sampled_from([[], [], [], ["---", "a: 1", "---"]]))
    kind = draw(ENDINGS) if ending is None else ending
    text = "".join(line + kind for line in front + lines)
    if draw(st.booleans()) and text:
        text = text[: -len(kind)]
    return draw(st.sampled_from(["", "", "", "\ufeff"])) + text


def outline(document: Document) -> list[tuple[int, str]]:
    return [(h.level, h.raw) for h in document.headings]


def attempt(verb, *arguments, **options):
    """Return the edit, or None where it is refused; anything else is a failure."""
    try:
        return verb(*arguments, **options)
    except MdMcpError:
        return None


def check_outside(edit, inside: range) -> None:
    """Check that bytes and headings outside the edit are what they were.

    `inside` holds the indices of the headings that the edit may change.
    """
    before, after = edit.document.text, edit.text
    if not edit.changed:
        assert before == after
        return
    start, end = edit.splices[0].span.start, edit.splices[-1].span.end
    assert after.startswith(before[:start])
    assert after.endswith(before[end:])
    old, new = outline(edit.document), outline(edit.result)
    assert new[: inside.start] == old[: inside.start]
    kept = old[inside.stop :]
    assert new[len(new) - len(kept) :] == kept
    front, result = edit.document.front_matter, edit.result.front_matter
    assert (front is None) == (result is None)
    if front is not None:
        # Text after an unended delimiter line ends that line.
        assert front.span.of(before).rstrip("\r\n") == result.span.of(after).rstrip(
            "\r\n"
        )


@given(texts())
def test_every_path_leads_to_its_own_section(text):
    document = Document(text)
    for section in document.sections:
        assert document.section(section.path) == section
        assert document.section(section.path, lenient=False) == section


@given(texts())
def test_sections_tile_the_text(text):
    document = Document(text)
    parts = [document.preamble, *document.sections]
    tiled = "".join(part.own_span.of(text) for part in parts)
    assert text[: document.body_start] + tiled == text
    for section in document.sections:
        children = "".join(child.span.of(text) for child in section.children)
        assert section.span.of(text) == section.own_span.of(text) + children


@given(texts())
def test_writing_back_what_was_read_changes_nothing(text):
    document = Document(text)
    paths = [section.path for section in document.sections]
    if document.front_matter is not None:
        paths.append("frontmatter")
    for path in [*paths, "(preamble)"]:
        edit = replace(document, path, document.get(path))
        assert (path, edit.text, edit.changed) == (path, text, False)
    for path in paths:
        edit = attempt(replace, document, path, document.get(path, 0))
        assert edit is None or (edit.text, edit.changed) == (text, False)


@settings(max_examples=300)
@given(texts(), st.sampled_from(CONTENT), st.data())
def test_replace_changes_nothing_outside(text, content, data):
    document = Document(text)
    if not document.sections:
        return
    section = data.draw(st.sampled_from(document.sections))
    edit = attempt(replace, document, section.path, content)
    if edit is None:
        return
    subtree = section.index + 1 + len(section.descendants)
    own = Document("# x\n\n" + content).headings[1:]
    check_outside(edit, range(section.index + 1, subtree if own else section.index + 1))
    assert patch(document, section.path, content, "n.md") == unified_diff(
        text, edit.text, "n.md"
    )
    heading = section.heading
    assert edit.result.headings[section.index].raw == heading.raw
    if not content and section.index == len(document.sections) - 1:
        return  # closing definitions that are alone now are the section's text (1.7)
    again = replace(edit.result, edit.result.sections[section.index].path, content)
    assert (again.text, again.changed) == (edit.text, False)


@settings(max_examples=300)
@given(texts(), st.sampled_from(CONTENT), st.data())
def test_add_changes_nothing_outside_and_delete_takes_it_back(text, content, data):
    document = Document(text)
    place = data.draw(st.sampled_from(["after", "before", "under", None]))
    options = {}
    if place is not None:
        if not document.sections:
            return
        options[place] = data.draw(st.sampled_from(document.sections)).path
    edit = attempt(add, document, "## New", content, **options)
    if edit is None:
        return
    old, new = outline(document), outline(edit.result)
    grown = len(new) - len(old)
    first = next(i for i in range(len(new)) if new[i : i + 1] != old[i : i + 1])
    first = min(first, len(old))
    assert new[:first] + new[first + grown :] == old
    assert (2, "New") in new
    check_outside(edit, range(first, first))
    added = [s for s in edit.result.sections if s.title == "New"]
    if len(added) != 1 or "\n\n## New" not in edit.text.replace("\r", ""):
        return
    back = attempt(delete, edit.result, added[0].path)
    if back is not None and _single_blank_seams(document, edit):
        assert back.text == text


def _single_blank_seams(document, edit) -> bool:
    """Whether the new block went into a seam that was exactly one blank line."""
    (splice,) = edit.splices if len(edit.splices) == 1 else (None,)
    if splice is None or splice.span.start != splice.span.end:
        return False
    ending = document.line_ending
    before, after = document.text[: splice.span.start], document.text[splice.span.end :]
    return (
        before.endswith(ending * 2)
        and not before.endswith(ending * 3)
        and after.startswith(("# ", "## "))
        and splice.text.endswith(ending * 2)
    )


@settings(max_examples=300)
@given(texts(), st.booleans(), st.data())
def test_delete_changes_nothing_outside(text, include_children, data):
    document = Document(text)
    if not document.sections:
        return
    section = data.draw(st.sampled_from(document.sections))
    edit = attempt(delete, document, section.path, include_children)
    if edit is None:
        return
    gone = 1 + (len(section.descendants) if include_children else 0)
    old = outline(document)
    assert outline(edit.result) == old[: section.index] + old[section.index + gone :]
    check_outside(edit, range(section.index, section.index + gone))


@given(texts(), st.sampled_from(["text", "a", "-", "\n", "two\twords"]), st.data())
def test_replace_in_reaches_only_the_own_body(text, old, data):
    document = Document(text)
    section = data.draw(st.sampled_from([document.preamble, *document.sections]))
    edit = attempt(replace_in, document, section.path, old, "NEW", True)
    if edit is None:
        return
    body = section.body_span
    assert edit.text[: body.start] == text[: body.start]
    assert edit.text.endswith(text[body.end :])


@settings(max_examples=200)
@given(texts(ending="\n"), st.sampled_from(CONTENT), st.data())
def test_the_crlf_twin_of_a_text_is_edited_like_it(text, content, data):
    document, twin = Document(text), Document(text.replace("\n", "\r\n"))
    assert outline(document) == outline(twin)
    assert [h.line for h in document.headings] == [h.line for h in twin.headings]
    if not document.sections or "\n" not in text:
        return
    path = data.draw(st.sampled_from(document.sections)).path
    calls = [
        (replace, path, content),
        (delete, path),
        (add, "## N", content, None, path),
    ]
    for verb, *arguments in calls:
        one = attempt(verb, document, *arguments)
        other = attempt(verb, twin, *arguments)
        assert (one is None) == (other is None)
        if one is not None:
            assert other.text == one.text.replace("\n", "\r\n")
