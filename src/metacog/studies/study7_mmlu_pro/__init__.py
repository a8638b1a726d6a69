"""Study 7: 83 models on the questions of MMLU-Pro, with three kinds of confidence."""
