"""The toy study as a newcomer adds it: its folder, one line of the list, and `metacog book` does the rest."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pandas as pd
import pytest
import yaml
from scripted_chat import ENTRY, ChatApi
from stub_engine import StubEngine
from toy_house import lay_out, metacog
from toy_study import STUDY as TOY

from metacog.collect.packs import pack
from metacog.collect.plan import make_plan
from metacog.collect.runner import collect
from metacog.core.config import load_profile


@pytest.fixture
def house(tmp_path):
    return lay_out(tmp_path)


def make_book(house, profile="toy", **more):
    made = metacog(house, "book", "--profile", profile, **more)
    assert made.returncode == 0, made.stdout + made.stderr
    return made


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A book made from nothing, the model's answers among it: tests copy it, or its replies, and change no file."""
    house = lay_out(tmp_path_factory.mktemp("whole") / "house")
    make_book(house)
    return house


def test_the_toy_study_is_collected_executed_and_rendered(whole, tmp_path):
    house = shutil.copytree(whole, tmp_path / "house", symlinks=True)
    page = (house / "_build/html/_executed/toy-keep.html").read_text(encoding="utf-8")
    assert "your answer?" in page and "answers kept" in page
    assert re.search(r'alt="Share kept by Model. [^"]*SmolLM2-135M-Instruct, right [\d.]+ \(', page)
    assert (
        page.count("<picture>") == 1 and "(max-width: 600px)" in page
    )  # the figure has a variant for phones
    assert "forest" in page.partition("<article")[2]  # the code stands with what it draws
    assert list((house / "runs/toy_study/keep").rglob("*.json*"))

    # a changed sentence runs the chapter again, and asks no model
    shown = house / "tests/toy_study/keep_rates.py"
    shown.write_text(
        shown.read_text().replace("are kept more often than wrong ones", "stand more often than wrong ones")
    )
    again = make_book(house)
    assert "collecting" not in again.stdout and "toy-keep" in again.stdout
    assert "computing" not in again.stdout  # nor is the result of the same file computed again


@pytest.mark.parametrize("made", ["copied", pytest.param("from nothing", marks=pytest.mark.real)])
def test_a_book_made_twice_is_the_same_but_for_times_and_one_changed_digit_is_found(whole, tmp_path, made):
    one, other = whole, tmp_path / "house"
    manifest = next((one / "runs").rglob("manifest.json")).relative_to(one)
    if made == "copied":
        shutil.copytree(whole, other, symlinks=True)
        later = re.sub(r'("(?:seconds|minutes)": )[\d.]+', r"\g<1>99", (one / manifest).read_text("utf-8"))
        (other / manifest).write_text(later, encoding="utf-8")
    else:
        make_book(lay_out(other))
    same = metacog(one, "doctor", "--same", str(other))
    assert same.returncode == 0, same.stdout + same.stderr
    assert [line for line in same.stdout.splitlines() if "times" in line] == [
        "replies: 6 files, 5 the same byte for byte, 1 but for times or commits",
        f"      times: {manifest}",
    ]
    assert "within" not in same.stdout and "different" not in same.stdout
    result = "results/toy/toy_study/keep_rates/result.json"
    text = (other / result).read_text(encoding="utf-8")
    (other / result).write_text(text.replace('"answers": 24', '"answers": 25'), encoding="utf-8")
    changed = metacog(one, "doctor", "--same", str(other))
    assert changed.returncode == 1
    (found,) = (line for line in changed.stdout.splitlines() if line.startswith("DIFFERS"))
    assert found.startswith(f"DIFFERS {result}: number") and "24 and 25" in found


#: Every process of the clone writes down here what it wanted of a network, and does not get it.
NO_NETWORK = """
import socket

def refuse(host):
    with open({log!r}, "a") as log:
        log.write(f"{{host}}\\n")
    raise OSError("there is no network")

def guarded(method):
    def connect(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and not address[0].startswith(("127.", "::1")):
            refuse(address[0])
        return method(self, address)
    return connect

socket.socket.connect = guarded(socket.socket.connect)
socket.socket.connect_ex = guarded(socket.socket.connect_ex)
look_up = socket.getaddrinfo

def getaddrinfo(host, *rest, **options):
    if host not in (None, "", "localhost", "127.0.0.1", "::1", b"localhost"):
        refuse(host)
    return look_up(host, *rest, **options)

socket.getaddrinfo = getaddrinfo
"""


