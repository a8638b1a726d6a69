"""The author's files and the committed table. Oracles: those files, the paper's sizes, hand-made files."""

import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import main
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study5_battery.ledger import importer, responses
from metacog.studies.study5_battery.paper import FOLDER, MODELS, RETROSPECTIVE, TRACKS

COMMITTED = project_root() / "data" / "published" / FOLDER


@pytest.fixture(scope="module")
def author_files():
    if (folder := importer.FILES.find()) is None:
        pytest.skip("the author's response files are not here: set METACOG_DATA_HOME, or fetch them")
    return folder


def test_the_table_is_what_the_files_say(author_files, tmp_path):
    importer.write(importer.read_files(author_files), tmp_path)
    for name in ("responses", "items", "files"):
        assert (tmp_path / f"{name}.csv").read_bytes() == (COMMITTED / f"{name}.csv").read_bytes(), name


def test_rates_straight_from_the_files_are_those_of_the_table(author_files):
    """Not through the importer: a file read by hand."""
    raw = pd.read_csv(author_files / "Social Cognition" / "R1 socialcog.csv")
    own = responses.load()
    own = own[(own["model"] == "DeepSeek R1") & (own["track"] == "T3")]
    assert own["keep"].mean() == (raw["keep_withdraw"] == "KEEP").mean()
    assert own["bet"].mean() == (raw["bet_nobet"] == "BET").mean()
    assert own["score"].sum() == pytest.approx(raw["meta_score"].sum())


def test_sizes_are_the_papers():
    rows = responses.load()
    assert len(rows) == 10_480 and set(rows["model"]) == set(MODELS.values())
    sizes = rows.groupby("track")["item"].nunique().to_dict()
    assert sizes == {"T1": 98, "T2": 90, "T3": 116, "T4": 60, "T5": 88, "T6": 72}
    assert (rows.groupby(["model", "track"]).size().groupby("track").nunique() == 1).all()


def test_no_text_of_the_files_is_kept():
    own = pd.read_csv(COMMITTED / "responses.csv", dtype=str, keep_default_na=False)
    assert own.drop(columns=["item", "score"]).map(len).to_numpy().max() <= importer.DIGEST
    assert own["answer"].str.fullmatch(r"([0-9a-f]{10})?").all()


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("haiku attention.csv", "Claude Haiku 4.5"),
        ("Opus 4.6 Exec.csv", "Claude Opus 4.6"),
        ("Gemini Flash 3 preview socialcog.csv", "Gemini 3 Flash"),
        ("Gemini 3.1 Pro Previewexec.csv", "Gemini 3.1 Pro"),
        ("GPT-5.4 mini soc cog.csv", "GPT-5.4 mini"),
        ("Qwen 3 235B A22B Instructprospective_regulation_results.csv", "Qwen 235B"),
    ],
)
def test_models_are_known_by_every_spelling(name, model):
    assert importer.model_of(name) == model


@pytest.mark.parametrize(
    ("answer", "key", "match"),
    [
        ("H2O", "H2O", "e"),
        ("H₂O\n", "H2O", "n"),
        (r"\(e-1\)", "e - 1", "n"),
        ("about **5,730 years**.", "5730 years", "c"),
        ("Paris", "Rome", "o"),
        ("1900", "9", "o"),
    ],
)
def test_answers_are_compared_without_their_characters(answer, key, match):
    assert importer.match_of(answer, key) == match


T6 = "item_id,tier,domain,path_choice,answer,correct_answer,is_correct,score,keep_withdraw,bet_nobet\n"
ROW = "pr_0,easy,maths,ANSWER_DIRECTLY,9,9,True,1.0,KEEP,BET\n"


def _file(folder, text, track="prospective", model="GLM-5"):
    (folder / track).mkdir(exist_ok=True)
    path = folder / track / f"{model}.csv"
    path.write_text(text)
    return path


