"""From chapters to the rendered book: papermill, Snakemake and jupyter-book, called in one place."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from metacog.collect.jobs import run_folder
from metacog.collect.models import get_model
from metacog.collect.runner import Plan, make_plan
from metacog.core.config import Profile, digest, load_profile, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import cache_dir, project_root

#: Packages whose code chapters run; a change there executes the chapters anew.
ANALYSIS_ROOMS = ("sdt", "trials", "measures", "ledger", "studies", "report", "imports")

#: Stands for the model's label in the text of a chapter that is executed for each model.
MODEL_MARK = "@MODEL@"


@dataclass(frozen=True)
class Page:
    """One executed notebook of the book.

    Attributes
    ----------
    name : str
        ``_executed/NAME.ipynb``.
    chapter : str
        ``notebooks/CHAPTER.py``.
    needs : tuple of str
    parameters : dict
    """

    name: str
    chapter: str
    needs: tuple[str, ...]
    parameters: dict[str, Any]


def pages(profile: Profile) -> list[Page]:
    """All executed pages of a profile, with the parameters each is run with."""
    listed = load_yaml(project_root() / "config" / "chapters.yaml", "chapters")["chapters"]
    found = []
    for chapter, entry in listed.items():
        source = project_root() / "notebooks" / f"{chapter}.py"
        if not source.is_file():
            raise MetacogError(f"config/chapters.yaml names {chapter}, but there is no {source}")
        known = chapter_parameters(source)
        given = {**profile.analysis, "profile": profile.name}
        parameters = {key: value for key, value in given.items() if key in known}
        needs = tuple(entry.get("needs", ()))
        if entry.get("per_model"):
            for model in profile.models:
                overrides = _parameter_set(model)
                found.append(
                    Page(f"{chapter}-{model}", chapter, needs, {**parameters, "model": model, **overrides})
                )
        else:
            found.append(Page(chapter, chapter, needs, parameters))
    return found


def _parameter_set(model: str) -> dict[str, Any]:
    """A model's own chapter parameters, ``config/parameters/MODEL.yaml``, if it has any."""
    path = project_root() / "config" / "parameters" / f"{model}.yaml"
    return (yaml.safe_load(path.read_text(encoding="utf-8")) or {}) if path.is_file() else {}


def chapter_parameters(source: Path) -> dict[str, Any]:
    """Names and default values of a chapter's parameters cell.

    Raises
    ------
    MetacogError
        If the chapter has no cell tagged ``parameters``.
    """
    import jupytext

    for cell in jupytext.read(source).cells:
        if "parameters" in cell.metadata.get("tags", []):
            found = {}
            for statement in ast.parse(cell.source).body:
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    found[statement.targets[0].id] = ast.literal_eval(statement.value)
            return found
    raise MetacogError(f"{source.name} has no cell tagged 'parameters'")


