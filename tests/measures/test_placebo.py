"""Another family's confidence in the place of a model's own. Oracles: copies, and models whose knowledge is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from crowd_observers import leaderboard as items

from metacog.measures.placebos import placebos
from metacog.measures.remainder import ONE_FAMILY, own_parts, remainder
from metacog.sdt.item_ease import item_response
from metacog.sdt.resampling import weight_chunks

FEW = {"n_resamples": 200}
FAR = "family 6/model 32"


def test_one_that_reads_what_others_read_has_no_more_than_they():
    """Confidence that all families share leaves something in every place, and nothing more in a model's own."""
    made = items("two difficulties", n_items=600)
    same = replace(made, confidence=np.repeat(made.confidence[made.models.index(FAR)][None], 33, axis=0))
    (row,) = remainder(same, models=[FAR], **FEW).itertuples()
    assert row.corrected_lower > 0 and row.placebo > 0.05
    assert row.own_less_placebo == pytest.approx(0, abs=1e-12) == row.own_less_best
    assert row.own_less_placebo_lower == pytest.approx(0, abs=1e-9)


def test_two_difficulties_are_not_taken_for_self_knowledge():
    """A model whose blend of them lies far from the others' beats its placebos; the others' blends say as much."""
    (row,) = remainder(items("two difficulties"), models=[FAR], **FEW).itertuples()
    assert row.corrected_lower > 0 and row.own_less_placebo_lower > 0 and row.added_lower > 0
    assert row.blend_lower < 0.002


@pytest.mark.parametrize("noise", [1.0, 2.0])
def test_how_plausible_anybody_finds_the_answer_given_is_not_taken_for_self_knowledge(noise):
    """It beats every placebo, which says how plausible another answer is; who gave this same answer says as much."""
    made = items("plausible answers", noise=noise)
    for row in remainder(made, models=["family 3/model 19", "family 1/model 7"], **FEW).itertuples():
        assert row.own_less_placebo_lower > 0 and row.added > 0.005
        assert row.blend_lower < 0 and row.blend < row.added / 3
    for part in own_parts(made, models=["family 1/model 7"]):
        assert part.gains["blend"].mean() < part.gains["added"].mean() / 3


def test_the_plausibility_of_the_question_is_in_every_other_s_confidence_too():
    (row,) = remainder(
        items("plausible questions", noise=1.0), models=["family 1/model 7"], **FEW
    ).itertuples()
    assert abs(row.own_less_placebo) < 0.02 and row.blend_lower < 0


def test_where_answers_are_not_known_nothing_is_said_of_the_same_answer():
    made = replace(items("own state", n_items=400), answer=None, key=None)
    (row,) = remainder(made, models=["family 1/model 7"], **FEW).itertuples()
    assert np.isfinite(row.added) and np.isnan([row.blend, row.blend_lower, row.blend_upper]).all()
    (part,) = own_parts(made, models=["family 1/model 7"])
    assert "added" in part.gains and "blend" not in part.gains


def test_one_that_knows_itself_has_more_than_any_other():
    (row,) = remainder(items("own state"), models=["family 3/model 19"], **FEW).itertuples()
    assert abs(row.placebo) < 0.05 and row.own_less_best_lower > 0 and row.added_lower > 0
    assert row.own_less_placebo == pytest.approx(row.corrected, abs=0.05)
    assert row.placebo < row.placebo_best and row.own_less_best < row.own_less_placebo
    assert row.n_placebos == row.n_others == 28 and row.why_no_placebo == ""


def test_the_family_of_a_placebo_is_out_of_the_count():
    """Own and placebo are compared in strata that its family has no part in."""
    made = items("mixture", n_items=300)
    asked = []

    def without(family: str) -> tuple[np.ndarray, np.ndarray, None]:
        asked.append(family)
        left = np.array([f not in (family, "family 3") for f in made.families])
        return made.right[left].sum(axis=0).astype(int), item_response(made.right[left]).posterior, None

    own = made.models.index("family 3/model 19")
    others = [
        (m, f, made.confidence[i]) for i, (m, f) in enumerate(zip(made.models, made.families, strict=True))
    ]
    others = [one for one in others if one[1] in ("family 1", "family 2")]
    hits = made.right[own] > 0
    found = placebos(hits, made.confidence[own], others, without)
    assert asked == ["family 1", "family 2"] and found.names == tuple(one[0] for one in others)
    assert len(set(np.round(found.own, 9))) == 2  # one for each family that is left out
    flipped = replace(
        made, right=np.where(np.array(made.families)[:, None] == "family 1", 1 - made.right, made.right)
    )
    made = flipped
    again = placebos(hits, flipped.confidence[own], others[:3], without)
    np.testing.assert_allclose(again.other, found.other[:3])


