"""A model that is asked for percentages and never writes one. Oracle: the run of the model beside it alone."""

from __future__ import annotations

import dataclasses
import functools
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scripted_chat import ChatApi
from simulated_trials import simulate_trials
from test_without_logprobs import SMALL, collected, shown

from metacog.core.config import load_profile
from metacog.studies import get_study, results
from metacog.studies.study import Result
from metacog.studies.study1_qa import compared_signals, h1, h2, h3, robustness_variants, selective
from metacog.studies.study1_qa.cells import Flag, estimate, fits, rate_trials, silent_models
from metacog.studies.study1_qa.luck_silent import APART, apart
from metacog.studies.study1_qa.robustness import matched
from metacog.studies.view import fields_of
from metacog.verdicts.outcomes import judged_by, of_rule, together
from metacog.verdicts.verdict import Kind

STUDY = get_study("study1_qa")
#: Analyses that rest on what is collected, those that rest on others' results included.
ON_TRIALS = [one.name for one in STUDY.analyses if results.rests_on_trials(STUDY, one)]
SAID = "No confidence could be read in the answers of"
#: Verdicts on one model each, the others' part in them being none.
OF_ONE_MODEL = {"information"}
#: Columns that say where a model stands among the others of the run.
AMONG_OTHERS = ("rank", "p_holm")
#: Tables that are drawn from all models together.
DRAWN_TOGETHER = {("collection", "examples"), ("robustness", "checks")}


def profile_of(*names):
    """The smoke profile with study 1 of some models, large enough for ratings by value and quickly analysed."""
    smoke = load_profile("smoke")
    block = {**smoke.studies["study1_qa"], "datasets": {"bank": {"limit": 120}}, "block_items": 60}
    general = {**{k: v for k, v in smoke.analysis.items() if "." not in k}, **SMALL}
    return dataclasses.replace(
        smoke,
        name=f"percentages-{'-'.join(names)}",
        models=names,
        studies={"study1_qa": block},
        analysis=general,
    )


def silent_api():
    """A server that answers questions, and writes no number where a percentage is asked for."""
    return ChatApi(percent="I am quite sure.")


@pytest.fixture(scope="module", autouse=True)
def committed_replies_read_once():
    """They are the same beside every run."""
    with pytest.MonkeyPatch.context() as patch:
        collected = functools.cache(functools.partial(compared_signals.collected, STUDY))
        cooled = functools.cache(functools.partial(compared_signals.cooled, STUDY))
        patch.setattr(compared_signals, "collected", lambda _: collected())
        patch.setattr(compared_signals, "cooled", lambda _, models: cooled(tuple(models)))
        yield


class Run:
    """Results of a run of some models, each made once."""

    def __init__(self, apis, folder):
        self.apis, self.folder, self.made, self.tables = apis, folder, {}, None
        self.profile = profile_of(*apis)

    def of(self, name, study=STUDY, **given):
        key = (study.name, name, *given.values())
        if key not in self.made:
            with collected(self.apis, self.profile, self.folder, "verbal", self.tables) as self.tables:
                small = {k: v for k, v in SMALL.items() if k in study.analysis(name).parameters}
                self.made[key] = shown(study, name, self.profile, **small, **given)
        return self.made[key]


@pytest.fixture(scope="module")
def silent(tmp_path_factory):
    return Run({"served": silent_api()}, tmp_path_factory.mktemp("silent"))


@pytest.fixture(scope="module")
def telling(tmp_path_factory):
    return Run({"telling": ChatApi()}, tmp_path_factory.mktemp("telling"))


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    apis = {"telling": ChatApi(), "served": silent_api()}
    return Run(apis, tmp_path_factory.mktemp("both"))


def judged(record):
    """Verdicts of a result, and what became of each rule of its table of outcomes."""
    found, table = list(getattr(record, "verdicts", ())), getattr(record, "outcomes", None)
    for name, rule in judged_by(table, STUDY.rules):
        rows = of_rule(table, name)
        open_ = rows[rows["holds"].isna()]
        told = {key: getattr(rule, key) for key in ("hypothesis", "kind", "topic")} | {"rule": rule.text}
        undecided = tuple(zip(open_["unit"], open_["why"], strict=True))
        found.append(SimpleNamespace(name=name, passed=together(table, name), undecided=undecided, **told))
    return found


def own_verdicts(record):
    """Verdicts on the run, not on published models."""
    return [
        v
        for v in judged(record)
        if v.kind is not Kind.PUBLISHED and v.topic not in ("published", "triviaqa", "nq")
    ]


def readable(sentences, texts):
    for text in (*map(str, sentences.values()), *texts):
        assert not re.search(r"\bnan\b|\b0 of 0\b|\bNone\b", text), text


@pytest.mark.parametrize("name", ON_TRIALS)
def test_as_the_only_model_it_stops_no_analysis_and_nothing_is_decided(silent, name):
    record, sentences, texts = silent.of(name)
    assert isinstance(record, STUDY.analysis(name).returns | Result)
    assert [v for v in own_verdicts(record) if v.passed is not None] == []
    readable(sentences, texts)


