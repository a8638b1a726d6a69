"""A plan: everything that determines the replies of one model to one set of a collection."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from metacog.collect.collection import Collection, Needed
from metacog.collect.manifest import run_place, shard_blocks
from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.prompts import Prompt, flattened, load_prompt
from metacog.collect.shares import shared_out
from metacog.core.config import Profile, digest
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.engines.capabilities import Capabilities
from metacog.engines.engine import Closing, Engine
from metacog.engines.next_question import until_next
from metacog.engines.requests import Conversation, request_digest
from metacog.engines.schedule import DEFAULTS, SCHEDULE

#: Key of a study's block in a profile: models of the profile that the study does not ask.
WITHOUT = "without"
#: Setting of a study that lets the signal of confidence be chosen (:mod:`metacog.collect.confidence_signals`).
SIGNAL = "confidence"


class StudyLike(Protocol):
    """What this room asks of a study's record (:class:`metacog.studies.study.Study`)."""

    @property
    def name(self) -> str: ...

    @property
    def collections(self) -> tuple[Any, ...]: ...

    @property
    def settings(self) -> type | None: ...


def models_of(study: StudyLike, profile: Profile) -> tuple[str, ...]:
    left_out = profile.studies.get(study.name, {}).get(WITHOUT, ())
    return tuple(model for model in profile.models if model not in left_out)


def settings_of(study: StudyLike, profile: Profile) -> Any:
    if study.name not in profile.studies:
        raise MetacogError(
            f"profile {profile.name!r} has no block for {study.name}: "
            "add one under `studies:`, even an empty one"
        )
    block = {k: v for k, v in profile.studies[study.name].items() if k != WITHOUT}
    known = inspect.signature(study.settings or dict).parameters if study.settings else {}
    unknown = sorted(set(block) - set(known))
    if unknown:
        raise MetacogError(
            f"profile {profile.name!r}, {study.name}: there is no setting {', '.join(unknown)}; "
            f"there are: {', '.join(known) or 'none'}"
        )
    return study.settings(**block) if study.settings else None


def with_signal(profile: Profile, studies: Iterable[StudyLike], signal: str) -> Profile:
    chosen = [s.name for s in studies if s.settings and SIGNAL in inspect.signature(s.settings).parameters]
    if not chosen:
        raise MetacogError("--confidence: none of the studies asked lets confidence be taken from a choice")
    blocks = {name: {**profile.studies.get(name, {}), SIGNAL: signal} for name in chosen}
    return replace(profile, studies={**profile.studies, **blocks})


