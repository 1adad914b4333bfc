"""The page in a real browser: what it draws, shows and hides, and that it is clean.

Needs Chromium and its driver, as Debian's `chromium` and `chromium-driver` bring them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.support.wait import WebDriverWait

from md_mcp.panel import PanelServer

Serve = Callable[[Path], PanelServer]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"
)

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
    *("--no-first-run", "--disable-background-networking", "--disable-sync"),
    *("--disable-component-update", "--window-size=1200,800"),
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, Service(DRIVER))
    yield driver
    driver.quit()


class Page:
    """The page of a server, opened and settled; `done` checks what it logged."""

    def __init__(self, browser: Chrome, server: PanelServer) -> None:
        self.browser = browser
        browser.get(server.url)
        self.settle()

    def wait(self, script: str) -> None:
        WebDriverWait(self.browser, 30, 0.05).until(
            lambda browser: browser.execute_script(f"return {script}")
        )

    def settle(self) -> None:
        self.wait('document.body.dataset.settled === "true"')

    def text(self, name: str) -> str:
        return self.browser.find_element("id", name).text

    def lines(self) -> list[str]:
        """Return what the details say, once they are there."""
        self.wait('document.querySelector("#details h2") !== null')
        return self.text("details").split("\n")

    def place(self, kind: str, path: str, title: str) -> dict[str, float] | None:
        place: dict[str, float] | None = self.browser.execute_script(
            "return placeOf(...arguments)", kind, path, title
        )
        return place

    def pointer(self, kind: str, path: str, title: str) -> ActionChains:
        """Return the actions of a pointer that stands on a node."""
        self.settle()
        place = self.place(kind, path, title)
        assert place is not None
        actions = ActionChains(self.browser, duration=50)
        actions.w3c_actions.pointer_action.move_to_location(
            round(place["x"]), round(place["y"])
        )
        return actions

    def click(self, kind: str, path: str, title: str) -> None:
        self.pointer(kind, path, title).click().perform()

    def check(self, kind: str) -> None:
        self.browser.find_element("id", f"kind-{kind}").click()
        self.settle()

    def choose_folder(self, name: str) -> None:
        self.browser.find_element("css selector", f'option[value="{name}"]').click()
        self.settle()

    def search(self, words: str) -> None:
        self.browser.find_element("id", "search").send_keys(words)
        self.settle()


@pytest.fixture
def page(browser: Chrome, server: PanelServer) -> Iterator[Page]:
    """Open the page; at the end nothing may have been complained of."""
    browser.get_log("browser")
    yield Page(browser, server)
    assert browser.get_log("browser") == []
    assert browser.find_element("id", "problem").text == ""


def test_the_whole_folder_is_drawn_and_counted(page: Page) -> None:
    assert page.text("count") == "3 documents · 3 links · 5 broken"
    assert page.place("document", "guides/empty.md", "empty") is not None
    assert page.place("missing", "Lost", "Lost") is not None
    assert page.place("section", "home.md", "More") is None
    assert not page.browser.find_element("id", "details").is_displayed()


def test_a_click_on_a_document_shows_path_lines_tokens_links_and_sections(
    page: Page,
) -> None:
    page.click("document", "home.md", "home")
    assert page.lines() == [
        "✕",
        "home",
        "home.md",
        "7 lines · 42 tokens",
        "Links to (7)",
        *("Setup", "line 3"),
        *("guides/setup.md#install", "line 3"),
        *("Lost", "broken · line 3"),
        *("Setup#Nowhere", "broken · line 7"),
        *("guides/gone.md", "broken · line 7"),
        *("Lost", "broken · line 7"),
        *("#no", "broken · line 7"),
        "Linked from (1)",
        "guides/setup.md",
        "Sections (2)",
        *("Home", "L1-7 · 42"),
        *("Home.More", "L5-7 · 22"),
    ]


def test_a_click_on_a_missing_file_shows_who_links_to_it(page: Page) -> None:
    page.click("missing", "Lost", "Lost")
    assert page.lines()[1:] == [
        "Lost",
        "Lost",
        "There is no such file. These documents link to it, so often:",
        *("home.md", "2"),
    ]


def test_a_click_on_a_section_shows_its_own_lines_tokens_and_links(page: Page) -> None:
    page.check("section")
    assert page.text("count") == "3 documents · 4 sections · 3 links · 5 broken"
    page.click("section", "guides/setup.md", "Install")
    assert page.lines()[1:] == [
        "Install",
        "guides/setup.md",
        "Setup.Install",
        "lines 3-5 · 10 tokens",
        "Links to (1)",
        *("../home.md", "line 5"),
        "Document",
        "guides/setup.md",
    ]


def test_a_click_beside_all_nodes_closes_the_details(page: Page) -> None:
    page.click("document", "home.md", "home")
    page.lines()
    canvas = page.browser.find_element("id", "graph")
    corner = ActionChains(page.browser, duration=0)
    corner.move_to_element_with_offset(
        canvas, 8 - canvas.size["width"] // 2, 8 - canvas.size["height"] // 2
    ).click().perform()
    page.wait('document.getElementById("details").hidden')


def test_a_link_in_the_details_leads_to_its_note(page: Page) -> None:
    page.click("document", "home.md", "home")
    page.lines()
    page.browser.find_element("xpath", "//button[.='Setup']").click()
    page.wait('document.querySelector("#details h2")?.textContent === "setup"')
    assert page.lines()[2:4] == ["guides/setup.md", "5 lines · 12 tokens"]


def test_the_search_counts_what_it_finds_and_enter_shows_the_first(page: Page) -> None:
    page.search("guides/")
    assert page.text("count") == "3 found · 3 documents · 3 links · 5 broken"
    page.search(f"s{Keys.ENTER}")
    assert page.text("count") == "1 found · 3 documents · 3 links · 5 broken"
    assert page.lines()[1:3] == ["setup", "guides/setup.md"]


def test_a_search_without_a_find_shows_nothing(page: Page) -> None:
    page.search(f"nowhere at all{Keys.ENTER}")
    assert page.text("count") == "0 found · 3 documents · 3 links · 5 broken"
    assert not page.browser.find_element("id", "details").is_displayed()


def test_each_kind_can_be_hidden(page: Page) -> None:
    page.check("missing")
    assert page.place("missing", "Lost", "Lost") is None
    assert page.place("document", "home.md", "home") is not None
    page.check("missing")
    page.check("document")
    assert page.place("missing", "Lost", "Lost") is not None
    assert page.place("document", "home.md", "home") is None


def test_what_is_hidden_is_no_longer_selected(page: Page) -> None:
    page.click("document", "home.md", "home")
    page.lines()
    page.check("document")
    assert not page.browser.find_element("id", "details").is_displayed()


def test_a_folder_shows_its_documents_and_what_they_lack(page: Page) -> None:
    options = page.browser.find_elements("css selector", "#folder option")
    assert [option.text for option in options] == ["all folders", "guides/"]
    page.choose_folder("guides/")
    assert page.text("count") == "2 documents · 0 links · 0 broken"
    assert page.place("document", "home.md", "home") is None
    assert page.place("document", "guides/setup.md", "setup") is not None
    assert page.place("missing", "Lost", "Lost") is None
    page.choose_folder("*")
    assert page.text("count") == "3 documents · 3 links · 5 broken"


def test_a_node_follows_the_pointer_that_drags_it(page: Page) -> None:
    before = page.place("document", "home.md", "home")
    actions = page.pointer("document", "home.md", "home").click_and_hold()
    actions.move_by_offset(60, 40).perform()
    held = page.place("document", "home.md", "home")
    assert before is not None
    assert held is not None
    moved = (held["x"] - round(before["x"]), held["y"] - round(before["y"]))
    assert moved == pytest.approx((60, 40), abs=1.5)
    ActionChains(page.browser).release().perform()
    assert not page.browser.find_element("id", "details").is_displayed()


def test_the_wheel_zooms_at_the_pointer(page: Page) -> None:
    home = page.place("document", "home.md", "home")
    other = page.place("document", "guides/empty.md", "empty")
    assert home is not None
    assert other is not None
    origin = ScrollOrigin.from_viewport(round(home["x"]), round(home["y"]))
    ActionChains(page.browser).scroll_from_origin(origin, 0, -300).perform()
    page.settle()
    page.wait(f'placeOf("document", "guides/empty.md", "empty").x !== {other["x"]}')
    still = page.place("document", "home.md", "home")
    assert still is not None
    assert (still["x"], still["y"]) == pytest.approx((home["x"], home["y"]), abs=1)


def test_a_note_that_is_gone_is_told_on_the_page(
    page: Page, folder: Path, browser: Chrome
) -> None:
    (folder / "home.md").unlink()
    page.click("document", "home.md", "home")
    page.wait('!document.getElementById("problem").hidden')
    assert page.text("problem") == (
        '"home.md" is gone. Reload the page to draw the folder as it is.'
    )
    assert [entry["message"].partition(" - ")[2] for entry in logged(browser)] == [
        "Failed to load resource: the server responded with a status of 410 (Gone)"
    ]
    page.click("document", "guides/setup.md", "setup")
    page.wait('document.getElementById("problem").hidden')


def logged(browser: Chrome) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = browser.get_log("browser")
    return entries


def test_markup_in_a_document_is_shown_as_text(
    serve: Serve, tmp_path: Path, browser: Chrome
) -> None:
    (tmp_path / "a.md").write_bytes(
        b"# <img src=x onerror=alert(1)>\n\n[[<b onclick=alert(2)>]]\n"
    )
    page = Page(browser, serve(tmp_path))
    page.click("document", "a.md", "a")
    assert page.lines()[4:6] == ["Links to (1)", "<b onclick=alert(2)>"]
    assert logged(browser) == []