@pytest.mark.parametrize("name", ON_TRIALS)
def test_beside_another_it_decides_nothing_and_changes_no_number_of_the_other(both, telling, name):
    record, sentences, texts = both.of(name)
    readable(sentences, texts)
    alone, _, _ = telling.of(name)
    said = {}
    for verdict in own_verdicts(alone):
        said.setdefault((verdict.hypothesis, verdict.name, verdict.rule), []).append(verdict.passed)
    for verdict in own_verdicts(record):
        assert not verdict.passed or verdict.name in OF_ONE_MODEL, verdict
        before = said.get((verdict.hypothesis, verdict.name, verdict.rule), [None])
        assert verdict.passed in (None, *before), verdict
        if True in before and verdict.passed is None:
            assert any("served" in unit for unit, _ in verdict.undecided) or verdict.name in OF_ONE_MODEL
    compared = 0
    for field in fields_of(record):
        frames = [getattr(one, field) for one in (record, alone)]
        if (name, field) in DRAWN_TOGETHER:
            continue
        if all(isinstance(one, pd.DataFrame) and "model" in one for one in frames):
            rows, was = (one[one["model"] == "telling"].reset_index(drop=True) for one in frames)
            columns = [c for c in was if c in rows and not str(c).endswith(AMONG_OTHERS)]
            pd.testing.assert_frame_equal(rows[columns], was[columns], check_dtype=False)
            compared += len(was)
    assert compared or name in (
        "summary",
        "shared_questions",
        "instruct_base",
        "run_tables",
        "claims",
        "headline",
        "robustness",
        "h4",
    )


def test_the_pages_open_with_what_cannot_be_said_and_why(silent, both):
    for run in (silent, both):
        record, sentences, _ = run.of("signal")
        row = record.table.set_index("model").loc["served"]
        assert row["n_without"] == row["n"] > 0 and not row["coarse"]
        assert f"{SAID} served" in sentences["which"]


def test_its_cells_stand_in_the_tables_with_their_answers_counted_as_dropped(both):
    row = both.of("h1")[0].comparison.set_index("model").loc["served"]
    assert "no confidence" in row["flag"]
    assert row[["accuracy", "d_prime", "m_ratio", "m_ratio_lower"]].isna().all()
    minimums = both.of("validation")[0].minimums.query("model == 'served'")
    assert minimums["enough"].isna().all() and minimums["fewest"].isna().all()
    (domains,) = both.of("h2")[0].comparison.query("model == 'served'")["flag"].unique()
    assert domains == Flag.SILENT
    marks = both.of("collection")[0].marks
    assert (marks.loc[marks["model"] == "served", "exact"] > 0).all()  # what it knows is not lost


def test_hypotheses_say_that_it_cannot_be_judged(silent, both):
    for run in (silent, both):
        for name in ("h1", "h3", "selective", "luck"):
            units = [unit for v in own_verdicts(run.of(name)[0]) for unit in v.undecided]
            assert any("served" in one and Flag.SILENT in why for one, why in units), name
        whys = run.of("surface")[0].left.set_index("model").loc["served", "flag"]
        assert (whys == Flag.SILENT).all()
        answers = run.of("luck")[0].answers.set_index("model").loc["served"]
        assert answers["accuracy"].gt(0).all() and (answers["why"] == Flag.SILENT).all()
    headline = both.of("headline")[0].values.set_index("model")
    assert headline.loc["Served", "why"] == Flag.SILENT and np.isnan(headline.loc["Served", "estimate"])
    assert "is verbal" in headline.loc["Telling", "why"]


def test_its_own_page_says_it_too(silent):
    shared = get_study("shared")
    record, sentences, _ = silent.of("model_page", shared, model="served")
    assert record.overall.empty and record.answers.read == 0 and 0 < record.answers.right < 120
    assert sentences["answer"].startswith("No confidence")


def made(silent=True, temperatures=(0.1, 1.0), n_questions=200):
    """Trials of two models, the first of which lacks any confidence."""
    trials = simulate_trials(n_questions=n_questions, temperatures=temperatures)
    return trials.assign(nlp=trials["nlp"].mask((trials["model"] == "alpha") & silent))


def test_a_model_without_a_confidence_has_cells_without_counts_and_moves_no_other():
    trials = made()
    cells, was = (rate_trials(one).cells() for one in (trials, made(silent=False)))
    assert silent_models(trials) == ["alpha"] and silent_models(made(silent=False)) == []
    assert cells.frame[["n", "flag"]].iloc[0].tolist() == [0, Flag.SILENT]
    assert not cells.nR_S1[0].any() and not cells.nR_S2[0].any() and not cells.measurable[0]
    assert (cells.nR_S1[1] == was.nR_S1[1]).all() and (cells.nR_S2[1] == was.nR_S2[1]).all()
    table, before = estimate(cells), estimate(was)
    numbers = ["d_prime", "criterion", "meta_d", "m_ratio", "accuracy"]
    assert table.loc[0, numbers].isna().all()
    assert table.loc[1, numbers].tolist() == before.loc[1, numbers].tolist()
    by_temperature = rate_trials(trials, own_edges=True).cells(("model", "temperature"), temperature=None)
    assert (by_temperature.frame["flag"] == Flag.SILENT).tolist() == [True, True, False, False]


