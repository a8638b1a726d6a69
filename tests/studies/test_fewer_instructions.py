"""What an older processor would compute: analyses of stored answers again, without this processor's newer instructions.

Oracle: the same analyses with all of its instructions. A result is the same within 1e-9; a posterior's means and ends
within four Monte Carlo errors of the difference. A hundred draws of a posterior do: these errors follow their number.
"""

import os
import subprocess
import sys

import pandas as pd
import pytest
from same_again import ERRORS, fewer_instructions, monte_carlo_errors

from metacog.book import same
from metacog.core.paths import cache_dir

#: Analyses of published answers and counts: fits of meta-d' with resampled tables, ranks, rates with intervals.
ANALYSES = (
    ("study2_two_choice", "two_choice", {"n_resamples": 20}),
    ("study4_probe", "published_panel", {}),
    ("study5_battery", "monitoring", {}),
)
PROGRAM = """
import sys
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_features__

from metacog.core.config import load_profile
from metacog.studies import get_study
from metacog.studies.codec import write_record
from metacog.studies.results import Inputs, parameters_of
from metacog.studies.study2_two_choice.posteriors import cells_of, fitted

out, profile = Path(sys.argv[1]), load_profile("smoke")
out.mkdir()
for name, analysis, given in eval(sys.argv[2]):
    study = get_study(name)
    one = study.analysis(analysis)
    parameters = parameters_of(study, one, profile, given)
    (out / analysis).mkdir(parents=True)
    write_record(one(Inputs(study, profile, one, parameters), **parameters), out / analysis, {})
if len(sys.argv) > 3:
    cells_of(fitted(25, 50, 1)).to_parquet(out / "posterior.parquet")
print(*sorted(name for name, there in __cpu_features__.items() if there))
"""


def computed(out, more, *words):
    """Have the analyses computed in a process of its own; the instructions that numpy had there."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(out), *words],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def both(tmp_path, *words):
    """Folders of the results with all instructions and with fewer."""
    more = fewer_instructions(cache_dir() / "jax-fewer")
    if not more:
        pytest.skip("this processor has no instructions that could be taken away")
    folders = [tmp_path / name for name in ("all", "fewer")]
    have, left = (computed(out, given, *words) for out, given in zip(folders, ({}, more), strict=True))
    assert set(more["NPY_DISABLE_CPU_FEATURES"].split()) <= have - left
    return folders


@pytest.mark.parametrize(
    "analyses",
    [
        pytest.param(ANALYSES[:1], marks=pytest.mark.real, id="fits"),
        pytest.param(ANALYSES[1:], id="ranks and rates"),
    ],
)
def test_a_result_is_the_same_within_rounding(tmp_path, analyses):
    folders = both(tmp_path, repr(analyses))
    for _, analysis, _ in analyses:
        ours, theirs = (folder / analysis for folder in folders)
        names = sorted(file.name for file in ours.iterdir())
        assert names == sorted(file.name for file in theirs.iterdir()) and "result.json" in names
        found = {name: same.compare_files(ours / name, theirs / name) for name in names}
        assert not {name: one for name, one in found.items() if one.level == same.OTHER}


@pytest.mark.real
def test_a_posterior_is_the_same_within_four_monte_carlo_errors(tmp_path):
    ours, theirs = (
        pd.read_parquet(folder / "posterior.parquet") for folder in both(tmp_path, "()", "posterior")
    )
    assert monte_carlo_errors(ours, theirs) <= ERRORS
    ours["m_ratio"] += 10 * ours["m_ratio_error"]
    assert monte_carlo_errors(ours, theirs) > ERRORS
