"""Run profiles, models, prompts and question sets: YAML files with a schema."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from metacog.core.errors import MetacogError
from metacog.core.files import cut, reading, why
from metacog.core.paths import project_root

#: Levels of lists in lists that are read, since too many end the process, and aliases (``*name``), since each may
#: double what stands for it.
DEEPEST, MOST_ALIASES = 50, 20

#: The one reader of YAML that people wrote: libyaml's, where there is one, takes a tab that Python's refuses.
SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(path: Path, schema: str) -> dict[str, Any]:
    """Read a YAML file and hold it to ``config/schema/<schema>.json``; an error names the place."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MetacogError(f"there is no {path}") from None
    except (UnicodeDecodeError, OSError) as error:
        raise MetacogError(f"{path} cannot be read as text ({why(error)})") from None
    rules = (project_root() / "config" / "schema" / f"{schema}.json").read_text(encoding="utf-8")
    try:
        with reading(path, "configuration"):
            content, broken = _checked(text, rules)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise MetacogError(f"{path} is not valid YAML{where}: {getattr(error, 'problem', error)}") from None
    if broken:
        raise MetacogError(f"{path}: {broken}")
    return copy.deepcopy(content)


@functools.lru_cache(maxsize=1024)
def _checked(text: str, rules: str) -> tuple[dict[str, Any], str]:
    """Content of a YAML text, and where it breaks its rules; kept, since one plan asks for it hundreds of times."""
    import jsonschema

    depth = aliases = 0
    for one in yaml.parse(text, Loader=SafeLoader):
        depth += isinstance(one, yaml.CollectionStartEvent) - isinstance(one, yaml.CollectionEndEvent)
        aliases += isinstance(one, yaml.AliasEvent)
        if depth > DEEPEST or aliases > MOST_ALIASES:
            raise ValueError(f"at most {DEEPEST} levels and {MOST_ALIASES} aliases are read")
    if twice := _twice(yaml.compose(text, Loader=SafeLoader)):
        raise ValueError(f"{cut(twice)!r} stands twice: leave one of them out")
    content: dict[str, Any] = yaml.load(text, Loader=SafeLoader)
    json.dumps(content, default=str)  # nothing that holds itself, and keys that are texts or numbers
    validator = jsonschema.Draft202012Validator(json.loads(rules))
    broken = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if broken is None:
        return content, ""
    place = ".".join(str(step) for step in broken.absolute_path) or "the top level"
    return content, cut(f"{place}: {broken.message}", 600)


def _twice(node: yaml.Node | None) -> str:
    """A key that one mapping has twice, of which YAML would keep the last; empty if there is none."""
    if not isinstance(node, yaml.CollectionNode):
        return ""
    inside = node.value
    if isinstance(node, yaml.MappingNode):
        keys = [str(key.value) for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if again := [key for key, n in Counter(keys).items() if n > 1]:
            return again[0]
        inside = [one for _, one in node.value]
    return next(filter(None, map(_twice, inside)), "")


def digest(value: Any) -> str:
    """Short stable hash of anything JSON can hold."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Profile:
    """One run profile: which models, and for each study its settings.

    Attributes mirror ``config/profiles/*.yaml``; ``studies`` holds one block per study, which that study's
    settings check. ``analysis`` holds the parameters of every analysis, and under ``STUDY.ANALYSIS`` those of
    one, which override them. ``reference`` names another profile whose run the pages show as well, where
    its replies are at hand; with ``reference_leads`` that run carries the pages and this profile's follows.
    ``share`` is the part of each collection's items that is asked, drawn by seed.
    """

    name: str
    models: tuple[str, ...]
    studies: dict[str, dict[str, Any]]
    analysis: dict[str, Any]
    shards: int = 1
    engine: dict[str, Any] = field(default_factory=dict)
    reference: str = ""
    reference_leads: bool = False
    share: float = 1.0


def load_profile(name_or_path: str) -> Profile:
    """Read a profile by name (``config/profiles/NAME.yaml``) or by path; an error lists those that exist."""
    path = Path(name_or_path)
    if path.suffix not in {".yaml", ".yml"}:
        folder = project_root() / "config" / "profiles"
        path = folder / f"{name_or_path}.yaml"
        if not path.is_file():
            known = ", ".join(sorted(p.stem for p in folder.glob("*.yaml")))
            raise MetacogError(f"there is no profile {name_or_path!r}; there are: {known}")
    raw = load_yaml(path, "profile")
    raw["models"] = tuple(raw["models"])
    raw["studies"] = {name: block or {} for name, block in raw["studies"].items()}
    return Profile(**raw)
