"""A rendered book in a real browser: which book, which browser, and each page visited once."""

import importlib.util
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from metacog.book.moved import moved
from metacog.core.paths import project_root

#: Names a rendered book, by the folder that holds its ``index.html``; without it, this clone's is read if it has
#: one. Where a book is named, nothing is skipped: what is missing fails.
SITE = "METACOG_SITE"
#: Names a Chromium that is not on the path.
CHROMIUM = "CHROMIUM"
#: Widths at which pages are looked at: a laptop, a narrow window, a phone.
WIDTHS = (1280, 1100, 390)
#: Milliseconds that a page may take: the ledger has thousands of rows, and a machine may be busy.
PATIENCE = 180_000


def site_folder():
    """The rendered book, or None."""
    folder = Path(os.environ.get(SITE) or project_root() / "_build" / "html").resolve()
    return folder if (folder / "index.html").is_file() else None


def page_names(folder):
    """Every page of the book, as it is linked to; not what libraries bring, nor what leads an old address on."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    old = {f"{name}.html" for name in moved(project_root())}
    return sorted(name for name in found - old if not name.startswith("_static/"))


def chromium():
    """The program, or None."""
    named = os.environ.get(CHROMIUM)
    return named or next(
        (p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None
    )


def missing():
    """Why the browser tests cannot run; empty where they can."""
    if importlib.util.find_spec("playwright") is None:
        return "the package playwright is not installed: `make dev` installs it"
    if chromium() is None:
        return f"no Chromium: `apt-get install chromium`, or name one with {CHROMIUM}"
    return ""


def pytest_generate_tests(metafunc):
    """Tests that ask for ``page_name`` run once for each page of the book."""
    if "page_name" in metafunc.fixturenames:
        folder = site_folder()
        metafunc.parametrize("page_name", page_names(folder) if folder else ["no page"], scope="module")


def give_up(reason):
    """Skip, or fail where a book was named."""
    (pytest.fail if os.environ.get(SITE) else pytest.skip)(reason)


@pytest.fixture
def reference(page_name):
    """Whether a page is made of docstrings: a list to be looked up in, with code and values as they are written."""
    return page_name.startswith("book/reference/")


@pytest.fixture(scope="session")
def site():
    folder = site_folder()
    if folder is None:
        give_up(f"no rendered book: `make book PROFILE=smoke` makes one, or name one with {SITE}")
    return folder


@pytest.fixture(scope="module")
def browser(site):
    """Chromium, while the tests of one file run.

    An event loop runs in the process as long, and tests of other rooms run in the same process afterwards. A
    fixture of a whole package would end with the session, since this folder is no Python package.
    """
    if reason := missing():
        give_up(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield made
        made.close()


@dataclass
class Visit:
    """What a page did in the browser.

    Attributes
    ----------
    errors : list of str
        What it complained of on the console, and scripts that failed.
    outside : list of str
        Addresses that it asked for and that are not files of the book.
    too_wide : dict
        By width of the window, elements that stick out of the page, where the page scrolls sideways.
    violations : dict
        What axe finds serious, by theme.
    tables : list of dict
        Rows of each table, whether its headers sort, whether it can be filtered and taken along.
    screens : float
        Height of the page as it opens, in heights of a laptop's window.
    """

    errors: list = field(default_factory=list)
    outside: list = field(default_factory=list)
    too_wide: dict = field(default_factory=dict)
    violations: dict = field(default_factory=dict)
    tables: list = field(default_factory=list)
    screens: float = 0.0


#: Elements wider than the window, if the page scrolls sideways.
STICKS_OUT = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  const framed = (e) => { for (let p = e.parentElement; p; p = p.parentElement) {
    if (getComputedStyle(p).overflowX !== "visible" && p !== document.body && p !== document.documentElement)
      return true; } return false; };
  const out = [...document.querySelectorAll("body *")].filter(
    (e) => e.getBoundingClientRect().right > wide + 1 && !framed(e));
  return out.slice(0, 5).map((e) => `${e.tagName}.${e.className}`).concat(["scrolls sideways"]);
}"""

TABLES = """() => [...document.querySelectorAll(".bd-article table")].map((t) => {
  const view = t.closest(".table-view"), box = t.closest(".table-box");
  const place = t.closest("details.long-table") || view;
  const heads = t.tHead ? [...t.tHead.querySelectorAll("th")].filter((h) => !h.matches(".group")) : [];
  return {
    rows: t.tBodies.length ? t.tBodies[0].rows.length : 0,
    headed: heads.length > 0,
    sorts: heads.every((h) => h.querySelector("button.sort")),
    filter: !!(view && view.querySelector(".table-tools input")) || t.classList.contains("ledger-table"),
    link: !!(place && place.parentElement.querySelector(":scope > .take-along a[download]")),
    framed: !!box && t.getBoundingClientRect().width <= box.scrollWidth + 1,
  };
})"""


#: A new width is laid out and drawn.
DRAWN = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


