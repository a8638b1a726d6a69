"""A chat API without log-probabilities, from its first question to the pages. Oracle: the scripted server."""

from __future__ import annotations

import dataclasses
import re
from contextlib import ExitStack, contextmanager

import pandas as pd
import pytest
from scripted_chat import ChatApi, connect, entry

from metacog.collect import jobs, models
from metacog.collect.manifest import LEFT_OUT, Manifest
from metacog.collect.plan import with_signal
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.measures.cell import MIN_PARSED
from metacog.studies import get_study, results, trials
from metacog.studies.study1_qa.cells import RUN
from metacog.studies.view import View, views_of
from metacog.verdicts.outcomes import judged_by

ASKED = ("study1_qa", "study2_two_choice", "study3_dmc", "study4_probe", "study5_battery")
STUDY_2 = get_study("study2_two_choice")
#: Analyses of study 1 that rest on what is collected.
ON_TRIALS = (
    "signal",
    "collection",
    "validation",
    "h1",
    "h2",
    "h3",
    "h4",
    "robustness",
    "selective",
    "luck",
    "correction_replication",
    "summary",
)
SMALL = {
    "n_resamples": 40,
    "n_permutations": 40,
    "n_matched_resamples": 40,
    "n_draws": 50,
    "n_warmup": 50,
    "n_panels": 20,
    "n_cuts": 1,
    "verdicts": True,
}


@pytest.fixture(scope="module", params=["agreement", pytest.param("verbal", marks=pytest.mark.real)])
def run(request, tmp_path_factory):
    """Two models of one profile, both collected from the server; the second tells its percentages coarsely."""
    runs = tmp_path_factory.mktemp(request.param)
    smoke = load_profile("smoke")
    block = {**smoke.studies["study1_qa"], "datasets": {"bank": {"limit": 140}}, "block_items": 70}
    ways = {
        **smoke.studies["study3_dmc"],
        "n_questions": 20,
        "n_repeated": 16,
        "n_written": 16,
        "block_items": 20,
    }
    general = {**{k: v for k, v in smoke.analysis.items() if "." not in k}, **SMALL}
    profile = dataclasses.replace(
        smoke,
        name=f"without-{request.param}",
        models=("served",),
        studies={**{name: smoke.studies[name] for name in ASKED}, "study1_qa": block, "study3_dmc": ways},
        analysis=general,
    )
    with collected(ChatApi(), profile, runs, request.param) as tables:
        yield request.param, profile, tables, runs


@contextmanager
def collected(api, profile, runs, signal="agreement", tables=None):
    """Tables of trials of a profile's studies by study and collection, where analyses find them meanwhile.

    ``api`` is the server, or the server of each model by name; ``tables`` what was collected before, so that nothing
    is asked.
    """
    served = api if isinstance(api, dict) else {"served": api}
    entries = {name: entry(name=name, label=name.title(), confidence=signal) for name in served}
    known = {**models.load_models(), **entries}
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(models, "load_models", lambda: known)
        engines, asked = {}, () if tables else profile.studies
        if asked:
            engines = {name: stack.enter_context(connect(one)) for name, one in served.items()}
        tables = tables or {}
        for name in asked:
            study = get_study(name)
            for target in jobs.targets(study, profile, runs=runs):
                for plan in target.plans():
                    collect(plan, plan.folder(runs), engine=engines[target.model], progress=False)
                table = runs / f"{name}.{target.collection}" / f"{target.model}.{target.dataset}.parquet"
                target.write(table)
                tables.setdefault((name, target.collection), []).append(table)

        def files(study, profile, collection, model=""):
            owner = trials.owner_of(study, collection)
            own = tables.get((owner.name, collection), [])
            return [table for table in own if table.name.startswith(f"{model}." if model else "")]

        patch.setattr(trials, "trial_files", files)
        patch.setattr(
            results, "trial_files", lambda *_: []
        )  # files beyond the project are no inputs of a key
        patch.setattr(
            results,
            "folder_of",
            lambda study, profile, analysis, parameters: runs / study.name / analysis.name,
        )
        yield tables


def shown(study, name, profile, **given):
    """A result as a chapter shows it, all of it; made once, whoever needs it first."""
    record = results.result(study, profile, study.analysis(name), given)
    view = View(record, views_of(study, name))
    judged = judged_by(getattr(record, "outcomes", None), study.rules)
    texts = [view.views.outcome(rule, record) for rule, _ in judged]
    return record, view.sentences(), texts


