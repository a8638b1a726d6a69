"""All sets of the Confidence Database (Rahnev et al. 2020) through `metacog import-trials`, beside plain scipy.

Run: python benchmarks/confidence_database.py                       (some three minutes of two processors)
     python benchmarks/confidence_database.py --sets Clark_2018 --out /tmp/x.csv
The archive is `confidence_database/data.tar.xz` in METACOG_DATA_HOME or ../shared/data. Each file goes through the
command as it would be typed, with --no-report --no-bayes and the fewest options that suffice: those of most files are
DEFAULT, the others are in data/benchmarks/confidence_database_options.csv with the reason. For twelve sets, AUROC2 and
M-ratio are computed a second time from the raw cells with the csv module and scipy alone. Writes
data/benchmarks/confidence_database.csv, a row for each set with what came out or the words of the refusal, and
confidence_database.json with counts and what is wrong. Status 1 where a set ends in a traceback, people are parted
otherwise than by their names, scipy finds other medians, or all sets together take more than 180 s.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import shlex
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recording import ROOT, parsed
from scipy.optimize import minimize
from scipy.stats import mannwhitneyu, norm

from metacog.core.paths import data_home

OUT = ROOT / "data" / "benchmarks" / "confidence_database.csv"
OPTIONS = OUT.with_name("confidence_database_options.csv")
ARCHIVE = Path("confidence_database") / "data.tar.xz"
DEFAULT = "--person Subj_idx --stimulus Stimulus --response Response --rating Confidence"
#: Sets computed a second time: ratings of two to six levels and sliders; codes 0/1, 1/2, -1/1, letters and words; gaps,
#: and words for no answer.
TWICE = (
    "Adler_2018_Expt3",
    "Bang_2019_Exp1",
    "Clark_2018",
    "Desender_2014",
    "Faivre_2018_bioRxiv",
    "Kantner_2012_E1",
    "Lempert_2015",
    "Maniscalco_2017_expt2",
    "Martin_unpub",
    "OHora_unpub_1",
    "Reyes_2015",
    "Shekhar_unpub",
)
MOST_SECONDS, CLOSE = 180.0, 0.001
COLUMNS = (
    "set",
    "options",
    "rows",
    "rows_used",
    "left_out",
    "people_named",
    "people",
    "people_measured",
    "accuracy",
    "people_below_half",
    "auroc2",
    "auroc2_scipy",
    "m_ratio_people",
    "m_ratio_median",
    "m_ratio_scipy",
    "m_ratio_mean",
    "m_ratio_lower",
    "m_ratio_upper",
    "by_domain",
    "refusal",
    "notes",
    "citation",
    "seconds",
)


def archive() -> Path | None:
    """The database, where it is."""
    home = data_home()
    return home / ARCHIVE if home is not None and (home / ARCHIVE).is_file() else None


def unpack(path: Path, folder: Path, names: tuple[str, ...] = ()) -> list[Path]:
    """The tables of the sets, or of some of them, in a folder, their readmes beside them."""
    with tarfile.open(path) as tar:
        members = {Path(m.name).name: m for m in tar.getmembers() if m.isfile()}
        chosen = {
            name: m
            for name, m in members.items()
            if (one := re.fullmatch(r"(?:data_(.+)\.csv|readme_(.+)\.txt)", name))
            and (not names or (one[1] or one[2]) in names)
        }
        for name, member in chosen.items():
            source = tar.extractfile(member)
            assert source is not None
            (folder / name).write_bytes(source.read())
    return sorted(folder.glob("data_*.csv"))


_UNTOLD = re.compile(r"(no |none|not |unpub|these data|there is|full name|in prep|in subm|n/a|details)", re.I)
_HEADING = re.compile(r"[\w ()]{3,25}:|stimulus|e-?mail", re.I)


def cited(readme: Path) -> str:
    """What a readme says to cite, or whose data they are."""
    raw = readme.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    lines = [line.strip(" \t*#-") for line in text.splitlines()]
    for word in ("citation", "reference", "contributor", "contact"):
        for i, line in enumerate(lines):
            if not line.lower().startswith(word):
                continue
            said = line.partition(":")[2].strip()
            if _UNTOLD.match(said):
                said = ""
            for more in lines[i + 1 : i + 4]:
                if (said and not more) or _HEADING.match(more):
                    break
                said += " " + more
            said = re.sub(r"\s+", " ", re.sub(r"\S+(@|_at_)\S+", "", said)).strip(" ,;<>()")
            if said and not _UNTOLD.match(said):
                return said[:300]
    return ""


def exceptions() -> dict[str, str]:
    """Options of the sets for which :data:`DEFAULT` does not suffice."""
    table = pd.read_csv(OPTIONS)
    return dict(zip(table["set"], table["options"], strict=True))


def run_set(path: Path, options: str, out: Path) -> dict[str, Any]:
    """One set through the command: what came out, or the words of the refusal."""
    from click.testing import CliRunner

    from metacog.cli import main as command

    typed = [
        "import-trials",
        str(path),
        *shlex.split(options),
        "--no-report",
        "--no-bayes",
        "--out",
        str(out),
    ]
    began = time.perf_counter()
    done = CliRunner().invoke(command, typed)
    row: dict[str, Any] = {
        "set": path.stem[5:],
        "options": options,
        "seconds": round(time.perf_counter() - began, 2),
    }
    if done.exit_code:
        wrong = done.exception if not isinstance(done.exception, SystemExit) else None
        last = done.output.strip().splitlines()[-1:] or [""]
        row["refusal"] = f"TRACEBACK {wrong!r}" if wrong else last[0].removeprefix("metacog: ")
        return row
    return row | read_back(out)


def read_back(out: Path) -> dict[str, Any]:
    """A set's row from the files of its import."""
    facts = json.loads((out / "import.json").read_text(encoding="utf-8"))
    told = facts["validation"]
    measures = pd.read_csv(out / "measures.csv", dtype={"model": str, "person": str, "domain": str})
    mine = measures[measures["by"] == "model"]
    means = pd.read_csv(out / "people.csv").set_index("measure")
    row: dict[str, Any] = {
        "rows": told["n_read"],
        "rows_used": told["n_used"],
        "left_out": "; ".join(f"{n:,} {why}" for why, n in told["dropped"].items()),
        "people": mine["person"].nunique(),
        "people_measured": int(mine["auroc2"].notna().sum()),
        "accuracy": mine["accuracy"].mean(),
        "people_below_half": int((mine["accuracy"] < 0.5).sum()),
        "auroc2": mine["auroc2"].mean(),
        "notes": "; ".join(told["notes"]),
    }
    if "m_ratio" in means.index and "stimulus" in told["mapping"]:
        found = means.loc["m_ratio"]
        row |= {"m_ratio_people": found["people"], "m_ratio_median": found["median"]}
        row |= {f"m_ratio_{name}": found[name] for name in ("mean", "lower", "upper")}
    parts = measures[measures["by"] == "domain"]
    if len(parts):
        name = "m_ratio" if "m_ratio_people" in row else "auroc2"
        medians = parts.groupby("domain")[name].median()
        row["by_domain"] = f"median {name}: " + ", ".join(f"{d} {v:.3f}" for d, v in medians.items())
    return row


