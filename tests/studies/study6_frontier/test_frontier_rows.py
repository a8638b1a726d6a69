"""The atlas's rows. Oracles: the sizes that its page prints, and tables in which it is known what is wrong."""

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote, urlsplit

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import main
from metacog.core.errors import MetacogError
from metacog.studies.study6_frontier import keys, paper, ranking, reading, self_knowledge
from metacog.studies.study6_frontier.ledger import importer, rows
from metacog.studies.study6_frontier.ledger.reproduction import summary


def test_the_repeated_model_is_found_named_and_dropped_once():
    made = rows.load()
    assert (made.n_read, made.n_copies) == (47_749, 598) and made.copied.endswith("GLM-5")
    assert len(made.trials) == 47_151 and not made.trials.duplicated(["model", "question_id"]).any()
    assert made.trials["model"].nunique() == 33 and made.trials["question_id"].nunique() == 1500
    assert (made.trials["answer"] == rows.NO_ANSWER).sum() == 13
    assert (made.trials.groupby("domain")["question_id"].nunique() == 250).all()


def test_what_the_parser_put_in_is_marked_for_one_model_alone():
    trials = rows.load().trials
    put_in = trials[~trials["stated"]]
    assert len(put_in) == 980 and set(put_in["model"]) == {"GPT-oss-120B"} and set(put_in["score"]) == {50.0}


def test_every_chapter_leaves_out_what_the_parser_put_in(monkeypatch):
    """One rule: 520 of 1,500 replies of this model state a confidence, and all chapters use those alone."""
    model = "GPT-oss-120B"
    asked = []

    class Enough(Exception):
        pass

    def stop(items, **_):
        asked.append(items)
        raise Enough

    monkeypatch.setattr(keys, "suspected_keys", stop)
    monkeypatch.setattr(self_knowledge, "own_and_others", stop)
    for one in (keys.keys, self_knowledge.self_knowledge):
        with pytest.raises(Enough):
            one(None)
    for items in asked:
        own = items.confidence[items.models.index(model)]
        assert np.isfinite(own).sum() == 520 and not (own == 0.5).any()
    ranked = ranking.ranking(None, n_resamples=20, n_permutations=2, verdicts=False)
    assert len(asked) == 2 and ranked.board.set_index("model").loc[model, "n"] == 520
    assert reading.reading(None).n_of_imputed == 1500
    # only the printed figures count them
    assert summary().loc[model, "n"] == 1500


def test_models_by_items_have_families_subjects_and_a_key():
    items = rows.model_items()
    assert len(items.models) == 33 and len(items.items) == 1500 and len(set(items.families)) == 7
    families = dict(zip(items.models, items.families, strict=True))
    assert {family for model, family in families.items() if model.startswith("Gemma")} == {"Gemma"}
    assert np.nanmean(items.right[items.models.index("Opus 4.6")]) == pytest.approx(0.9506666666666667)
    assert items.answers == ("A", "B", "C", "D", "X") and items.key is not None and items.answer is not None
    everything = rows.model_items(rows.load().trials.assign(stated=True))
    assert everything.shared().right.shape == (33, 129) and items.shared().right.shape[0] == 33


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.assign(model="openai/gpt-9"), "openai/gpt-9"),
        (
            lambda t: pd.concat([t, t.head(1).assign(confidence=1.0)]),
            "repeat an item",
        ),
        (lambda t: t.assign(is_correct=~t["is_correct"]), "marks"),
        (lambda t: t.assign(confidence=101.0), "confidences"),
    ],
)
def test_damaged_rows_are_refused(change, message):
    with pytest.raises(MetacogError, match=message):
        rows.read(change(rows.committed().head(50)))