def test_every_collection_is_made_and_forced_decoding_alone_is_left_out(run):
    signal, _profile, tables, runs = run
    rows = {place: sum(len(pd.read_parquet(f)) for f in files) for place, files in tables.items()}
    assert rows.pop(("study1_qa", "forced")) == 0 and all(rows.values())
    stored = [Manifest.stored(path.parent) for path in runs.rglob("manifest.json")]
    left = [one for one in stored if one["status"] == LEFT_OUT]
    assert [one["config"]["collection"] for one in left] == ["forced"]
    assert "token log-probabilities" in left[0]["left_out"]
    answers = pd.read_parquet(tables["study1_qa", "open"][0])
    assert set(answers["signal"]) == {signal} and answers["nlp"].isna().all()
    assert answers["confidence"].notna().all() and answers["confidence"].nunique() > 2
    battery = pd.read_parquet(tables["study5_battery", "battery"][0])
    assert set(battery["form"]) == {"parsed"} and (battery["parse_status"] == "ok").mean() > 0.5


@pytest.mark.parametrize("name", ON_TRIALS)
def test_study_1_runs_on_the_signal_and_says_which(run, name):
    signal, profile, _, _ = run
    record, sentences, _texts = shown(get_study("study1_qa"), name, profile)
    if name == "signal":
        words = {"agreement": "share of further answers", "verbal": "percentage that the model writes"}
        assert words[signal] in sentences["which"] and "of NLP" in sentences["which"]
        (row,) = record.table.to_dict("records")
        assert row["n_without"] == 0 and row["coarse"] and "no M-ratio" in sentences["which"]
    if name == "robustness":
        assert record.forced.empty
    if name == "h1":
        own = record.comparison[record.comparison["source"] == RUN]
        assert own["m_ratio"].isna().all() and (own["flag"] == "coarse signal").all()
    if name == "correction_replication":
        assert record.measures["auroc2"].notna().all() and record.measures["meta_i2r"].notna().all()


