"""Engines make text and log-probabilities: llama.cpp on this machine, or a server's endpoint."""