@pytest.fixture
def author_files(tmp_path, monkeypatch):
    """Two files as the author publishes them, the second a repeat of the first, and a list and table of them."""
    folder = tmp_path / "home" / "atlas" / "raw"
    folder.mkdir(parents=True)
    own = rows.committed().query("model == 'zai/glm-5'").head(20)
    listed = []
    for name in ("metacognitive (1).csv", "metacognitive (2).csv"):
        path = folder / name
        text = own.drop(columns="file").assign(question='a "long" text, cut')
        text.to_csv(path, index=False)
        listed.append({"file": name, "sha256": _sha256(path), "rows": 20, "model": "zai/glm-5"})
    table = pd.DataFrame(listed)
    monkeypatch.setattr(importer, "listed", lambda: table)
    both = pd.concat([own.assign(file=one["file"]) for one in listed], ignore_index=True)
    monkeypatch.setattr(importer, "committed", lambda: both)
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    return folder


def _sha256(path):
    from metacog.collect.downloads import sha256_of

    return sha256_of(path)


def test_fetching_checks_every_file_and_compares_the_table(author_files, tmp_path):
    done = CliRunner().invoke(main, ["data", "fetch", "atlas"])
    assert done.exit_code == 0 and "40 rows" in done.output and str(author_files) in done.output
    importer.write(importer.read_files(author_files), tmp_path / "rows.parquet")
    back = pd.read_parquet(tmp_path / "rows.parquet")
    assert back["model"].astype(str).tolist() == importer.committed()["model"].tolist()


def test_a_file_or_a_table_that_differs_is_refused(author_files, monkeypatch):
    first = next(iter(author_files.iterdir()))
    monkeypatch.setattr(importer, "committed", lambda: importer.read_files(author_files).iloc[1:])
    with pytest.raises(MetacogError, match="is not what the files in .* give"):
        importer.fetch_and_check()
    first.write_text(first.read_text().replace("True", "False", 1))
    with pytest.raises(MetacogError, match="sha256"):
        importer.fetch_and_check()
    first.write_text("item_id\n1\n")
    with pytest.raises(MetacogError, match="lacks the column"):
        importer.read_file(first)


@pytest.fixture
def author_site(author_files, tmp_path, monkeypatch):
    """A server that has these files where the author's has them, behind a redirection as there; paths asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            path = unquote(self.path)
            if path.startswith(urlsplit(importer.URL).path):
                self.send_response(302)
                self.send_header("location", quote(f"/elsewhere/{path.rpartition('/')[2]}"))
                self.send_header("content-length", "0")
                self.end_headers()
                return
            found = author_files / path.removeprefix("/elsewhere/")
            there = path.startswith("/elsewhere/") and found.is_file()
            data = found.read_bytes() if there else b""
            self.send_response(200 if there else 404)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}{urlsplit(importer.URL).path}"
    monkeypatch.setattr(importer, "FILES", replace(importer.FILES, url=url))
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield asked
    server.shutdown()
    server.server_close()


def test_files_are_downloaded_from_the_path_of_the_repository(author_site, tmp_path):
    folder = tmp_path / "cache" / "data" / "atlas" / "raw"
    assert str(folder) in importer.fetch_and_check()
    path = "/synthiumjp/metacognitive-profile-atlas/raw/ca31180/data/raw/metacognitive%20%281%29.csv"
    assert path in author_site and len(author_site) == 4  # two files, each with its redirection
    assert "40 rows" in importer.fetch_and_check() and len(author_site) == 4  # once is enough


def test_addresses_and_checksums_are_whole():
    sums = importer.FILES.checksums()
    assert len(sums) == 34 and all(len(one) == 64 for one in sums.values()) and len(set(sums.values())) == 33
    assert importer.URL.startswith("https://") and importer.URL.endswith("/")


def test_claims_are_read_with_their_relation():
    claims = paper.claims().set_index("id")
    assert claims.loc["family_clustering", ["relation", "value", "kind"]].tolist() == ["<", ".0001", "bound"]
    assert claims.loc["family_carried_by", ["value", "kind"]].tolist() == ["", "words"]
    assert claims.loc["gemma_gain", ["relation", "value", "kind"]].tolist() == ["=", "0.202", "printed"]