def look_at(page, site, name, sound):
    """Visit a page once, at every width and in both themes."""
    seen = Visit()
    heard = {
        "console": lambda said: seen.errors.append(said.text) if said.type == "error" else None,
        "pageerror": lambda error: seen.errors.append(str(error)),
        "request": lambda asked: (
            None if asked.url.startswith(("file:", "data:", "blob:")) else seen.outside.append(asked.url)
        ),
    }
    for event, handler in heard.items():
        page.on(event, handler)
    page.goto((site / name).as_uri(), wait_until="load")
    page.wait_for_function("!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)")
    seen.screens = page.evaluate("document.documentElement.scrollHeight / window.innerHeight")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(DRAWN)
        if out := page.evaluate(STICKS_OUT):
            seen.too_wide[width] = out
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    seen.tables = page.evaluate(TABLES)
    # rows of a table are alike, and thousands of them would take minutes
    page.evaluate(
        "() => document.querySelectorAll('tbody tr:nth-child(n+13)').forEach((row) => row.remove())"
    )
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        # what stands on the page is the same in both; colours differ
        seen.violations[theme] = serious(page, colours_alone=theme == "dark", sound=sound)
    for event, handler in heard.items():
        page.remove_listener(event, handler)
    return seen


#: Brings whatever moves or changes colour to its end; what goes on for ever is left. (Waiting for an animation can take
#: for ever, too: the clock of a page that is not drawn stands still.)
SETTLED = """async () => {
  const ends = (a) => a.playState === "running" && Number.isFinite(a.effect.getComputedTiming().endTime);
  for (let round = 0, left; round < 100 && (left = document.getAnimations().filter(ends)).length; round++) {
    left.forEach((a) => a.finish());
    await new Promise((go) => setTimeout(go, 20));
  }
}"""


#: Rules that rest on colours.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
#: Of the shown elements with words that are alike in their tags, classes, colours and sizes, and in those of all around
#: them, one: there are thousands, and what is found of one of them is found of each. Gives how each kind looks.
KINDS = """(within) => {
  const looks = new Map(), kinds = new Map();
  const look = (e) => {
    if (!e) return "";
    if (!looks.has(e)) {
      const s = getComputedStyle(e), own = [e.tagName, e.getAttribute("class"), s.color, s.backgroundColor,
        s.backgroundImage, s.fontSize, s.fontWeight, s.opacity, s.textDecorationLine];
      looks.set(e, own.join() + " " + look(e.parentElement));
    }
    return looks.get(e);
  };
  for (const e of document.querySelector(within).querySelectorAll("*")) {
    const words = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    if (!words && !e.matches("input, select, textarea") || !e.checkVisibility({visibilityProperty: true})) continue;
    if (!kinds.has(look(e))) kinds.set(look(e), e);
  }
  window.oneOfEachKind = [...kinds.values()];
  return [...kinds.keys()];
}"""
#: What axe finds but of colours, and what it finds of the colours of some kinds, by their numbers.
FOUND = """async ([within, colours]) => (await axe.run(within, {
  resultTypes: ["violations"], preload: false,
  rules: Object.fromEntries(colours.map((rule) => [rule, {enabled: false}])),
})).violations"""
FOUND_OF_COLOURS = """async ([kinds, colours]) => (await axe.run(
  {include: kinds.map((n) => window.oneOfEachKind[n])},
  {resultTypes: ["violations"], preload: false, runOnly: colours},
)).violations"""


def serious(page, within="html", *, colours_alone=False, sound=None):
    """What axe finds serious or critical once nothing moves, in a line each, with where it stands.

    ``sound``: how kinds look in whose colours nothing was found on other pages; this page's are added.
    """
    from axe_playwright_python.base import AXE_FILE_PATH

    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
    page.evaluate(SETTLED)
    found = [] if colours_alone else page.evaluate(FOUND, [within, OF_COLOURS])
    sound = set() if sound is None else sound
    looks = page.evaluate(KINDS, within)
    if new := [number for number, look in enumerate(looks) if look not in sound]:
        of_colours = page.evaluate(FOUND_OF_COLOURS, [new, OF_COLOURS])
        found += of_colours
        sound.update(() if of_colours else looks)
    return [
        f"{one['id']} ({one['impact']}): {one['help']}; {len(one['nodes'])} times, first {one['nodes'][0]['target']} "
        f"{one['nodes'][0]['html'][:120]} {one['nodes'][0].get('failureSummary', '')[:160]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.fixture
def axe():
    """What axe finds serious on a page, or in a part of it: ``axe(page, ".bd-article")``."""
    return serious


@pytest.fixture(scope="session")
def visits():
    return {}


@pytest.fixture(scope="module")
def window(browser):
    """What all pages are visited in, one after the other: their programs are compiled once."""
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def sound():
    return set()


@pytest.fixture
def visit(window, site, page_name, visits, sound):
    """The page's one visit."""
    if page_name not in visits:
        visits[page_name] = look_at(window, site, page_name, sound)
    return visits[page_name]


@pytest.fixture
def opened(browser, site):
    """Open a page of the book; ``opened("book/intro.html")``."""
    contexts = []

    def go(name, width=WIDTHS[0]):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, accept_downloads=True))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        page.goto((site / name.partition("?")[0]).as_uri() + "".join(name.partition("?")[1:]))
        return page

    yield go
    for context in contexts:
        context.close()
