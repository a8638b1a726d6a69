"""Simulated answerers whose metacognitive efficiency is known."""
