"""One paper with one command: its profile, a share of its items, and what it would take where nothing is here yet."""

import dataclasses

import pytest
from click.testing import CliRunner
from stub_engine import StubEngine

from metacog.cli import main
from metacog.collect import known_sets, whole_paper
from metacog.collect.estimate import estimate, file_size, in_shards, probed_model
from metacog.collect.jobs import Target, targets
from metacog.collect.known_sets import standing_in
from metacog.collect.models import get_model
from metacog.collect.plan import make_plan, with_sets
from metacog.collect.questions import load_questions
from metacog.collect.shares import shared_out
from metacog.collect.whole_paper import keep, paper_profile
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study

STUDIES = ("study1_qa", "study2_two_choice", "study3_dmc", "study4_probe", "study5_battery")
MODEL = "smollm2-135m"


@pytest.fixture
def nothing_here(monkeypatch, tmp_path):
    """No publisher's file: neither in a folder of data nor in the cache."""
    monkeypatch.setattr(known_sets, "data_home", lambda: None)
    monkeypatch.setattr(known_sets, "in_cache", lambda *parts: tmp_path.joinpath(*parts))


def test_a_share_is_drawn_by_name_so_that_a_part_of_the_items_shares_out_the_same():
    items = [_Item(f"q{n}") for n in range(4000)]
    kept = shared_out(items, 0.1, 42, lambda item: ("", item.id))
    assert 330 < len(kept) < 470 and list(kept) == [one for one in items if one in set(kept)]
    half = shared_out(items[::2], 0.1, 42, lambda item: ("", item.id))
    assert set(half) == set(kept) & set(items[::2])
    assert shared_out(items, 0.1, 43, lambda item: ("", item.id)) != kept


def test_a_share_keeps_two_of_every_stratum_and_whole_groups():
    items = [_Item(f"{stratum}{n}.{side}") for stratum in "abc" for n in range(9) for side in "lr"]
    kept = shared_out(items, 1e-9, 7, lambda item: (item.id[0], item.id[:2]))
    assert [sum(one.id[0] == s for one in kept) for s in "abc"] == [4, 4, 4]
    assert all({f"{one.id[:3]}l", f"{one.id[:3]}r"} <= {k.id for k in kept} for one in kept)
    assert shared_out([], 0.5, 7, lambda item: ("", item.id)) == ()


@dataclasses.dataclass(frozen=True)
class _Item:
    id: str


def test_a_share_of_the_default_profile_asks_the_same_questions_in_both_collections():
    profile = load_profile("default")
    plans = [
        make_plan(get_study("study1_qa"), name, dataclasses.replace(profile, share=share), MODEL, "bank")
        for share in (1.0, 0.2)
        for name in ("open", "draws")
    ]
    whole, draws, part, part_of_draws = ({item.id for item in plan.items} for plan in plans)
    assert part < whole and part_of_draws == draws & part and plans[0].config_hash != plans[2].config_hash


@pytest.mark.parametrize("study", STUDIES)
def test_every_paper_has_a_plan_at_full_size_without_a_file_of_its_publishers(study, nothing_here):
    found = paper_profile(study, [MODEL])
    assert found.models == (MODEL,) and list(found.studies) == [study] and found.shards == 8
    paper = {
        "study1_qa": {("open", "bank for triviaqa"): 5000, ("open", "bank for nq-open"): 3000},
        "study2_two_choice": {("warned", "C-origin for oral-written"): 10000},
        "study3_dmc": {
            ("single", "bank for commonsenseqa"): 2 * 4 * 1221,
            ("single", "generated-boolean for bbh-boolean-expressions"): 2 * 250,
        },
        "study4_probe": {("probe", "probe-v1"): 78},
        "study5_battery": {("battery", "form-1"): 524},
    }[study]
    with standing_in() as names:
        todo = targets(get_study(study), with_sets(found, names))
        plans = {key: list(one.plans()) for one in todo if (key := (one.collection, one.dataset)) in paper}
    assert {key: sum(len(p.shard_numbers) for p in every) for key, every in plans.items()} == paper


def test_stand_ins_are_known_in_a_dry_run_alone_and_only_for_what_is_not_here(
    nothing_here, monkeypatch, tmp_path
):
    with standing_in() as names:
        assert names["triviaqa"] == "bank for triviaqa"
        ids = [one.id for one in load_questions("bank for triviaqa")]
        assert len(ids) == len(set(ids)) == 87622
    with pytest.raises(MetacogError, match="no question set 'bank for triviaqa'"):
        load_questions("bank for triviaqa")
    (tmp_path / "data" / "triviaqa").mkdir(parents=True)
    (tmp_path / "data" / "triviaqa" / "unfiltered.nocontext-train.parquet").touch()
    with standing_in() as names:
        assert "triviaqa" not in names and "nq-open" in names


