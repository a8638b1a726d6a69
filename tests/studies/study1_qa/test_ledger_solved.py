"""The published count tables. Oracle: the printed figures alone, and every table that agrees with them."""

import numpy as np
import pytest
from solved_tables import Summaries, correct_by_rating, published_summaries, quarter_sums

from metacog.studies.study1_qa import paper


@pytest.mark.parametrize("key", sorted(paper.counts()))
def test_each_published_table_is_the_only_one_with_the_printed_figures(key):
    printed, stored = published_summaries()[key], paper.counts()[key]
    # a hundred times the tolerance, and 1e5 times what rounding of the print explains, adds none
    for tolerance in (1e-12, 1e-10):
        found = correct_by_rating(printed, tolerance=tolerance)
        assert found.tolist() == [stored.nR_S2.tolist()]
    assert (stored.nR_S1 + stored.nR_S2 == printed.per_rating).all()


def test_figures_of_two_models_mixed_have_no_solution():
    """The search can fail: it does not return a table whatever it is given."""
    printed = published_summaries()["gemma2_instruct", "triviaqa"]
    other = published_summaries()["llama3_base", "triviaqa"]
    mixed = Summaries(**{**printed.__dict__, "plugin_meta_i2r": other.plugin_meta_i2r})
    assert len(correct_by_rating(mixed)) == 0


def test_the_quarters_and_the_accuracy_leave_one_middle_cut():
    """So d', which rests on that cut alone, is fixed before AUROC2 and meta-I2r are looked at."""
    for key, printed in published_summaries().items():
        upper = {sums[2] + sums[3] for sums in quarter_sums(printed)}
        assert upper == {int(np.sum(paper.counts()[key].nR_S2[4:]))}
