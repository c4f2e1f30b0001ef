"""The oracle of chances: every combination of rolls, each handed to ``resolve``. Also: the editions' tables of dice.

``resolve`` is asked with no roll at all; whatever roll it misses is given every value in turn, until it answers.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

from gridlos.errors import QuestionError
from gridlos.rules import edition_ids, load_edition
from gridlos.rules.resolve import resolve

TABLES = {id_: load_edition(id_).table.dice for id_ in edition_ids()}


class Missing(Exception):
    def __init__(self, key, sides):
        self.key, self.sides = key, sides


class Tape:
    """Rolls that say which of them was missing."""

    def __init__(self, given, n_d20):
        self.given, self.n_d20 = given, n_d20

    def _read(self, key, sides):
        if key not in self.given:
            raise Missing(key, sides)
        return self.given[key]

    attack = property(lambda self: self._read("attack", (20,) * self.n_d20))
    confirmation = property(lambda self: self._read("confirmation", (20,) * self.n_d20))
    flat_check = property(lambda self: self._read("flat_check", (20,))[0])
    percentile = property(lambda self: self._read("percentile", (100,))[0])
    damage = property(lambda self: tuple(self.given[key][0] for key in sorted(k for k in self.given if type(k) is int)))


def asked(dice, strike, given):
    """Return the outcome, or the roll that is missing."""
    try:
        return resolve(dice, strike, Tape(given, 1 if strike.roll == "normal" else 2))
    except Missing as missing:
        return missing
    except QuestionError as error:
        die = re.search(r"the damage die d(\d+) is missing", str(error))
        if die is None:
            raise
        return Missing(sum(type(key) is int for key in given), (int(die[1]),))


def filled(dice, strike, given, pick):
    """Return what comes of it when every further roll is the lowest (``min``) or the highest (``max``)."""
    found = asked(dice, strike, given)
    while isinstance(found, Missing):
        given = {**given, found.key: tuple(pick(1, sides) for sides in found.sides)}
        found = asked(dice, strike, given)
    return tuple(step.word for step in found.steps), found.struck, found.critical, found.damage


def ends(dice, strike, *, strict=False, given=None):
    """Return ``(struck, critical, damage)`` to its probability.

    Not ``strict``: values of a d20 or d% that lead to the same steps and the same ends, with the lowest rolls after
    them and with the highest, are followed up once for all of them.
    """
    given = given or {}
    found = asked(dice, strike, given)
    if not isinstance(found, Missing):
        return {(found.struck, found.critical, found.damage): Fraction(1)}
    values = list(product(*(range(1, sides + 1) for sides in found.sides)))
    groups = {}
    for value in values:
        following = {**given, found.key: value}
        if strict or type(found.key) is int:
            groups[value] = [following]
        else:
            sign = tuple(filled(dice, strike, following, pick) for pick in (min, max))
            groups.setdefault(sign, []).append(following)
    total = {}
    for alike in groups.values():
        for end, share in ends(dice, strike, strict=strict, given=alike[0]).items():
            total[end] = total.get(end, 0) + share * Fraction(len(alike), len(values))
    return total


def slow_odds(dice, strike, *, strict=False):
    """Return hit, critical, damage, cover struck, coverer hit, damage to the coverer: exact, by enumeration."""
    found = ends(dice, strike, strict=strict)
    assert sum(found.values()) == 1

    def share(wanted, worth=lambda damage: 1):
        return sum((p * worth(end[2]) for end, p in found.items() if wanted(*end)), Fraction(0))

    def own(damage):
        return damage

    return (
        share(lambda struck, *_: struck == "target"),
        share(lambda struck, critical, _: struck == "target" and critical),
        share(lambda struck, *_: struck == "target", own),
        share(lambda struck, *_: struck in ("cover", "coverer")),
        share(lambda struck, *_: struck == "coverer"),
        share(lambda struck, *_: struck == "coverer", own),
    )