@pytest.fixture
def no_network(tmp_path):
    """A folder whose `sitecustomize` keeps programs from any network, and the file that tells what they wanted."""
    guard, wanted = tmp_path / "guard", tmp_path / "wanted.txt"
    guard.mkdir()
    (guard / "sitecustomize.py").write_text(NO_NETWORK.format(log=str(wanted)))
    asks = [sys.executable, "-c", "import socket; socket.getaddrinfo('example.org', 80)"]
    assert subprocess.run(asks, env={**os.environ, "PYTHONPATH": str(guard)}, capture_output=True).returncode
    assert wanted.read_text() == "example.org\n"
    wanted.unlink()
    return guard, wanted


def test_a_reference_run_leads_the_page_and_nothing_is_asked_for_it(whole, house, no_network):
    guard, wanted = no_network
    shutil.copytree(whole / "runs", house / "runs")
    packed = metacog(house, "replies", "pack", "data/replies/toy.zip")
    assert packed.returncode == 0, packed.stderr
    shutil.rmtree(house / "runs")
    profile = (house / "config/profiles/toy.yaml").read_text()
    mine = profile.replace("name: toy", "name: mine\nreference: toy\nreference_leads: true")
    (house / "config/profiles/mine.yaml").write_text(
        mine.replace("toy_study: {}", "toy_study: {n_items: 12}")
    )
    made = make_book(house, "mine", before=str(guard))
    assert not wanted.exists()
    assert "packs keep" in made.stdout
    assert len(re.findall(r"^\[\d+/\d+\] collecting keep", made.stdout, re.M)) == 1
    page = (house / "_build/html/_executed/toy-keep.html").read_text(encoding="utf-8")
    page = page.partition("<article")[2]
    lead, other = (
        page.index("This page shows the reference run"),
        page.index("the models that were not asked there"),
    )
    assert page.index("answers kept") < lead < other
    assert page.count('text">reference run</td>') == 0
    assert page.count("all 24 items") == 1 and "no reply" not in page


def packed_in(house, n_items, *models):
    """A pack of toy replies of some models, as somebody else made it; none of the models is loaded for it."""
    runs, made = house / "elsewhere", []
    for model in models:
        run = dataclasses.replace(load_profile("smoke"), studies={"toy_study": {"n_items": n_items}})
        plan = make_plan(TOY, "keep", run, model, "items")
        collect(plan, plan.folder(runs), engine=StubEngine(), progress=False)
        made.append(plan.folder(runs))
    (house / "data/replies").mkdir(parents=True, exist_ok=True)
    pack(made, runs, house / f"data/replies/{models[0]}.zip")


@pytest.mark.real
def test_pages_are_made_from_packs_alone_without_a_file_of_the_model_and_without_a_network(
    house, tmp_path, no_network
):
    """Of the thirty items that are asked today the pack of the reference run holds twenty-four."""
    packed_in(house, 24, "qwen2.5-coder-1.5b")
    packed_in(house, 12, "smollm2-135m")
    profile = (house / "config/profiles/toy.yaml").read_text()
    big = profile.replace("name: toy", "name: big").replace("smollm2-135m", "qwen2.5-coder-1.5b")
    (house / "config/profiles/big.yaml").write_text(big.replace("toy_study: {}", "toy_study: {n_items: 30}"))
    mine = profile.replace("name: toy", "name: mine\nreference: big\nreference_leads: true")
    (house / "config/profiles/mine.yaml").write_text(
        mine.replace("toy_study: {}", "toy_study: {n_items: 12}")
    )
    (guard, log), cache = no_network, tmp_path / "cache"
    alone = {"before": str(guard), "METACOG_CACHE": str(cache)}
    refused = metacog(house, "models", "--fetch", "qwen2.5-coder-1.5b", **alone)
    assert refused.returncode != 0 and log.read_text()  # the model cannot be had
    log.unlink()

    made = metacog(house, "book", "--profile", "mine", **alone)
    assert made.returncode == 0, made.stdout + made.stderr
    assert not log.exists() and not list(cache.rglob("*.gguf"))
    page = (house / "_build/html/_executed/toy-keep.html").read_text(encoding="utf-8")
    assert "run (Qwen2.5-Coder-1.5B-Instruct)" in page
    assert page.count("24 of the 30 items") == 1 and "6 have" in page


