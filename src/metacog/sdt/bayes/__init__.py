"""Bayesian meta-d' (HMeta-d, Fleming 2017): single tables, groups, and predictive checks.

NumPyro is imported by the functions that sample, so importing this package costs nothing.
"""

from metacog.sdt.bayes.fit import fit_bayes
from metacog.sdt.bayes.group import GroupFit, fit_group
from metacog.sdt.bayes.predictive import RocCheck, predict_roc
from metacog.sdt.bayes.record import BayesFit, Posterior

__all__ = ["BayesFit", "GroupFit", "Posterior", "RocCheck", "fit_bayes", "fit_group", "predict_roc"]
