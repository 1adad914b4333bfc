import pytest

from md_mcp.document.model import Document
from md_mcp.document.path import Segment, format_segment, parse_path
from md_mcp.errors import AmbiguousPathError, SectionNotFoundError


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        pytest.param("A.B", [Segment("A", "A", None), Segment("B", "B", None)], id="two"),
        pytest.param(r"v1\.2", [Segment("v1.2", "v1.2", None)], id="escaped dot"),
        pytest.param(r"a\\.b", [Segment("a\\", "a\\", None), Segment("b", "b", None)],
                     id="escaped backslash, then a dot"),
        pytest.param(r"C:\x", [Segment("C:\\x", "C:\\x", None)], id="other backslash"),
        pytest.param("A[2]", [Segment("A[2]", "A", 2)], id="ordinal"),
        pytest.param(r"A\[2]", [Segment("A[2]", "A[2]", None)], id="literal bracket"),
        pytest.param("[1]", [Segment("[1]", "", 1)], id="ordinal of an empty text"),
        pytest.param("A[0]", [Segment("A[0]", "A[0]", None)], id="no ordinal is 0"),
        pytest.param("", [Segment("", "", None)], id="one empty segment"),
        pytest.param("A.", [Segment("A", "A", None), Segment("", "", None)], id="empty"),
    ],
)  # fmt: skip
def test_a_path_parses_to_segments(path, segments):
    assert list(parse_path(path)) == segments


@pytest.mark.parametrize(
    ("text", "ordinal", "segment"),
    [
        ("A", 1, "A"),
        ("A", 3, "A[3]"),
        ("v1.2", 1, r"v1\.2"),
        ("a\\b", 1, r"a\\b"),
        ("A[2]", 1, r"A\[2]"),
        ("A[2]", 2, "A[2][2]"),
        ("[1.2.0] - 2024", 1, r"[1\.2\.0] - 2024"),
    ],
)
def test_a_heading_formats_to_a_segment(text, ordinal, segment):
    assert format_segment(text, ordinal) == segment
    (parsed,) = parse_path(segment)
    wanted = parsed.text if ordinal == 1 else parsed.name
    assert (wanted, parsed.ordinal or 1) == (text, ordinal)


DOCUMENT = Document(
    "# Guide\n\n## Setup\n\n### Linux\n\n## API `v1.2` {#api}\n\n### Errors\n\n"
    "# Notes\n\n## Setup\n\n## Setup\n\n### Mac\n\n## [1.0.0]\n\n## Re\u0301union\n"
)


def line(path, **options):
    heading = DOCUMENT.section(path, **options).heading
    assert heading is not None
    return heading.line


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("Guide.Setup", 3, id="strict"),
        pytest.param("gUIDE .  setup", 3, id="case and blanks"),
        pytest.param("Notes.Setup", 13, id="the first of equal siblings"),
        pytest.param("Notes.Setup[2]", 15, id="the second of equal siblings"),
        pytest.param(
            "Notes.Setup.Mac", 17, id="backtracking to the one with the child"
        ),
        pytest.param(r"Guide.API v1\.2 {#api}", 7, id="visible text"),
        pytest.param(r"Guide.API `v1\.2` {#api}", 7, id="raw source"),
        pytest.param(r"Guide.API v1\.2", 7, id="without the id"),
        pytest.param(r"Notes.[1\.0\.0]", 19, id="brackets are text"),
        pytest.param("Notes.R\u00e9union", 21, id="composed and decomposed"),
        pytest.param("Linux", 5, id="lenient: starts deeper"),
        pytest.param("Guide.Errors", 9, id="lenient: skips a level"),
        pytest.param("Notes.Mac", 17, id="lenient: skips a repeated level"),
    ],
)
def test_a_path_leads_to_its_section(path, expected):
    assert line(path) == expected


def test_a_shortened_path_that_fits_several_is_an_error_with_full_paths():
    with pytest.raises(AmbiguousPathError) as caught:
        DOCUMENT.section("Setup")
    assert caught.value.candidates == ("Guide.Setup", "Notes.Setup", "Notes.Setup[2]")
    assert caught.value.total == 3


def test_strict_lookup_takes_no_shortened_path_and_offers_the_full_one():
    with pytest.raises(SectionNotFoundError) as caught:
        DOCUMENT.section("Linux", lenient=False)
    assert caught.value.nearest == ("Guide.Setup.Linux",)


@pytest.mark.parametrize(
    ("path", "resolved", "nearest"),
    [
        pytest.param("Guide.Setup.Linus", "Guide.Setup", "Guide.Setup.Linux", id="typo"),
        pytest.param("Guide.API v1.2.Errors", "Guide",
                     r"Guide.API v1\.2 {#api}.Errors", id="an unescaped dot"),
        pytest.param("Guide.Set", "Guide", "Guide.Setup", id="a part of the text"),
    ],
)  # fmt: skip
def test_a_miss_names_the_prefix_that_exists_and_near_paths(path, resolved, nearest):
    with pytest.raises(SectionNotFoundError) as caught:
        DOCUMENT.section(path)
    assert caught.value.resolved == resolved
    assert nearest in caught.value.nearest
    DOCUMENT.section(nearest)


def test_a_miss_without_anything_similar_says_how_to_list():
    with pytest.raises(SectionNotFoundError, match="get_index") as caught:
        DOCUMENT.section("zzz")
    assert caught.value.nearest == ()


def test_reserved_names_at_the_root_get_an_ordinal():
    document = Document("---\na: 1\n---\n# Frontmatter\n\n## K\n\n# (preamble)\n")
    paths = [section.path for section in document.sections]
    assert paths == ["Frontmatter[1]", "Frontmatter[1].K", "(preamble)[1]"]
    assert [document.section(path).path for path in paths] == paths
    assert document.is_front_matter("frontMatter")
    assert document.section("(Preamble)").heading is None


def test_without_front_matter_its_name_is_an_ordinary_heading():
    document = Document("# Frontmatter\n")
    assert document.section("frontmatter").path == "Frontmatter"


def test_a_long_path_does_not_exhaust_the_stack():
    with pytest.raises(SectionNotFoundError):
        DOCUMENT.section(".".join(["Guide"] * 50_000))
