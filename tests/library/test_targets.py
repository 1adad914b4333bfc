"""What destinations mean among the files of a folder."""

from __future__ import annotations

import pytest

from md_mcp.library.targets import Target, TargetKind, Targets, link_name, names_of

FILES = (
    "Home.md",
    "API.mdx",
    "v1.2.md",
    "a/Note.md",
    "a/deep/Only.md",
    "a/deep/Here.md",
    "b/Note.md",
    "b/Here.md",
    "b/c/d/Here.md",
    "docs/README.md",
    "docs/setup.md",
    "docs/img/plan.png",
    "docs/my file.md",
    "media/plan.png",
    "Caf\u00e9.md",
    "\u8bf4\u660e.md",
)


def targets(*files: str) -> Targets:
    made = Targets()
    for path in files or FILES:
        made.add(path)
    return made


@pytest.mark.parametrize(
    ("source", "name", "path"),
    [
        pytest.param("Home.md", "Only", "a/deep/Only.md", id="a name anywhere"),
        pytest.param("Home.md", "only", "a/deep/Only.md", id="case does not matter"),
        pytest.param("b/x.md", "Only.md", "a/deep/Only.md", id="with its extension"),
        pytest.param("Home.md", "v1.2", "v1.2.md", id="a dot is no extension"),
        pytest.param("a/x.md", "API", "API.mdx", id="another extension"),
        pytest.param("a/x.md", "Note", "a/Note.md", id="the one beside"),
        pytest.param("b/c/x.md", "Note", "b/Note.md", id="the nearest of two"),
        pytest.param("b/c/d/x.md", "Here", "b/c/d/Here.md", id="the nearest of three"),
        pytest.param("a/deep/x.md", "Home", "Home.md", id="one at the top"),
        pytest.param("b/x.md", "a/Note", "a/Note.md", id="a path from the top"),
        pytest.param(
            "b/x.md", "c/d/Here", "b/c/d/Here.md", id="from the note's folder"
        ),
        pytest.param("Home.md", "d/Here", "b/c/d/Here.md", id="the end of a path"),
        pytest.param("a/x.md", "./Note", "a/Note.md", id="from here"),
        pytest.param("a/x.md", "../b/Note", "b/Note.md", id="up and down"),
        pytest.param("b/x.md", "/a/Note", "a/Note.md", id="a leading slash"),
        pytest.param("docs/x.md", "plan.png", "docs/img/plan.png", id="an attachment"),
        pytest.param("a/x.md", "Cafe\u0301", "Caf\u00e9.md", id="other composition"),
        pytest.param("a/x.md", "\u8bf4\u660e", "\u8bf4\u660e.md", id="Han characters"),
        pytest.param("a/x.md", " Home ", "Home.md", id="outer blanks"),
        pytest.param("a/Note.md", "", "a/Note.md", id="the note itself"),
    ],
)
def test_a_wikilink_leads_to_a_path_or_the_nearest_of_that_name(
    source: str, name: str, path: str
) -> None:
    assert targets().wikilink(source, name).path == path


@pytest.mark.parametrize("name", ["Nothing", "a/Only", "./Only", "eep/Only"])
def test_a_wikilink_to_no_file_is_missing(name: str) -> None:
    assert targets().wikilink("b/x.md", name).kind is TargetKind.MISSING


@pytest.mark.parametrize(
    ("source", "destination", "kind", "path"),
    [
        pytest.param("docs/x.md", "setup.md", "note", "docs/setup.md", id="beside"),
        pytest.param("docs/x.md", "./setup.md", "note", "docs/setup.md", id="dot"),
        pytest.param("docs/x.md", "../Home.md", "note", "Home.md", id="up"),
        pytest.param("docs/x.md", "my%20file.md", "note", "docs/my file.md", id="%20"),
        pytest.param("x.md", "docs/setup.md?a=b", "note", "docs/setup.md", id="query"),
        pytest.param("x.md", "docs/setup", "note", "docs/setup.md", id="no extension"),
        pytest.param(
            "x.md", "docs/setup/", "note", "docs/setup.md", id="as sites have"
        ),
        pytest.param("x.md", "docs", "note", "docs/README.md", id="a folder's index"),
        pytest.param("x.md", "docs/", "note", "docs/README.md", id="with a slash"),
        pytest.param(
            "docs/img/x.md", "..", "note", "docs/README.md", id="folder above"
        ),
        pytest.param("x.md", "media", "file", "media/", id="a folder without index"),
        pytest.param(
            "docs/x.md", "img/plan.png", "file", "docs/img/plan.png", id="file"
        ),
        pytest.param("docs/x.md", "", "note", "docs/x.md", id="the file itself"),
        pytest.param("docs/x.md", "/Home.md", "note", "Home.md", id="from the top"),
        pytest.param("docs/x.md", "/nowhere", "outside", "", id="a site's page"),
        pytest.param("docs/x.md", "../../x.md", "outside", "", id="out of the folder"),
        pytest.param("docs/x.md", "{{ page }}.md", "outside", "", id="a template"),
        pytest.param("docs/x.md", "Setup.md", "missing", "docs/Setup.md", id="case"),
        pytest.param("docs/x.md", "Home.md", "missing", "docs/Home.md", id="elsewhere"),
        pytest.param("docs/x.md", "a/", "missing", "docs/a", id="no folder"),
    ],
)
def test_a_url_is_relative_and_exact(
    source: str, destination: str, kind: str, path: str
) -> None:
    assert targets().relative(source, destination) == Target(TargetKind(kind), path)


def test_a_removed_file_is_found_no_longer() -> None:
    made = targets()
    made.remove("docs/README.md")
    assert made.relative("x.md", "docs/") == Target(TargetKind.FILE, "docs/")
    for path in ("docs/setup.md", "docs/my file.md", "docs/img/plan.png"):
        made.remove(path)
    assert made.relative("x.md", "docs/").kind is TargetKind.MISSING
    assert made.wikilink("x.md", "setup").kind is TargetKind.MISSING


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("home", ["Home.md"]),
        ("a/Note.md", ["a/Note.md"]),
        ("Note", ["a/Note.md", "b/Note.md"]),
        ("plan.png", []),
        ("nothing", []),
    ],
)
def test_notes_answer_to_paths_and_bare_names(name: str, paths: list[str]) -> None:
    assert targets().notes_named(name) == paths


@pytest.mark.parametrize(
    ("source", "destination", "path"),
    [
        ("docs/x.md", "Setup.md", "docs/setup.md"),
        ("docs/x.md", "../docs/setpu", "docs/setup.md"),
        ("b/x.md", "Notes", "b/Note.md"),
        ("b/x.md", "completely else", None),
    ],
)
def test_the_file_with_the_most_similar_name_is_offered(
    source: str, destination: str, path: str | None
) -> None:
    assert targets().similar(source, destination) == path


@pytest.mark.parametrize("source", ["x.md", "docs/x.md", "docs/img/x.md"])
@pytest.mark.parametrize(
    "destination", ["setup.md", "img/plan.png", "docs/", "..", ".", "img", "setup?x"]
)
def test_a_link_depends_on_a_name_of_the_file_that_it_leads_to(
    source: str, destination: str
) -> None:
    """Only then adding or removing that file resolves the link anew."""
    found = targets().relative(source, destination)
    if found.kind is not TargetKind.MISSING:
        inside = found.path + "any.md" if found.path.endswith("/") else found.path
        assert link_name(destination) in set(names_of(inside))
