"""From the author's 120 response files to the compact table that the project commits.

``python -m metacog.studies.study5_battery.ledger.importer`` writes it again, from the data folder, the download cache
or the author's repository (``metacog data fetch battery-responses``). No text of the files is kept: a written answer
becomes a digest, and how it compares with its key a letter.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path

import pandas as pd

from metacog.collect.file_sets import FileSet
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study5_battery.ledger.responses import ITEMS, PATHS, RESPONSES, checked
from metacog.studies.study5_battery.paper import FOLDER, MODELS, TRACKS, committed

#: What ``metacog data fetch`` calls them.
NAME = "battery-responses"
#: Where the author publishes them; ``files.csv`` pins each file's checksum.
URL = "https://raw.githubusercontent.com/synthiumjp/metacognitive-monitoring-battery/main/data/csvs/"


def _checksums() -> dict[str, str]:
    listed = committed("files")
    return dict(zip(listed["file"], listed["sha256"], strict=True))


FILES = FileSet(NAME, "battery/csvs", URL, _checksums)
fetch_files = FILES.fetch


#: Folder of each track in the author's repository.
FOLDERS = {
    "Overhypothesis": "T1",
    "Meta Cog": "T2",
    "Social Cognition": "T3",
    "Attention": "T4",
    "Executive": "T5",
    "prospective": "T6",
}
#: What file names end in, after the model.
_ENDINGS = re.compile(
    r"\s*(prospective_regulation_results|social ?cog|soc ?cog|metacog|overhyp|attention|exec)$"
)
#: Spellings of models in file names that are not their printed name, in small letters.
SPELLINGS = {
    "haiku": "Claude Haiku 4.5",
    "opus 4.6": "Claude Opus 4.6",
    "deepseek-r1": "DeepSeek R1",
    "r1": "DeepSeek R1",
    "glm 5": "GLM-5",
    "gemini 3 flash preview": "Gemini 3 Flash",
    "gemini flash 3 preview": "Gemini 3 Flash",
    "gemini 3.1 pro preview": "Gemini 3.1 Pro",
    "qwen 3 235b a22b instruct": "Qwen 235B",
    "qwen 3 next 80b instruct": "Qwen 80B Inst",
    "qwen 3 next 80b thinking": "Qwen 80B Think",
    "qwen 3 coder 480b": "Qwen Coder 480B",
}
_CODES = {name: code for code, name in MODELS.items()}
_KNOWN = {name.lower(): name for name in MODELS.values()} | SPELLINGS
#: Codes of replies, by the column of the author's files and ours.
_REPLIES = {
    ("correct", "correct"): {"True": "1", "False": "0"},
    ("keep_withdraw", "keep"): {"KEEP": "1", "WITHDRAW": "0"},
    ("bet_nobet", "bet"): {"BET": "1", "NO_BET": "0"},
}
#: What to do about a file that is not as the author published it.
REMEDY = "delete it and fetch it again (`metacog data fetch battery-responses`)"
#: Tables that the project commits.
TABLES = ("responses", "items", "files")
#: Hexadecimal digits of an answer's digest that are kept.
DIGEST = 10


def model_of(file_name: str) -> str:
    stem = re.sub(r"\s+", " ", file_name.removesuffix(".csv")).strip().lower()
    spelled = _ENDINGS.sub("", stem).strip()
    if spelled not in _KNOWN:
        raise MetacogError(f"{file_name} names no model of the study; add its spelling to importer.SPELLINGS")
    return _KNOWN[spelled]


def normalised(answer: str) -> str:
    """An answer without what two spellings of it may differ in.

    Unicode's compatibility forms (a subscript becomes a digit), small letters, no TeX brackets, emphasis,
    quotation marks, blanks, thousands separators or full stop at the end.
    """
    plain = unicodedata.normalize("NFKC", answer).casefold()
    plain = re.sub(r"\\[()\[\]]|[$*\"'“”‘’`]|\s+", "", plain)
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", plain)
    return plain.rstrip(".")


def match_of(answer: str, key: str) -> str:
    """How a written answer compares with its key: a letter of :data:`.responses.MATCHES`."""
    if answer == key:
        return "e"
    mine, right = normalised(answer), normalised(key)
    if mine == right:
        return "n"
    # a key of one or two letters would be found in almost anything
    whole = rf"(?<![^\W_]){re.escape(right)}(?![^\W_])" if len(right) < 3 else re.escape(right)
    return "c" if right and re.search(whole, mine) else "o"


def read_file(path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    where = f"{path.parent.name}/{path.name}"
    track = FOLDERS.get(path.parent.name)
    if track is None:
        raise MetacogError(f"{where}: unknown track {path.parent.name!r}; there are: {', '.join(FOLDERS)}")
    try:
        raw = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise MetacogError(f"{where} cannot be read as CSV ({error})") from None
    raw = raw.rename(columns={"item_id": "item", "is_correct": "correct", "meta_score": "score"})
    written = track == "T6"
    wanted = ["item", "score", *(theirs for theirs, _ in _REPLIES)]
    wanted += ["path_choice", "answer", "correct_answer", "tier"] if written else ["item_type"]
    if missing := [c for c in wanted if c not in raw.columns]:
        raise MetacogError(f"{where} lacks the column {', '.join(missing)}; {REMEDY}")
    rows = raw[["item", "score"]].assign(
        model=_CODES[model_of(path.name)],
        track=track,
        **{ours: _coded(raw[theirs], codes, where) for (theirs, ours), codes in _REPLIES.items()},
        **dict.fromkeys(("path", "answer", "match"), ""),
    )
    if written:
        pairs = zip(raw["answer"], raw["correct_answer"], strict=True)
        rows["path"] = _coded(raw["path_choice"], {name: code for code, name in PATHS.items()}, where)
        rows["answer"] = raw["answer"].map(digest_of)
        rows["match"] = [match_of(*pair) for pair in pairs]
    checked(rows, where, REMEDY)
    return rows[list(RESPONSES)], _items(raw, track)


def digest_of(answer: str) -> str:
    """Digest of a written answer: equal answers have equal ones, and the text cannot be read from it."""
    return hashlib.sha256(answer.encode()).hexdigest()[:DIGEST]


def _coded(column: pd.Series, codes: dict[str, str], where: str) -> pd.Series:
    odd = column[~column.isin(list(codes))]
    if len(odd):
        raise MetacogError(
            f"{where}: {column.name} must be {' or '.join(codes)}, found {odd.iloc[0]!r} in "
            f"{len(odd)} of {len(column)} rows; {REMEDY}"
        )
    return column.map(codes)


def _items(raw: pd.DataFrame, track: str) -> pd.DataFrame:
    """What the files say about the items; T6 has tiers, T5 ratios of magnitudes, the others conditions."""
    level = next((raw[c] for c in ("tier", "difficulty", "ratio") if c in raw.columns), "")
    return pd.DataFrame(
        {
            "track": track,
            "item": raw["item"],
            "item_type": raw["tier"] if track == "T6" else raw["item_type"],
            "level": level,
            "domain": raw["domain"] if "domain" in raw.columns else "",
            # outside T6 the column holds the letter of the right option, the same for every model
            "key": raw["answer"] if track != "T6" and "answer" in raw.columns else "",
        }
    )[list(ITEMS)]


def read_files(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables :data:`TABLES` from all response files below a folder, all entries text."""
    paths = sorted(folder.glob("*/*.csv"), key=lambda p: p.as_posix())
    if not paths:
        raise MetacogError(f"{folder} holds no response files: fetch them first")
    responses, items, files = [], [], []
    for path in paths:
        rows, asked = read_file(path)
        responses.append(rows)
        items.append(asked)
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        file = {"file": path.relative_to(folder).as_posix(), "sha256": sha256, "rows": str(len(rows))}
        files.append(rows.iloc[0][["track", "model"]].to_dict() | file)
    listed = pd.DataFrame(files).sort_values(["track", "model"]).reset_index(drop=True)
    twice = listed[listed.duplicated(["track", "model"], keep=False)]
    if len(twice):
        raise MetacogError(f"one model, one track, two files: {', '.join(twice['file'][:2])}")
    whole = len(TRACKS) * len(MODELS)
    if len(listed) != whole:
        raise MetacogError(f"{folder} holds {len(listed)} files of {whole}: fetch the rest")
    bank = pd.concat(items).drop_duplicates()
    differ = bank[bank.duplicated(["track", "item"])]
    if len(differ):
        raise MetacogError(
            f"models were asked different items: {', '.join(differ.iloc[0][['track', 'item']])}"
        )
    given = pd.concat(responses).sort_values(["track", "model"], kind="stable").reset_index(drop=True)
    checked(given, str(folder), REMEDY)
    bank = bank.sort_values("track", kind="stable").reset_index(drop=True)
    return {"responses": given, "items": bank, "files": listed}


def write(tables: dict[str, pd.DataFrame], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")


def fetch_and_check() -> str:
    """Get the files and code them again; reports how many responses they hold, and where they are."""
    folder = fetch_files()
    made = read_files(folder)
    for name in TABLES:
        if not made[name].equals(committed(name)):
            raise MetacogError(
                f"{FOLDER}/{name}.csv is not what the files in {folder} give: restore it from the "
                "repository, or make it again with `python -m metacog.studies.study5_battery.ledger.importer`"
            )
    return f"{len(made['responses']):,} responses ready at {folder}; the committed table is what they give"


if __name__ == "__main__":
    write(read_files(fetch_files()), project_root() / "data" / "published" / FOLDER)
