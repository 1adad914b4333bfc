"""How smoothly the panel draws: the script time of its frames in a headless browser.

A folder of notes is made, the page is opened, and each call that the page makes of
`requestAnimationFrame` is timed: while the layout runs, while a node is dragged, and
while the view is zoomed and moved. Beside that stands the processor time of all scripts
for each frame, which other programs on the machine do not lengthen. What the browser
does to show the drawing is in neither. Needs Chromium and its driver.

    python -m bench.panel [NOTES]
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.support.wait import WebDriverWait

from md_mcp.files import Files
from md_mcp.panel import PanelServer

NOTES = 2_000
LINKS = 3
BROKEN = 0.04
FOLDERS = 40
FRAME = 1000 / 60

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--disable-quic", "--window-size=1400,900"),
)

TIMER = """
window.frameTimes = [];
const request = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (call) => request((now) => {
  const start = performance.now();
  call(now);
  window.frameTimes.push(performance.now() - start);
});
"""


def make_notes(folder: Path, count: int) -> None:
    """Write notes whose links prefer the folder they are in, a few being broken."""
    chance = random.Random(1)
    paths = [f"f{n % FOLDERS}/note-{n}.md" for n in range(count)]
    for n, path in enumerate(paths):
        near = [n % FOLDERS + FOLDERS * chance.randrange(count // FOLDERS)]
        far = [int(count * chance.random() ** 3) for _ in range(LINKS - 1)]
        links = [f"[[note-{m}]]" for m in near * (n > 0) + far]
        if chance.random() < BROKEN * LINKS:
            links[-1] = f"[[lost-{n}]]"
        text = f"# Note {n}\n\n## One\n\n{' '.join(links)}\n\n## Two\n\ntext\n"
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(text.encode())


@contextmanager
def served(folder: Path) -> Iterator[PanelServer]:
    with PanelServer(Files.open([folder]), str(folder), 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def browser(profile: str) -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver = Chrome(options, Service(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TIMER})
    try:
        yield driver
    finally:
        driver.quit()


def settle(driver: Chrome) -> None:
    WebDriverWait(driver, 120, 0.05).until(
        lambda page: (
            page.execute_script("return document.body.dataset.settled") == "true"
        )
    )


def script_time(driver: Chrome) -> float:
    """Return the processor time of all scripts of the page so far, in milliseconds."""
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    seconds = {metric["name"]: metric["value"] for metric in metrics}
    return 1000 * float(seconds["ScriptDuration"])


def report(driver: Chrome, what: str, before: float) -> float:
    """Print what scripts took since `before`; return their processor time so far."""
    after = script_time(driver)
    times = sorted(driver.execute_script("return frameTimes.splice(0)"))

    def share(part: float) -> float:
        return float(times[min(len(times) - 1, int(part * len(times)))])

    long = sum(time > FRAME for time in times)
    print(
        f"{what:16}{len(times):7}{(after - before) / len(times):9.1f}"
        f"{share(0.5):9.1f}{share(0.95):9.1f}{times[-1]:9.1f}{long:7}"
    )
    return after


def hold(actions: ActionChains, x: float, y: float) -> None:
    pointer = actions.w3c_actions.pointer_action
    pointer.move_to_location(round(x), round(y))  # type: ignore[no-untyped-call]
    actions.click_and_hold()


def drag(driver: Chrome) -> None:
    place = driver.execute_script(
        "return placeOf('document', 'f1/note-1.md', 'note-1')"
    )
    actions = ActionChains(driver, duration=16)
    hold(actions, place["x"], place["y"])
    for step in range(60):
        actions.move_by_offset(3 if step < 30 else -3, 2)
    actions.release().perform()


def zoom_and_move(driver: Chrome) -> None:
    origin = ScrollOrigin.from_viewport(700, 450)
    for step in range(30):
        turned = ActionChains(driver, duration=16)
        turned.scroll_from_origin(origin, 0, -90 if step < 15 else 90).perform()
    actions = ActionChains(driver, duration=16)
    hold(actions, 20, 80)
    for _ in range(60):
        actions.move_by_offset(4, 3)
    actions.release().perform()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else NOTES
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "notes")
        folder.mkdir()
        make_notes(folder, count)
        with served(folder) as server, browser(f"{scratch}/profile") as driver:
            driver.get(server.url)
            settle(driver)
            print(driver.find_element("id", "count").text)
            print("ms of script     frames processor median      p95      max  >16.7")
            spent = report(driver, "layout", 0)
            drag(driver)
            settle(driver)
            spent = report(driver, "drag a node", spent)
            zoom_and_move(driver)
            settle(driver)
            spent = report(driver, "zoom and move", spent)
            driver.find_element("id", "kind-section").click()
            settle(driver)
            print(driver.find_element("id", "count").text)
            report(driver, "layout, sections", spent)


if __name__ == "__main__":
    main()
