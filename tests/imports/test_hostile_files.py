"""Files that were made to do harm, by name. Oracle: a short error, or a table, and nothing run, filled or written."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.inspect_logs import read_inspect
from metacog.imports.tables import read_table
from metacog.trials import read_trials


class Opened:
    """Writes a file as soon as it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


def as_type(marker: Path) -> pa.Table:
    """A column whose type is a pickle, as Arrow's extension types once were."""
    field = pa.field("right", pa.binary()).with_metadata(
        {
            "ARROW:extension:name": "arrow.py_extension_type",
            "ARROW:extension:metadata": pickle.dumps(Opened(marker)),
        }
    )
    return pa.table([pa.array([b"1"])], schema=pa.schema([field]))


def as_cells(marker: Path) -> pa.Table:
    """A column of pickles, which its table's metadata call objects."""
    said = {
        "name": "right",
        "field_name": "right",
        "pandas_type": "object",
        "numpy_type": "object",
        "metadata": None,
    }
    pandas = {"index_columns": [], "column_indexes": [], "columns": [said], "pandas_version": "2.0.0"}
    table = pa.table({"right": [pickle.dumps(Opened(marker))]})
    return table.replace_schema_metadata({"pandas": json.dumps(pandas)})


@pytest.mark.parametrize("make", [as_type, as_cells])
@pytest.mark.parametrize("read", [read_table, read_trials])
def test_no_pickle_in_a_parquet_file_is_opened(make, read, tmp_path):
    marker = tmp_path / "opened"
    pickle.loads(pickle.dumps(Opened(marker)))
    assert marker.exists()  # it would be seen
    marker.unlink()
    pq.write_table(make(marker), tmp_path / "t.parquet")
    try:
        read(tmp_path / "t.parquet")
    except MetacogError as error:
        assert len(str(error)) < 1000
    assert not marker.exists()


def test_a_log_that_unpacks_to_gigabytes_is_refused_before_it_is_read(tmp_path):
    """Small as it lies there; its own list says how large a sample is."""
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}}))
        archive.writestr("samples/1_epoch_1.json", "{}")
        archive.infolist()[-1].file_size = 4_000_000_000
    with pytest.raises(MetacogError, match="would unpack to more than"):
        read_inspect(tmp_path / "log.eval", Validation("x", "inspect"))


def test_a_parquet_file_that_unpacks_to_gigabytes_is_refused_before_it_is_read(tmp_path):
    """One value, two hundred million times: some hundred kilobytes as they lie there."""
    path, group = tmp_path / "t.parquet", pa.table({"right": pa.nulls(10**7)})
    with pq.ParquetWriter(path, group.schema) as writer:
        for _ in range(20):
            writer.write_table(group, row_group_size=10**7)
    assert path.stat().st_size < 1e6
    with pytest.raises(MetacogError, match="200,000,000 rows of 1 columns"):
        read_table(path)


def test_a_table_with_zeros_or_another_ending_is_told(tmp_path):
    for name, content in {
        "a.csv": b"right,sure\n1,0.5\n" + bytes(40),
        "h.csv": b"\0\0\0\x18abc,d\n1,2\n\0",
        "i.csv": b"a\0bc,d\n1,2\n",
        "f.csv": b"PK\x03\x04" + bytes(100),
        "g.mat": b"MATLAB 7.3 MAT-file" + bytes(200),
        "b.jsonl": b'{"right": 1}\n\x00\x00\n',
        "c.parquet": b"right,sure\n1,0.5\n",
        "d.json": b"PAR1" + bytes(100) + b"PAR1",
        "e.parquet": b"PAR1" + bytes(100) + b"PAR1",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(MetacogError) as refusal:
            read_table(tmp_path / name)
        assert name in str(refusal.value) and len(str(refusal.value)) < 500
        assert name not in ("h.csv", "i.csv") or "holds zeros" in str(refusal.value)
