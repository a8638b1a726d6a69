"""Every page of a rendered book, read as it lies on the disk: links, downloads, words that must not be there."""

import functools
import hashlib
import json
import re
import zlib
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
import yaml
from bs4 import BeautifulSoup, CData, NavigableString
from heads_checked import faults

from metacog.book.moved import moved
from metacog.core.paths import project_root

#: Parts of a page that show code, formulas or addresses as they are.
VERBATIM = "pre, code, kbd, script, style, .math, mjx-container, .headerlink, [data-verbatim]"
#: Where no term of the glossary is marked: headings, code, formulas, links, captions, tables, what is folded away.
TERMLESS = (
    "h1, h2, h3, h4, h5, code, pre, .math, table, figcaption, "
    "details:not(.folded-section), .admonition-title, a a"
)
#: Words that tell of something that was not computed or not shown as meant. Each has a name for the message.
BAD = {
    "a literal brace": r"[{}]",
    "a value that is not a number": r"(?i)(?<![\w-])nan(?![\w-])",
    "a list as Python prints it": r"[(\[]'[^'\n]*', '",
    "an unresolved value": r"glue:|\?\?\?|Prose\(source|<metacog\.|object at 0x",
}


@functools.cache
def read(site, name):
    return BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")


@functools.cache
def anchors(site, name):
    """Names on a page that a link can lead to."""
    soup = read(site, name)
    return {tag[key] for key in ("id", "name") for tag in soup.find_all(attrs={key: True})}


def registry_names():
    files = (project_root() / "config" / "models").glob("*.yaml")
    labels = {one.stem: yaml.safe_load(one.read_text(encoding="utf-8"))["label"] for one in files}
    return [name for name, label in labels.items() if name != label]


@functools.cache
def words(site, name):
    """What a page says, without code and formulas."""
    soup = read(site, name)
    article = soup.select_one("article.bd-article") or soup.body
    left_out = {id(text) for tag in article.select(VERBATIM) for text in tag.descendants}
    texts = (text for text in article.descendants if type(text) in (NavigableString, CData))
    return re.sub(r"\s+", " ", " ".join(text for text in texts if id(text) not in left_out))


def around(pattern, text):
    return [f"...{text[max(0, m.start() - 50) : m.end() + 50]}..." for m in re.finditer(pattern, text)][:5]


def draws_itself(page_name):
    """Whether a page's chapter draws its own figures: those have heads as they are to be."""
    name = page_name.removeprefix("_executed/").removesuffix(".html")
    return any(
        "from metacog.report import" in source.read_text(encoding="utf-8")
        for source in (project_root() / "notebooks").rglob(f"{name}.py")
    )


def test_the_head_is_short_has_few_numbers_and_no_codes(site, page_name):
    heads = read(site, page_name).select(".page-answer")
    if not heads or not draws_itself(page_name):
        pytest.skip("no head, or one of a chapter that does not draw its own figures yet")
    assert len(heads) == 1 and faults(heads[0].get_text(" ", strip=True)) == [], heads[0].get_text()


def test_every_old_address_leads_to_where_its_text_stands_now(site):
    for old, new in moved(project_root()).items():
        page, _, place = new.partition("#")
        assert f"{page.rpartition('/')[2]}.html" in (site / f"{old}.html").read_text(encoding="utf-8"), old
        assert not place or place in anchors(site, f"{page}.html"), f"{old}: {new}"


def test_every_link_and_download_leads_somewhere(site, page_name):
    broken = []
    for tag in read(site, page_name).find_all(["a", "img", "link", "script", "source"]):
        address = tag.get("href") or tag.get("src") or ""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not address:
            continue
        path = (site / page_name).parent / unquote(parts.path) if parts.path else site / page_name
        target = path.resolve()
        if not target.is_file() or site not in target.parents:
            broken.append(address)
        elif parts.fragment and target.suffix == ".html":
            if unquote(parts.fragment) not in anchors(site, target.relative_to(site).as_posix()):
                broken.append(address)
    assert not broken


@pytest.mark.parametrize("what", BAD)
def test_no_page_shows_what_was_not_meant_to_be_read(site, page_name, what, reference):
    if reference and what != "an unresolved value":
        pytest.skip("docstrings write values and sets of them")
    assert around(BAD[what], words(site, page_name)) == []


