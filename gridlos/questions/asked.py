"""What an edition asks of a scene: its walls, creatures and measures, and the facts of some creatures against others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gridlos.creature import Creature
from gridlos.facts import Attack, Channel, PairFacts, Traits
from gridlos.questions.choices import AskedPairs
from gridlos.questions.creatures import Bodies, bodies_of
from gridlos.questions.facts import Measures, facts_of_pairs
from gridlos.questions.keeping import kept
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.specials import Specials, floors_of, specials_of
from gridlos.questions.traits import (
    able_creatures,
    crowded,
    engaged,
    everybody_crowded,
    everybody_engaged,
    traits_of,
)
from gridlos.rules import Edition, is_sight_mutual, load_edition, own_options
from gridlos.scene import Scene

__all__ = ["Asked", "asks_for", "bodies_by", "do_creatures_count", "edition_in_use", "measures_of"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A scene as an edition sees it: what its walls, creatures and measures are."""

    scene: Scene
    edition: Edition
    attack: Attack
    walls: tuple[Obstacles, Specials | None]
    bodies: Bodies
    traits: Traits
    measures: Measures

    @classmethod
    def of(cls, scene: Scene, edition: Edition, attack: Attack, weapon: str | None) -> Asked:
        """Return a scene as an edition sees it when all attack so, with that weapon or (None) each with his own."""
        battle_map, creatures = scene.battle_map, scene.creatures
        floors = floors_of(scene)
        return cls(
            scene=scene,
            edition=edition,
            attack=attack,
            walls=(obstacles_of(battle_map, Channel.EFFECT), specials_of(scene)),
            bodies=_bodies_of_scene(scene, edition, floors),
            traits=kept(scene, ("traits", weapon), lambda: traits_of(creatures, floors, weapon)),
            measures=measures_of(edition, attack),
        )

    def facts(self, attackers: Rows, targets: Rows) -> PairFacts:
        """Return the facts of some creatures against others."""
        return self._facts(AskedPairs.grid(attackers, targets, len(self.scene.spaces)))

    def facts_of(self, pairs: Rows) -> PairFacts:
        """Return the facts of listed pairs, ``(P, 2)`` int64, attackers first, in any order.

        They are those of :meth:`facts` at these pairs: arrays of pairs are ``(P, 1)``, and each pair has its own entry
        among what is told of attackers and targets.
        """
        return self._facts(AskedPairs.listing(pairs, len(self.scene.spaces)))

    def _facts(self, asked: AskedPairs) -> PairFacts:
        more: dict[str, Any] = {"attackers": self.traits, "targets": self.traits}
        if not asked.is_everybody:
            more = {"attackers": self.traits.of(asked.rows), "targets": self.traits.of(asked.columns)}
        if asks_for(self.edition, self.attack, "engaged"):
            more["engaged"] = asked.shaped(self._engaged(asked))
        if asks_for(self.edition, self.attack, "crowded"):
            more["crowded"] = everybody_crowded(self.bodies) if asked.is_everybody else crowded(self.bodies, asked.rows)
        return facts_of_pairs(self.scene, self.walls, self.bodies, asked, self.measures, more)

    def _engaged(self, asked: AskedPairs) -> NDArray[np.int8]:
        if asked.is_everybody:
            return everybody_engaged(self.bodies, self.traits.size)
        return engaged(self.bodies, self.traits.size, asked.attackers, asked.targets)

    def needs_back(self, facts: PairFacts, attackers: Rows, targets: Rows) -> bool:
        """Return whether the edition asks how the targets see the attackers, and these facts do not tell."""
        asks = self.edition.asks_who_sees_the_attacker and self.attack is not Attack.AREA
        return asks and not np.array_equal(attackers, targets) and not is_sight_mutual(facts)


def edition_in_use(
    edition: str | Path | Edition, of_scene: Mapping[str, str], asked: Mapping[str, str]
) -> tuple[Edition, tuple[str, ...]]:
    """Return the edition with the options in use, and a warning for each of the scene's that only other editions have."""
    if isinstance(edition, Edition):
        return edition, ()
    kept, warnings = own_options(edition, of_scene)
    return load_edition(edition, options={**kept, **asked}), warnings


@lru_cache(maxsize=256)
def measures_of(edition: Edition, attack: Attack) -> Measures:
    """Return what the edition's table says of distances, reach and flanking."""
    table = edition.table
    flanking = table.flanking
    return Measures(
        diagonals=table.diagonals,
        second_diagonal=table.reach.second_diagonal,
        dead_zone=table.reach.dead_zone,
        unarmed_threatens=table.reach.unarmed_threatens,
        flanking=attack is Attack.MELEE,
        partner=flanking.partner,
        anchor=flanking.anchor,
        corners=flanking.corners,
        requires_adjacent=flanking.requires_adjacent,
        creatures=do_creatures_count(edition, attack),
        lines_along=table.edge_contact != "clear",
        least_hidden=int(edition.least_hidden),
        low_obstacles=edition.low_obstacles,
        hidden_area=table.by_area is not None,
        low_light_doubles=table.senses.low_light == "doubles",
        darkvision_unlimited=table.senses.darkvision_range == "unlimited",
        centre=table.centre is not None,
    )


def do_creatures_count(edition: Edition, attack: Attack) -> bool:
    """Return whether cover from such an attack can depend on the creatures on the sixteen lines."""
    soft = edition.table.soft_cover
    if soft is None or attack is Attack.RANGED:
        return soft is not None
    if attack is Attack.AREA:
        return soft.area == "applies"
    return soft.reach == "applies" or edition.table.adjacent_melee.creatures == "count"


def _bodies_of_scene(scene: Scene, edition: Edition, floors: Sequence[float]) -> Bodies:
    """Return the bodies of a scene by an edition, once for all editions by which they are the same."""
    able, only_enemies = able_creatures(edition, scene.creatures), _only_enemies(edition)
    feet = scene.battle_map.feet_per_square
    key = "bodies", able.tobytes(), only_enemies
    return kept(scene, key, lambda: bodies_of(scene.creatures, feet, floors, able, only_enemies=only_enemies, spaces=scene.spaces))


def bodies_by(
    edition: Edition, creatures: Sequence[Creature], feet_per_square: float, floors: Sequence[float]
) -> Bodies:
    """Return creatures on floors of these heights as bodies: who is able to attack and gives cover by the edition."""
    able, only_enemies = able_creatures(edition, creatures), _only_enemies(edition)
    return bodies_of(creatures, feet_per_square, floors, able, only_enemies=only_enemies)


def _only_enemies(edition: Edition) -> bool:
    soft = edition.table.soft_cover
    return soft is not None and soft.creatures == "enemies"


@lru_cache(maxsize=256)
def asks_for(edition: Edition, attack: Attack, fact: Literal["engaged", "crowded"]) -> bool:
    """Return whether some circumstance of such an attack depends on that fact."""
    asked = (one for one in edition.table.circumstances.values() if one.attack in (None, attack))
    return any(getattr(one, fact) is not None for one in asked)
