"""The thin layer over llama.cpp: load a model, tokenise, decode batches of several sequences."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llama_cpp as lc
import numpy as np
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.engines.llama.kernels import load_backends
from metacog.engines.thinking import MARK_TOKENS

# OpenMP's threads spin at the end of each of llama.cpp's many parallel regions. Where another process
# wants a core, all wait for a thread that is not running: 82 questions took 242 s beside one busy program on two cores,
# 41 s where threads slept at once, 48 s with a short spin of a few microseconds before (alone: 28, 31 and 24 s; medians
# of two). The runtime reads this when it is loaded; only GNU's knows the second, which it puts before the first.
if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(os.environ):
    os.environ["OMP_WAIT_POLICY"] = "passive"
    os.environ["GOMP_SPINCOUNT"] = "1000"

_BATCH_TYPES: dict[str, Any] = dict(lc.llama_batch._fields_)  # type: ignore[arg-type]

_log: deque[str] = deque(maxlen=40)

_backend_ready = False


@lc.llama_log_callback
def _keep_log(level: int, text: bytes, _user_data: Any) -> None:
    """Keep warnings and errors of llama.cpp for our own messages instead of printing them."""
    line = text.decode("utf-8", "replace").strip()
    if level in (3, 4) and line:  # GGML_LOG_LEVEL_WARN and _ERROR
        _log.append(line)


def start_backend() -> None:
    """Initialise llama.cpp once and send its log to a small buffer."""
    global _backend_ready
    lc.llama_log_set(_keep_log, ctypes.c_void_p(0))
    if not _backend_ready:
        load_backends(lc)
        lc.llama_backend_init()
        _backend_ready = True


def last_log() -> str:
    return " | ".join(list(_log)[-3:])


class Model:
    """A GGUF file that llama.cpp has loaded.

    ``n_gpu_layers``: layers to put on a GPU where the build has one; -1 is all.
    """

    def __init__(self, path: Path, *, n_gpu_layers: int = 0) -> None:
        self.handle: Any = None
        _check_file(path)
        start_backend()
        _log.clear()
        params = lc.llama_model_default_params()
        params.n_gpu_layers = n_gpu_layers
        self.handle = lc.llama_model_load_from_file(str(path).encode(), params)
        if not self.handle:
            raise MetacogError(
                f"llama.cpp cannot load {path} ({last_log() or 'no reason given'}). The file is damaged or "
                "of a kind this build does not know: download it again, or check it with `metacog doctor`."
            )
        self.vocab = lc.llama_model_get_vocab(self.handle)
        self.n_vocab = int(lc.llama_vocab_n_tokens(self.vocab))
        self.n_ctx_train = int(lc.llama_model_n_ctx_train(self.handle))
        head = self.n_vocab * int(lc.llama_model_n_embd(self.handle))
        self.head_share = min(1.0, head / max(1, int(lc.llama_model_n_params(self.handle))))
        self.add_bos = bool(lc.llama_vocab_get_add_bos(self.vocab))
        self.bos = int(lc.llama_vocab_bos(self.vocab))
        self.eos = int(lc.llama_vocab_eos(self.vocab))
        self.piece = cache(self._piece)
        self.is_eog = cache(lambda token: bool(lc.llama_vocab_is_eog(self.vocab, token)))

    def tokenize(self, text: str, *, bos: bool = True) -> list[int]:
        """Token ids of a text, control tokens in it read; with ``bos`` the first token once, where wanted."""
        raw = text.encode("utf-8")
        size = len(raw) + 8
        while True:
            buffer = (lc.llama_token * size)()
            n = int(lc.llama_tokenize(self.vocab, raw, len(raw), buffer, size, bos, True))
            if n >= 0:
                break
            size = -n
        tokens = list(buffer[:n])
        if bos:
            while len(tokens) > 1 and tokens[0] == tokens[1] == self.bos:
                tokens.pop(0)
            if tokens and lc.llama_vocab_get_add_eos(self.vocab) and tokens[-1] == self.eos:
                tokens.pop()  # some vocabularies close every text, but a prompt stays open
        return tokens

    def _piece(self, token: int) -> bytes:
        """The bytes a token adds to the text (control tokens add none, unless they mark thinking)."""
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            n = int(lc.llama_token_to_piece(self.vocab, token, buffer, size, 0, False))
            if n >= 0:
                break
            size = -n
        mark = b"" if n else self.control_text(token).encode()
        return mark if mark in MARK_TOKENS else buffer.raw[:n]

    def control_text(self, token: int) -> str:
        """How a control token is written out, or an empty string for a token the model lacks."""
        if token < 0:
            return ""
        return (lc.llama_vocab_get_text(self.vocab, token) or b"").decode("utf-8", "replace")

    def chat_template(self) -> str | None:
        raw = lc.llama_model_chat_template(self.handle, None)
        return raw.decode("utf-8", "replace") if raw else None

    def close(self) -> None:
        if self.handle:
            lc.llama_model_free(self.handle)
            self.handle = None


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise MetacogError(
            f"model file {path} does not exist. Check the path, or see what `metacog models` offers."
        )
    with path.open("rb") as handle:
        magic = handle.read(4)
    if magic != b"GGUF":
        raise MetacogError(f"{path} is not a GGUF model file (it does not begin with 'GGUF').")


class Context:
    """A KV cache of several sequences, and the batch buffers that feed it.

    Where it is unified, cells belong to any number of sequences, so a fork (:meth:`fork`) copies no numbers.

    ``n_cells``: tokens the cache can hold, over all sequences, or in each where it is not unified; ``n_seq``: sequences
    that may live at once; ``n_outputs``: rows of logits one batch may ask for, at least ``n_seq``; ``n_ubatch``: tokens
    computed in one pass; ``unified``: False gives each sequence cells of its own, in single precision.
    """

    def __init__(
        self,
        model: Model,
        *,
        n_cells: int,
        n_seq: int,
        n_outputs: int,
        n_ubatch: int,
        n_threads: int,
        flash_attn: bool,
        unified: bool = True,
    ) -> None:
        self.handle: Any = None
        self.model, self.n_cells, self.n_outputs = model, n_cells, n_outputs
        params = lc.llama_context_default_params()
        params.n_ctx = n_cells if unified else n_seq * n_cells
        params.n_batch = n_cells if unified else n_ubatch
        params.n_ubatch = min(n_ubatch, params.n_batch)
        params.n_seq_max = n_seq
        if hasattr(params, "n_outputs_max"):
            params.n_outputs_max = n_outputs  # else the logits buffer has n_batch rows of the vocabulary
        params.n_threads = params.n_threads_batch = n_threads
        params.flash_attn_type = 1 if flash_attn else 0
        params.kv_unified = unified
        if not unified:
            params.type_k = params.type_v = 0  # GGML_TYPE_F32
        params.swa_full = True
        params.no_perf = True
        _log.clear()
        self.handle = lc.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise MetacogError(
                f"llama.cpp cannot make room for {params.n_ctx} tokens of {n_seq} sequences ({last_log()}). "
                "Lower the width or the token limit, ask fewer items together, or shorten the prompts."
            )
        self.memory = lc.llama_get_memory(self.handle)

    def decode(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        sequences: Sequence[Sequence[int]],
        outputs: Sequence[bool],
    ) -> NDArray[np.float32]:
        """Run one batch; the logits of the tokens marked in ``outputs``, a view that the next call overwrites."""
        token = np.asarray(tokens, np.int32)
        position = np.asarray(positions, np.int32)
        n_ids = np.fromiter((len(s) for s in sequences), np.int32, len(sequences))
        ids = np.fromiter((i for s in sequences for i in s), np.int32, int(n_ids.sum()))
        pointers = ids.ctypes.data + 4 * (np.cumsum(n_ids, dtype=np.uint64) - n_ids.astype(np.uint64))
        pointers = pointers.astype(np.uint64)
        flags = np.asarray(outputs, np.int8)
        batch = lc.llama_batch()
        batch.n_tokens = len(token)
        arrays: dict[str, NDArray[Any]] = {"token": token, "pos": position, "n_seq_id": n_ids}
        arrays |= {"seq_id": pointers, "logits": flags}
        for name, array in arrays.items():
            setattr(batch, name, array.ctypes.data_as(_BATCH_TYPES[name]))
        code = int(lc.llama_decode(self.handle, batch))
        if code == 1:
            raise MetacogError(
                f"the KV cache of {self.n_cells} tokens is full. Lower the width, or give a larger n_cells."
            )
        if code != 0:
            raise MetacogError(f"llama.cpp failed to decode a batch (code {code}: {last_log()}).")
        n_rows = int(flags.sum())
        if n_rows == 0:
            lc.llama_synchronize(self.handle)
            return np.empty((0, self.model.n_vocab), np.float32)
        pointer = lc.llama_get_logits(self.handle)
        return np.ctypeslib.as_array(pointer, shape=(n_rows, self.model.n_vocab))

    def fork(self, source: int, target: int) -> None:
        """Let ``target`` share everything ``source`` holds."""
        lc.llama_memory_seq_cp(self.memory, source, target, -1, -1)

    def drop(self, sequence: int, start: int = 0) -> None:
        """Forget a sequence from a position on; its cells are free once no other shares them."""
        lc.llama_memory_seq_rm(self.memory, sequence, start, -1)

    def clear(self) -> None:
        lc.llama_memory_clear(self.memory, False)

    def close(self) -> None:
        if self.handle:
            lc.llama_free(self.handle)
            self.handle = None
