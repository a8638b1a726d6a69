"""One paper at its full size: the profile of one study with models of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from metacog.collect.models import get_model, replace_all
from metacog.collect.plan import with_sets
from metacog.core.config import Profile, load_profile, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import from_root, project_root

#: Profile with the papers' own settings of all studies.
PAPER = "paper"


def paper_profile(
    study: str,
    models: Sequence[str] = (),
    share: float = 1.0,
    instead: Mapping[str, str] | None = None,
    items: str = "",
) -> Profile:
    """The paper's settings of one study, for some models or for the paper's own.

    ``study``: a study that the profile ``paper`` has; ``models``: names of the registry, or paths of GGUF files, the
    paper's where there are none; ``share``: part of the items that is asked, drawn by seed, and not parted into shards;
    ``instead``: question sets in the place of some of the paper's, by these sets' names; ``items``: a file or folder of
    items that are asked beside the study's own, where the study can read such.

    The profile has a name of its own, which says what it is of; it is as it was kept (:func:`keep`) where a file has
    that name. A MetacogError if there is no such study or model, or the study has no such set, or has that one in the
    other's place already; or if the file that was kept asks the set itself.
    """
    whole, instead = load_profile(PAPER), dict(instead or {})
    if study not in whole.studies:
        raise MetacogError(f"there is no paper {study!r}; there are: {', '.join(whole.studies)}")
    if items and not Path(items).exists():
        raise MetacogError(f"there is no file or folder {items}")
    block = whole.studies[study] | ({"items": str(Path(items).resolve())} if items else {})
    entries = [get_model(model) for model in models]
    rest = [*([Path(items).stem] if items else []), *([f"{share:g}"] if share < 1 else [])]
    name = "-".join([PAPER, study, *(one.name for one in entries), *rest])
    if (kept := _file(name)).is_file():
        made = load_profile(str(kept))
        if asked := [old for old, new in instead.items() if with_sets(made, {old: new}) != made]:
            raise MetacogError(
                f"{from_root(kept)} asks {asked[0]!r} already: write {instead[asked[0]]!r} there, or delete that file"
            )
        return made
    made = replace(
        whole,
        name=name,
        models=tuple(models) or whole.models,
        studies={study: block},
        shards=1 if share < 1 else whole.shards,
        share=share,
    )
    for old, new in instead.items():
        if json.dumps(new) in json.dumps(made.studies):
            raise MetacogError(f"{study} asks {new!r} already: name another set in the place of {old!r}")
        if (changed := with_sets(made, {old: new})) == made:
            raise MetacogError(f"{study} asks no question set {old!r} in the profile {PAPER}")
        made = changed
    return made


def keep(profile: Profile, echo: Callable[[str], object] = print) -> None:
    """Write the profile to a file of its own, by which chapters, card and book find it; one that is there stays."""
    path = _file(profile.name)
    if path.is_file():
        echo(f"settings: {from_root(path)}, as it stands")
        return
    raw = load_yaml(_file(PAPER), "profile")
    content = {
        "name": profile.name,
        "models": list(profile.models),
        "studies": profile.studies,
        "shards": profile.shards,
        **({"share": profile.share} if profile.share < 1 else {}),
        "analysis": raw["analysis"],
    }
    head = "# Written by `metacog collect --paper`: the paper's own settings. Edit it before anything is asked.\n"
    replace_all({path: head + yaml.safe_dump(content, sort_keys=False, allow_unicode=True)})
    echo(f"settings: {from_root(path)}")


def _file(name: str) -> Path:
    return project_root() / "config" / "profiles" / f"{name}.yaml"
