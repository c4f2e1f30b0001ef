"""Of what the answers on a pair follow, where walls hide all or nothing and nothing conceals: what an edition reads of the facts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gridlos.facts import Attack, Bools, Masks, Traits
from gridlos.rules.cover import line_tables
from gridlos.rules.judgement import Judgement
from gridlos.rules.kinds import Circumstance
from gridlos.rules.model import Edition
from gridlos.rules.outcomes import plan_of

__all__ = ["Read", "asks_defenses", "kinds_of", "read_by"]

_OF_ONE_WAY = ("engaged", "crowded", "weapons", "other_weapons")


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What an edition reads of such pairs, in one kind of attack.

    Attributes
    ----------
    tables
        ``(5, 4096)`` uint8, filled up with zeros: of :class:`gridlos.rules.plain.LineTables` the keys and classes for the best
        corner; orders, keys by order and classes where all corners count.
    soft, soft_when_adjacent
        Whether lines that creatures block count: at large, and where cover is found as in adjacent melee.
    counts_cut_corners
        Whether corners that walls cut off are used and counted.
    all_when_adjacent
        Whether all corners count where cover is found as in adjacent melee.
    ranged_when_large
        Whether large creatures that reach what is adjacent find it otherwise.
    least_higher
        From how many thousandths of a foot on who stands higher matters; None: it does not.
    asks_free
        Whether a free line is enough for line of effect.
    words
        The conditions of an attacker, and of a target, that matter to answers on it.
    weapons
        Sets of weapons: what matters is of which an attacker's weapon is one.
    """

    tables: Masks
    soft: bool
    soft_when_adjacent: bool
    counts_cut_corners: bool
    all_when_adjacent: bool
    ranged_when_large: bool
    least_higher: int | None
    asks_free: bool
    words: tuple[frozenset[str], frozenset[str]]
    weapons: tuple[frozenset[str], ...]


@lru_cache(maxsize=128)
def read_by(edition: Edition, attack: Attack) -> Read | None:
    """Return what the edition reads; None: more than that tells answers apart, or it is not told by corners' classes."""
    table, plan, soft = edition.table, plan_of(edition, attack), edition.table.soft_cover
    is_ranged = attack is Attack.RANGED
    shift = table.size_shift
    concealing = [plan.circumstances[name] for name in plan.concealing]
    if (
        attack is Attack.AREA
        or table.centre is not None
        or table.by_area is not None
        or table.edge_contact != "clear"
        or (shift is not None and shift.degrees)
        or (is_ranged and (table.attacker_corners == "outer" or table.target_squares == "all"))
        # How the target sees the attacker may hang on what these are for the other one of the two.
        or any(getattr(one, key) is not None for one in concealing for key in _OF_ONE_WAY)
    ):
        return None
    best, worst = line_tables(edition, attack)
    tables = np.zeros((5, len(best.keys)), np.uint8)
    parts = best.keys, best.classes_by_key, worst.orders, worst.keys_by_order, worst.classes_by_key
    for row, part in zip(tables, parts, strict=True):
        row[: len(part)] = part
    has_soft = soft is not None
    return Read(
        tables=tables,
        soft=has_soft and (is_ranged or (soft is not None and soft.reach == "applies")),
        soft_when_adjacent=has_soft and table.adjacent_melee.creatures == "count",
        counts_cut_corners=table.cut_corners != "ignore",
        all_when_adjacent=table.adjacent_melee.corners == "all",
        ranged_when_large=table.adjacent_melee.large_creatures == "ranged",
        least_higher=table.higher_ground_feet * 1000 if plan.asks("higher_ground") else None,
        asks_free=table.line_of_effect == "touching",
        words=_words(plan.circumstances.values(), concealing),
        weapons=tuple(frozenset(some) for one in plan.circumstances.values() for some in (one.weapons, one.other_weapons) if some),
    )


def _words(circumstances: Iterable[Circumstance], concealing: Iterable[Circumstance]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the conditions of attackers, and of targets, that matter; how these see those hangs on both the other way round."""
    ways = [(one.attacker, one.attacker_without, one.target, one.target_without) for one in circumstances]
    ways += [(one.target, one.target_without, one.attacker, one.attacker_without) for one in concealing]
    attackers = frozenset(word for have, lack, _, _ in ways for word in (*(have or ()), *lack))
    targets = frozenset(word for _, _, have, lack in ways for word in (*(have or ()), *lack))
    return attackers, targets


def kinds_of(edition: Edition, read: Read, traits: Traits) -> tuple[list[Hashable], list[Hashable], list[Hashable]]:
    """Return what the edition reads of each creature as an attacker, and as a target; and its Dexterity and shield."""
    known = [edition.implied(one) for one in traits.conditions.known]
    conditions = [known[k] for k in traits.conditions.whose.tolist()]
    weapons = [tuple(one in some for some in read.weapons) for one in traits.weapons.known]
    attackers: list[Hashable] = [
        (one & read.words[0], weapons[k]) for one, k in zip(conditions, traits.weapons.whose.tolist(), strict=True)
    ]
    targets: list[Hashable] = [one & read.words[1] for one in conditions]
    return attackers, targets, list(zip(traits.dexterity.tolist(), traits.shield.tolist(), strict=True))


def asks_defenses(judgement: Judgement) -> Bools:
    """Return the pairs to whose answers the target's Dexterity or shield matters, in the shape of the pairs."""
    circumstances, found = judgement.edition.table.circumstances, np.zeros(judgement.facts.shape, np.bool_)
    for name, pairs in judgement.circumstances.items():
        if circumstances[name].dexterity is not None or circumstances[name].shield is not None:
            found |= pairs
    return found