def test_a_model_that_is_not_here_is_timed_by_another_and_the_sizes_of_their_files(tmp_path):
    """The same probe, as a model of this machine and as one that is so many times its size."""
    other = dataclasses.replace(
        get_model(MODEL), name="large", source={"hub": {"repo": "a/b", "file": "c.gguf"}}, size=10**10
    )
    small, times = probed_model(other)
    assert (small.name, times) == (MODEL, 1e10 / file_size(get_model(MODEL)))
    assert probed_model(small) == (small, 1.0)
    opened = []

    def opener(entry, settings):
        opened.append(entry.name)
        return StubEngine()

    plan = make_plan(get_study("study1_qa"), "open", load_profile("smoke"), other, "bank")
    found = estimate(plan, tmp_path, opener)
    assert opened == [MODEL] and found.probed == MODEL
    assert found.seconds == pytest.approx(40 / found.items_per_second) and found.memory >= 1e10
    assert f"in a probe of 10 items of {MODEL}, by the sizes of both files" in found.text()
    unknown = dataclasses.replace(plan, entry=dataclasses.replace(other, size=None))
    assert "cannot be told without the size" in estimate(unknown, tmp_path, opener).text()


def test_one_shard_is_probed_and_the_others_go_by_it(tmp_path):
    studies = load_profile("smoke").studies
    studies["study1_qa"]["block_items"] = 7
    profile = dataclasses.replace(load_profile("smoke"), shards=3, studies=studies)
    plans = list(Target(get_study("study1_qa"), "open", profile, MODEL, "bank", runs=tmp_path).plans())
    opened = []

    def opener(entry, settings):
        opened.append(entry)
        return StubEngine()

    first = estimate(plans[0], tmp_path, opener)
    found = [first, *(estimate(plan, tmp_path, opener, first) for plan in plans[1:])]
    together = in_shards(found)
    assert len(opened) == 1 and together.n_items == 40 and together.answers == 80
    whole = first.n_items / 40
    assert together.seconds == pytest.approx(first.seconds / whole)
    assert together.takes.written == pytest.approx(first.takes.written / whole, abs=2)


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """Profiles are written elsewhere."""
    place = whole_paper._file
    monkeypatch.setattr(
        whole_paper, "_file", lambda name: place(name) if name == "paper" else tmp_path / f"{name}.yaml"
    )
    return tmp_path


def test_the_profile_is_kept_once_and_then_goes_by_its_file(kept):
    found, said = paper_profile("study1_qa", [MODEL], 0.01, {"triviaqa": "bank"}), []
    assert (found.name, found.shards, found.share) == (f"paper-study1_qa-{MODEL}-0.01", 1, 0.01)
    assert found.studies["study1_qa"]["datasets"] == {"bank": {"limit": 5000}, "nq-open": {"limit": 3000}}
    keep(found, said.append)
    assert load_profile(str(kept / f"{found.name}.yaml")) == found
    file = kept / f"{found.name}.yaml"
    file.write_text(file.read_text().replace("max_tokens: 64", "max_tokens: 32"))
    again = paper_profile("study1_qa", [MODEL], 0.01)
    keep(again, said.append)
    assert again.studies["study1_qa"]["max_tokens"] == 32 and "as it stands" in said[-1]
    assert paper_profile("study1_qa", [MODEL], 0.01, {"triviaqa": "bank"}) == again
    with pytest.raises(MetacogError, match="asks 'nq-open' already: write 'bank' there, or delete that file"):
        paper_profile("study1_qa", [MODEL], 0.01, {"nq-open": "bank"})


def test_items_of_somebody_else_are_asked_beside_the_papers_own(tmp_path):
    table = tmp_path / "theirs.csv"
    table.write_text("id,track,item_type,question,key,option_a,option_b\nx1,T1,world,Is it?,B,Yes,No\n")
    found = paper_profile("study5_battery", [MODEL], items=str(tmp_path))
    assert found.name == f"paper-study5_battery-{MODEL}-{tmp_path.name}"
    asked = targets(get_study("study5_battery"), found)
    numbers = {one.dataset: sum(len(plan.shard_numbers) for plan in one.plans()) for one in asked}
    assert numbers == {"form-1": 524, tmp_path.name: 1}


def test_what_cannot_be_is_said_in_a_line(kept):
    def said(*words):
        return CliRunner().invoke(main, ["collect", *words]).output

    assert "there is no paper 'study9'; there are: study1_qa" in said("--paper", "study9")
    assert "no model 'gpt'" in said("--paper", "study1_qa", "--model", "gpt")
    wrong = said("--paper", "study1_qa", "--model", MODEL, "--instead", "sst2=bank")
    assert "study1_qa asks no question set 'sst2'" in wrong
    twice = said("--paper", "study1_qa", "--instead", "triviaqa=nq-open")
    assert "asks 'nq-open' already" in twice
    assert "write SET=OTHER" in said("--paper", "study1_qa", "--instead", "bank")
    assert "--share, --instead and --items go with --paper" in said("--share", "0.5")
    assert "there is no file or folder nowhere" in said("--paper", "study5_battery", "--items", "nowhere")
    assert "there is no setting items" in said("--paper", "study4_probe", "--items", "tests")
    assert "--share asks fewer items" in said("--paper", "study1_qa", "--limit", "3")
    assert not list(kept.iterdir())
