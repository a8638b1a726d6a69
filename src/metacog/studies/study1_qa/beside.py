"""Published beside ours: the paper's numbers, recomputed where its counts allow, next to a run's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.studies.study1_qa import published as printed_tables
from metacog.studies.study1_qa.cells import Cells
from metacog.studies.study1_qa.contrasts import spread
from metacog.studies.study1_qa.exploratory import exact_spearman, ranks_from_cells
from metacog.studies.study1_qa.flags import flagged
from metacog.studies.study1_qa.h1 import h1_from_cells
from metacog.studies.study1_qa.h3 import range_and_rank
from metacog.studies.study1_qa.h4 import h4_from_cells
from metacog.studies.study1_qa.ledger import reproduced
from metacog.studies.study1_qa.published import MAIN, as_numbers
from metacog.studies.study1_qa.selective import selective_from_cells
from metacog.studies.study1_qa.validation import quartile_accuracy, sensitivity
from metacog.studies.study1_qa.verdicts import BESIDE, Verdict

RECOMPUTED = "published, recomputed from counts"
PRINTED = "published, as printed"
OURS = "this run"


@dataclass(frozen=True)
class Beside:
    """One table with a column ``source``, and what the comparison says.

    Attributes
    ----------
    table : DataFrame
    verdict : Verdict or None
        None where verdicts are off.
    """

    table: pd.DataFrame
    verdict: Verdict | None


def published_cells(dataset: str | None = MAIN) -> Cells:
    """The published counts at T = 1: of the main question set, of another, or of all with None."""
    return printed_tables.published_cells(dataset)


def _stack(**parts: pd.DataFrame) -> pd.DataFrame:
    frames = [frame.assign(source=source) for source, frame in parts.items()]
    table = pd.concat(frames, ignore_index=True)
    return table[["source", *(c for c in table.columns if c != "source")]]


def _verdict(hypothesis: str, rule: str, passed: bool | None, sentence: str, wanted: bool) -> Verdict | None:
    return Verdict(hypothesis, BESIDE, rule, passed, sentence) if wanted else None


def solved_from(figures: str, same: int, of: int) -> str:
    """Says of figures that the counts were solved from, or that follow from such, that they had to agree."""
    began = f"The printed {figures} are among what the counts were solved from, or follow from it"
    if same == of:
        return f"{began}: that all {of} agree is no test."
    return f"{began}, and yet {same} of {of} agree: printed figures contradict one another."


def beside_validation(ours: pd.DataFrame, sensitivity_ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """Accuracy by quartile of NLP, and d' with d_a."""
    cells = published_cells(None)
    theirs = quartile_accuracy(cells).merge(sensitivity(cells), on=["model", "dataset"])
    mine = ours.merge(sensitivity_ours, on=["model", "dataset"])
    columns = ["model", "dataset", "q1", "q2", "q3", "q4", "monotone", "d_prime", "d_a"]
    table = _stack(**{RECOMPUTED: theirs[columns], OURS: mine[columns]})
    same = reproduced(theirs, "v1_table5_monotonicity", "q1", "q2", "q3", "q4")
    sentence = (
        f"{solved_from('accuracies by quarter', same, 4 * len(theirs))} Accuracy rises at "
        f"every quartile in {int(theirs['monotone'].sum())} of {len(theirs)} published cells and in "
        f"{int(mine['monotone'].sum())} of {len(mine)} of this run."
    )
    return Beside(table, _verdict("Validation", "Accuracy rises over quartiles.", None, sentence, verdicts))