#: Keys as they may stand in an environment: where the registry says so, under a name that tells, behind one that does
#: not, and in an address.
KEYS = {
    "ODD_PLACE": "Very-Secret-0123456789",
    "OPENAI_API_KEY": "another-Secret-0123456789",
    "PLAIN": "sk-Third-Secret-0123456789",
    "SOME_ADDRESS": "http://me:fourth-Secret-0123456789@127.0.0.1:9/",
}
SHOWS_ALL = """
# %%
import os

print(dict(os.environ), open("/proc/self/environ").read() if os.path.exists("/proc") else "")
"""


@pytest.fixture
def guarded():
    """A server of one scripted model that wants a key, and repeats it to whoever has a wrong one."""
    answer, came = ChatApi(holds="grammar"), []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args):
            """Say nothing."""

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            came.append(self.headers["authorization"])
            if came[-1] == f"Bearer {KEYS['ODD_PLACE']}":
                reply = answer(httpx2.Request("POST", "http://scripted", content=body))
            else:
                reply = httpx2.Response(401, json={"error": {"message": f"no such key: {came[-1]}"}})
            self.send_response(reply.status_code)
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", came
    server.shutdown()
    server.server_close()


def written(house):
    """What all files of the clone say, and what stands in tables and archives among them."""
    for path in (path for path in house.rglob("*") if path.is_file()):
        yield path, path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet":
            yield path, pd.read_parquet(path).to_csv()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield path, "".join(archive.read(name).decode("latin-1") for name in archive.namelist())


@pytest.mark.parametrize("made_by", ["collect", pytest.param("book", marks=pytest.mark.real)])
def test_a_key_in_the_environment_stands_in_no_file_and_no_message(house, guarded, made_by):
    url, came = guarded
    entry = {
        **ENTRY,
        "source": {"endpoint": {"url": url, "model": "m", "api": "chat", "key_env": "ODD_PLACE"}},
    }
    said = {key: value for key, value in entry.items() if key != "name"}
    (house / "config/models/served.yaml").write_text(yaml.safe_dump(said), encoding="utf-8")
    profile = house / "config/profiles/toy.yaml"
    profile.write_text(profile.read_text().replace("smollm2-135m", "served").replace("{}", "{n_items: 12}"))
    chapter = house / "tests/toy_study/toy-keep.py"
    chapter.write_text(chapter.read_text() + SHOWS_ALL)
    told = {**KEYS, "TOLD": "of no matter", "NO_PROXY": "127.0.0.1"}

    wrong = "Wrong-Secret-0123456789"
    book = metacog(house, "book", "--profile", "toy", **told)
    assert book.returncode == 2 and "would ask served, which costs money" in book.stderr and not came
    command = (made_by, "--profile", "toy", *(["--ask-paid"] if made_by == "book" else []))
    refused = metacog(house, *command, **{**told, "ODD_PLACE": wrong})
    assert refused.returncode == 2 and "no such key: Bearer ***" in refused.stderr
    made = metacog(house, *command, **told)
    assert made.returncode == 0, made.stdout + made.stderr
    packed = metacog(house, "replies", "pack", "mine.zip", **told)
    assert packed.returncode == 0 and set(came) == {f"Bearer {wrong}", f"Bearer {KEYS['ODD_PLACE']}"}

    said = [(None, one.stdout + one.stderr) for one in (refused, made, packed)]
    found = [*written(house), *said]
    names = {path.name for path, _ in found if path}
    assert {"manifest.json", "mine.zip"} <= names
    if made_by == "book":
        assert {"newest.log", "summary.json"} <= names
        places = {path.name for path, text in found if path and "of no matter" in text}
        assert {"toy-keep.html", "toy-keep.ipynb"} <= places  # the chapter does show what it has
    for secret in (wrong, *KEYS.values()):
        assert [path for path, text in found if secret.rpartition("//")[2] in text] == []
