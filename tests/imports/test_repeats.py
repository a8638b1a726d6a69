"""Rows that stand twice. Oracles: files in which it is known what stands twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.imports.repeats import without_repeats
from metacog.imports.report import Request, import_trials, load
from metacog.measures.table import Options

ROLES = Columns(correct="ok", confidence="sure", model="llm", question_id="q", temperature="t")


def table(models=("alpha", "beta"), n: int = 100, seed: int = 3) -> pd.DataFrame:
    rng, frames = np.random.default_rng(seed), []
    for m in models:
        made = {"llm": m, "q": np.arange(n), "t": 1.0, "ok": rng.integers(0, 2, n)}
        made |= {"sure": rng.random(n).round(4), "said": [f"{m} says {i}" for i in range(n)]}
        frames.append(pd.DataFrame(made))
    return pd.concat(frames, ignore_index=True)


def read(frame, columns=ROLES, policy="refuse", **options):
    report = Validation("x.csv", "table")
    return without_repeats(frame, columns, report, policy, **options), report


def test_a_model_that_stands_twice_is_dropped_counted_and_named():
    one = table()
    twice = pd.concat([one, one[one["llm"] == "alpha"]], ignore_index=True)
    kept, report = read(twice)
    assert len(kept) == 200 and report.n_read == 300
    assert list(report.dropped.values()) == [100] and "of alpha" in str(report.dropped)
    pd.testing.assert_frame_equal(kept, one)


def test_the_command_says_so_before_it_estimates(tmp_path):
    one = table()
    path = tmp_path / "twice.csv"
    pd.concat([one, one[one["llm"] == "alpha"]]).to_csv(path, index=False)
    lines = []
    request = Request(ROLES, options=Options(n_resamples=50, n_permutations=50))
    made = import_trials(path, tmp_path / "out", request, page=False, echo=lines.append)
    assert any("dropped 100" in line and "of alpha" in line for line in lines)
    assert made.measures.set_index(["by", "model"]).loc[("model", "alpha"), "n_trials"] == 100


def test_the_same_question_with_other_contents_stops_the_import_with_a_remedy():
    second = table(("alpha",), seed=4)
    with pytest.raises(MetacogError) as caught:
        read(pd.concat([table(), second, second.head(7)], ignore_index=True))
    told = ("100 of 307 rows", "100 of alpha", "llm = alpha, q = 0, t = 1.0", "7 further rows")
    for words in (*told, "--sample", "--repeats keep", "--repeats first"):
        assert words in str(caught.value)


def test_the_reader_of_the_file_may_say_what_repeats_are():
    second = table(("alpha",), seed=4)
    both = pd.concat([table(), second], ignore_index=True)
    kept, report = read(both, policy="keep")
    assert len(kept) == 300 and not report.dropped
    assert "100 rows" in report.notes[0] and "further samples" in report.notes[0]
    first, report = read(both, policy="first")
    pd.testing.assert_frame_equal(first, table())
    assert list(report.dropped.values()) == [100]
    with pytest.raises(MetacogError, match="refuse, keep, first"):
        read(both, policy="guess")


def test_a_sample_number_tells_samples_from_copies():
    both = pd.concat([table().assign(s=0), table(seed=4).assign(s=1)], ignore_index=True)
    roles = Columns(**{**ROLES.named(), "sample": "s"})
    kept, report = read(both, roles)
    assert len(kept) == 400 and not report.dropped and not report.notes
    with pytest.raises(MetacogError, match="in the same sample"):
        read(pd.concat([both, table(seed=5).assign(s=1)]), roles)


def test_samples_that_agree_in_all_columns_stay_where_repeats_are_samples():
    """Two samples of one question with the same stated confidence are no copy."""
    same = table()[["llm", "q", "t", "ok"]].assign(sure=0.5)
    kept, report = read(pd.concat([same, same], ignore_index=True), policy="keep")
    assert len(kept) == 400
    assert "200 of" in report.notes[0]


def test_without_a_question_column_copies_are_counted_and_stay():
    plain = pd.DataFrame({"ok": [0, 1] * 50, "sure": [0.5, 0.9] * 50})
    kept, report = read(plain, Columns(correct="ok", confidence="sure"))
    assert len(kept) == 100
    assert "98 rows" in report.notes[0]


def test_temperatures_are_other_trials_and_pooled_models_may_share_questions():
    warm = pd.concat([table(), table(seed=4).assign(t=0.5)], ignore_index=True)
    assert len(read(warm)[0]) == 400
    pooled, report = read(table(), Columns(correct="ok", confidence="sure", question_id="q"), pool=True)
    assert len(pooled) == 200 and "--pool" in report.notes[0]


def test_two_choice_trials_are_held_to_the_same_rule(tmp_path):
    rng = np.random.default_rng(1)
    ends = {"side": (0, 2), "said": (0, 2), "conf": (1, 5), "ms": (300, 2000)}
    frame = pd.DataFrame({"item": np.arange(80)} | {name: rng.integers(*of, 80) for name, of in ends.items()})
    path = tmp_path / "two.csv"
    pd.concat([frame, frame.head(30)]).to_csv(path, index=False)
    roles = Columns(stimulus="side", response="said", rating="conf", question_id="item")
    trials, report = load(path, Request(roles))
    assert len(trials) == 80 and report.n_read == 110
    assert list(report.dropped.values()) == [30]
    other = frame.assign(conf=5 - frame["conf"]).head(30)
    pd.concat([frame, other]).to_csv(path, index=False)
    with pytest.raises(MetacogError, match="30 of 110 rows"):
        load(path, Request(roles))