def beside_h1(
    ours: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Beside:
    """M-ratio of the paper's models from real counts, beside the run's."""
    theirs = h1_from_cells(published_cells(), n_resamples=n_resamples, seed=seed, verdicts=False).table
    columns = ["model", "accuracy", "d_prime", "meta_d", "m_ratio", "ci_lo", "ci_hi", "below_one"]
    table = _stack(**{RECOMPUTED: theirs[columns], OURS: ours[[*columns, "flag"]]})
    same = reproduced(theirs, "v1_table2_h1", "meta_d", "m_ratio")
    fixed = solved_from("d'", reproduced(theirs, "v1_table2_h1", "d_prime"), len(theirs))
    sentence = (
        f"{same} of {2 * len(theirs)} printed meta-d' and M-ratio are reproduced from the counts. {fixed} "
        f"The upper limit is below 1 in {int(theirs['below_one'].sum())} of {len(theirs)} published models "
        f"and in {int(ours['below_one'].sum())} of {len(ours)} of this run."
    )
    return Beside(table, _verdict("H1", "Upper limit below 1.", None, sentence, verdicts))


def beside_h2(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """M-ratio and meta-I2r by domain: printed values beside ours (its counts by rating are not public)."""
    theirs = as_numbers("v1_table6_domain_m_ratio").merge(
        as_numbers("v2_domain")[["model", "domain", "meta_i2r", "auroc2"]], on=["model", "domain"]
    )
    columns = ["model", "domain", "m_ratio", "auroc2", "meta_i2r"]
    table = _stack(**{PRINTED: theirs[columns], OURS: ours[[*columns, "flag"]]})
    parts = []
    for source, own in ((PRINTED, theirs), (OURS, ours[~flagged(ours)])):
        wide = own.pivot(index="model", columns="domain", values="m_ratio")
        info = own.pivot(index="model", columns="domain", values="meta_i2r")
        lowest = [str(row.idxmin()) for _, row in wide.iterrows() if row.notna().any()]
        if not lowest:
            parts.append(f"{source}: no domain has enough trials")
            continue
        low_info = [str(row.idxmin()) for _, row in info.iterrows() if row.notna().any()]
        parts.append(
            f"{source}: the lowest domain is {listed(dict.fromkeys(lowest))} by M-ratio and "
            f"{listed(dict.fromkeys(low_info))} by meta-I2r over {plural(len(lowest), 'model')}"
        )
    sentence = "; ".join(p[0].upper() + p[1:] for p in parts) + "."
    return Beside(table, _verdict("H2", "Lowest domain by model.", None, sentence, verdicts))


def beside_h3(summary: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """H3's statistics recomputed from the printed table 7, beside the printed ones and ours."""
    rows = [
        {"model": model, **range_and_rank(own)}
        for model, own in as_numbers("v1_table7_temperature").groupby("model", sort=False)
    ]
    theirs, printed = pd.DataFrame(rows), as_numbers("v1_h3_verdicts")
    columns = ["model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust"]
    mine = summary[columns] if len(summary) else pd.DataFrame(columns=columns)
    again = "published, recomputed from printed table 7"
    table = _stack(**{PRINTED: printed[columns], again: theirs[columns], OURS: mine})
    both = theirs.merge(printed, on="model", suffixes=("", "_printed"))
    same = int(
        (
            (both["tost_pass"] == both["tost_pass_printed"])
            & (both["relative_robust"] == both["relative_robust_printed"])
        ).sum()
    )
    sentence = (
        f"Both printed verdicts follow from the printed table for {same} of {len(both)} models. The range "
        f"rule passes in {int(printed['tost_pass'].sum())} of {len(printed)} published models"
    )
    known = mine[mine["tost_pass"].notna()] if len(mine) else mine
    sentence += (
        f" and in {int(known['tost_pass'].astype(bool).sum())} of {len(known)} of this run; the rank rule in "
        f"{int(printed['relative_robust'].sum())} and in {int(known['relative_robust'].astype(bool).sum())}."
        if len(known)
        else "; this run lacks temperatures for it."
    )
    return Beside(table, _verdict("H3", "Range and rank rules.", None, sentence, verdicts))


def beside_h4(
    ours: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Beside:
    """Pairs of the paper's models from real counts (models drawn independently), beside the run's."""
    theirs = h4_from_cells(published_cells(), n_resamples=n_resamples, seed=seed, verdicts=False).pairs
    columns = ["model_a", "model_b", "overlap", "difference", "lo", "hi", "d_difference", "d_similar"]
    table = _stack(**{RECOMPUTED: theirs[columns], OURS: ours[columns]})
    counts = []
    for frame in (theirs, ours):
        apart = int((~frame["overlap"].astype(bool)).sum())
        hit = (frame["lo"] > 0) | (frame["hi"] < 0)
        both = int((hit & frame["d_similar"].astype(bool)).sum())
        counts.append((apart, int(hit.sum()), both, len(frame)))
    a, b = counts
    sentence = (
        f"Of {plural(a[3], 'published pair')}, {a[0]} have intervals apart, {a[1]} a difference without "
        f"zero, and {a[2]} of these are shown to be similar in d'. "
        f"Of {plural(b[3], 'pair')} of this run: {b[0]}, {b[1]} and {b[2]}."
    )
    return Beside(table, _verdict("H4", "Pairs that differ.", None, sentence, verdicts))


def beside_ranks(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """AUROC2 and M-ratio: printed (raw NLP), from counts (ratings), and ours."""
    printed = as_numbers("v1_table3_auroc2")
    theirs = ranks_from_cells(published_cells(), verdicts=False).table
    columns = ["model", "auroc2", "m_ratio", "meta_i2r", "auroc2_rank", "m_ratio_rank", "meta_i2r_rank"]
    shown = printed[[c for c in columns if c in printed]]
    table = _stack(**{PRINTED: shown, RECOMPUTED: theirs[columns], OURS: ours[columns]})
    rho, _ = exact_spearman(printed["auroc2"].tolist(), published_m_ratio(printed).tolist())
    again, _ = exact_spearman(theirs["auroc2"].tolist(), theirs["m_ratio"].tolist())
    mine, _ = exact_spearman(ours["auroc2"].tolist(), ours["m_ratio"].tolist())
    sentence = (
        f"Over the published models rho of AUROC2 and M-ratio is {rho:.2f} with the printed AUROC2 and "
        f"{again:.2f} with that of the counts; 'fully inverted' would be -1."
    )
    if np.isfinite(mine):
        sentence += f" Over this run's {plural(len(ours), 'model')} it is {mine:.2f}."
    return Beside(table, _verdict("AUROC2", "Rank correlation.", None, sentence, verdicts))


def published_m_ratio(table: pd.DataFrame) -> pd.Series:
    """Full-precision M-ratio in the order of ``table``; the printed ones tie two models."""
    full = as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    return table["model"].map(full)


def beside_selective(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """Accuracy at half coverage: from counts, printed where it is, and ours."""
    theirs = selective_from_cells(published_cells(), coverages=(0.5, 1.0)).table
    half = theirs[theirs["coverage"] == 0.5]
    printed = as_numbers("v1_selective_prediction")
    merged = half.merge(printed, on="model", how="left").rename(
        columns={"accuracy_at_50pct_coverage": "printed"}
    )
    mine = ours[ours["coverage"] == 0.5]
    columns = ["model", "accuracy", "gain"]
    table = _stack(**{RECOMPUTED: merged[[*columns, "printed"]], OURS: mine[[*columns, "lo", "hi"]]})
    known = merged[merged["printed"].notna()]
    again = half.rename(columns={"accuracy": "accuracy_at_50pct_coverage"})
    same = reproduced(again, "v1_selective_prediction", "accuracy_at_50pct_coverage")
    sentence = (
        f"{solved_from('accuracies at half coverage', same, len(known))} "
        f"Abstaining on half of the questions gains {merged['gain'].min():.2f} to "
        f"{merged['gain'].max():.2f} in the published models"
    )
    sentence += (
        f" and {mine['gain'].min():.2f} to {mine['gain'].max():.2f} in this run's." if len(mine) else "."
    )
    return Beside(table, _verdict("Selective prediction", "Accuracy at 50 %.", None, sentence, verdicts))


def beside_binning(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """R1: M-ratio with 3, 4 and 6 ratings a side, printed beside ours (counts allow 4 only)."""
    printed = as_numbers("v1_table4_r1_binning")
    mine = ours[ours["check"] == "R1"].copy()
    mine = mine.rename(columns={"k": "ratings_per_side"})
    columns = ["model", "ratings_per_side", "m_ratio"]
    table = _stack(**{PRINTED: printed[columns], OURS: mine[columns]})
    spans = [
        frame.groupby("model")["m_ratio"].agg(lambda x: spread(x.to_numpy(dtype=np.float64)))
        for frame in (printed, mine)
    ]
    sentence = (
        f"Over 3, 4 and 6 ratings a side M-ratio moves by at most {spans[0].max():.3f} in a published model "
        f"and {spans[1].max():.3f} in one of this run."
    )
    return Beside(table, _verdict("R1", "Range over bins.", None, sentence, verdicts))
