"""What the oracles say of a published situation in the words of an edition: a check of the cases themselves.

The counting of the editions is done here in a few lines: which corner the attacker takes, which degree lines give, who
flanks, what fog does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import oracle
import oracle_creatures as creatures
from oracle_creatures import Body

REACH = {"fine": 0, "diminutive": 0, "tiny": 0, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4, "colossal": 6}
SIZE_OF_SPACE = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan", 6: "colossal"}
UNABLE = {"dead", "helpless", "paralyzed", "stunned", "unconscious"}
PARTNERS = {"ally": "ally of attacker", "enemy_of_target": "enemy of target", "any_threatener": "anybody"}
ANCHORS = {"any_square": "square", "centre": "space"}
HAZE_WORDS = {"none": "none", "concealed": "lightly obscured"}
OPAQUE_WORDS = {"none": "none", "total": "heavily obscured"}
COVER = {
    "pathfinder1": ("none", "partial", "cover", "cover", "cover"),
    "dnd5e": ("none", "half", "half", "three-quarters", "three-quarters"),
}
SOFT = {"pathfinder1": "soft", "dnd5e": "half"}
PENALTY = {"none": 0, "partial": 2, "cover": 4, "soft": 4, "half": 2, "three-quarters": 5}


@dataclass(frozen=True)
class Judged:
    """A situation: walls by channel, spaces and keys of creatures, what conceals."""

    edition: str
    attack: str
    options: dict[str, Any]
    effect: oracle.Walls
    sight: oracle.Walls
    spaces: dict[str, tuple]
    keys: dict[str, dict[str, Any]]
    fog: creatures.Fog

    @property
    def ids(self) -> list[str]:
        return list(self.spaces)

    def body(self, name: str) -> Body:
        keys, space = self.keys.get(name, {}), self.spaces[name]
        size = keys.get("size", SIZE_OF_SPACE[max(space[2:])])
        conditions = set(keys.get("conditions", ()))
        gives_cover = keys.get("gives_cover", "dead" not in conditions)
        return Body(
            space,
            side=keys.get("side", "neutral"),
            reach=keys["reach"] // 5 if "reach" in keys else REACH[size],
            reach_min=keys.get("reach_min", 0) // 5 if self.has_dead_zone else 0,
            gives_cover=gives_cover if isinstance(gives_cover, bool) else tuple(gives_cover),
            is_able=not conditions & UNABLE,
            level=keys.get("elevation", 0) // 5,
        )

    def option(self, name: str, pathfinder1: str, dnd5e: str) -> str:
        """The value of an option; its default depends on the edition."""
        return self.options.get(name, pathfinder1 if self.edition == "pathfinder1" else dnd5e)

    @property
    def has_dead_zone(self) -> bool:
        return self.option("reach_weapon_dead_zone", "yes", "no") == "yes"

    @cached_property
    def bodies(self) -> list[Body]:
        return [self.body(name) for name in self.ids]

    def answer(self, attacker: str, target: str) -> dict[str, Any]:
        """What a case may expect of attacker and target."""
        a, t = self.ids.index(attacker), self.ids.index(target)
        has_effect = self.has_effect(a, t)
        lines, degree, is_soft = self.cover(a, t)
        bodies = self.bodies
        is_melee = self.attack == "melee"
        return {
            "cover": degree if has_effect else "total",
            "lines": lines,
            "soft": is_soft,
            "line_of_effect": has_effect,
            "line_of_sight": has_line_of_effect(self.sight, bodies[a].space, bodies[t].space),
            "in_reach": self.threatens(a, t, only_reach=True),
            "flanked": is_melee and self.flanks(a, t),
            "concealment": self.concealment(a, t),
            "opportunity": self.threatens(a, t) and self.allows_opportunity(degree, self.concealment(a, t)),
        }

    def has_effect(self, a: int, t: int) -> bool:
        spaces = self.bodies[a].space, self.bodies[t].space
        is_touching = self.options.get("line_of_effect") == "touching"
        return has_line_of_effect(self.effect, *spaces, is_touching)

    # ---- cover

    def cover(self, a: int, t: int) -> tuple[int, str, bool]:
        """The number of lines blocked from the corner that the attacker takes, their degree, whether creatures block."""
        bodies = self.bodies
        attacker, target = bodies[a], bodies[t]
        is_adjacent = self.attack == "melee" and creatures.are_adjacent(attacker.space, target.space)
        is_large = max(attacker.space[2:]) > 1 and attacker.reach_min == 0
        has_all_corners = is_adjacent and self.edition == "pathfinder1" and not is_large
        by_square = [self.corners(a, t, *pair) for pair in creatures.choices(attacker.space, target.space)]
        choices = [max(corners, key=self.cost, default=(4, 0, 4)) for corners in by_square]
        if not has_all_corners:
            choices = [min(corners, key=self.cost, default=(4, 0, 4)) for corners in by_square]
        walls, soft, both = min(choices, key=self.cost)
        return both, self.degree(walls, soft, both, has_all_corners=has_all_corners), soft > 0

    def corners(self, a: int, t: int, square: tuple, other: tuple) -> list[tuple[int, int, int]]:
        """For each usable corner the lines that walls, creatures, and both together block."""
        counts_all = self.options.get("cut_corners") == "count"
        usable = [c for c in range(4) if counts_all or not oracle.cut_off(self.effect, square, c)]
        counted = [c for c in range(4) if counts_all or not oracle.cut_off(self.effect, other, c)]
        hard = oracle.blocked_nibbles(self.effect, square, other)
        soft = creatures.soft_of(self.bodies, a, t, square, other) if self.counts_creatures(a, t) else [0] * 4
        found = []
        for corner in usable:
            lines = [(hard[corner] >> c & 1, soft[corner] >> c & 1) for c in counted]
            if all(wall for wall, _ in lines):
                found.append((4, sum(creature for _, creature in lines), 4))
            else:
                blocked = sum(wall for wall, _ in lines), sum(creature for _, creature in lines)
                found.append((*blocked, sum(max(line) for line in lines)))
        return found

    def counts_creatures(self, a: int, t: int) -> bool:
        if self.attack == "ranged":
            return True
        if creatures.are_adjacent(self.bodies[a].space, self.bodies[t].space):
            return self.option("melee_blockers_adjacent", "walls_only", "walls_and_creatures") != "walls_only"
        return self.options.get("soft_cover_vs_reach") != "not"

    def cost(self, lines: tuple[int, int, int]) -> tuple[int, int, int]:
        """The attacker's penalty, then lines blocked by walls, then by creatures."""
        walls, soft, both = lines
        return self.penalty(walls, soft, both), walls, soft

    def penalty(self, walls: int, soft: int, both: int) -> int:
        hard = PENALTY[COVER[self.edition][walls]]
        if soft and self.options.get("creature_max_degree") == "by_lines":
            return PENALTY[COVER[self.edition][both]]
        return max(hard, PENALTY[SOFT[self.edition]] if soft else 0)

    def allows_opportunity(self, degree: str, concealment: str) -> bool:
        forbidding = {"partial", "cover", "total"} if self.edition == "pathfinder1" else {"total"}
        if self.edition == "pathfinder1" and self.options.get("soft_cover_blocks_aoo") != "no":
            forbidding |= {"soft"}
        return degree not in forbidding and concealment not in {"total", "heavily obscured"}

    def degree(self, walls: int, soft: int, both: int, *, has_all_corners: bool) -> str:
        words = COVER[self.edition]
        if self.edition == "pathfinder1" and (has_all_corners or self.options.get("partial") == "off"):
            words = ("none", "cover", "cover", "cover", "cover")
        if soft and self.options.get("creature_max_degree") == "by_lines":
            return words[both]
        return SOFT[self.edition] if soft and words[walls] == "none" else words[walls]

    # ---- reach, flanking, fog

    def threatens(self, k: int, t: int, *, only_reach: bool = False) -> bool:
        bodies = self.bodies
        diagonals = self.option("diagonals", "5-10-5", "1")
        has_second = self.edition == "pathfinder1" and self.options.get("reach10_second_diagonal") != "no"
        is_near = k != t and creatures.is_in_reach(bodies[k], bodies[t], diagonals, has_second)
        return is_near and self.has_effect(k, t) and (only_reach or bodies[k].is_able)

    def flanks(self, a: int, t: int) -> bool:
        partner = PARTNERS[self.option("flank_partner", "enemy_of_target", "ally")]
        anchor = ANCHORS[self.option("flank_anchor", "any_square", "any_square")]
        must_be_adjacent = self.option("flank_requires_adjacent", "no", "yes") == "yes"
        with_ends = self.option("flank_corners_inclusive", "yes", "yes") == "yes"
        return creatures.flanks(self.bodies, a, t, self.threatens, partner, anchor, must_be_adjacent, with_ends)

    def concealment(self, a: int, t: int) -> str:
        spaces = self.bodies[a].space, self.bodies[t].space
        if self.edition == "dnd5e" and self.options.get("fog_opaque_both_ways") != "no":
            return OPAQUE_WORDS[creatures.concealment(self.fog, *spaces, self.attack, is_opaque=True)]
        if self.edition == "dnd5e":
            is_hidden = all(square in self.fog.fog for square in creatures.squares_of(spaces[1]))
            plain = creatures.concealment(replace(self.fog, fog=frozenset()), *spaces, self.attack)
            return "heavily obscured" if is_hidden else HAZE_WORDS[plain]
        fog = self.fog if self.options.get("fog_depth_total") != "off" else replace(self.fog, fog=frozenset())
        meets = creatures.touched if self.options.get("concealment_border") == "border" else creatures.passed
        return creatures.concealment(fog, *spaces, self.attack, meets=meets)


@cache
def has_line_of_effect(walls: oracle.Walls, a: tuple, b: tuple, is_touching: bool = False) -> bool:
    return oracle.any_free(walls, a, b) if is_touching else oracle.line_of_effect(walls, a, b)


def fog_of(rows: tuple[str, ...], ground: dict[str, str]) -> creatures.Fog:
    """The fog and the brush of a drawing, with that under creatures: ``ground`` by letter."""
    drawn = ["".join(ground.get(char, char) for char in row) for row in rows]
    return creatures.fog_of(drawn)

