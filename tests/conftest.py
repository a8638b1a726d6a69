"""What every test begins with."""

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def interrupt_as_at_a_terminal():
    """A job in the background ignores SIGINT, and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
