"""Of what the answers on a pair follow, where walls hide all or nothing and nothing conceals: what an edition reads of the facts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gridlos.facts import Attack, Masks, Traits
from gridlos.rules.cover import line_tables
from gridlos.rules.model import Edition
from gridlos.rules.outcomes import plan_of

__all__ = ["Read", "kinds_of", "read_by"]

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
    weapons, defenses
        Whether the attacker's weapon matters; the target's Dexterity and shield.
    """

    tables: Masks
    soft: bool
    soft_when_adjacent: bool
    counts_cut_corners: bool
    all_when_adjacent: bool
    ranged_when_large: bool
    least_higher: int | None
    asks_free: bool
    weapons: bool
    defenses: bool


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
    circumstances = plan.circumstances.values()
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
        weapons=plan.asks("weapons", "other_weapons"),
        defenses=any(one.dexterity is not None or one.shield is not None for one in circumstances),
    )


def kinds_of(read: Read, traits: Traits) -> tuple[list[object], list[object]]:
    """Return what the edition reads of each creature as an attacker, and as a target: hashable, equal where it is the same."""
    conditions = [traits.conditions.known[k] for k in traits.conditions.whose.tolist()]
    weapons = [traits.weapons.known[k] for k in traits.weapons.whose.tolist()]
    attackers: list[object] = list(zip(conditions, weapons, strict=True)) if read.weapons else list(conditions)
    targets: list[object] = list(conditions)
    if read.defenses:
        targets = list(zip(conditions, traits.dexterity.tolist(), traits.shield.tolist(), strict=True))
    return attackers, targets
