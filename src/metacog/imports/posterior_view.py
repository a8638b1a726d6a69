"""What the page on somebody's own trials shows of their posteriors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.imports.posterior import Posteriors
from metacog.measures.posterior import ROPE, names_of
from metacog.report.posterior_words import against_one
from metacog.report.show import Prose

ABOUT = (
    "A posterior says which values of d', the criterion c, meta-d' and M-ratio are plausible, given the "
    "counts and mild priors; nothing is added to empty cells. It always has an answer. Whether there is one "
    "to be had shows in its width, and in how much of it has a d' near 0, where a ratio means nothing. On "
    f"the logarithmic scale, differences from 1 of less than {ROPE:g} are taken for none."
)
ABOUT_GROUP = (
    "Each posterior above knows its own table alone. A **hierarchical** model supposes that the logarithms "
    "of their M-ratios come from one normal curve, and finds its mean and spread together with them: tables "
    "that say little lean on the others. M-ratio is positive in it by construction."
)
#: Estimates that the page shows, each with the ends of its interval.
SHOWN = tuple(f"{one}{end}" for one in ("d_prime", "meta_d", "m_ratio") for end in ("", "_lower", "_upper"))


@dataclass(frozen=True)
class Drawn:
    """What was drawn, as the page shows it: without rows and empty where nothing was.

    Attributes
    ----------
    posteriors : Posteriors
    """

    posteriors: Posteriors

    def source(self) -> Prose:
        """Why there are no posteriors; or what they are, how well they were sampled, and what was left out."""
        facts = self.posteriors.facts
        if facts["why_not"]:
            return Prose("\n\n".join([facts["why_not"], *facts["left_out"]]))
        told = (ABOUT, facts["sampling"], *facts["left_out"], facts["trials"], facts["check"])
        return Prose("\n\n".join(text for text in told if text))

    def group(self) -> Prose:
        """What the group's posterior is and how it was sampled; or why there is none."""
        facts = self.posteriors.facts
        if facts["why_not"] or "group" not in self.posteriors.frames:
            return Prose("" if facts["why_not"] else facts["group"])
        return Prose(f"{ABOUT_GROUP}\n\n{facts['group']}")

    @property
    def groups(self) -> pd.DataFrame:
        """The group's M-ratio in each condition, and how far its members differ."""
        return self.posteriors.frames.get("group", pd.DataFrame())

    @property
    def tables(self) -> pd.DataFrame:
        """Each table's estimates, its M-ratio where it can be judged, and what it says ``against_one``."""
        made = self.posteriors.frames.get("posterior")
        if made is None:
            return pd.DataFrame()
        shown = made[list(SHOWN)].assign(
            table=names_of(made, self.posteriors.facts["labels"]),
            against_one=[against_one(row) for row in rows_of(made)],
        )
        shown.loc[~made["judged"].astype(bool), ["m_ratio", "m_ratio_lower", "m_ratio_upper"]] = np.nan
        return shown[["table", *SHOWN, "against_one"]]
