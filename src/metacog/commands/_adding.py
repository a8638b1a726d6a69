"""What ``metacog add-model`` does: try a model, then enter it into the registry, a profile and the book."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from metacog.collect import models
from metacog.collect.confidence_signals import NLP, best_of, check_signal, refusal_of
from metacog.collect.estimate import StudyTime, study_time
from metacog.collect.models import ModelEntry, load_models, locate
from metacog.collect.plan import open_engine
from metacog.collect.prompts import CHAT, flattened, load_prompt, prompt_ids
from metacog.collect.proving import Proof, prove_file, require
from metacog.commands._trying import LIMIT_WAIT, Tried, not_its_own, shown_settings, try_out, try_signal
from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.files import sha256_of
from metacog.core.paths import from_root, project_root
from metacog.engines.capabilities import Capabilities
from metacog.engines.engine import Engine
from metacog.studies import get_study

#: Prompt of each kind of model under each prompt set; a chat server has those of :data:`CHAT`, whatever its model.
PROMPTS = {
    "instruct": {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-chat-v1", "plain": "plain-chat-v1"},
    "base": {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1", "plain": "plain-base-v1"},
}


@dataclass(frozen=True)
class Candidate:
    """A model that is to be added.

    ``kind`` is base, instruct or empty (told from the file's chat template); ``prompts`` replace those of the kind;
    ``settings`` are the engine's, for this model alone; ``confidence`` is empty for the best signal that the engine
    allows.
    """

    name: str
    source: dict[str, Any]
    label: str = ""
    kind: str = ""
    family: str = ""
    licence: str = ""
    base_of: str = ""
    prompts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    profile: str = "default"
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    confidence: str = ""


@dataclass(frozen=True)
class Added:
    """What adding a model did, or would do: the files written are ``changed``."""

    entry: ModelEntry
    tried: tuple[Tried, ...]
    times: tuple[StudyTime, ...]
    changed: tuple[Path, ...]
    can: Capabilities = dataclasses.field(default_factory=Capabilities)

    @property
    def signal(self) -> str:
        return self.entry.confidence or NLP


def source_of(
    gguf: Path | None, hub: str | None, endpoint: str | None, endpoint_model: str | None, **extra: str | None
) -> dict[str, Any]:
    """The registry's ``source`` from the command's options."""
    if sum(x is not None for x in (gguf, hub, endpoint)) != 1:
        raise MetacogError("say where the model is: one of --gguf PATH, --hub REPO:FILE or --endpoint URL")
    if gguf is not None:
        if not gguf.is_file():
            raise MetacogError(f"there is no file at {gguf}")
        return {"path": from_root(gguf.resolve(), project_root().resolve())}
    if hub is not None:
        repo, colon, file = hub.partition(":")
        if not colon or repo.count("/") != 1 or not file.endswith(".gguf"):
            raise MetacogError(f"--hub {hub!r} must be OWNER/REPO:FILE.gguf")
        return {"hub": {"repo": repo, "file": file}}
    if not endpoint_model:
        raise MetacogError("--endpoint needs --endpoint-model: the name that the server gives the model")
    assert endpoint is not None
    if not endpoint.startswith(("http://", "https://")):
        raise MetacogError(f"--endpoint {endpoint!r} must begin with http:// or https://")
    return {"endpoint": {"url": endpoint, "model": endpoint_model, **{k: v for k, v in extra.items() if v}}}


def add_model(
    candidate: Candidate,
    *,
    dry_run: bool = False,
    opener: Callable[[ModelEntry, dict[str, Any] | None], Engine] = open_engine,
    prove: Callable[..., Proof] = prove_file,
    echo: Callable[[str], object] = lambda text: None,
) -> Added:
    """Try a model, then add it to the registry, the profile and the chapters' parameters.

    ``prove`` decodes a file in a process of its own first, so that a model which kills llama.cpp kills no more.
    """
    known = load_models()
    models.check_name(candidate.name, known)
    if candidate.base_of and candidate.base_of not in known:
        raise MetacogError(f"--base-of {candidate.base_of!r} is no model of config/models")
    profile = load_profile(candidate.profile)
    entry = _first_entry(candidate)
    if not entry.is_endpoint:
        # a hub's is fetched, and a local one is not pinned before it is added
        path = project_root() / entry.source["path"] if "path" in entry.source else locate(entry)[0]
        entry = dataclasses.replace(entry, sha256=sha256_of(path))
        twin = next((m.name for m in known.values() if m.sha256 == entry.sha256), None)
        if twin is not None:
            raise MetacogError(f"{path.name} is the file of the model {twin!r}, which is there already")
        echo(f"trying {entry.label} in a process of its own")
        layers = int((profile.engine or {}).get("n_gpu_layers", 0))
        require(prove(path, name=entry.label, n_gpu_layers=layers))
    echo(f"loading {entry.label}")
    # a mistyped address is told at once, and a server that limits every request soon
    patience = {"limit_wait": LIMIT_WAIT} if entry.is_endpoint else {}
    engine = opener(dataclasses.replace(entry, server_wait=0.0), {**patience, **profile.engine})
    try:
        can = engine.info.capabilities
        entry = _with_signal(_with_kind(entry, candidate, engine), candidate, can)
        tried = try_out(entry, profile, engine)
        for one in tried:
            verdict = "still thinking" if one.unanswered else "right" if one.correct else "wrong"
            echo(f"  {one.question}\n    {verdict}: {one.text.strip()!r} (key: {one.accepted})")
        _check_answers(entry, tried, echo)
        if why := not_its_own(tried):
            raise MetacogError(
                f"{entry.label} {why}: it was not added. {_other_forms(entry, profile, engine)}"
            )
        if entry.confidence:
            _check_stated(entry, try_signal(entry, profile, engine, entry.confidence), echo)
        echo("timing a few items of each study")
        times = tuple(study_time(get_study(name), profile, entry, engine) for name in profile.studies)
    finally:
        engine.close()
    texts = _texts(entry, candidate.profile)
    if not dry_run:
        models.replace_all(texts)
    return Added(entry, tried, times, tuple(texts), can)


def _check_answers(entry: ModelEntry, tried: Sequence[Tried], echo: Callable[[str], object]) -> None:
    """Refuse a model that answers nothing, and say where it needs more room to think."""
    still = sum(one.unanswered for one in tried)
    room = (
        f"{entry.label} was still thinking when its tokens were used up, in {still} of {len(tried)} questions: "
        "leave more room (--thought-tokens 2000), or switch thinking off (--template-switch enable_thinking=false "
        "with many models, --reasoning-effort with hosted ones)"
    )
    answered = any(one.text.strip() for one in tried)
    if not answered:
        why = f"{room}. It" if still else f"{entry.label} answered nothing to {len(tried)} questions: it"
        raise MetacogError(f"{why} was not added")
    if still:
        echo(f"  {room}")


def _other_forms(entry: ModelEntry, profile: Profile, engine: Engine) -> str:
    """Other ways of asking this model that were tried and work, and what to write for them."""
    asked = shown_settings(profile)["prompt_set"]
    completes = not entry.is_chat and not (entry.is_endpoint or entry.kind == "base")
    found = []
    for other in prompt_ids():
        fits = completes or (load_prompt(other).form == "chat") == entry.is_chat
        if fits and other != entry.prompt_id(asked):
            tried = try_out(entry, profile, engine, other)
            if not not_its_own(tried) and any(one.text.strip() for one in tried):
                right = sum(one.correct for one in tried)
                found.append(f"--prompt {asked}={other} ({right} of {len(tried)} right)")
    works = f"Its answers are its own with {', '.join(found)}" if found else "No other prompt was of use"
    return f"{works}; a server that has the completions API: --api completions" if entry.is_chat else works


def _first_entry(candidate: Candidate) -> ModelEntry:
    kind = candidate.kind or "base"
    entry = ModelEntry(
        name=candidate.name,
        label=candidate.label or candidate.name,
        kind=kind,
        source=candidate.source,
        sha256=None,
        prompts=_prompts(kind, candidate),
        family=candidate.family,
        licence=candidate.licence,
        base_of=candidate.base_of,
        settings=dict(candidate.settings) or None,
    )
    for prompt_id in candidate.prompts.values():
        if why := flattened(load_prompt(prompt_id), entry):
            raise MetacogError(why)
    return entry


def _prompts(kind: str, candidate: Candidate) -> dict[str, str]:
    """Prompts of a kind of model; a server's completions API applies no chat template, so its are a base model's."""
    api = candidate.source.get("endpoint", {"api": "none"}).get("api", "completions")
    usual = {"chat": CHAT, "completions": PROMPTS["base"]}.get(api, PROMPTS[kind])
    return {**usual, **candidate.prompts}


def _with_kind(entry: ModelEntry, candidate: Candidate, engine: Engine) -> ModelEntry:
    """Tell a base model from an instruct one where the user did not: the latter has a chat template."""
    if candidate.kind:
        return entry
    kind = "instruct" if not entry.is_endpoint or entry.is_chat else "base"
    if not entry.is_endpoint:
        try:
            engine.render_chat([{"role": "user", "content": "Hello"}])
        except MetacogError:
            kind = "base"
    return dataclasses.replace(entry, kind=kind, prompts=_prompts(kind, candidate))


def _with_signal(entry: ModelEntry, candidate: Candidate, can: Capabilities) -> ModelEntry:
    """With the signal that was asked for, or the best that the engine allows; NLP need not be written down."""
    signal = check_signal(candidate.confidence or best_of(can))
    if refused := refusal_of(signal, can):
        raise MetacogError(f"--confidence {signal}: {refused}")
    return dataclasses.replace(entry, confidence="" if signal == NLP else signal)


def _check_stated(entry: ModelEntry, stated: Sequence[float], echo: Callable[[str], object]) -> None:
    """Say how sure the model was, and refuse a signal by which it never is."""
    told = ["none" if math.isnan(one) else f"{one:.2f}" for one in stated]
    echo(f"  confidence in further answers to these questions, by {entry.confidence}: {', '.join(told)}")
    if all(math.isnan(one) for one in stated):
        raise MetacogError(
            f"{entry.label} gave no confidence that could be read by {entry.confidence}: it was not added; "
            "choose another signal with --confidence"
        )


def _texts(entry: ModelEntry, profile: str) -> dict[Path, str]:
    """New contents of every file that adding the model changes."""
    root, own = project_root(), profile.endswith((".yaml", ".yml"))
    profile_path = Path(profile) if own else root / "config" / "profiles" / f"{profile}.yaml"
    lists = profile_path.read_text(encoding="utf-8")
    return {
        root / "config" / "models" / f"{entry.name}.yaml": models.model_file(entry),
        profile_path: models.with_profile_model(lists, entry.name),
        root / "config" / "parameters" / f"{entry.name}.yaml": parameter_set(entry.name),
    }


def parameter_set(name: str) -> str:
    """The chapters' parameters for one model, as YAML: those of chapters that are run for each model.

    Parameters that the profile fills in are given as comments, so that the profile keeps its say.
    """
    from metacog.book.chapters import chapter_parameters
    from metacog.studies.chapters import declared

    chapters = {c.name: c.source for c in declared() if c.per_model}
    lines = [
        f"# Parameters of the chapters that are run for {name} alone ({', '.join(chapters) or 'none yet'}).",
        "# Change a value and run `make book`: only this model's pages are run again.",
    ]
    found: dict[str, Any] = {}
    for source in chapters.values():
        found |= {key: value for key, value in chapter_parameters(source).items() if key not in found}
    for key, value in found.items():
        text = yaml.safe_dump({key: value}, default_flow_style=True, width=10_000).strip()[1:-1]
        if key in {"n_resamples", "n_permutations", "seed", "verdicts"}:
            lines.append(f"# {text}  # the profile's; take the first # away for a value of its own")
        elif key not in {"profile", "model"}:
            lines.append(text)
    return "\n".join(lines) + "\n"
