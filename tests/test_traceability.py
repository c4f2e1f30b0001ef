"""Every statement of the four sources has a check or a reason; every number of their editions has a check."""

from __future__ import annotations

import sys

import pytest
from traced import dice, numbers, rows, s000, s001, s002, s004  # noqa: F401 - importing them registers their checks
from traced.registry import CHECKS, EDITIONS, IDS, NO_RULE, checks_by_id

from gridlos.rules import load_edition

BY_ID = checks_by_id()
OF_CORE_RULEBOOKS = [one for one in CHECKS if not one.ids]


def load(edition, **options):
    return load_edition(edition, options=options)


def recording(asked):
    """Return what loads editions and keeps in ``asked`` which ones."""
    return lambda edition, **options: asked.add(edition) or load(edition, **options)


@pytest.mark.parametrize("statement", IDS)
def test_statement(statement):
    """It has checks, which hold and ask its edition, or a reason for which it needs none."""
    reason, checks = NO_RULE.get(statement), BY_ID.get(statement, [])
    assert bool(reason) != bool(checks), "a check or a reason, and not both"
    for one in checks:
        asked = set()
        one.run(recording(asked))
        assert asked == {EDITIONS[statement.partition("-")[0]]}, one.name


@pytest.mark.parametrize("check", OF_CORE_RULEBOOKS, ids=lambda one: f"{one.edition}: {one.name}")
def test_what_a_source_leaves_to_its_core_rulebook(check):
    check.run(load)


def test_no_check_and_no_reason_is_for_an_unknown_statement():
    assert set(BY_ID) | set(NO_RULE) <= set(IDS)


def test_checks_have_names_of_their_own():
    names = [(one.edition, one.name, one.ids) for one in CHECKS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("edition", EDITIONS.values())
def test_every_number_has_a_check_that_fails_when_it_is_changed(edition, capsys):
    n, alive = numbers.survivors(edition)
    with capsys.disabled():
        sys.stdout.write(f"\n{edition}: {n} numbers changed, {len(alive)} unnoticed\n")
    assert n > 0
    assert alive == []


def test_all_statements_are_traced(capsys):
    n = sum(1 for one in IDS if (one in BY_ID) != (one in NO_RULE))
    with capsys.disabled():
        sys.stdout.write(f"\n{n} of {len(IDS)} statements have a check or a reason ({len(NO_RULE)} reasons)\n")
    assert f"{n} of {len(IDS)}" == "271 of 271"
