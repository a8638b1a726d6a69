"""Worlds of the rivals of meta-d'. Oracle: the published tables, which the worlds are fitted to."""

import sys

import numpy as np
import pandas as pd
import pytest

from metacog.core.paths import project_root

sys.path.insert(0, str(project_root() / "benchmarks"))
import rating_rivals as proof


def test_a_world_of_another_shape_gives_the_ratings_of_the_first_kind_and_resembles_those_of_the_second():
    s1, s2 = (one[0] for one in proof.COUNTS)
    for cdf in proof.OTHER_SHAPES.values():
        first, second = proof.of_shape(s1, s2, cdf)
        assert first == pytest.approx((s1 + 0.5) / (s1 + 0.5).sum(), abs=1e-9)
        assert second.sum() == pytest.approx(1) and np.abs(second - s2 / s2.sum()).sum() / 2 < 0.2
    drawn = proof.drawn("any", np.tile([first, second], (9, 1, 1)), 2)
    assert [one.sum(axis=1).tolist() for one in drawn] == [
        np.repeat(one.sum(axis=1), 2).tolist() for one in proof.COUNTS
    ]


def test_the_table_is_written_with_how_it_was_made(tmp_path, monkeypatch):
    worlds = [("one", False, np.stack([x / x.sum(axis=1, keepdims=True) for x in proof.COUNTS], axis=1))]
    monkeypatch.setattr(proof, "worlds", lambda: iter(worlds))
    monkeypatch.setattr(
        proof,
        "excluded",
        lambda a, b: pd.DataFrame(dict.fromkeys(["bells", "shapes", "misfit"], a[:, 0] > 1)),
    )
    out = tmp_path / "rivals.csv"
    proof.main(["--out", str(out), "--runs", "2"])
    made = pd.read_csv(out)
    assert made["runs"].eq(2).all() and len(made) == 9 and out.with_suffix(".json").is_file()
