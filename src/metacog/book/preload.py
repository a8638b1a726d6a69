"""What tasks and kernels import, imported once by the process that forks for them; no thread may be at work in it."""

# ruff: noqa: E402, F401
from __future__ import annotations

import contextlib
import gc
import sys

from metacog.core.paths import keep_compiled

keep_compiled()
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # as metacog.cli does

import ipykernel.ipkernel
import ipykernel.kernelapp
import IPython.core.completer
import jax
import jupytext
import matplotlib.backends.backend_svg
import nbclient
import nbformat
import papermill
import scipy.stats
import seaborn

import metacog.book.execution
import metacog.book.plan
import metacog.book.rendering
import metacog.collect.jobs
import metacog.studies.run
from metacog.book.chapters import chapter_parameters
from metacog.studies import studies
from metacog.studies.chapters import declared
from metacog.studies.results import code_of

with contextlib.suppress(Exception):  # what is wrong is told by the task that needs it
    for chapter in declared():
        chapter_parameters(chapter.source)
    for study in studies():
        for analysis in study.analyses:
            code_of(analysis)  # remembers which file imports which

gc.collect()
gc.freeze()  # forks share these objects, and never look through them for garbage
