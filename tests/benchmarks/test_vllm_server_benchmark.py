"""vLLM beside the local engine: how they are compared, and what becomes of it where there is no vLLM.

Oracles: log-probabilities that were made to agree or not. vLLM itself is not here: `make validate PROOFS=vllm_server`
installs it and asks it; its committed table is only looked at.
"""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import vllm_server

TRUE = -np.random.default_rng(1).exponential(1.0, 300)
NOISE = np.random.default_rng(2).normal(0, 0.06, 300)


@pytest.mark.parametrize(
    ("told", "agrees"),
    [
        (TRUE + NOISE, True),
        (np.roll(TRUE, 1), False),  # one token off
        (TRUE / np.log(10), False),  # another base
        (TRUE + NOISE + 0.1, False),  # another distribution
        (TRUE + 8 * NOISE, False),
    ],
)
def test_agreement_is_told_from_its_absence(told, agrees):
    found = vllm_server.agreement(list(zip(told, TRUE, strict=True)))
    assert found["tokens"] == 300 and found["agrees"] is agrees


def test_nothing_to_compare_is_no_agreement():
    assert vllm_server.agreement([])["agrees"] is False


def test_processed_log_probabilities_that_are_taken_are_a_failure():
    rows = pd.DataFrame(
        [
            {"mode": "raw", "told": True, "agrees": True},
            {"mode": "processed", "told": False, "agrees": None},
        ]
    )
    assert vllm_server.held_to(rows)
    assert not vllm_server.held_to(rows.assign(told=True))
    assert not vllm_server.held_to(rows.assign(agrees=False))


def test_where_it_cannot_be_installed_it_is_skipped_with_the_reason(tmp_path, monkeypatch, capsys):
    def fails(command, **options):
        return subprocess.CompletedProcess(command, 1, "", "ERROR: No matching distribution found\n")

    monkeypatch.setattr(vllm_server.subprocess, "run", fails)
    monkeypatch.setattr(vllm_server.venv, "create", lambda place, **options: place.mkdir())
    out = tmp_path / "table.csv"
    words = ["vllm_server.py", "--environment", str(tmp_path / "e"), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", words)
    assert vllm_server.main() == 0 and not out.exists()
    assert "vLLM is skipped: " in (said := capsys.readouterr().out) and "No matching distribution" in said


def test_the_committed_table():
    table = pd.read_csv(vllm_server.OUT)
    facts = json.loads(vllm_server.OUT.with_suffix(".json").read_text(encoding="utf-8"))
    assert facts["vllm"] == vllm_server.VLLM and vllm_server.held_to(table)
    raw = table[table["mode"] == "raw"].set_index("api")
    assert list(raw.index) == list(vllm_server.PROMPTS) and (raw["answers"] == vllm_server.QUESTIONS).all()
    assert (raw["tokens"] > 100).all() and (raw["correlation"] >= facts["bounds"]["correlation"]).all()
