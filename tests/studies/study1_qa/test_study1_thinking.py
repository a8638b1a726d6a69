"""Thinking on and off. Oracles: the author's printed figures, trials laid out by hand, and counts made to differ."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu, norm

from metacog.ledger.entry import Status
from metacog.ledger.judging import tabulate
from metacog.sdt.meta_d import fit_meta_d
from metacog.sdt.standardised import shares, with_margins
from metacog.studies.study import Result
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa import thinking as thinking_page
from metacog.studies.study1_qa.ledger import thinking
from metacog.studies.study1_qa.ledger.rows import joined
from metacog.studies.study1_qa.ledger.thinking import Mode, counts, thinking_figures
from metacog.studies.study1_qa.thinking import left_out, think, turned_by_none
from metacog.verdicts.outcomes import those, together

#: How rows of fitted measures are judged: two have no printed figure.
FITTED = ((Status.MATCH, 4), (Status.NEEDS, 2))
MODELS = list(paper.THINKING_MODELS.values())
TABLES = ("thinking_aggregate", "thinking_deltas", "thinking_domains", "thinking_marking")


@pytest.fixture(scope="module")
def ledger():
    return tabulate(joined(thinking_figures(), pd.concat(map(paper.figures, TABLES))))


def thought(tables):
    return Result(think(tables, n_resamples=200, seed=1))


@pytest.fixture(scope="module")
def found():
    return thought(counts())


def swapped(on):
    """The six tables with those of thinking on made from those of thinking off."""
    off = {m: t for (m, mode), t in counts().items() if mode == "non_thinking"}
    return dict(counts()) | {
        (m, "thinking"): Mode(m, "thinking", *map(np.asarray, on(t))) for m, t in off.items()
    }


def test_counts_give_the_printed_figures_to_their_precision(ledger):
    aggregate = ledger[ledger["table"] == "thinking: aggregate"]
    by = aggregate.groupby(["quantity", "status"]).size().to_dict()
    assert by == {
        ("n_total", Status.REPEAT): 6,
        ("n_malformed", Status.MATCH): 6,
        ("accuracy", Status.MATCH): 6,
        ("auroc2", Status.BOUNDED): 6,
        **{(q, s): n for q, (s, n) in product(("d_prime", "meta_d_prime", "m_ratio"), FITTED)},
        ("ece", Status.NEEDS): 6,
        ("converged", Status.MATCH): 4,
        ("converged", Status.DIFFERS): 2,
    }
    exact = aggregate[
        aggregate["quantity"].isin(["accuracy", "d_prime"]) & (aggregate["status"] == Status.MATCH)
    ]
    assert exact["difference"].abs().max() < 1e-12
    fitted = aggregate[aggregate["quantity"] == "meta_d_prime"]["difference"].abs().max()
    assert fitted < 1e-6


def test_every_other_row_has_the_status_that_its_data_allow(ledger):
    other = ledger[ledger["table"] != "thinking: aggregate"].groupby(["table", "quantity", "status"]).size()
    assert other["thinking: differences", "delta_auroc2", Status.MATCH] == 3
    assert (other.xs("thinking: differences", level=0).drop("delta_auroc2") == 3).all()
    for quantity in ("n", "accuracy"):
        assert other["thinking: domains", quantity].to_dict() == {Status.MATCH: 6, Status.REPEAT: 24}
    assert other["thinking: domains", "auroc2"].to_dict() == {Status.NEEDS: 30}
    assert other["thinking: without containment", "accuracy_strict"].to_dict() == {Status.MATCH: 6}
    recomputed = ledger[ledger["reproduced"].notna()]
    assert (recomputed["kind"] != "").all() and (ledger.loc[ledger["kind"] == "", "needs"] != "").all()


def test_a_printed_figure_that_is_off_would_differ(ledger):
    printed = paper.figures("thinking_aggregate")
    printed = printed[
        printed["quantity"].isin(["accuracy", "d_prime", "m_ratio"]) & (printed["published"] != "")
    ]
    off = [repr(float(text) + 2e-5) for text in printed["published"]]
    rows = tabulate(joined(thinking_figures(), printed.assign(published=off)))
    assert len(rows) == 6 + 4 + 4 and (rows["status"] == Status.DIFFERS).all()


def test_claims_of_the_abstract():
    found = thinking.claims()
    assert (found["th_auroc2"].value, found["th_accuracy"].value) == (3, 2)
    assert "R1-Distill-Qwen-7B" in found["th_accuracy"].note
    assert round(found["th_delta"].value, 3) == -0.232  # the abstract has -0.231


def test_measures_are_those_of_the_trials(found):
    cells = found.cells.set_index(["model", "mode"])
    for (model, mode), table in counts().items():
        row = cells.loc[(paper.THINKING_MODELS[model], mode)]
        rating = np.repeat(np.tile([1, 2, 3, 4], 2), np.concatenate([table.wrong, table.right]))
        wrong, right = rating[: table.wrong.sum()], rating[table.wrong.sum() :]
        area = mannwhitneyu(right, wrong).statistic / (right.size * wrong.size)
        assert row["auroc2"] == pytest.approx(area, abs=1e-12)
        rates = [((x >= 3).sum() + 1) / (x.size + 2) for x in (right, wrong)]
        assert row["d_prime"] == pytest.approx(norm.ppf(rates[0]) - norm.ppf(rates[1]), abs=1e-12)
        assert row["criterion"] == pytest.approx(-(norm.ppf(rates[0]) + norm.ppf(rates[1])) / 2, abs=1e-12)
        fit = fit_meta_d(table.wrong + 0.5, table.right + 0.5)
        assert row["m_ratio"] == pytest.approx(fit.m_ratio, abs=1e-9)
        for name in ("accuracy", "auroc2", "meta_i2r", "d_prime", "meta_d"):
            assert row[f"{name}_lower"] < row[name] < row[f"{name}_upper"]


def test_differences_are_those_of_the_cells_and_their_intervals_those_of_independent_samples(found):
    table = found.differences
    assert (table["on"] - table["off"]).to_numpy() == pytest.approx(table["difference"])
    area = table[table["quantity"] == "accuracy"].set_index("model")
    for model, (off, on) in thinking_page.pairs(counts()).items():
        se = np.sqrt(sum(m.accuracy * (1 - m.accuracy) / m.n for m in (off, on)))
        width = area["upper"][model] - area["lower"][model]
        # percentiles of 200 draws: each end has a standard error of some 0.18 se
        assert width == pytest.approx(2 * 1.96 * se, abs=4 * np.sqrt(2) * 0.19 * se)


def test_the_outcomes_on_the_real_counts(found):
    made = found.outcomes
    for name in ("auroc2", "meta_i2r"):
        assert together(made, name) is False and those(made, name, False) == MODELS
    assert together(made, "m_ratio") is None and len(those(made, "m_ratio", None)) == 3
    assert together(made, "accuracy") is None and those(made, "accuracy", True) == ["Qwen3-8B"]
    assert together(made, "worth") is True and together(made, "left_out") is True


def test_thinking_that_changes_nothing_leaves_all_undecided():
    made = thought(swapped(lambda t: (t.wrong, t.right)))
    gap = made.differences["difference"].abs()
    assert gap.max() < 1e-12
    for name in ("auroc2", "meta_i2r", "m_ratio", "accuracy", "worth"):
        assert together(made.outcomes, name) is None, name


def test_a_simulated_gain_is_called_one():
    def better(table):
        """Every second wrong reply of the two highest ratings moves to the lowest; right ones move up."""
        wrong, right = table.wrong.copy(), table.right.copy()
        wrong[0] += (wrong[2:] // 2).sum()
        wrong[2:] -= wrong[2:] // 2
        right[3] += (right[:3] // 2).sum()
        right[:3] -= right[:3] // 2
        return wrong, right

    made = thought(swapped(better))
    assert together(made.outcomes, "auroc2") is True and those(made.outcomes, "auroc2", True) == MODELS
    assert together(made.outcomes, "accuracy") is None


def test_a_change_that_is_only_one_of_use_is_not_called_one_of_worth():
    def crowded(table):
        accuracy, _ = shares(table.wrong, table.right)
        made = with_margins(table.wrong, table.right, accuracy, [0.02, 0.02, 0.02, 0.94])
        return [np.round(2000 * x).astype(int) for x in made]

    made = thought(swapped(crowded))
    assert together(made.outcomes, "auroc2") is False and together(made.outcomes, "worth") is False
    parts = made.parts[made.parts["quantity"] == "auroc2"].pivot(
        index="model", columns="part", values="change"
    )
    assert (parts["use"].abs() > 10 * parts["worth"].abs()).all()


def test_both_ends_with_replies_left_out_are_those_of_every_way_to_add_them():
    wrong, right, more = np.array([0.1, 0.5, 0.6]), np.array([0.4, 0.7]), 2
    area = mannwhitneyu(right, wrong).statistic / 6
    seen = []
    for values in product([-1.0, 0.45, 2.0], repeat=more):
        for marks in product([True, False], repeat=more):
            r = np.concatenate([right, [v for v, m in zip(values, marks, strict=True) if m]])
            w = np.concatenate([wrong, [v for v, m in zip(values, marks, strict=True) if not m]])
            seen.append(mannwhitneyu(r, w).statistic / (r.size * w.size))
    assert thinking_page.area_ends(area, 3, 2, more) == pytest.approx((min(seen), max(seen)))
    assert thinking_page.area_ends(area, 3, 2, 0) == pytest.approx((area, area))


def test_enough_replies_left_out_leave_the_direction_open(monkeypatch):
    real = paper.as_numbers

    def many(name):
        frame = real(name)
        return frame.assign(n_malformed=1500) if name == "thinking_aggregate" else frame

    monkeypatch.setattr(thinking_page.paper, "as_numbers", many)
    units = turned_by_none(left_out(thinking_page.pairs(counts())))
    assert [unit.holds for unit in units] == [None] * 3


def test_intervals_from_n_and_accuracy_stand_near_the_printed_ones():
    table = thinking_page.raw()
    # the author pairs questions and draws 10,000 resamples; ours are unpaired and normal
    for end in ("lower", "upper"):
        assert (table[end] - table[f"printed_{end}"]).abs().max() < 0.01
    assert (table["difference"] - table["delta_auroc2"]).abs().max() < 1e-12
    turned = thinking_page.marking().set_index("model")
    assert np.sign(turned["difference"]).to_dict() == dict(zip(MODELS, (-1, 1, 1), strict=True))


def test_too_few_replies_of_a_class_give_no_interval():
    marking = thinking_page.marking().set_index("model")
    assert marking["right_off"].tolist() == [652, 22, 9]
    assert marking["lower"].isna().tolist() == [False, False, True] == marking["upper"].isna().tolist()


def test_wrong_answers_that_are_only_made_right_cost_what_is_said():
    wrong, right = np.array([40, 30, 20, 10]), np.array([10, 20, 30, 40])
    off = Mode("m", thinking_page.OFF, wrong, right)
    on = Mode("m", thinking_page.ON, wrong - wrong // 2, right + wrong // 2)
    row = thinking_page.corrected({"m": (off, on)}).iloc[0]
    assert row["by"] == pytest.approx(row["seen"]) and row["by"] < -0.05