def test_terms_of_the_glossary_are_marked_once_a_page_and_in_running_text_alone(site, page_name):
    soup = read(site, page_name)
    links = [a for a in soup.select("a.defined") if not a.select_one(".std-term")]
    assert len({a["href"] for a in links}) == len(links)
    assert all(len(a["title"]) > 10 and "glossary.html#" in a["href"] for a in links)
    inside = {id(a) for part in soup.select(TERMLESS) for a in part.select("a.defined")}
    assert [a.get_text() for a in links if id(a) in inside] == []


def test_models_have_the_names_that_readers_know(site, page_name):
    names = "|".join(re.escape(name) for name in registry_names())
    option = "(?<!--model )"  # what is typed on the command line
    assert around(rf"(?<![\w/.-]){option}(?:{names})(?![\w-])", words(site, page_name)) == []


def test_every_page_has_a_language_a_title_an_icon_and_one_first_heading(site, page_name):
    soup = read(site, page_name)
    assert soup.html["lang"] == "en" and soup.title.get_text(strip=True)
    assert soup.find("link", rel="icon") is not None
    main = soup.select_one("article.bd-article") or soup.body
    assert len(main.find_all("h1")) == 1
    levels = [int(tag.name[1]) for tag in main.find_all(re.compile(r"h[1-6]"))]
    assert all(b <= a + 1 for a, b in pairwise(levels)), levels


def test_every_figure_says_in_words_what_it_shows_and_can_be_taken_along(site, page_name):
    soup = read(site, page_name)
    images = [i for i in soup.select("article.bd-article img") if "svg" in i["src"]]
    assert [i["src"][:80] for i in images if len(i.get("alt", "")) <= 10] == []
    links = {a["href"] for a in soup.select(".take-along a[download$='.svg']")}
    assert [i["src"][:80] for i in images if i["src"] not in links] == []


def test_every_page_says_of_itself_what_it_is_about(site, page_name):
    soup = read(site, page_name)
    if soup.select_one("article.bd-article section p") is None:
        pytest.skip("a page without a text of its own")
    said = {
        tag.get("name") or tag.get("property"): tag["content"] for tag in soup.find_all("meta", content=True)
    }
    assert len(said["description"]) > 15 and said["description"] == said["og:description"]
    assert said["og:title"] and said["og:title"] in soup.title.get_text()
    assert not re.search(r"glue:|\\[a-z]|(?<![\w-])nan(?![\w-])", said["description"])


def test_the_entrance_describes_the_book(site):
    first = read(site, read(site, "index.html").select_one("main a")["href"])
    for soup in (first, read(site, "index.html")):
        assert soup.find("meta", attrs={"property": "og:description"})["content"]


def test_what_is_offered_to_programs_is_whole(site):
    rules = json.loads((site / "_static" / "summary.schema.json").read_text(encoding="utf-8"))
    content = json.loads((site / "_static" / "summary.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(rules).validate(content)
    assert content["front_page"] and all(study["runs"] for study in content["studies"].values())
    described = json.loads((site / "_static" / "trials" / "croissant.json").read_text(encoding="utf-8"))
    files = {file["contentUrl"]: file["sha256"] for file in described["distribution"]}
    there = {p.name: p for p in (site / "_static" / "trials").iterdir() if p.suffix == ".parquet"}
    assert files and set(files) == set(there)
    assert files == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in there.items()}


def test_every_model_asked_has_its_card(site):
    pages = [p.stem.removeprefix("model-page-") for p in (site / "_executed").glob("model-page-*.html")]
    assert pages
    for name in pages:
        address = f"../_static/cards/{name}.html"
        for page in (f"_executed/model-page-{name}.html", "_executed/synthesis.html"):
            assert read(site, page).find("a", href=address), (page, name)
        assert (site / "_static" / "cards" / f"{name}.md").read_text(encoding="utf-8").startswith("# ")


def test_no_page_is_shipped_twice_and_the_book_stays_light(site):
    assert not (site / "_sources").exists()
    weight = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    assert weight < 45e6, f"{weight / 1e6:.1f} MB"


def test_the_reference_is_light_and_can_be_linked_to(site):
    """The inventory names the functions, zipped below four lines of text."""
    weight = sum(path.stat().st_size for path in (site / "book" / "reference").iterdir())
    assert weight < 3e6, f"{weight / 1e6:.1f} MB"
    names = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    assert "\nmetacog.sdt.fit_meta_d py:function 1 book/reference/meta-d.html#$" in "\n" + names