def test_intervals_are_those_of_resampled_items():
    """First derivatives against answers that are really drawn again."""
    made = items("mixture", n_items=800)
    own, place = made.models.index("family 1/model 7"), made.models.index("family 3/model 19")
    left = np.array([f not in ("family 1", "family 3") for f in made.families])
    count, posterior = made.right[left].sum(axis=0).astype(int), item_response(made.right[left]).posterior
    hits = made.right[own] > 0
    found = placebos(
        hits,
        made.confidence[own],
        [("p", "f", made.confidence[place])],
        lambda family: (count, posterior, None),
    )
    from metacog.sdt.ease_alone import EaseAlone
    from metacog.sdt.within_strata import StratifiedAnswers

    weights = np.vstack(list(weight_chunks(800, 400, 3, 800)))
    draws = []
    for sure in (made.confidence[own], made.confidence[place]):
        whole = StratifiedAnswers.of(hits, sure, count), EaseAlone(posterior, hits, sure, count)
        draws.append(whole[0].areas(weights) - whole[1].areas(weights))
    told = found.summary(weights, 200)
    half = float(told["own_less_placebo_upper"]) - float(told["own_less_placebo"])  # type: ignore[arg-type]
    assert half / 1.97 == pytest.approx((draws[0] - draws[1]).std(ddof=1), rel=0.05)


def test_without_two_other_families_there_is_no_placebo_and_no_number():
    made = items("mixture", n_items=400)
    two = made.kept(models=[m for m in made.models if m.startswith(("family 1", "family 3"))])
    (row,) = remainder(two, models=["family 1/model 7"], **FEW).itertuples()
    assert row.n_placebos == 0 and row.why_no_placebo == ONE_FAMILY
    assert np.isnan(row.own_less_placebo) and np.isnan(row.placebo) and np.isfinite(row.corrected)


def test_a_large_table_has_fewer_placebos(monkeypatch):
    monkeypatch.setattr("metacog.measures.remainder.MOST_PLACED", 10 * 33 * 400)
    (row,) = remainder(items("mixture", n_items=400), models=["family 1/model 7"], **FEW).itertuples()
    assert row.n_placebos == 10 and row.n_others == 25


def test_of_many_items_remainders_are_nearly_those_of_few(monkeypatch):
    made, models = items("mixture", n_items=900), ["family 1/model 7", "family 3/model 2"]
    names = [m for m in models if m in made.models]
    exact = remainder(made, models=names, information=False, **FEW)
    monkeypatch.setattr("metacog.measures.remainder.LARGE", 100)
    quick = remainder(made, models=names, information=False, **FEW)
    for column in ("within", "by_difficulty", "corrected", "own_less_placebo"):
        np.testing.assert_allclose(quick[column], exact[column], atol=0.005)
        widths = [
            found[f"{column}_upper"] - found[f"{column}_lower"]
            for found in (quick, exact)
            if column != "by_difficulty"
        ]
        assert not widths or np.allclose(widths[0] / widths[1], 1, atol=0.25)


def by_item(patch):
    """Cells of no width: each item by itself, as in a small table."""
    patch.setattr("metacog.measures.remainder.CELLS", 0)


def test_cells_of_about_equally_easy_items_leave_the_values_as_they_are(monkeypatch):
    made, models = items("two difficulties"), [FAR, "family 1/model 7"]
    quick = list(own_parts(made, models=models))
    by_item(monkeypatch)
    for one, other in zip(own_parts(made, models=models), quick, strict=True):
        assert one.model == other.model and one.kept.all() and one.placebos.names == other.placebos.names
        gap, again = (np.median(p.placebos.own - p.placebos.other) for p in (one, other))
        assert 0 < abs(gap - again) < 5e-4
        spread, near = (
            np.linalg.norm(p.placebos.own_influence - p.placebos.other_influence, axis=1)
            for p in (one, other)
        )
        np.testing.assert_allclose(near, spread, rtol=0.01)
        for name in ("information", "beyond", "added", "blend"):
            assert other.gains[name].mean() == pytest.approx(one.gains[name].mean(), abs=5e-4)


def test_parts_by_item_are_those_that_the_table_sums_up(monkeypatch):
    made = items("mixture", n_items=400)
    (row,) = remainder(made, models=["family 1/model 7"], **FEW).itertuples()
    by_item(monkeypatch)
    (own,) = own_parts(made, models=["family 1/model 7"])
    assert np.median(own.placebos.own - own.placebos.other) == pytest.approx(row.own_less_placebo, abs=1e-12)
    for name in ("information", "beyond", "added", "blend"):
        assert own.gains[name].mean() == pytest.approx(getattr(row, name), abs=1e-12)


def test_the_models_that_stand_as_others_can_be_named():
    made = items("mixture", n_items=300)
    named = [m for m, f in zip(made.models, made.families, strict=True) if f in ("family 2", "family 4")]
    (found,) = own_parts(made, models=["family 1/model 7"], others=named, information=False)
    assert set(found.placebos.names) == set(named) and found.gains == {}
