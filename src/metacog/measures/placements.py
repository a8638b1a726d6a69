"""Areas of scores from placement values, with intervals over items (DeLong et al. 1988)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtrit

from metacog.core.frames import ended
from metacog.measures.model_items import FloatArray
from metacog.sdt import InputError


def half_width(moved: FloatArray, hits: NDArray[np.bool_]) -> float:
    """Half a 95 % interval of an area's placement values, or of a difference of two areas' (DeLong et al. 1988)."""
    parts = [moved[side].var(ddof=1) / side.sum() for side in (hits, ~hits)]
    total = float(sum(parts))
    freedom = sum(part**2 / (side.sum() - 1) for part, side in zip(parts, (hits, ~hits), strict=True))
    return float(stdtrit(total**2 / freedom, 0.975) * np.sqrt(total)) if freedom > 0 else float("nan")


def area_of(name: str, placed: FloatArray, hits: NDArray[np.bool_]) -> dict[str, Any]:
    """An area and its ends, on the scale of log-odds, from placement values."""
    area = float(placed[hits].mean())
    if not 0 < area < 1:
        return ended(name, area, np.nan, np.nan)
    half = half_width(placed, hits) / (area * (1 - area))
    return ended(name, area, *map(float, expit(logit(area) + np.array([-half, half]))))


def numbers(name: str, values: ArrayLike, shape: tuple[int, ...] | None) -> FloatArray:
    try:
        made = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers: {error}") from None
    if shape is not None and made.shape != shape:
        raise InputError(f"{name} must have the shape {shape} of models by items, got {made.shape}")
    return made