def test_a_hand_made_file_is_coded(tmp_path):
    rows, items = importer.read_file(_file(tmp_path, T6 + ROW))
    digest = importer.digest_of("9")
    assert rows.iloc[0].tolist() == ["m06", "T6", "pr_0", "1", "1", "1", "A", "1.0", digest, "e"]
    assert items.iloc[0].tolist() == ["T6", "pr_0", "easy", "easy", "maths", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ((T6 + ROW).replace("keep_withdraw", "probe"), "lacks the column keep_with"),
        (T6 + ROW.replace("KEEP", "MAYBE"), "KEEP or WITHDRAW, found 'MAYBE' in 1 of 1"),
        (T6 + ROW.replace("KEEP", ""), "KEEP or WITHDRAW, found ''"),
        (T6 + ROW.replace("ANSWER_DIRECTLY", "PASS"), "found 'PASS'"),
        (T6 + ROW.replace("True", "yes"), "True or False, found 'yes'"),
        (T6 + ROW + ROW, "1 rows repeat a model's item.*pr_0"),
        (T6, "there are no responses"),
        ("", "cannot be read as CSV"),
    ],
)
def test_bad_files_are_refused_with_a_short_word(tmp_path, text, message):
    with pytest.raises(MetacogError, match=message) as caught:
        importer.read_file(_file(tmp_path, text))
    assert len(str(caught.value)) < 220
    assert any(word in str(caught.value) for word in ("fetch it again", "cannot be read"))


def test_files_of_another_track_or_model_are_refused(tmp_path):
    with pytest.raises(MetacogError, match="unknown track 'elsewhere'.*there are:"):
        importer.read_file(_file(tmp_path, T6 + ROW, "elsewhere"))
    with pytest.raises(MetacogError, match="names no model.*add its"):
        importer.read_file(_file(tmp_path, T6 + ROW, model="GLM-6"))


def test_a_folder_must_hold_every_model_once(tmp_path):
    with pytest.raises(MetacogError, match="no response files"):
        importer.read_files(tmp_path)
    _file(tmp_path, T6 + ROW)
    with pytest.raises(MetacogError, match="1 files of 120"):
        importer.read_files(tmp_path)
    _file(tmp_path, T6 + ROW, model="GLM 5")
    with pytest.raises(MetacogError, match="two files"):
        importer.read_files(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"track": "T9"}, "unknown track T9"),
        ({"keep": "2"}, "keep must be one of 0, 1, found '2'; restore it"),
        ({"path": "X"}, "path must be one of A, D, H"),
        ({}, "repeat a model's item"),
    ],
)
def test_a_damaged_table_is_refused(change, message, tmp_path):
    row, _ = importer.read_file(_file(tmp_path, T6 + ROW))
    rows = pd.concat([row.assign(**change)] * (1 if change else 2))
    with pytest.raises(MetacogError, match=message):
        responses.checked(rows)
    with pytest.raises(MetacogError, match="responses.csv: the column bet is missing; restore it"):
        responses.checked(rows.drop(columns="bet"))


def test_fetching_asks_for_every_file_with_its_checksum(monkeypatch, tmp_path):
    asked = []

    def fetch(url, file, sha256, what):
        asked.append((url, file, sha256))
        return tmp_path / file

    monkeypatch.setattr("metacog.collect.file_sets.fetch", fetch)
    assert importer.fetch_files() == tmp_path / "battery" / "csvs"
    assert len(asked) == len(TRACKS) * len(MODELS) and all(len(sha) == 64 for *_, sha in asked)
    assert all(" " not in url and url.startswith("https://") for url, *_ in asked)


def test_files_in_two_places_are_refused(monkeypatch, tmp_path):
    places = iter([tmp_path / "a"] + [tmp_path / "b"] * 119)
    monkeypatch.setattr("metacog.collect.file_sets.fetch", lambda url, file, *more: next(places) / file)
    with pytest.raises(
        MetacogError, match="some files are in .*a/battery/csvs and others in .*b/battery/csvs"
    ):
        importer.fetch_files()


def test_the_product_fetches_checks_and_says_so(author_files, monkeypatch):
    monkeypatch.setenv("METACOG_DATA_HOME", str(author_files.parents[1]))
    done = CliRunner().invoke(main, ["data", "fetch", "battery-responses"])
    assert done.exit_code == 0, done.output
    assert "10,480 responses" in done.output and str(author_files) in done.output
    read = importer.committed
    monkeypatch.setattr(
        importer, "committed", lambda name: read(name).iloc[1:] if name == "items" else read(name)
    )
    with pytest.raises(MetacogError, match="items.csv is not what the files in .* give: restore it"):
        importer.fetch_and_check()


def test_the_column_answer_of_t1_to_t5_is_the_key(author_files):
    """It is the same for every model, so it cannot be what they chose."""
    for folder in ("Overhypothesis", "Social Cognition", "Attention", "Executive"):
        columns = {tuple(pd.read_csv(f)["answer"]) for f in (author_files / folder).glob("*.csv")}
        assert len(columns) == 1
    items = pd.read_csv(COMMITTED / "items.csv", dtype=str, keep_default_na=False)
    has_key = items[items["key"] != ""]["track"].unique()
    assert set(has_key) == set(RETROSPECTIVE) - {"T2"}
