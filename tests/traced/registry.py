"""What is known of every statement: its checks, or the reason why it needs none.

A check is a plain function of ``load``: ``load(edition_id, **options)`` returns an edition. So the same check can be
asked of an edition in which one number is wrong, and must then fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gridlos.rules import Edition

Load = Callable[..., Edition]

RANGES = {"S000": 69, "S001": 25, "S002": 79, "S004": 98}
"""Statements are numbered from 1; there is no source S003."""

EDITIONS = {"S000": "defense", "S001": "starfinder1", "S002": "hybrid35", "S004": "dnd30"}
"""The edition that is made of each source."""

IDS = tuple(f"{source}-{number}" for source, last in RANGES.items() for number in range(1, last + 1))


@dataclass(frozen=True, slots=True)
class Check:
    """A check and the statements that it is for."""

    name: str
    edition: str
    ids: tuple[str, ...]
    run: Callable[[Load], None]


CHECKS: list[Check] = []

NO_RULE = {
    "S000-1": "an introduction: that several things influence an attack",
    "S000-40": "an introduction: what follows it, S000-41 to S000-44, says when concealment does not work",
    "S000-69": "the licence of the text",
    "S001-2": "says in other words what S001-1 says of the miss chance",
    "S001-3": "says where concealment can come from; S001-5 and S001-8 say how it is found",
    "S002-57": "an introduction: what follows it, S002-58 to S002-61, says when concealment does not work",
    "S004-29": "an introduction to the three ways S004-30, S004-33 and S004-34",
    "S004-82": "says when one wants to know what S004-81 decides",
}
"""Statements without a rule, and why."""


def traces(*ids: str) -> Callable[[Callable[[Load], None]], Callable[[Load], None]]:
    """Return the decorator that registers a check for statements of one source."""

    def register(check: Callable[[Load], None]) -> Callable[[Load], None]:
        add(check.__name__, ids, check)
        return check

    return register


def add(name: str, ids: tuple[str, ...], check: Callable[[Load], None]) -> None:
    """Register a check for statements of one source."""
    (source,) = {one.partition("-")[0] for one in ids}
    CHECKS.append(Check(name, EDITIONS[source], ids, check))


def fills(edition: str, name: str, check: Callable[[Load], None]) -> None:
    """Register a check of what an edition takes from its core rulebook because its source is silent: it has no id."""
    CHECKS.append(Check(name, edition, (), check))


def checks_by_id() -> dict[str, list[Check]]:
    """Return the checks of every statement that has one."""
    found: dict[str, list[Check]] = {}
    for check in CHECKS:
        for one in check.ids:
            found.setdefault(one, []).append(check)
    return found