# The same, with the csv module, numpy and scipy alone.


def cells_of(path: Path, options: str) -> dict[str, list[tuple[str, str, float]]]:
    """By person: stimulus, response and confidence of the rows that have all three."""
    named = dict(zip(*[iter(shlex.split(options))] * 2, strict=True))
    found: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    with path.open(encoding="utf-8-sig", newline="") as handle:
        rows = [
            tuple(row[named[f"--{role}"]].strip() for role in ("person", "stimulus", "response", "rating"))
            for row in csv.DictReader(handle)
        ]
    sides = [
        name for name, _ in Counter(_code(row[1]) for row in rows).most_common(2)
    ]  # the two that were shown
    for person, shown, answered, sure in rows:
        with contextlib.suppress(ValueError):
            confidence = float(sure)
            if _code(shown) in sides and _code(answered) in sides and np.isfinite(confidence):
                found[person].append((_code(shown), _code(answered), confidence))
    return found


def _code(text: str) -> str:
    """A number as it is written most briefly: 1.0 is 1."""
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def auroc2_of(right: np.ndarray, confidence: np.ndarray) -> float:
    """The share of pairs of a right and a wrong answer in which the right one is surer, ties half."""
    a, b = confidence[right], confidence[~right]
    told = a.size and b.size and np.ptp(confidence) > 0
    return float(mannwhitneyu(a, b).statistic / (a.size * b.size)) if told else float("nan")