def all_verdicts(trials):
    """Verdicts of every rule on models whose confidence is fine enough for an M-ratio."""
    rated, few = rate_trials(trials), {"n_resamples": 100}
    run, _ = fits(rated.cells(), **few)
    _, pairs = h2.by_domain(rated, **few)
    own = rate_trials(trials, own_edges=True)
    over = [h3.over_temperatures(*one, **few)[1] for one in ((rated, h3.FIXED), (own, h3.SEPARATE))]
    tables = [
        h1.limit(run),
        h1.new_edges(run, h1.by_scheme(rated, run, **few, seed=42)),
        h2.judge(pairs[pairs["measure"] == "m_ratio"]),
        h3.judge(pd.concat(over)),
        robustness_variants.judge(*robustness_variants.checked(trials, **few), robustness_variants.OURS),
        matched(rated, n_seeds=2, n_resamples=20)[2],
        selective.judge(selective.by_coverage(trials, **few)),
    ]
    return judged(Result(outcomes=pd.concat(tables, ignore_index=True)))


def test_no_rule_about_every_model_holds_or_fails_on_its_account():
    trials = made(silent=True, temperatures=(0.3, 0.5, 0.7, 1.0), n_questions=500)
    alone = all_verdicts(trials[trials["model"] == "beta"])
    beside = all_verdicts(trials)
    assert len(alone) == len(beside) and {True, None} <= {v.passed for v in alone}
    for one, two in zip(alone, beside, strict=True):
        assert (one.hypothesis, one.name) == (two.hypothesis, two.name)
        if (
            one.hypothesis == "H2"
        ):  # asks for two models: one that fails refutes it, whatever the other would say
            assert not one.passed and not two.passed
            continue
        if one.hypothesis == "R6":  # asks for one model: what fails of one is open while another is
            assert one.passed is not True and two.passed is None
            continue
        assert two.passed is (None if one.passed else one.passed), two
        if one.passed:
            assert any("alpha" in unit and Flag.SILENT in why for unit, why in two.undecided), two


def test_a_model_silent_at_t_1_alone_has_no_ratings_anywhere_with_fixed_edges():
    trials = made(silent=False)
    quiet = (trials["model"] == "alpha") & (trials["temperature"] == 1.0)
    trials = trials.assign(nlp=trials["nlp"].mask(quiet))
    rated = rate_trials(trials).trials
    assert rated.loc[rated["model"] == "alpha", "rating"].isna().all()
    assert rated.loc[rated["model"] == "beta", "rating"].notna().mean() > 0.9
    own = rate_trials(trials, own_edges=True).trials
    heard = (own["model"] == "alpha") & (own["temperature"] == 0.1)
    assert own.loc[heard, "rating"].notna().mean() > 0.9


class SometimesApi(ChatApi):
    """Writes a percentage for one half of the questions alone."""

    def __init__(self, half):
        super().__init__()
        self.half = half
        self.order = {question: place for place, question in enumerate(sorted(self.known))}

    def text(self, body):
        asked = "\n".join(m["content"] for m in body["messages"])
        question = max(self.known, key=asked.rfind)
        made = super().text(body)
        percentage = re.fullmatch(r"\d+%", made)
        return "I am quite sure." if percentage and self.order[question] % 2 != self.half else made


@pytest.fixture(scope="module")
def by_turns(tmp_path_factory):
    apis = {"telling": SometimesApi(0), "served": SometimesApi(1)}
    return Run(apis, tmp_path_factory.mktemp("by-turns"))


@pytest.mark.parametrize("name", ON_TRIALS)
def test_two_models_with_a_percentage_for_no_same_question_stop_no_analysis(by_turns, name):
    record, sentences, texts = by_turns.of(name)
    readable(sentences, texts)
    if name == "luck":
        why = record.parts.groupby("model", sort=False)["why"].unique()
        assert [list(w) for w in why if APART in w] == [[APART]] and len(why) == 2
        assert set(record.crossings["why"]) == {APART}


def test_models_are_left_out_until_the_others_share_a_question():
    rows = [("a", 1), ("a", 2), ("a", 3), ("b", 2), ("b", 3), ("c", 4)]
    trials = pd.DataFrame(rows, columns=["model", "question_id"]).assign(temperature=0.5, score=0.5)
    assert apart(trials, 0.5) == ["c"] and apart(trials, 1.0) == []
    assert apart(trials[trials["model"] != "c"], 0.5) == []
    trials.loc[trials["model"] == "b", "score"] = np.nan
    assert apart(trials, 0.5) == ["c"] and apart(trials[trials["model"] == "a"], 0.5) == []
