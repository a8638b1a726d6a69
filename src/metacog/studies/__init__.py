"""One module a paper: what that paper asks of trials and estimators."""
