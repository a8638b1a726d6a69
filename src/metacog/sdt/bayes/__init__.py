"""Bayesian meta-d' (HMeta-d, Fleming 2017): single tables, groups, and predictive checks.

NumPyro is imported by the functions that sample, so importing this package costs nothing.
"""

from .fit import fit_bayes
from .group import GroupFit, fit_group
from .predict import RocCheck, predict_roc
from .record import BayesFit, Posterior

__all__ = ["BayesFit", "GroupFit", "Posterior", "RocCheck", "fit_bayes", "fit_group", "predict_roc"]
