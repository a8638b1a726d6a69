"""Pure estimators: counts in, numbers out; no files, no models, no plots."""