def with_sets(profile: Profile, names: Mapping[str, str]) -> Profile:
    """The profile with other question sets in the place of some, by these sets' names."""

    def renamed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {names.get(key, key): renamed(one) for key, one in value.items()}
        if isinstance(value, list):
            return [renamed(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    return replace(profile, studies={name: renamed(block) for name, block in profile.studies.items()})


def collection_of(study: StudyLike, name: str) -> Collection:
    known: dict[str, Collection] = {one.name: one for one in study.collections}
    if name not in known:
        listed = ", ".join(known) or "none"
        raise MetacogError(f"study {study.name} has no collection {name!r}; it has: {listed}")
    return known[name]


def open_engine(entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
    options = {**(settings or {}), **(entry.settings or {})}
    if entry.is_endpoint:
        from metacog.engines.endpoint import EndpointEngine

        return EndpointEngine.from_entry(entry, **options)
    from metacog.engines.llama import LlamaEngine

    path, sha256 = locate(entry)
    unknown = set(options) - set(inspect.signature(LlamaEngine).parameters)
    if unknown:
        raise MetacogError(f"the llama.cpp engine has no setting {', '.join(sorted(unknown))}")
    return LlamaEngine(path, sha256=sha256, **options)


def last_bits(entry: ModelEntry, profile: Profile) -> dict[str, Any]:
    """Settings of the engine that decide the last bits of its numbers, defaults included."""
    given = {**profile.engine, **(entry.settings or {})}
    if entry.is_endpoint:
        return given
    return {**DEFAULTS, "serve": SCHEDULE, **given}


@dataclass(frozen=True)
class Plan:
    """Replies of one model to one set of a collection (one shard of it)."""

    study: str
    collection: Collection
    settings: Any
    dataset: str
    profile: Profile
    entry: ModelEntry
    prompt: Prompt
    #: All items of the set, in order; a conversation's number is its item's place.
    items: tuple[Any, ...]
    blocks: tuple[int, ...]
    #: What is hashed; :attr:`config_hash` names the run's folder.
    config: dict[str, Any]

    def of_shard(self, shard: int) -> Plan:
        """The plan of one of ``profile.shards`` contiguous ranges of blocks."""
        shards = self.profile.shards
        blocks = tuple(shard_blocks(len(self.items), self.config["block"], shard, shards))
        return replace(self, blocks=blocks, config={**self.config, "shard": [shard, shards]})

    @property
    def config_hash(self) -> str:
        return digest(self.config)

    @property
    def title(self) -> str:
        return f"{self.collection.name}: {self.entry.name} on {self.dataset}"

    def numbers(self, block: int) -> range:
        size = self.collection.block_items(self.settings)
        return range(block * size, min((block + 1) * size, len(self.items)))

    @property
    def shard_numbers(self) -> list[int]:
        return [n for block in self.blocks for n in self.numbers(block)]

    def conversation(self, number: int, **options: Any) -> Conversation:
        item = self.items[number]
        taken = until_next(self.prompt, getattr(item, "accepted", ()), self.entry.sha256)
        return _conversation(
            self.collection, item, self.settings, self.prompt, self.config["seeds"], taken=taken, **options
        )

    def folder(self, runs: Path | None = None) -> Path:
        """``runs/STUDY/COLLECTION/MODEL/SET-HASH``; another configuration gets another folder."""
        return (runs or project_root() / "runs") / self.place

    @property
    def place(self) -> str:
        return run_place(self.config)


def _conversation(
    collection: Collection, item: Any, settings: Any, prompt: Prompt, root: list[Any], **options: Any
) -> Conversation:
    return Conversation(
        collection.ask(item, settings),
        prompt,
        seed=(*root, item.id),
        one_turn=collection.asked_once(settings),
        **options,
    )


def check_form(plan: Plan) -> None:
    """Refuse to ask anything in a form that the model's server takes for another; what is collected can be read."""
    if why := flattened(plan.prompt, plan.entry):
        raise MetacogError(f"{plan.title}: {why}. Replies that are here stay in {plan.place}")


def why_left_out(plan: Plan, can: Capabilities) -> str:
    """Why an engine cannot be asked a plan's collection, which is then left out; empty if it can.

    An error if the settings can be changed so that it can.
    """
    if refused := plan.collection.refusal(plan.settings, can):
        raise MetacogError(f"{plan.title}: {refused}")
    return "; ".join(dict.fromkeys(can.lacking(plan.collection.requires).values()))


def make_plan(
    study: StudyLike,
    collection: str,
    profile: Profile,
    model: str | ModelEntry,
    dataset: str,
    *,
    needed: Mapping[str, Needed] | None = None,
    limit: int | None = None,
) -> Plan:
    """Work out what is to be asked; loads no model.

    ``model``: registry name, or the path of a GGUF file, or an entry that the registry does not have yet.
    """
    asked = collection_of(study, collection)
    sets = asked.sets(settings_of(study, profile))
    entry = model if isinstance(model, ModelEntry) else get_model(model)
    settings = sets[dataset] if dataset in sets else asked_elsewhere(asked, study, profile, dataset)
    settings = asked.for_model(settings, entry)
    prompt = load_prompt(entry.prompt_id(getattr(settings, "prompt_set", "fewshot")))
    items = tuple(asked.items(settings, needed or {}))[:limit]
    if profile.share < 1 and not asked.needs:  # what goes on from a share of the items is a share already
        items = shared_out(items, profile.share, getattr(settings, "seed", 42), asked.together)
    if len({item.id for item in items}) < len(items):
        raise MetacogError(f"{study.name}, {collection}: two items share an id, on which replies depend")
    root = [getattr(settings, "seed", 42), study.name, collection]
    config: dict[str, Any] = {
        "study": study.name,
        "collection": collection,
        "model": entry.name,
        "model_sha256": entry.sha256,
        "source": entry.source if entry.sha256 is None else entry.travelling_source,
        "prompt": prompt.key,
        "dataset": dataset,
        "asked": _asked(asked, settings, items, prompt, root, needed or {}),
        "n_items": len(items) if not asked.needs else None,
        "block": asked.block_items(settings),
        "engine": last_bits(entry, profile),
        "seeds": root,
    }
    if (later := asked.later(settings)) is not None:
        config["later"] = digest(later)
    if declared := dict(asked.declared(settings)):
        config["declared"] = declared
    whole = Plan(study.name, asked, settings, dataset, profile, entry, prompt, items, (), config)
    return whole.of_shard(0)


def asked_elsewhere(collection: Collection, study: StudyLike, profile: Profile, dataset: str) -> Any:
    """Settings of a set that the profile does not name (a question file given on the command line)."""
    name_set = getattr(collection, "named_set", None)
    if name_set is None:
        known = ", ".join(collection.sets(settings_of(study, profile)))
        raise MetacogError(
            f"{study.name}, {collection.name}: there is no set {dataset!r}; there are: {known}"
        )
    return name_set(settings_of(study, profile), dataset)


def _asked(
    collection: Collection,
    settings: Any,
    items: tuple[Any, ...],
    prompt: Prompt,
    root: list[Any],
    needed: Mapping[str, Needed],
) -> Any:
    """What the key says about the requests.

    The digest of all first requests. A collection that needs another's trials says instead which
    replies it goes on from, and its settings: were it the requests, a better marker would have other
    items asked, and reading again would load a model.
    """
    if collection.needs:
        replies = {name: needed[name].replies for name in collection.needs}
        return {"settings": collection.settings_key(settings), "needs": replies}
    talks = ((item.id, _conversation(collection, item, settings, prompt, root)) for item in items)
    return digest([(name, list(map(request_digest, talk.pending.values()))) for name, talk in talks])


# The model that is loaded: handed from run to run, and closed when another is wanted.


class Loaded(Closing):
    """A model at a time, loaded when it is first asked for; closed with the ``with`` block."""

    def __init__(self, opener: Callable[[ModelEntry, dict[str, Any] | None], Engine] = open_engine) -> None:
        self._opener = opener
        self._engine: Engine | None = None
        self._asked: tuple[ModelEntry, dict[str, Any] | None] | None = None

    def engine(self, entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
        """The model's engine; the one in use if it was asked for in just this way."""
        if self._engine is None or self._asked != (entry, settings):
            self.close()
            self._engine, self._asked = self._opener(entry, settings), (entry, settings)
        return self._engine

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
