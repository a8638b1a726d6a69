"""The explorers in a browser, opened from the disk: what is shown, by slider, button and keyboard."""

import json
import re
import shutil
import subprocess

import pytest
from explorers import PAGE, STATIC

from metacog.sdt import fit_meta_d, meta_information_from_counts
from metacog.studies.study1_qa.paper import counts

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
pytestmark = pytest.mark.skipif(
    not BROWSER, reason="the page is looked at in Chromium, which is not on the path"
)

#: Does what a reader does and writes down what the page then shows.
DRIVER = """
<pre id="seen"></pre>
<script>
const seen = {errors: window.failures};
const numbers = (id) => Object.fromEntries([...document.querySelectorAll(`#${id} dl > div`)].map((row) =>
  [row.querySelector("dt").textContent, [...row.querySelectorAll("dd")].map((dd) => dd.textContent)]));
const slide = (id, value) => {
  const input = document.getElementById(id);
  input.value = value;
  input.dispatchEvent(new Event("input", {bubbles: true}));
};
const choose = (id, value) => {
  const select = document.getElementById(id);
  select.value = value;
  select.dispatchEvent(new Event("change", {bubbles: true}));
};
seen.start = numbers("mx-explorer");
slide("mx-metaD", 0.75);
seen.slid = numbers("mx-explorer");
document.querySelector('[data-mx-try="knowledge"]').click();
seen.tried = numbers("mx-explorer");
choose("mx-source", "table-0");
seen.loaded = numbers("mx-explorer");
const field = document.querySelector("#mx-explorer .mx-counts input");
field.value = "1000";
field.dispatchEvent(new Event("input", {bubbles: true}));
seen.typed = numbers("mx-explorer");
field.value = "-3";
field.dispatchEvent(new Event("input", {bubbles: true}));
seen.refused = [field.getAttribute("aria-invalid"), numbers("mx-explorer")["M-ratio"][0] === seen.typed["M-ratio"][0]];
document.querySelector('[data-mx-tables]').click();
seen.pair = numbers("mx-explorer");
slide("mx-luck-difficulty", 0.9);
seen.luck = numbers("mx-luck");
seen.clamped = document.getElementById("mx-luck-difficulty").value;
seen.charts = document.querySelectorAll("svg[role=img][aria-label]").length;
seen.unlabelled = [...document.querySelectorAll(".mx input, .mx select")]
  .filter((one) => !one.labels.length && !one.getAttribute("aria-label")).length;
seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const shows = (id) => document.getElementById(id).outerHTML;
seen.broken = /NaN|undefined|Infinity/.test(shows("mx-explorer") + shows("mx-luck"));
document.getElementById("seen").textContent = JSON.stringify(seen);
</script>
"""


def tables():
    cells = counts()
    named = {"llama3_instruct": "Llama-3-8B-Instruct", "mistral_instruct": "Mistral-7B-Instruct"}
    sets = {"triviaqa": "TriviaQA", "nq": "Natural Questions"}
    return [
        {
            "group": "published",
            "name": f"{label} on {sets[dataset]}",
            "decision": False,
            "pad": 0.5,
            "s1": cells[model, dataset].nR_S1.tolist(),
            "s2": cells[model, dataset].nR_S2.tolist(),
        }
        for model, label in named.items()
        for dataset in sets
    ]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the page shows after each step; it lies in a folder as the book's does."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(STATIC, root / "_static")
    (root / "_static/explorer-data.js").write_text(f"window.METACOG_TABLES = {json.dumps(tables())};")
    (root / "book").mkdir()
    text = PAGE.read_text(encoding="utf-8")
    raw = re.findall(r"```\{raw\} html\n(.*?)```", text, re.DOTALL)
    buttons = re.findall(r"<button.*?</button>", text, re.DOTALL)
    listen = (
        "<script>window.failures = []; window.onerror = (words) => { window.failures.push(words); };</script>"
    )
    page = root / "book" / "explorer.html"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8">{listen}'
    page.write_text(f"{head}<p>{''.join(buttons)}</p>{''.join(raw)}{DRIVER}</html>", encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,900", "--dump-dom"]
    done = subprocess.run(
        [BROWSER, *flags, f"--user-data-dir={root / 'user'}", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found and found[1], done.stderr[-2000:]
    return json.loads(found[1].replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))


def test_the_page_runs_without_an_error_and_fits_a_phone(seen):
    assert seen["errors"] == [] and not seen["broken"]
    assert seen["charts"] == 7 and seen["unlabelled"] == 0
    assert seen["wide"] <= 0


def test_sliders_move_the_numbers(seen):
    assert [seen["start"][name][0] for name in ("d′", "meta-d′", "M-ratio")] == ["1.500", "1.200", "0.800"]
    assert seen["slid"]["M-ratio"][0] == "0.500"


def test_a_button_holds_one_observer_and_shows_another(seen):
    assert seen["tried"]["M-ratio"] == ["0.500", "held 1.000"]


def test_a_loaded_table_has_the_numbers_of_the_library(seen):
    wrong, right = (
        counts()["llama3_instruct", "triviaqa"].nR_S1,
        counts()["llama3_instruct", "triviaqa"].nR_S2,
    )
    fit = fit_meta_d(wrong + 0.5, right + 0.5)
    info = meta_information_from_counts(wrong, right, correction="exact", guess_rate=0.0)
    found = {name: float(values[0].replace("−", "-")) for name, values in seen["loaded"].items()}
    assert found["M-ratio"] == pytest.approx(fit.m_ratio, abs=6e-4)
    assert found["d′"] == pytest.approx(fit.d_prime, abs=6e-4)
    assert found["meta-I (bits)"] == pytest.approx(info.meta_i, abs=6e-4)
    assert found["accuracy"] == pytest.approx(info.accuracy, abs=6e-4)


def test_typed_counts_count_and_impossible_ones_do_not(seen):
    assert seen["typed"]["accuracy"] != seen["loaded"]["accuracy"]
    assert seen["refused"] == ["true", True]


def test_a_published_pair_can_be_compared(seen):
    assert all(values[1].startswith("held ") for values in seen["pair"].values())


def test_shares_never_exceed_the_whole(seen):
    assert float(seen["clamped"]) == pytest.approx(0.98 - 0.1 - 0.25, abs=0.011)
    assert seen["luck"]["luck"][0] != "–"
