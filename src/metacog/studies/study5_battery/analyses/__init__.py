"""The analyses of study 5, by name."""

from metacog.studies.study5_battery.analyses.integrity import integrity
from metacog.studies.study5_battery.analyses.monitoring import monitoring, profiles
from metacog.studies.study5_battery.analyses.own import own_asked, own_items, own_monitoring, own_regulation
from metacog.studies.study5_battery.analyses.regulation import commitment, contrasts, regulation, robustness
from metacog.studies.study5_battery.analyses.tracks import tracks

ANALYSES = (
    integrity,
    monitoring,
    profiles,
    tracks,
    regulation,
    contrasts,
    robustness,
    commitment,
    own_items,
    own_asked,
    own_monitoring,
    own_regulation,
)
