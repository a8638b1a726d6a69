"""What decides the last bits of a local engine's numbers; a plan names it without loading the engine."""

from __future__ import annotations

#: Changes when the order of decoding does, and with it the last bits.
SCHEDULE = "streams-1"

#: Tokens decoded at once at most, and sequences written at once.
N_BATCH, WIDTH = 512, 48

#: Settings of the engine that decide the last bits, with their defaults.
DEFAULTS: dict[str, object] = {
    "n_batch": N_BATCH,
    "width": WIDTH,
    "n_seq": None,
    "n_gpu_layers": 0,
    "flash_attn": True,
}