def parse_parameters(pairs: tuple[str, ...] | list[str]) -> dict[str, Any]:
    """``NAME=VALUE`` texts as a dict; values are Python literals where they can be read as such."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise MetacogError(f"parameter {pair!r} is not of the form NAME=VALUE")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            found[name] = value
    return found


def execute_chapter(
    chapter: str, profile_name: str, overrides: dict[str, Any] | None = None, out: Path | None = None
) -> Path:
    """Execute one chapter with papermill.

    Parameters
    ----------
    chapter : str
        Name of a page: a file of ``notebooks/`` without its ending, for chapters that are run
        for each model with ``-MODEL`` behind it.
    profile_name : str
    overrides : dict, optional
        Parameters that replace the profile's.
    out : Path, optional
        Executed notebook; default ``_executed/CHAPTER.ipynb``.

    Raises
    ------
    MetacogError
        If there is no such chapter, a parameter is unknown to it, or a cell fails. A failed run
        leaves no notebook at ``out``; the half-run one is kept in ``results/unfinished``.
    """
    import jupytext
    import papermill

    profile = load_profile(profile_name)
    by_name = {page.name: page for page in pages(profile)}
    if chapter not in by_name:
        raise MetacogError(f"there is no chapter {chapter!r}; there are: {', '.join(by_name)}")
    page = by_name[chapter]
    source = project_root() / "notebooks" / f"{page.chapter}.py"
    known = chapter_parameters(source)
    unknown = sorted(set(overrides or {}) - set(known))
    if unknown:
        raise MetacogError(
            f"chapter {chapter!r} has no parameter {', '.join(unknown)}; it has: {', '.join(known) or 'none'}"
        )
    target = out or project_root() / "_executed" / f"{page.name}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    kept_apart = project_root() / "results" / "unfinished"  # never where the book looks for pages
    kept_apart.mkdir(parents=True, exist_ok=True)
    running = kept_apart / f"{target.stem}.{os.getpid()}.ipynb"
    notebook = jupytext.read(source)
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", [])
        if "model" in page.parameters and cell.cell_type == "markdown":
            cell.source = cell.source.replace(MODEL_MARK, get_model(page.parameters["model"]).label)
    # compiled fits are kept between chapters, which otherwise each compile the same ones
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache_dir() / "jax"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")
    try:
        papermill.execute_notebook(
            notebook,
            str(running),
            parameters={**page.parameters, **(overrides or {})},
            kernel_name="python3",
            language="python",
            cwd=str(project_root()),
            progress_bar=False,
            log_output=False,
        )
    except papermill.PapermillExecutionError as error:
        failed = kept_apart / f"{target.stem}.ipynb"
        os.replace(running, failed)
        raise MetacogError(
            f"chapter {chapter!r} stopped at cell {error.exec_count}: {error.ename}: {error.evalue}. "
            f"The half-run notebook is {failed}; nothing was rendered from it"
        ) from None
    shutil.move(running, target)
    return target


# ---------------------------------------------------------------------------- workflow


@dataclass(frozen=True)
class Workflow:
    """What the Snakefile asks: plans of collection and pages of the book for one profile."""

    profile: Profile
    pages: list[Page]

    @functools.cached_property
    def plans(self) -> dict[tuple[str, str, int], Plan]:
        """Plans by model, question set and shard."""
        return {
            (model, dataset, shard): make_plan(self.profile, model, dataset, shard=shard)
            for model in self.profile.models
            for dataset in self.profile.datasets
            for shard in range(self.profile.shards)
        }

    @functools.cached_property
    def code(self) -> dict[str, str]:
        """Hash of the code that chapters run: everything below src/metacog but collection and tools."""
        package = Path(__file__).parents[1]
        files = [f for room in ANALYSIS_ROOMS for f in sorted((package / room).rglob("*.py"))]
        return {"analysis": digest([hashlib.sha256(f.read_bytes()).hexdigest() for f in files])}


def workflow(profile_name: str) -> Workflow:
    """Plans and pages of a profile."""
    profile = load_profile(profile_name)
    return Workflow(profile, pages(profile))


def build(profile_name: str, *, cores: int | None = None, dry_run: bool = False) -> None:
    """Bring the book up to date: Snakemake decides what must be run again.

    Raises
    ------
    MetacogError
        If a step fails; its message names the step and the log.
    """
    profile = load_profile(profile_name)
    root = project_root()
    started = time.time()
    if not dry_run:
        print(
            f"book, profile {profile.name}: what is there already is not made again. Usual times on 2 cores: "
            "collecting the default profile 10 to 20 minutes, a chapter 10 to 60 s, rendering half a "
            "minute",
            flush=True,
        )
    command = [
        sys.executable, "-m", "snakemake", "--snakefile", "workflow/Snakefile", "--directory", str(root),
        "--cores", str(cores or len(os.sched_getaffinity(0))), "--config", f"profile={profile_name}",
        "--rerun-incomplete", "--rerun-triggers", "mtime", "params", "input", "--nolock",
        *(["--dry-run"] if dry_run else ["--quiet", "rules", "progress", "host"]),
    ]  # fmt: skip
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    outcome = subprocess.run(command, cwd=root, env=environment)
    if outcome.returncode:
        raise MetacogError(
            "the book was not finished; the step that failed is named above. Mend it and run this again"
        )
    if not dry_run:
        print(
            f"book: {root / '_build' / 'html' / 'index.html'} is up to date ({time.time() - started:.0f} s)"
        )


def prepare_static(root: Path) -> None:
    """Lay MathJax and its fonts out for the build, from the package that carries them."""
    target = root / "_static_generated" / "mathjax"
    distribution = importlib.metadata.distribution("sphinx-mathjax-offline")
    mark = "static/mathjax/"
    wanted = [f for f in distribution.files or [] if mark in str(f)]
    for file in wanted:
        relative = str(file).split(mark, 1)[1]
        if relative == "tex-mml-chtml.js" or relative.startswith("output/chtml/fonts/"):
            place = target / relative
            if not place.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(distribution.locate_file(file)), place)
    if not (target / "tex-mml-chtml.js").is_file():
        raise MetacogError("the package sphinx-mathjax-offline holds no MathJax: reinstall it (`make setup`)")


def render(profile_name: str) -> Path:
    """Render the book from its executed chapters, from an empty ``_build``, warnings as errors.

    Raises
    ------
    MetacogError
        If jupyter-book warns or fails; the log is kept in ``results/book.log``.
    """
    root = project_root()
    wanted = {f"{page.name}.ipynb" for page in pages(load_profile(profile_name))}
    for stale in (root / "_executed").glob("*.ipynb"):
        if stale.name not in wanted:
            stale.unlink()
    prepare_static(root)
    shutil.rmtree(root / "_build", ignore_errors=True)
    log = root / "results" / "book.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print("rendering the book: usually under a minute", flush=True)
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "-W", "-n", "--keep-going"]
    outcome = subprocess.run(command, cwd=root, capture_output=True, text=True)
    text = outcome.stdout + outcome.stderr
    log.write_text(text, encoding="utf-8")
    page = root / "_build" / "html" / "index.html"
    if outcome.returncode or not page.is_file():
        complaints = [line for line in text.splitlines() if "WARNING" in line or "ERROR" in line]
        raise MetacogError(
            "the book did not render cleanly:\n  "
            + "\n  ".join(complaints[:20] or text.splitlines()[-15:])
            + f"\nthe whole log is {log}"
        )
    return page


def trial_files(profile_name: str) -> list[Path]:
    """Trial tables of a profile, as the workflow writes them."""
    profile = load_profile(profile_name)
    folder = project_root() / "results" / profile.name / "trials"
    return [folder / f"{model}.{dataset}.parquet" for model in profile.models for dataset in profile.datasets]


def manifests(profile_name: str) -> list[dict[str, Any]]:
    """Manifests of a profile's runs, for the chapter on collection."""
    import json

    found = []
    for plan in workflow(profile_name).plans.values():
        path = run_folder(plan) / "manifest.json"
        if path.is_file():
            found.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def main(arguments: list[str] | None = None) -> None:
    """``python -m metacog.book render|merge ...``, what the Snakefile calls."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] == ["render"] and len(words) == 2:
            render(words[1])
        elif words[:1] == ["merge"] and len(words) >= 3:
            from metacog.trials import read_trials, write_parquet

            write_parquet(read_trials(words[2:]), Path(words[1]))
        else:
            raise MetacogError("usage: python -m metacog.book render PROFILE | merge OUT IN...")
    except MetacogError as error:
        sys.exit(f"metacog: {error}")


if __name__ == "__main__":
    main()
