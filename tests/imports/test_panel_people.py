"""People of a panel. Oracles: counts by hand, scipy, and panels of people who are simulated with a known relation."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats
from test_panel import bank_of, group, probe

from metacog.core.errors import MetacogError
from metacog.imports.panel import answer_sheets
from metacog.imports.panel_people import (
    Bars,
    balanced,
    lines,
    panel_tests,
    quotas_of,
    wanted_people,
    with_people,
)

GROUPS = ("school", "bachelor", "advanced")


def panel(seed, *, n=69, shared=0.0, rises=0.0, insight=0.0, items=6):
    """Answers of n people to two parts; ``shared`` skill, what schooling adds, and whether confidence knows."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=(n, 1))
    place = rng.integers(0, 3, n)
    rows = []
    for part in ("A", "B"):
        own = shared * skill + np.sqrt(1 - shared**2) * rng.normal(size=(n, 1)) + rises * (place[:, None] - 1)
        right = own + rng.normal(size=(n, items)) > rng.normal(size=items)
        sure = np.where(rng.random((n, items)) < insight, right, rng.random((n, items)) < 0.5)
        for i, j in np.ndindex(n, items):
            rows.append((f"p{i}", f"{part}{j}", part, int(right[i, j]), 0.2 + 0.6 * sure[i, j]))
    trials = pd.DataFrame(rows, columns=["person", "item", "part", "correct", "confidence"])
    about = pd.DataFrame({"person": [f"p{i}" for i in range(n)], "education": [GROUPS[i] for i in place]})
    return with_people(trials, about)


def told(trials, **more):
    return panel_tests(trials, parts=("A", "B"), order=("education", GROUPS), **more).set_index("what")


def test_a_set_of_thirty_has_six_of_each_task_and_is_everybodys():
    bank = balanced(probe(), 30, seed=1)
    tasks = pd.Series([item.domain for item in bank.items.values()]).value_counts()
    assert (tasks == 6).all() and len(tasks) == 5
    sheets = answer_sheets(bank, 2)
    assert set(sheets["person-01"]["item"]) == set(sheets["person-02"]["item"]) == set(bank.items)
    assert set(balanced(probe(), 30, seed=2).items) != set(bank.items)
    more = pd.Series([item.domain for item in balanced(probe(), 60).items.values()]).value_counts()
    assert more["T3_KB"] == 10 and more["T1_CC"] + more["T2_EV"] == 26  # what a part lacks, others give
    for n in (4, 79):
        with pytest.raises(MetacogError, match="there are 78, of 5 parts"):
            balanced(probe(), n)


def test_quotas_are_filled_within_one_another():
    quotas = quotas_of(["education=school:25,bachelor:25,advanced:50", "ai=none:1,occasional:2,daily:2"])
    table = wanted_people([f"p{i}" for i in range(100)], quotas)
    assert table["education"].value_counts().to_dict() == {"advanced": 50, "school": 25, "bachelor": 25}
    assert table.groupby(["education", "ai"]).size()["advanced", "none"] == 10
    few = wanted_people(["a", "b", "c"], quotas)
    assert len(few) == 3 and list(few) == ["person", "education", "ai"]
    for wrong in (
        "education",
        "education=school",
        "education=a:x",
        "=a:1",
        "education=a:0",
        "education=a:-1,b:2",
    ):
        with pytest.raises(MetacogError, match="not of the form"):
            quotas_of([wrong])


def test_the_figures_are_scipys():
    trials = panel(1, shared=0.5, rises=0.5, insight=0.5)
    found = told(trials)
    wide = trials.pivot_table(index="person", columns="part", values="correct", aggfunc="mean")
    wanted = stats.pearsonr(wide["A"], wide["B"])
    row = found.loc["r of A and B over people"]
    assert row["value"] == pytest.approx(wanted.statistic) and row["n"] == 69
    assert (row["lower"], row["upper"]) == pytest.approx(tuple(wanted.confidence_interval()))
    share = trials.groupby("person")["correct"].mean()
    place = trials.groupby("person")["education"].first().map(GROUPS.index)
    tau = found.loc["tau-b of education and the share right"]
    assert tau["value"] == pytest.approx(stats.kendalltau(place, share[place.index]).statistic)
    own = trials[trials["part"] == "A"]
    sure = found.loc["r of confidence and being right, A"]
    assert sure["value"] == pytest.approx(stats.pearsonr(own["confidence"], own["correct"]).statistic)
    assert sure["lower"] < sure["value"] < sure["upper"]
    said = [line for line in lines(found.reset_index()) if line.startswith("r of A and B")]
    assert len(said) == 1 and said[0].endswith("met" if row["met"] else "not met")


def test_in_worlds_without_a_relation_the_hypotheses_come_out_as_they_should():
    """Oracle: 69 people with nothing behind their schooling, or everything shared by both parts."""
    nothing = [told(panel(seed)) for seed in range(40)]
    met = {what: np.mean([found.loc[what, "met"] for found in nothing]) for what in nothing[0].index[:2]}
    assert met["r of A and B over people"] > 0.8  # unrelated parts: 0 lies in 95 % of intervals
    assert met["tau-b of education and the share right"] == 0
    shared = [told(panel(seed, shared=1.0)).loc["r of A and B over people", "met"] for seed in range(40)]
    rises = [
        told(panel(seed, rises=2.0)).loc["tau-b of education and the share right", "met"]
        for seed in range(40)
    ]
    assert np.mean(shared) < 0.1 and np.mean(rises) > 0.9