def padded(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts with half a trial in every cell where one is empty (Hautus 1995); ratings that nobody gave say nothing."""
    used, k = first + second > 0, first.size // 2
    if not used[:k].any() or not used[k:].any():
        used = np.full(2 * k, True)
    add = 0.5 if ((first == 0) | (second == 0))[used].any() else 0.0
    return first + add * used, second + add * used


def meta_d_of(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """d' and meta-d' of counts by rating, surest S1 to surest S2 (Maniscalco & Lau 2012, by L-BFGS-B).

    The type-1 criterion keeps its place relative to meta-d'; the type-2 criteria stand at growing distances from it.
    """
    k, used = first.size // 2, first + second > 0
    left, right = int(used[:k].sum()), int(used[k:].sum())
    hits, alarms = second[k:].sum() / second.sum(), first[k:].sum() / first.sum()
    d, c = norm.ppf(hits) - norm.ppf(alarms), -0.5 * (norm.ppf(hits) + norm.ppf(alarms))
    tables = [(n[used][:left], n[used][left:]) for n in (first, second)]

    def loss(p: np.ndarray) -> float:
        meta, steps = p[0], np.exp(np.minimum(p[1:], 50))
        middle = c / d * meta
        below = middle - np.cumsum(steps[: left - 1])[::-1]
        above = middle + np.cumsum(steps[left - 1 :])
        total = 0.0
        for (low_n, high_n), mean in zip(tables, (-meta / 2, meta / 2), strict=True):
            low = np.diff(norm.cdf(np.concatenate([[-np.inf], below, [middle]]), mean))
            high = np.diff(norm.cdf(np.concatenate([[middle], above, [np.inf]]), mean))
            for n, cells in ((low_n, low), (high_n, high)):  # given the response
                total -= n @ np.log(np.maximum(cells, 1e-300) / max(cells.sum(), 1e-300))
        return total

    widths = np.full(left + right - 2, np.log(1.0 / k))
    starts = [np.concatenate([[m], widths]) for m in (d, 0.5 * d, 1.5 * d)]
    best = min((minimize(loss, x, method="L-BFGS-B") for x in starts), key=lambda r: r.fun)
    return float(d), float(best.x[0])


def by_scipy(path: Path, options: str) -> tuple[float, float]:
    """Mean AUROC2 and median M-ratio of the people of a set, the latter of those whose d' is above 0."""
    people = cells_of(path, options)
    levels = sorted({sure for rows in people.values() for _, _, sure in rows})
    sides = sorted({shown for rows in people.values() for shown, _, _ in rows}, key=_in_order)
    areas, ratios = [], []
    for rows in people.values():
        shown = np.array([row[0] == sides[1] for row in rows])
        answered = np.array([row[1] == sides[1] for row in rows])
        sure = np.array([row[2] for row in rows])
        areas.append(auroc2_of(shown == answered, sure))
        if len(levels) <= 10:
            k, rating = len(levels), np.searchsorted(levels, sure)
        else:  # the person's own quarters
            k, rating = 4, np.searchsorted(np.quantile(sure, [0.25, 0.5, 0.75]), sure, side="right")
        place = np.where(answered, k + rating, k - 1 - rating)
        first, second = (np.bincount(place[shown == side], minlength=2 * k) for side in (False, True))
        if not first.sum() or not second.sum() or np.ptp(sure) == 0:
            continue
        d, meta = meta_d_of(*padded(first, second))
        if d > 0 and abs(meta / d) < 10:
            ratios.append(meta / d)
    return float(np.nanmean(areas)), float(np.median(ratios))


def _in_order(text: str) -> tuple[bool, float, str]:
    try:
        return False, float(text), text
    except ValueError:
        return True, 0.0, text


def names_of(path: Path, options: str) -> Counter[str]:
    """Rows by the name of a person, as the file has them."""
    column = shlex.split(options)[1]
    with path.open(encoding="utf-8-sig", newline="") as handle:
        return Counter(_code(line[column].strip()) for line in csv.DictReader(handle))


def misparted(path: Path, row: dict[str, Any], out: Path) -> bool:
    """Whether an import has other people than the file's own names, apart from those of whom no row was used."""
    rows = names_of(path, row["options"])
    measures = pd.read_csv(out / "measures.csv", dtype={"person": str})
    mine = measures[measures["by"] == "model"].set_index("person")["n_trials"]
    mine.index = [_code(name) for name in mine.index]
    lost = int(sum(rows.values()) - mine.sum())
    return (
        sum(rows.values()) != row["rows"]
        or not set(mine.index) <= set(rows)
        or any(mine[name] > rows[name] for name in mine.index)
        or sum(n for name, n in rows.items() if name not in mine.index) > lost
    )


def measured(files: list[Path], folder: Path, twice: tuple[str, ...]) -> tuple[list[dict], dict]:
    """A row for each set, and the facts of the run."""
    given, made, faults = exceptions(), [], []
    load, used = os.getloadavg()[0], time.process_time()
    began = time.perf_counter()
    for path in files:
        made.append(run_set(path, given.get(path.stem[5:], DEFAULT), folder / path.stem))
        print(
            f"{made[-1]['seconds']:7.2f} s  {made[-1]['set']}  {made[-1].get('refusal', '')[:150]}",
            flush=True,
        )
    seconds, used = time.perf_counter() - began, time.process_time() - used
    for path, row in zip(files, made, strict=True):
        row["citation"] = cited(path.with_name(f"readme_{row['set']}.txt"))
        row["people_named"] = len(names_of(path, row["options"]))
        if str(row.get("refusal", "")).startswith("TRACEBACK"):
            faults.append(f"{row['set']}: {row['refusal']}")
        elif not row.get("refusal") and misparted(path, row, folder / path.stem):
            faults.append(f"{row['set']}: people are parted otherwise than by their names")
        if row["set"] in twice and not row.get("refusal"):
            row["auroc2_scipy"], row["m_ratio_scipy"] = by_scipy(path, row["options"])
            for ours, theirs in (("auroc2", "auroc2_scipy"), ("m_ratio_median", "m_ratio_scipy")):
                if not abs(row[ours] - row[theirs]) <= CLOSE:
                    faults.append(f"{row['set']}: {ours} {row[ours]:.4f}, by scipy {row[theirs]:.4f}")
    if seconds > MOST_SECONDS:
        faults.append(f"all sets: {seconds:.0f} s")
    return made, {"processor_seconds": used, "load": load, "faults": faults}


def main() -> int:
    """Import all sets, compute some a second time, and write what came out."""
    given = parsed(__file__, out=OUT, sets={"nargs": "+", "default": [], "help": "only these"})
    path = archive()
    if path is None:
        print(f"no {ARCHIVE} in METACOG_DATA_HOME or ../shared/data")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        files = unpack(path, Path(folder), tuple(given.sets))
        made, facts = measured(files, Path(folder), TWICE)
    table = pd.DataFrame(made).reindex(columns=list(COLUMNS))
    whole = ["rows", "rows_used", "people", "people_measured", "people_below_half", "m_ratio_people"]
    table[whole] = table[whole].astype("Int64")
    done = table[table["refusal"].isna()]
    summed = ("rows", "rows_used", "people_named", "people", "people_measured", "people_below_half")
    told = {"sets": len(table), "imported": len(done)} | {name: int(done[name].sum()) for name in summed}
    told |= {
        "sets_with_rows_left_out": int((done["rows_used"] < done["rows"]).sum()),
        "people_with_m_ratio": int(done["m_ratio_people"].sum()),
        "accuracy_below_half": done.loc[done["accuracy"] < 0.5, "set"].tolist(),
    }
    given.write(table.round(4), None, **told, **facts)
    print(json.dumps(told | facts, indent=1))
    return int(bool(facts["faults"]))


if __name__ == "__main__":
    sys.exit(main())
