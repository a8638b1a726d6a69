"""Suspected keys against people's marks. Oracles: counts from the files, made marks, and marks dealt out at random."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from simulated_frontier import frontier_trials

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.measures.pairs import excludes_zero
from metacog.sdt import auroc2, wilson
from metacog.studies.study import Result
from metacog.studies.study6_frontier import marks as page
from metacog.studies.study6_frontier.keys import keys
from metacog.studies.study6_frontier.ledger.rows import model_items
from metacog.verdicts.outcomes import together


def committed():
    return pd.read_csv(project_root() / page.MARKS, keep_default_na=False)


@pytest.fixture(scope="module")
def atlas():
    return model_items()


@pytest.fixture(scope="module")
def found(atlas):
    return page.marks(None)


def made_marks(items, labels):
    """Marks of the first items, with these labels."""
    return pd.DataFrame(
        {
            "item_id": range(len(labels)),
            "subject": items.strata[: len(labels)],
            "key": [items.answers[k] for k in items.key[: len(labels)]],
            "label": labels,
            "corrected": "",
        }
    )


def test_suspected_keys_that_people_found_wrong_are_counted():
    """Oracle: on the first 20 items all models contradict the key; people mark 12 of these wrong, and 5 sound ones."""
    items = model_items(frontier_trials(wrong_keys=20))
    labels = (
        ["wrong groundtruth"] * 12 + ["ok"] * 6 + ["expert"] * 2 + ["no correct answer"] * 5 + ["ok"] * 75
    )
    made = page.marks(None, items=items, table=made_marks(items, labels))
    rows = made.checked.set_index(["fault", "unsure", "threshold"])
    sure, unsure = (rows.loc[("wrong key", one, 0.95)] for one in ("sound", "at fault"))
    assert (sure["marked"], sure["found"], sure["faults"]) == (20, 12, 17)
    assert (unsure["found"], unsure["faults"]) == (14, 19)
    assert sure["precision"] == 12 / 20 and sure["recall"] == 12 / 17
    assert (sure["precision_lower"], sure["precision_upper"]) == pytest.approx(wilson(12 / 20, 20))
    assert (made.n_marked, made.n_sound, made.n_wrong) == (100, 81, 12)


def test_fewer_than_ten_marked_keys_say_nothing():
    items = model_items(frontier_trials(wrong_keys=9))
    made = page.marks(None, items=items, table=made_marks(items, ["wrong groundtruth"] * 9 + ["ok"] * 60))
    thin = made.checked[made.checked["marked"] < page.FEWEST]
    assert len(thin) and (thin["flag"] == "too few").all() and thin["precision"].isna().all()
    assert together(made.outcomes, "marked") is None


def test_the_counts_of_the_atlas_are_those_of_plain_numpy(atlas, found):
    """Item by item and model by model, without the measures."""
    table = committed()
    place = [atlas.items.index(f"{i:04d}") for i in table["item_id"]]
    families = np.array(atlas.families)
    for threshold in (0.5, 0.7, 0.9):
        doubted = []
        for at in place:
            given, key, against = atlas.answer[:, at], atlas.key[at], []
            for family in atlas.families:
                others = given[(families != family) & (given >= 0)]
                votes = np.bincount(others, minlength=len(atlas.answers))
                votes[key] = 0
                against.append(len(others) >= 3 and votes.max() / len(others) >= threshold - 1e-9)
            doubted.append(np.mean(against) >= 0.5)
        doubted = np.array(doubted)
        row = found.checked.set_index(["fault", "unsure", "threshold"]).loc[("wrong key", "sound", threshold)]
        bad = table["label"].isin(["wrong groundtruth", "no correct answer", "multiple correct answers"])
        assert (row["marked"], row["found"]) == (doubted.sum(), (doubted & bad).sum())
    corrected = table[table["corrected"] != ""]
    common = [
        atlas.answers[np.bincount(g[g >= 0]).argmax()]
        for g in (atlas.answer[:, atlas.items.index(f"{i:04d}")] for i in corrected["item_id"])
    ]
    assert found.n_corrected == len(corrected) == 13
    assert found.n_corrected_as_models == (corrected["corrected"] == common).sum()
    assert found.n_corrected_as_key == (corrected["key"] == common).sum()


def test_nothing_is_called_wrong_that_nobody_has_looked_at(found):
    unmarked = found.n_suspected - found.n_suspected_marked
    assert (found.checked["found"] <= found.checked[["marked", "faults"]].min(axis=1)).all()
    assert found.n_marked == found.labels["items"].sum() == 570
    assert unmarked == page.numbers(found)["n_unmarked"] > 0


def test_the_change_on_sound_items_and_its_error_are_those_of_leaving_items_out(atlas, found):
    """Oracles: both areas from the definition, and the jackknife over items."""
    table = committed()
    place = np.array([atlas.items.index(f"{i:04d}") for i in table["item_id"]])
    sound = (table["label"] == "ok").to_numpy()
    i = atlas.models.index("GPT-oss-20B")
    hits, sure = atlas.right[i, place], atlas.confidence[i, place]
    row = found.sound.set_index("model").loc["GPT-oss-20B"]

    def change(left_out=None):
        kept = np.ones(len(place), dtype=bool)
        kept[left_out if left_out is not None else []] = False
        parts = [kept & sound, kept]
        areas = [auroc2(hits[part], sure[part]) for part in parts]
        return np.array([areas[0] - areas[1], hits[parts[0]].mean() - hits[parts[1]].mean()])

    n = len(place)
    without = np.array([change(k) for k in range(n)])
    errors = np.sqrt((n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    for name, value, error in zip(("auroc2", "accuracy"), change(), errors, strict=True):
        assert row[f"{name}_change"] == pytest.approx(value, abs=1e-12)
        half = (row[f"{name}_change_upper"] - row[f"{name}_change_lower"]) / 2
        assert half == pytest.approx(2.02 * error, rel=0.06)


def test_marks_dealt_out_at_random_make_no_verdict(atlas):
    """Without a tie between marks and answers, at most one run in twenty says anything of models on sound items."""
    rng, table, said, named = np.random.default_rng(0), committed(), [], []
    known = page.marks_of(atlas, table)
    checked = page.checked_of(atlas, known)
    few = atlas.kept(
        models=["Opus 4.6", "Sonnet 4", "GPT-oss-20B", "Gemini 3 Flash", "Qwen Think", "DeepSeek-R1"]
    )
    for _ in range(100):
        dealt = known.assign(label=rng.permutation(known["label"]))
        sound, _ = page.sound_of(few, dealt)
        said.append(together(page.judge(checked, sound), "sound"))
        named.append((sound["p_holm"] < page.ALPHA).any())
        alone = (sound["p"] < 0.05).to_numpy()
        assert (alone == excludes_zero(sound["auroc2_change_lower"], sound["auroc2_change_upper"])).all()
    assert np.mean([one is not None for one in said]) <= 0.05
    assert np.mean(named) <= 0.08  # of any of six models a rise or a fall: two errors of 100 runs above .04


def test_an_even_chance_of_a_wrong_key_is_seldom_called_most():
    """Oracle: the binomial distribution of 27 marked keys, of which each is wrong with one half."""
    k = np.arange(28)
    above = np.array([wilson(one / 27, 27)[0] > 0.5 for one in k])
    assert binom.pmf(k, 27, 0.5)[above].sum() <= 0.05


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: pd.concat([t, t.head(1)]), "stand twice"),
        (lambda t: t.assign(item_id=t["item_id"] + 5000), "of no item"),
        (lambda t: t.assign(label="dubious"), "unknown label"),
        (lambda t: t.assign(key="Z"), "another subject or key"),
        (lambda t: t.assign(subject="law"), "another subject or key"),
    ],
)
def test_marks_that_do_not_fit_are_refused(atlas, change, message):
    with pytest.raises(MetacogError, match=message):
        page.marks_of(atlas, change(committed()))


def test_the_mean_change_of_the_best_is_that_of_leaving_items_out(atlas, found):
    """Oracle: the jackknife over marked items of the mean change, each area from the definition."""
    best = found.sound[found.sound["best"]]
    assert set(best["model"]) == set(keys(None).best["model"])
    judged = best.loc[best["flag"] == "", "model"]
    assert found.n_best == len(judged) == 9
    table = committed()
    place = np.array([atlas.items.index(f"{i:04d}") for i in table["item_id"]])
    sound = (table["label"] == "ok").to_numpy()

    def change(left_out=None):
        kept = np.ones(len(place), dtype=bool)
        kept[left_out if left_out is not None else []] = False
        changes = []
        for model in judged:
            i = atlas.models.index(model)
            there = kept & atlas.answered[i, place]
            areas = [
                auroc2(atlas.right[i, place[part]].astype(bool), atlas.confidence[i, place[part]])
                for part in (there & sound, there)
            ]
            changes.append(areas[0] - areas[1])
        return 100 * np.mean(changes)

    n = len(place)
    without = np.array([change(k) for k in range(n)])
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    assert found.best_change == pytest.approx(change(), abs=1e-9)
    half = (found.best_change_upper - found.best_change_lower) / 2
    assert half == pytest.approx(2.18 * error, rel=0.1)


def test_numbers_of_the_page_are_those_of_the_tables(found):
    told = page.numbers(found)
    assert told["wrong_share"] == pytest.approx(1000 / 27) and told["n_elsewhere"] == 543
    assert told["n_wrong_elsewhere"] == 10 and (told["n_rise"], told["n_fall"]) == (0, 0)
    sure = found.sound.assign(p_holm=np.where(found.sound.index < 3, 0.01, 1))
    assert page.numbers(Result({**found, "sound": sure}))["n_rise"] == 3
    items = model_items(frontier_trials(wrong_keys=0))
    none = page.marks(None, items=items, table=made_marks(items, ["ok"] * 10))
    assert none.n_best == 0 and np.isnan(page.numbers(none)["wrong_share"])
