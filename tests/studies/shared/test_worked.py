"""The worked table. Oracles: published figures, closed forms, and what each alteration must leave alone."""

import numpy as np
import pytest

from metacog.sdt import brier_decomposition, ece
from metacog.studies.shared import worked
from metacog.studies.shared.worked import Worked, knowing_nothing, measures_of, moved, moves_by, what_moves
from metacog.studies.study1_qa import paper


@pytest.fixture(scope="module")
def table() -> Worked:
    cell = paper.counts()["llama3_instruct", paper.MAIN]
    return worked.spoken_honestly(cell.nR_S1, cell.nR_S2)


def test_measures_are_the_published_ones(table):
    found = measures_of(table)
    rows = paper.as_numbers("v2_sdt_structure").set_index(["model", "dataset"])
    row = rows.loc[("llama3_instruct", "triviaqa")]
    assert found["auroc2"] == pytest.approx(row["auroc2"], abs=1e-9)
    assert found["z_slope"] == pytest.approx(row["zroc_slope"], abs=1e-9)
    assert found["d_a"] == pytest.approx(row["da"], abs=1e-9)


def test_calibration_agrees_with_trials(table):
    boast = worked.ways_of_speaking(table)["boastful"]
    correct = np.concatenate(
        [np.repeat([0, 1], [int(w), int(r)]) for w, r in zip(boast.wrong, boast.right, strict=True)]
    )
    stated = np.repeat(boast.stated, boast.n.astype(int))
    assert worked.expected_calibration(boast) == pytest.approx(
        ece(correct, stated, binning="unique"), abs=1e-12
    )
    assert worked.brier(boast) == pytest.approx(brier_decomposition(correct, stated).brier, abs=1e-12)


AVERAGE = "always the average"


def test_honest_and_empty_speech_are_both_calibrated(table):
    ways = {k: measures_of(worked.by_statement(w)) for k, w in worked.ways_of_speaking(table).items()}
    assert ways["honest"]["ece"] == pytest.approx(0, abs=1e-12)
    assert ways[AVERAGE]["ece"] == pytest.approx(0, abs=1e-12)
    assert ways[AVERAGE]["auroc2"] == 0.5
    assert ways[AVERAGE]["meta_i"] == pytest.approx(0, abs=1e-12)
    assert ways["boastful"]["auroc2"] == pytest.approx(ways["honest"]["auroc2"])
    assert ways["boastful"]["ece"] > 0.2


def test_each_alteration_leaves_alone_what_it_must(table):
    frame = what_moves(table).set_index("measure")

    def same(name, column):
        return frame.loc[name, column] == pytest.approx(frame.loc[name, "as it is"], abs=1e-12)

    for measure in ("AUROC2", "d'", "meta-I2r", "z-ROC slope"):
        assert same(measure, "spoken boldly")
    for measure in ("AUROC2", "d'", "c", "z-ROC slope", "dₐ"):
        assert same(measure, "more right answers")
    assert frame.loc["share right", "more right answers"] == pytest.approx(0.8)
    assert same("d'", "fewer ratings") and same("share right", "half at random")
    assert frame.loc["AUROC2", "half at random"] == pytest.approx(
        0.25 + 0.5 * frame.loc["AUROC2", "as it is"]
    )
    found = moved(moves_by(frame.reset_index(), knowing_nothing(table)))
    assert "Brier" in found["more right answers"] and "AUROC2" not in found["more right answers"]
    assert found["spoken boldly"] == ["ECE", "Brier"]
    assert "c" in found["a rating higher"] and "AUROC2" not in found["a rating higher"]
    assert frame.notna().all().all()


def test_ratings_dealt_out_at_random_know_nothing(table):
    nothing, p = knowing_nothing(table), table.accuracy
    zero = [nothing[name] for name in ("d'", "dₐ", "meta-I (bits)", "meta-I2r")]
    assert zero == pytest.approx([0] * 4, abs=1e-9)
    assert (nothing["AUROC2"], nothing["z-ROC slope"]) == pytest.approx((0.5, 1))
    assert (nothing["Brier"], nothing["area under risk-coverage"], nothing["right in the surer half"]) == (
        pytest.approx((p * (1 - p), 1 - p, p))
    )
    by = moves_by(what_moves(table), nothing)
    assert by.loc["AUROC2", "half at random"] == pytest.approx(-0.5)
    assert by.loc["share right", "more right answers"] == pytest.approx(0.8 - p)
