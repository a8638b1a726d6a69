"""The analyses of study 4, by name."""

from metacog.studies.study4_probe.analyses.own import own
from metacog.studies.study4_probe.analyses.own_items import own_items
from metacog.studies.study4_probe.analyses.printed import printed
from metacog.studies.study4_probe.analyses.printed_panel import printed_panel

ANALYSES = (own, own_items, printed, printed_panel)
