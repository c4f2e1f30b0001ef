"""The facts of all pairs of some attackers and targets."""

from __future__ import annotations

from gridlos.questions.choices import AskedPairs
from gridlos.questions.facts import facts_of_pairs


def pair_facts(scene, walls, bodies, attackers, targets, measures):
    """The facts of ``attackers`` (A indices of the scene's creatures) against ``targets`` (T indices)."""
    return facts_of_pairs(scene, walls, bodies, AskedPairs.grid(attackers, targets, len(scene.spaces)), measures, {})
