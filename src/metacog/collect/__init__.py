"""Trials are made here: questions, prompts, engines, scoring and the resumable runner."""
