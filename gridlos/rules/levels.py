"""What squares conceal on the lines from each corner."""

from __future__ import annotations

import numpy as np

from gridlos.facts import Attack, Bools, Concealment, Masks, PairFacts
from gridlos.rules.model import Edition

__all__ = ["levels_at_corners"]

_DEEP = 2
"""Squares of fog on one line that hide what is more than 5 ft away."""


def levels_at_corners(edition: Edition, facts: PairFacts, attack: Attack) -> Masks | None:
    """Return the level that squares give to each choice and corner, ``(C, 4)``; None: nothing conceals."""
    concealing = edition.table.concealing
    levels = facts.concealed_at_border if concealing.counts == "border" else facts.concealed
    if levels is None:
        return None
    pairs = np.repeat(np.arange(facts.distance.size), np.diff(facts.choice_start))
    adjacent = facts.adjacent.ravel().take(pairs)[:, None]
    target = facts.target_of(pairs)[:, None]
    if attack is Attack.MELEE and facts.target_concealed is not None:
        levels = np.where(adjacent, facts.target_concealed.take(target), levels)
    hides: Bools | None = None
    if concealing.fog == "target" and facts.target_in_fog is not None:
        hides = facts.target_in_fog.take(target)
    elif concealing.fog == "deep" and facts.fog_depth is not None:
        hides = (facts.fog_depth >= _DEEP) & ~adjacent
    elif concealing.fog == "any" and facts.fog_depth is not None:
        hides = facts.fog_depth > 0
    return levels if hides is None else np.where(hides, np.uint8(Concealment.TOTAL), levels)