@pytest.mark.parametrize("run", ["agreement"], indirect=True)
@pytest.mark.parametrize(
    ("study", "name"),
    [
        (study, one.name)
        for study in map(get_study, ASKED[1:])
        for one in study.analyses
        if results.rests_on_trials(study, one)
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_every_analysis_of_the_other_studies_can_be_made_and_shown(run, study, name):
    _, profile, _, _ = run
    small = {k: v for k, v in SMALL.items() if k in study.analysis(name).parameters}
    record, sentences, _texts = shown(study, name, profile, **small)
    assert isinstance(record, study.analysis(name).returns)
    assert not any("{" in text for text in sentences.values())


@pytest.fixture(
    scope="module",
    params=[{"sure": "I could not say."}, {"sure": "1", "alike": True}],
    ids=["no digit", "one decision and one digit"],
)
def weak(request, tmp_path_factory):
    """Study 2 of a model from whose confidence nothing can be judged."""
    profile = profile_of("study2_two_choice")
    with collected(ChatApi(**request.param), profile, tmp_path_factory.mktemp("weak")) as tables:
        yield request.param, profile, tables


def profile_of(*names):
    """The smoke profile with some studies of the served model alone, quickly analysed."""
    smoke = load_profile("smoke")
    return dataclasses.replace(
        smoke,
        name="weak",
        models=("served",),
        studies={name: smoke.studies[name] for name in names},
        analysis={**{k: v for k, v in smoke.analysis.items() if "." not in k}, **SMALL},
    )


@pytest.mark.parametrize(
    "name", [one.name for one in STUDY_2.analyses if results.rests_on_trials(STUDY_2, one)]
)
def test_a_model_that_says_nothing_of_its_confidence_stops_no_analysis(weak, name):
    """Oracle: no cell of these trials has two ratings, or two decisions of one."""
    said, profile, tables = weak
    trials = pd.concat([pd.read_parquet(f) for f in tables["study2_two_choice", "confidence"]])
    assert trials["rating"].dropna().unique().tolist() == ([1] if "alike" in said else [])
    small = {k: v for k, v in SMALL.items() if k in STUDY_2.analysis(name).parameters}
    record, sentences, texts = shown(STUDY_2, name, profile, **small)
    assert isinstance(record, STUDY_2.analysis(name).returns)
    if name == "replication_ratings":
        why = "the same decision and the same rating" if "alike" in said else "no reply has both a decision"
        assert why in record.unfitted["why"].iloc[0]
    if name == "replication_posterior":
        assert record.cells.empty
    for text in (*sentences.values(), *texts):
        assert not re.search(r"\bnan\b|\b0 of 0\b", text)


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    """Three studies of a model that writes the same useless words to whatever it is asked."""
    profile = profile_of("study3_dmc", "study4_probe", "study5_battery")
    with collected(ChatApi(lost=True), profile, tmp_path_factory.mktemp("lost")):
        yield profile


@pytest.mark.parametrize(
    ("study", "name"),
    [
        (study, one.name)
        for study in map(get_study, ("study3_dmc", "study4_probe", "study5_battery"))
        for one in study.analyses
        if results.rests_on_trials(study, one)
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_a_model_that_is_never_understood_stops_no_analysis(lost, study, name):
    small = {k: v for k, v in SMALL.items() if k in study.analysis(name).parameters}
    record, sentences, _texts = shown(study, name, lost, **small)
    assert isinstance(record, study.analysis(name).returns)
    assert not any(re.search(r"\bnan\b", text) for text in sentences.values())
    if name == "replication_monitoring":
        assert record.outcomes["holds"].isna().all() and record.outcomes["why"].str.len().gt(0).any()


@pytest.mark.parametrize("run", ["agreement"], indirect=True)
def test_study_3_judges_the_ways_that_need_no_log_probabilities_and_says_why_not_the_others(run):
    """Oracle: which ways are made of text alone; the paper's way of every model is among them."""
    _, profile, tables, _ = run
    trials = pd.concat([pd.read_parquet(f) for f in tables["study3_dmc", "single"]])
    assert set(trials["form"]) == {"parsed", "scored"}  # decoding entropy is named by what it would be
    study = get_study("study3_dmc")
    record, _, _ = shown(study, "signals", profile, n_resamples=100)
    pooled = record.pooled.set_index(["method", "form"])
    for way in (("verbal_vanilla", "parsed"), ("verbal_topk", "parsed"), ("verbal_cot", "written")):
        assert pooled.loc[way, "parsed"] >= MIN_PARSED and not pooled.loc[way, "why"], way
    for method in ("token_probability", "p_true", "decoding_entropy"):
        rows = pooled.loc[[method]]  # those without a decision are named by what they would be
        told = rows["why"].str.extract(r"^0 of (\d+) replies could be parsed")[0].astype(int)
        assert (rows["parsed"] == 0).all() and told.sum() == 40
    ranked = set(record.ranking["name"])
    assert "Consistency, self-random (parsed)" in ranked and not any("P(True)" in name for name in ranked)
    replication, _, _ = shown(study, "replication", profile, n_resamples=100, n_permutations=50)
    assert set(replication.grid["form"]) == {"parsed"} and replication.grid["method"].nunique() == 3
    headline, _, _ = shown(study, "headline", profile)
    mine = headline.values[~headline.values["published"]]
    assert len(mine) == 1 and (mine["estimate"].notna() | (mine["why"] != "")).all()


def test_the_model_page_says_what_its_server_cannot_do_and_what_confidence_is(run):
    signal, profile, _, _ = run
    shared = get_study("shared")
    record, sentences, _ = shown(
        shared, "model_page", profile, model="served", n_resamples=100, n_permutations=50
    )
    assert {"agreement": "further answers", "verbal": "percentage"}[signal] in sentences["confidence_is"]
    assert "given texts" in sentences["abilities"] and len(record.effects) >= 3
    assert record.effects["effect"].str.contains("forced|choices|entropy").sum() >= 3


def test_a_headline_has_no_place_among_models_of_another_signal(run):
    signal, profile, _, _ = run
    record, _, _ = shown(get_study("study1_qa"), "headline", profile)
    mine = record.values[~record.values["published"]]
    assert mine["estimate"].notna().all() and mine["why"].str.contains(f"confidence is {signal}").all()
    assert (record.values.loc[record.values["published"], "why"] == "").all()


def test_the_command_takes_a_signal_for_one_collection(run, tmp_path):
    _, profile, _, _ = run
    study = get_study("study1_qa")
    for name in ("verbal", "agreement"):
        (target,) = jobs.targets(
            study, with_signal(profile, [study], name), collections=["open"], runs=tmp_path
        )
        (plan,) = target.plans()
        assert plan.settings.signal == name
