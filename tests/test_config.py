"""Configuration files: the tracked ones are sound; broken ones are answered with the place."""

import pytest

from metacog.collect.models import get_model, is_here, load_models, locate
from metacog.collect.plan import settings_of
from metacog.collect.prompts import load_prompt
from metacog.core.config import digest, load_profile, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.install.stages import EMBEDDED
from metacog.studies import get_study, studies
from metacog.studies.results import parameters_of

PROFILES = sorted(p.stem for p in (project_root() / "config" / "profiles").glob("*.yaml"))


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_names_models_sets_and_prompts_that_exist(name):
    profile = load_profile(name)
    assert profile.name == name
    known = load_yaml(project_root() / "config" / "datasets.yaml", "datasets")["datasets"]
    for study in profile.studies:
        settings = settings_of(get_study(study), profile)
        assert set(getattr(settings, "datasets", {})) <= set(known)
        for model in profile.models:
            load_prompt(get_model(model).prompt_id(settings.prompt_set))


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_sets_only_parameters_that_an_analysis_has(name):
    profile = load_profile(name)
    for key in (key for key in profile.analysis if "." in key):
        study = get_study(key.split(".")[0])
        one = study.analysis(key.split(".")[1])
        given = parameters_of(study, one, profile, {})
        assert given.keys() == one.parameters.keys() and profile.analysis[key].items() <= given.items()


@pytest.mark.parametrize("name", PROFILES)
def test_no_profile_makes_an_analysis_draw_many_times_as_often_as_it_does_by_itself(name):
    """A profile's general number is for cheap analyses: a dear one, with a small number of its own, took minutes."""
    profile, models = load_profile(name), {"model": "any"}
    for study in studies():
        for one in study.analyses:
            given = parameters_of(study, one, profile, models if one.per_model else {})
            for drawn in {"n_resamples", "n_permutations", "n_draws"} & one.parameters.keys():
                assert given[drawn] <= 10 * one.parameters[drawn], (study.name, one.name, drawn)


def test_the_reference_profile_is_the_studys_design_and_leads_the_default_one():
    profile = load_profile("default")
    assert settings_of(get_study("study1_qa"), profile).datasets == {"bank": {"limit": 205}}
    assert len(profile.models) == 2 and profile.reference == "reference" and profile.reference_leads
    settings = settings_of(get_study("study1_qa"), load_profile("reference"))
    assert settings.temperatures == (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0) and settings.forced_questions == 300
    assert settings.datasets == {"bank": {}}
    paper = load_profile("paper").studies["study1_qa"]
    assert paper["datasets"] == {"triviaqa": {"limit": 5000}, "nq-open": {"limit": 3000}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: [", "not valid YAML at line"),
        ("name: x\n", "required property"),
        ("name: x\nmodls: []\n", "Additional properties|required"),
    ],
)
def test_broken_profiles(tmp_path, text, words):
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(MetacogError, match=words):
        load_profile(str(path))


def test_wrong_value_names_its_place(tmp_path):
    good = (project_root() / "config" / "profiles" / "smoke.yaml").read_text()
    path = tmp_path / "p.yaml"
    path.write_text(good.replace("max_tokens: 24", "max_tokens: many"))
    with pytest.raises(MetacogError, match="max_tokens: 'many' is not of type 'integer'"):
        load_profile(str(path))


def test_digest_is_stable_and_sensitive():
    assert digest({"a": 1, "b": (2, 3)}) == digest({"b": [2, 3], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_embedded_models_are_whole():
    assert load_profile("default").models == EMBEDDED
    for name in EMBEDDED:
        path, sha256 = locate(get_model(name))
        assert sha256 == load_models()[name].sha256
        assert path.read_bytes()[:4] == b"GGUF"


def test_wrong_checksum_and_missing_file(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    import dataclasses

    source = {"path": str(locate(get_model("smollm2-135m"))[0])}
    wrong = dataclasses.replace(get_model("smollm2-135m"), sha256="0" * 64, source=source)
    with pytest.raises(MetacogError, match="has sha256 b179c9523d0e.*expected 000000000000.*fetch it again"):
        locate(wrong)
    with pytest.raises(MetacogError, match="there is no file"):
        locate(get_model("nowhere/model.gguf"))


def test_a_path_models_checksum_is_pinned_at_first_use(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "own.gguf"
    file.write_bytes(b"GGUF one")
    entry = get_model(str(file))
    assert is_here(entry) and not is_here(get_model(str(tmp_path / "gone.gguf")))
    assert locate(entry)[1] == locate(entry)[1]
    file.write_bytes(b"GGUF two")
    with pytest.raises(MetacogError, match="damaged or another version"):
        locate(entry)


def test_a_file_is_parsed_once_and_what_a_caller_changes_stays_with_the_caller(tmp_path, monkeypatch):
    import yaml

    parsed, load = [], yaml.load
    monkeypatch.setattr(yaml, "load", lambda text, Loader: parsed.append(text) or load(text, Loader))
    text = (project_root() / "config" / "profiles" / "smoke.yaml").read_text(encoding="utf-8")
    path = tmp_path / "profile.yaml"
    path.write_text(f"{text}# once\n", encoding="utf-8")
    before = load_yaml(path, "profile")["models"].copy()
    load_yaml(path, "profile")["models"].append("another")
    assert load_yaml(path, "profile")["models"] == before and len(parsed) == 1
    path.write_text(text.replace("name: smoke", "name: other"), encoding="utf-8")
    assert load_yaml(path, "profile")["name"] == "other" and len(parsed) == 2
