"""A program for an environment that has the core's packages alone: fits cases, asks two raters, imports a file.

Called with a JSON file of cases and a folder; prints what it found, as JSON.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

import numpy as np

import metacog.measures
import metacog.raters
import metacog.sdt
from metacog.cli import main
from metacog.sdt import fit_meta_d

cases, folder = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
for room in (metacog.sdt, metacog.raters, metacog.measures):
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        importlib.import_module(module.name)
fits = [fit_meta_d(case["a"], case["b"], s=case["s"]) for case in cases]

rng = np.random.default_rng(1)
right = rng.random(300) < 0.6
sure = np.clip(rng.normal(0.5 + 0.2 * right, 0.2), 0, 1).round(2)
rows = [f"q{i % 100},m{i // 100},{int(right[i])},{sure[i]}" for i in range(300)]
(folder / "answers.csv").write_text("\n".join(["item,model,right,sure", *rows]))
status = 0
try:
    main(
        [
            "import-trials",
            str(folder / "answers.csv"),
            *("--correct", "right", "--confidence", "sure", "--model", "model", "--question-id", "item"),
            *("--n-resamples", "200", "--out", str(folder / "out")),
        ]
    )
except SystemExit as ended:
    status = ended.code
print(json.dumps({"meta_d": [f.meta_d for f in fits], "log_likelihood": [f.log_likelihood for f in fits]}))
sys.exit(status)