def test_an_interval_of_confidence_holds_although_a_persons_answers_go_together():
    """Oracle: confidence that knows nothing has r 0, which 95 % intervals hold in all but a few panels."""
    rows = [told(panel(seed, items=12)).loc["r of confidence and being right, A"] for seed in range(60)]
    assert np.mean([row["lower"] <= 0 <= row["upper"] for row in rows]) > 0.85


def test_people_and_models_that_find_the_same_parts_hard():
    trials = panel(1)
    hard, easy = trials.assign(correct=0), trials.assign(part=trials["part"] + "1", correct=1)
    trials = pd.concat([hard, easy])
    models = trials.groupby("part", as_index=False)["correct"].first()
    row = panel_tests(trials.drop_duplicates(["person", "item", "part"]), models=models).iloc[-1]
    assert row["what"].startswith("rank correlation") and row["value"] == pytest.approx(1) and row["n"] == 4


def test_tables_that_do_not_fit_are_refused_by_name():
    trials = panel(1, n=5)
    with pytest.raises(MetacogError, match="nobody answered items of Z"):
        panel_tests(trials, parts=("A", "Z"))
    with pytest.raises(MetacogError, match="no column 'age'"):
        panel_tests(trials, order=("age", GROUPS))
    with pytest.raises(MetacogError, match="which the order leaves out"):
        panel_tests(trials, order=("education", ("school",)))
    bare = trials.drop(columns="education")
    with pytest.raises(MetacogError, match="no column 'person'"):
        with_people(bare, pd.DataFrame({"who": ["p0"]}))
    with pytest.raises(MetacogError, match="stands twice"):
        with_people(bare, pd.DataFrame({"person": ["p0", "p0"]}))
    with pytest.raises(MetacogError, match="no row for"):
        with_people(bare, pd.DataFrame({"person": ["p0"]}))
    alone = panel_tests(trials[trials["person"] == "p0"].assign(confidence=np.nan), parts=("A", "B"))
    assert len(alone) == 1 and np.isnan(alone["value"].iloc[0]) and not alone["met"].iloc[0]


def test_the_command_from_sheets_to_hypotheses(tmp_path):
    def run(*words):
        return CliRunner().invoke(group, ["panel", *(str(w) for w in words)])

    sheets = tmp_path / "s"
    quota = ("--quota", "education=school:25,bachelor:25,advanced:50")
    done = run("ask", "--study", "study4_probe", "--people", 8, "--items", 30, *quota, "--out", sheets)
    assert done.exit_code == 0 and "30 items" in done.output, done.output
    about = pd.read_csv(sheets / "people.csv")
    assert about["education"].value_counts().to_dict() == {"advanced": 4, "school": 2, "bachelor": 2}
    rng, known = np.random.default_rng(1), probe().items
    for path in sorted(sheets.glob("person-*.csv")):
        sheet = pd.read_csv(path, dtype=str)
        keys = [known[i].key if rng.random() < 0.5 else "no idea" for i in sheet["item"]]
        replies = [f"ANSWER: {key}\nCONFIDENCE: {rng.integers(1, 10)}" for key in keys]
        sheet.assign(reply=replies).to_csv(path, index=False)
    files, given = (
        sorted(sheets.glob("person-*.csv")),
        ("--study", "study4_probe", "--about", sheets / "people.csv"),
    )
    out = tmp_path / "tests.csv"
    order = "education=school,bachelor,advanced"
    done = run("test", *files, *given, "--parts", "T1_CC,T4_CR", "--order", order, "--out", out)
    assert done.exit_code == 0 and "8 people, 240 answers" in done.output, done.output
    table = pd.read_csv(out).set_index("what")
    assert {"r of T1_CC and T4_CR over people", "tau-b of education and the share right"} <= set(table.index)
    assert table.loc["r of confidence and being right, T1_CC", "n"] == 48
    done = run("mark", *files, *given, "--out", tmp_path / "answers.csv")
    assert done.exit_code == 0 and pd.read_csv(tmp_path / "answers.csv")["education"].notna().all()
    assert "two parts" in run("test", *files, *given, "--parts", "T1_CC").output


def test_the_bars_are_those_of_the_paper():
    from metacog.studies.study4_probe import paper, reliability

    asked = paper.as_text("table9_hypotheses").set_index("id")["threshold"]
    assert f"{Bars.r:.2f}" in asked["H1"] and f"{Bars.tau:.2f}" in asked["H2"]
    assert (Bars.agreement, Bars.alpha) == (reliability.AGREEMENT, reliability.LEAST_ALPHA)


def test_a_bank_without_parts_is_drawn_from_all_the_same():
    assert len(balanced(bank_of(), 5).items) == 5
