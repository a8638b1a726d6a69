"""One look for every figure: colour-blind safe, readable at phone width and in print."""

from __future__ import annotations

import seaborn as sns

#: Width of a figure in inches. The page shows it at most this wide; on a phone it keeps nearly this width and
#: scrolls within its frame (``companion.js``), so that small letters can still be read.
WIDTH = 6.2

#: Colours of groups in their order: seaborn's "colorblind" with its pink, yellow and sky blue, which can hardly be
#: seen on white, replaced by dark ones.
PALETTE = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#882255",
    "#949494",
    "#332288",
    "#666600",
)
#: Marker shapes that go with the colours, so that no figure relies on colour alone.
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<", ">", "h")

#: Ink for reference lines and text that is not data.
GREY = "#6b7280"


def use_style() -> None:
    """Set the book's figure style; every chapter calls it once."""
    sns.set_theme(
        context="notebook",
        style="whitegrid",
        palette=PALETTE,
        rc={
            "figure.figsize": (WIDTH, 3.8),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.size": 12,
            "axes.titlesize": 12,
            "axes.labelsize": 12,
            "xtick.labelsize": 11,
            "ytick.labelsize": 11,
            "legend.fontsize": 11,
            "legend.frameon": False,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "grid.alpha": 0.5,
            "svg.fonttype": "path",
            "svg.hashsalt": "metacog",
        },
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
    except ImportError:  # outside a notebook
        pass
