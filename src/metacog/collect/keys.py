"""Keys of services, kept from what needs none: chapters, which are programs whose output is published."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from metacog.collect.models import load_models
from metacog.collect.travelling import KEY
from metacog.core.paths import project_root

#: What a variable is called that holds a key, a token or a password.
_NAME = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|PASSWD|PASSPHRASE|CREDENTIALS?|JWT|PAT)(?:_|$)|API_?KEY|PASSWORD|SECRET",
    re.IGNORECASE,
)
#: An address with a password in it.
_ADDRESS = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


@contextmanager
def without_keys() -> Iterator[None]:
    """While a kernel starts: an environment without keys.

    Left out are the variables that ``key_env`` names in the registry, those whose name says that they hold a key, and
    those whose value looks like one.
    """
    endpoints = (entry.source.get("endpoint") or {} for entry in load_models().values())
    named = {str(endpoint.get("key_env")) for endpoint in endpoints}
    held = {
        name: value
        for name, value in os.environ.items()
        if name in named or _NAME.search(name) or KEY.search(value) or _ADDRESS.search(value)
    }
    for name in held:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(held)


def run_notebook(notebook: Any, target: Path, parameters: dict[str, Any], **options: Any) -> None:
    """Execute a notebook with papermill, from the project's root, in a kernel whose environment has no keys.

    If a cell fails, the half-run notebook is at ``target``.
    """
    import papermill

    with without_keys():
        papermill.execute_notebook(
            notebook,
            str(target),
            parameters=parameters,
            kernel_name="python3",
            # no word on ports that are not encrypted, or on its end
            extra_arguments=["--log-level=CRITICAL"],
            language="python",
            cwd=str(project_root()),
            progress_bar=False,
            log_output=False,
            **options,
        )
