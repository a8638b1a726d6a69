"""The commonest English words with their Zipf frequency to one decimal, from the data of the package wordfreq.

Run in an environment of its own, since the package, which is no longer kept up, is no dependency:

    python -m venv /tmp/words && /tmp/words/bin/pip install wordfreq==3.1.1
    /tmp/words/bin/python benchmarks/word_frequencies.py [--words 60000]

Writes data/words/english.txt.gz: a line for each Zipf frequency, the highest first, with its words in the order of the
source. A number of several digits stands as so many zeros, as in the source; mixtures of letters and digits are left
out.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

OUT = Path(__file__).resolve().parents[1] / "data" / "words" / "english.txt.gz"
SOURCE = ("wordfreq", "3.1.1")
#: Letters with apostrophes inside, or digits: what metacog.studies.study1_qa.word_rarity takes for a word.
PLAIN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+")


def commonest(frequencies: list[list[str]], n_words: int) -> Iterator[tuple[float, str]]:
    """Zipf frequency to one decimal and word, commonest first."""
    n = 0
    for place, words in enumerate(frequencies):
        if n >= n_words:
            return
        kept = [word for word in words if PLAIN.fullmatch(word)]
        yield from ((round(9 - place / 100, 1), word) for word in kept)
        n += len(kept)


def table(frequencies: list[list[str]], n_words: int) -> str:
    """The text of the table."""
    lines: dict[float, list[str]] = {}
    for zipf, word in commonest(frequencies, n_words):
        lines.setdefault(zipf, []).append(word)
    return "".join(f"{zipf:.1f} {' '.join(words)}\n" for zipf, words in lines.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=95_000)
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    from wordfreq import get_frequency_list

    if version(SOURCE[0]) != SOURCE[1]:
        sys.exit(f"{SOURCE[0]} {SOURCE[1]} is wanted, this is {version(SOURCE[0])}")
    made = table(get_frequency_list("en", "large"), given.words)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_bytes(gzip.compress(made.encode("utf-8"), 9, mtime=0))
    print(
        f"{len(made.split()) - made.count(chr(10)):,} words, {given.out.stat().st_size:,} bytes in {given.out}"
    )


if __name__ == "__main__":
    main()
