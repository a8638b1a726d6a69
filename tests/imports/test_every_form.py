"""One trial table in every form that files take. Oracle: the measures of the plain table, or a refusal by name."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from scipy.io import savemat

from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, load
from metacog.measures.table import Options, measure_table

N, LOST = 90, [3, 17, 40, 41, 77]
OPEN = Columns(correct="richtig", confidence="sicherheit", question_id="nr")
TWO = Columns(stimulus="reiz", response="antwort", rating="sicherheit", question_id="nr")
WORDS = ["", "NA", "None", "null", "n/a", "-", "[]", "NaN", "#N/A"]
CODES = ["-1", "999", "TIMEOUT", "-99", "missed"]


def trials() -> pd.DataFrame:
    rng = np.random.default_rng(11)
    shown = rng.integers(1, 3, N)
    seen = rng.normal(1.2 * (shown - 1.5), 1)
    said = np.where(seen > 0, 2, 1)
    sure = (50 + 50 * np.clip(np.abs(seen + rng.normal(0, 0.5, N)) / 2, 0, 1)).round(1)
    made = {"nr": np.arange(N), "reiz": shown, "antwort": said, "richtig": (shown == said).astype(int)}
    return pd.DataFrame({**made, "sicherheit": sure, "bemerkung": "müde; öfter, sehr"})


def measures(path: Path, request: Request) -> dict[str, float]:
    found, report = load(path, request)
    assert report.n_used == N - len(LOST)
    row = measure_table(found, Options(n_resamples=0, n_permutations=0), by=("model",))[0].iloc[0]
    names = ("n_trials", "accuracy", "auroc2", "meta_i2r", "aurc", "d_prime", "meta_d", "m_ratio")
    return {name: float(row[name]) for name in names if name in row}


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> dict[str, dict[str, float]]:
    path = tmp_path_factory.mktemp("plain") / "trials.csv"
    trials().drop(index=LOST).to_csv(path, index=False)
    return {name: measures(path, Request(columns)) for name, columns in (("open", OPEN), ("two", TWO))}


def written(folder: Path, table: pd.DataFrame, form: str, sep: str, encoding: str) -> Path:
    """The table as a file; its cells are texts."""
    path = folder / f"trials.{form}"
    if form in ("csv", "tsv", "txt"):
        path.write_bytes(table.to_csv(index=False, sep="\t" if form == "tsv" else sep).encode(encoding))
    elif form == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in table.to_dict("records")), encoding="utf-8")
    elif form == "parquet":
        table.to_parquet(path)
    else:
        savemat(path, {name: np.array(table[name].tolist(), dtype=object) for name in table})
    return path


@settings(
    max_examples=150,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    columns=st.sampled_from([OPEN, TWO]),
    form=st.sampled_from(["csv", "csv", "csv", "tsv", "txt", "jsonl", "parquet", "mat"]),
    sep=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
    decimal=st.sampled_from([".", ","]),
    percent=st.sampled_from([0.0, 0.5, 1.0]),
    shares=st.booleans(),
    lists=st.booleans(),
    lost=st.sampled_from(WORDS + CODES),
    told=st.booleans(),
    order=st.integers(0, 5),
    twice=st.booleans(),
    word=st.sampled_from(
        [("1", "0"), ("True", "False"), ("correct", "incorrect"), ("C", "I"), ("1.0", "0.0")]
    ),
    sides=st.sampled_from([("1", "2"), ("0", "90"), ("left", "right"), ("1.0", "2.0")]),
)
@example(OPEN, "csv", ";", "cp1252", ",", 0.5, True, False, "-1", False, 1, True, ("C", "I"), ("1", "2"))
@example(TWO, "csv", ",", "utf-8", ".", 0.0, True, False, "999", False, 1, False, ("1", "0"), ("0", "90"))
def test_one_table_in_every_form_gives_one_answer_or_a_named_refusal(
    plain,
    columns,
    form,
    sep,
    encoding,
    decimal,
    percent,
    shares,
    lists,
    lost,
    told,
    order,
    twice,
    word,
    sides,
):
    table, rng = trials(), np.random.default_rng(order)
    signed = rng.random(N) < percent
    sure = [
        f"{x:g}%" if sign else f"{x / 100:g}" if shares else f"{x:g}"
        for x, sign in zip(table["sicherheit"], signed, strict=True)
    ]
    sure = [x.replace(".", decimal) for x in sure]
    told_in = {
        "nr": table["nr"].astype(str),
        "reiz": table["reiz"].map({1: sides[0], 2: sides[1]}),
        "antwort": table["antwort"].map({1: sides[0], 2: sides[1]}),
        "richtig": table["richtig"].map({1: word[0], 0: word[1]}),
        "sicherheit": sure,
        "bemerkung": table["bemerkung"],
    }
    made = pd.DataFrame(told_in).astype(object)
    made.loc[LOST, "sicherheit"] = lost
    if lists and decimal == ".":  # "[72,8]" would be two
        made["sicherheit"] = [x if x in ("", "[]") else f"[{x}]" for x in made["sicherheit"]]
    made = made.sample(frac=1, random_state=order).reset_index(drop=True)
    made = made[list(rng.permutation(made.columns))]
    if twice and form in ("csv", "tsv", "txt"):
        made = pd.concat([made, made[["bemerkung"]].assign(bemerkung="anders")], axis=1)
    request = Request(columns, missing=(lost,) if told and lost in CODES else ())
    with TemporaryDirectory() as folder:
        path = written(Path(folder), made, form, sep, encoding)
        try:
            found = measures(path, request)
        except MetacogError as refusal:
            said = str(refusal)
            assert lost in CODES and not told, said  # what is plainly missing is never in the way
            assert f"--missing {lost}" in said, said
            return
    expected = plain["two" if columns is TWO else "open"]
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize("code", ["0", "9", "-1", "TIMEOUT", "N", "Nan", "[]", "3"])
@pytest.mark.parametrize("sides", [("1", "2"), ("left", "right")])
def test_responses_that_are_no_stimulus_are_left_out_and_named(tmp_path, plain, code, sides):
    table = trials().astype(object)
    for name in ("reiz", "antwort"):
        table[name] = table[name].map({1: sides[0], 2: sides[1]})
    table.loc[LOST, "antwort"] = code
    table.to_csv(tmp_path / "t.csv", index=False)
    for missing in ((), (code,)):
        request = Request(TWO, missing=missing)
        _, report = load(tmp_path / "t.csv", request)
        assert measures(tmp_path / "t.csv", request) == pytest.approx(plain["two"], abs=1e-9)
        named = any(repr(code) in reason for reason in report.dropped)
        assert named == (not missing and code not in ("Nan", "[]"))
        assert sum(report.dropped.values()) == len(LOST)


def test_responses_in_another_code_are_refused_by_name(tmp_path):
    table = trials()
    table.assign(antwort=table["antwort"] - 1).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(MetacogError, match="holds '0'.*stimuli are '1' and '2'.*--missing 0"):
        load(tmp_path / "t.csv", Request(TWO))
    one = pd.concat([table.assign(vp=i) for i in range(15)])
    one.loc[one["vp"] == 3, "antwort"] += 1  # one of fifteen people, 3 % of all responses
    one.loc[(one["vp"] == 3) & (one["antwort"] == 2), "antwort"] = 7
    one.assign(nr=range(len(one))).to_csv(tmp_path / "t.csv", index=False)
    columns = Columns(stimulus="reiz", response="antwort", rating="sicherheit", question_id="nr", person="vp")
    with pytest.raises(MetacogError, match="3 answers in another code"):
        load(tmp_path / "t.csv", Request(columns))


def test_estimates_in_the_place_of_choices_are_called_so(tmp_path):
    table = trials()
    table["antwort"] = np.random.default_rng(1).normal(1.5, 0.4, len(table)).round(3)
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(MetacogError, match="estimates, not one of two choices.*--correct") as refusal:
        load(tmp_path / "t.csv", Request(TWO))
    assert "--missing" not in str(refusal.value)


def test_choices_among_several_stimuli_are_marked_against_them(tmp_path):
    rng = np.random.default_rng(2)
    table = trials().assign(reiz=rng.integers(1, 5, N), antwort=rng.integers(1, 5, N))
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(MetacogError, match="holds 4.*--answer antwort --key reiz"):
        load(tmp_path / "t.csv", Request(TWO))
    columns = Columns(answer="antwort", key="reiz", confidence="sicherheit")
    marked, _ = load(tmp_path / "t.csv", Request(columns))
    assert marked["correct"].tolist() == (table["reiz"] == table["antwort"]).tolist()
    table.assign(reiz=rng.integers(1, 8, N), antwort=rng.integers(1, 3, N)).to_csv(
        tmp_path / "t.csv", index=False
    )
    with pytest.raises(MetacogError, match="holds 7") as refusal:  # seven morphs of two: no names to mark by
        load(tmp_path / "t.csv", Request(TWO))
    assert "--key" not in str(refusal.value)


@pytest.mark.parametrize("name", ["bemerkung", "sicherheit"])
def test_a_column_that_stands_twice_is_refused_only_where_it_is_needed(tmp_path, name):
    table = trials()
    pd.concat([table, table[[name]].iloc[::-1].reset_index(drop=True)], axis=1).to_csv(
        tmp_path / "t.csv", index=False
    )
    if name == "bemerkung":
        assert len(load(tmp_path / "t.csv", Request(OPEN))[0]) == N
        return
    with pytest.raises(MetacogError, match="'sicherheit' twice"):
        load(tmp_path / "t.csv", Request(OPEN))
