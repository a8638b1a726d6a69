"""Set-up: makes the environment, builds llama.cpp for this processor, and proves that it computes.

Runs on the system's bare Python, with the standard library alone::

    PYTHONPATH=src python3 -m metacog.install
"""
