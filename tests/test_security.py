"""What files and templates of strangers cannot do, and what our code does not do. SECURITY.md tells it in words.

Oracle: a payload that leaves a mark where it is run; snippets of what is forbidden, each of which must be noticed.
"""

import ast
import json
import pickle
import zipfile

import numpy as np
import pyarrow
import pyarrow.parquet as pq
import pytest

from metacog.collect.known_sets import read_parquet
from metacog.collect.packs import Pack
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, load
from metacog.studies.codec import RECORD, read_record
from metacog.trials import read_trials

#: Modules whose files are programs, or that run what a text says.
MODULES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal", "torch"}
CALLS = {
    "eval",
    "exec",
    "compile",
    "os.system",
    "os.popen",
    "yaml.unsafe_load",
    "yaml.full_load",
    "yaml.load_all",
}
METHODS = {"read_pickle", "to_pickle", "unsafe_load", "full_load"}


def dangers(text):
    """What a Python file does that it must not, by line."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [
                (node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] in MODULES
            ]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.append((node.lineno, node.module))
        elif isinstance(node, ast.Call):
            name, options = ast.unparse(node.func), {k.arg: ast.unparse(k.value) for k in node.keywords}
            last = name.rpartition(".")[2]
            loader = [*options.values(), *map(ast.unparse, node.args)]
            if (
                name in CALLS
                or last in METHODS
                or options.get("shell", "False") != "False"
                or options.get("allow_pickle", "False") != "False"
                or (name in ("np.save", "numpy.save") and "allow_pickle" not in options)
                or (name == "yaml.load" and not any("SafeLoader" in one for one in loader))
                or (last == "extractall" and options.get("filter") != "'data'")
                or (last == "query" and not all(isinstance(one, ast.Constant) for one in node.args))
            ):
                found.append((node.lineno, ast.unparse(node)[:80]))
    return found


def test_no_code_of_ours_unpickles_evaluates_or_asks_a_shell():
    root = project_root()
    files = [path for place in ("src", "benchmarks", "notebooks") for path in (root / place).rglob("*.py")]
    assert len(files) > 300
    found = {str(path.relative_to(root)): dangers(path.read_text(encoding="utf-8")) for path in files}
    calls = {name: {line.partition("(")[0] for _, line in lines} for name, lines in found.items() if lines}
    assert calls == {}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from joblib import load",
        "import torch.nn",
        "np.load(path, allow_pickle=True)",
        "np.save(path, array)",
        "pd.read_pickle(path)",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        "yaml.unsafe_load(text)",
        "eval(text)",
        "exec(text)",
        "subprocess.run(text, shell=True)",
        "os.system(text)",
        "archive.extractall(folder)",
        "table.query(text)",
    ],
)
def test_what_is_forbidden_is_noticed(line):
    assert len(dangers(f"def f():\n    {line}\n")) == 1
    assert dangers("yaml.load(text, Loader=yaml.SafeLoader)\nnp.load(path)\nre.compile(text)\n") == []


class Payload:
    """Leaves a file behind where it is unpickled."""

    def __init__(self, mark):
        self.mark = str(mark)

    def __reduce__(self):
        return open, (self.mark, "w")


@pytest.fixture
def mark(tmp_path):
    path = tmp_path / "mark"
    pickle.loads(pickle.dumps(Payload(path))).close()
    assert path.exists()  # it works where it is let
    path.unlink()
    return path


def pickled_column(path, payload):
    """A table whose columns hold pickles, one of them as a type that old versions of Arrow unpickled by themselves."""
    values = pyarrow.array([payload] * 3, pyarrow.binary())
    about = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": payload}
    names = ("question", "choices", "answer", "correct", "confidence")
    fields = [
        pyarrow.field(name, pyarrow.binary(), metadata=about if name != "answer" else None) for name in names
    ]
    pq.write_table(pyarrow.table([values] * len(names), schema=pyarrow.schema(fields)), path)


def pickled_array(path, payload):
    array = np.array([pickle.loads(b"N.")], dtype=object)
    with open(path, "wb") as handle:
        np.savez(handle, correct=array, confidence=array)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    head = members["correct.npy"].partition(b"\n")[0] + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name in members:
            archive.writestr(name, head + payload)


def plain_pickle(path, payload):
    path.write_bytes(payload)


ASKED = Request(Columns(correct="correct", confidence="confidence"))
READERS = {
    "trials of somebody": ("parquet", lambda path: load(path, ASKED)),
    "trials in a log": ("eval", load),
    "trials in lines": ("jsonl", load),
    "trials as text": ("csv", lambda path: load(path, ASKED)),
    "trials by their own ending": ("npz", load),
    "trials in a pickle": ("pkl", load),
    "our trial table": ("parquet", read_trials),
    "a publisher's table": ("parquet", lambda path: read_parquet(path, ("id", "text"))),
    "a pack of replies": ("zip", Pack),
}


@pytest.mark.parametrize("write", [pickled_column, pickled_array, plain_pickle])
@pytest.mark.parametrize("reader", READERS)
def test_a_file_with_a_pickle_in_it_is_refused_and_not_run(reader, write, mark, tmp_path):
    ending, read = READERS[reader]
    path = tmp_path / f"hostile.{ending}"
    write(path, pickle.dumps(Payload(mark)))
    with pytest.raises(MetacogError) as refused:
        read(path)
    assert not mark.exists() and len(str(refused.value)) < 600


@pytest.mark.parametrize(
    "record", [{"array": "a"}, {"class": "subprocess:Popen", "fields": {"args": ["true"]}}, {"table": "a"}]
)
def test_a_stored_result_with_a_pickle_in_it_is_refused_and_not_run(record, mark, tmp_path):
    pickled_array(tmp_path / "a.npz", pickle.dumps(Payload(mark)))
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        (tmp_path / "a.npy").write_bytes(archive.read("correct.npy"))
        (tmp_path / "a.parquet").write_bytes(archive.read("correct.npy"))
    (tmp_path / RECORD).write_text(json.dumps({"made_by": {}, "record": record}))
    with pytest.raises(MetacogError, match=r"cannot be read|not ours"):
        read_record(tmp_path)
    assert not mark.exists()


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ cycler.__init__.__globals__.os.system('true') }}",
        "{{ messages.append(1) }}",
    ],
)
def test_a_model_s_chat_template_runs_nothing(template):
    """It comes with the model's file."""
    from jinja2 import TemplateError

    from metacog.engines.llama.templates import _formatter

    with pytest.raises(TemplateError):
        _formatter(template, "</s>", "<s>")(messages=[{"role": "user", "content": "Hello"}])
