"""The bill of materials, and what pip-audit's answers come to. Oracle: answers made by hand, lock and registry."""

import re

import supply_chain

from metacog.collect.models import load_models
from metacog.core.paths import project_root

SKIPPED = {"name": "a", "skip_reason": "Dependency not found on PyPI and could not be audited: a (1.0)"}
WHOLE = {"name": "b", "version": "1.0", "vulns": []}
HIT = {"name": "c", "version": "1.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}]}


def test_what_was_not_looked_up_is_no_pass():
    """pip-audit says "No known vulnerabilities found" where its service has none of the packages."""
    found = supply_chain.verdict({"pypi": {"dependencies": [SKIPPED, SKIPPED]}, "osv": "no route to host"})
    assert found["state"] == "not run"
    assert found["reasons"].pop("pypi").startswith("none of 2 packages could be looked up")
    assert found["reasons"] == {"osv": "no route to host"}
    assert supply_chain.verdict({"pypi": {"dependencies": []}})["state"] == "not run"
    assert supply_chain.verdict({})["state"] == "not run"


def test_what_was_found_and_what_was_passed_over_is_said(monkeypatch):
    answers = {"pypi": "no answer", "osv": {"dependencies": [SKIPPED, WHOLE]}}
    found = supply_chain.verdict(answers)
    assert (found["state"], found["service"], found["looked_up"]) == ("clean", "osv", 1)
    assert list(found["passed_over"]) == ["a"] and found["reasons"] == {"pypi": "no answer"}
    found = supply_chain.verdict({"pypi": {"dependencies": [WHOLE, HIT]}})
    assert found["state"] == "found" and found["known"] == {"c PYSEC-2026-1": ""}
    monkeypatch.setitem(supply_chain.EXPLAINED, "PYSEC-2026-1", "its server is never started")
    assert supply_chain.verdict({"pypi": {"dependencies": [WHOLE, HIT]}})["state"] == "clean"


def test_the_bill_is_made_of_what_a_reader_may_come_to_use():
    named = re.findall(r"^([a-z0-9._-]+)==", supply_chain.of_readers(), re.M)
    assert {"numpy", "llama-cpp-python", "cmake", "scikit-build-core", "jupyterlab"} <= set(named)
    assert not {"pytest", "snakemake", "playwright"} & set(named)


def test_the_bill_has_licences_models_and_question_sets():
    text = (project_root() / "requirements.lock").read_text(encoding="utf-8")
    named = {"name": "numpy", "purl": "pkg:pypi/numpy", "description": "the line of the lock"}
    assert re.search("^numpy==", text, re.M)
    bill = supply_chain.completed(
        {"bomFormat": "CycloneDX", "components": [named, {"name": "no-such-package"}]}
    )
    numpy, other, *more = bill["components"]
    assert "BSD" in str(numpy["licenses"]) and "description" not in numpy and "licenses" not in other
    kept = {
        one["name"]: one["hashes"][0]["content"] for one in more if one["type"] == "machine-learning-model"
    }
    assert kept == {name: entry.sha256 for name, entry in load_models().items() if entry.sha256}
    assert "triviaqa-dev" in {one["name"] for one in more if one["type"] == "data"}
    assert len({one["bom-ref"] for one in more}) == len(more)
