"""Profiles of the property tests, chosen by ``HYPOTHESIS_PROFILE``, and what holds after every run of the tests."""

from __future__ import annotations

import os
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from kernels.entries import ENTRIES

from gridlos.cli import main

# The first example of a test may compile kernels, which is no fault of the generator.
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("reduced", max_examples=5, deadline=None, suppress_health_check=QUIET)
settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=QUIET)
settings.register_profile("thorough", max_examples=300, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

COUNTS = pytest.StashKey["Counts"]()


class Counts(Counter):
    """What was compared, by name."""

    def add(self, **found):
        """Add so many of each, blanks for the underscores in its name."""
        self.update({name.replace("_", " "): int(count) for name, count in found.items()})


def pytest_configure(config):
    config.stash[COUNTS] = Counts()


@pytest.fixture(scope="session")
def counts(pytestconfig):
    """What was compared, by name: told at the end of the run."""
    return pytestconfig.stash[COUNTS]


def pytest_terminal_summary(terminalreporter, config):
    if found := config.stash[COUNTS]:
        terminalreporter.section("compared")
        for name, count in found.items():
            terminalreporter.write_line(f"{count:>10,} {name}")


@pytest.fixture
def run(capsys):
    """Run one command: exit code, stdout, lines of stderr."""

    def run(*words):
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err.splitlines()

    return run


@pytest.fixture(scope="session", autouse=True)
def _each_kernel_is_compiled_once():
    """Whatever the tests have called, with whatever they had at hand: one signature a kernel."""
    yield
    for module, names in ENTRIES.items():
        if module in sys.modules:
            for name in names:
                kernel = getattr(sys.modules[module], name)
                signatures = getattr(kernel, "signatures", [])  # plain functions have none
                assert len(signatures) <= 1, (module, name, signatures)
