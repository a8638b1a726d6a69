"""What readers call each signal."""

from metacog.trials.signals import AGREEMENT, NLP, P_TRUE, VERBAL

NAMES = {NLP: "log-probability", VERBAL: "stated number", P_TRUE: "P(True)", AGREEMENT: "agreement"}
