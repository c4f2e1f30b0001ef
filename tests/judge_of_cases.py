"""What the oracles say of a published situation in the words of an edition: a check of the cases themselves.

The counting of the editions is done here in a few lines: which corner the attacker takes, which degree lines give, who
flanks, what fog does, which numbers follow. What the editions are is in ``editions_of_cases.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import oracle
import oracle_creatures as creatures
from editions_of_cases import DEFAULTS, EDITIONS, Ways
from oracle_creatures import Body

REACH = {"fine": 0, "diminutive": 0, "tiny": 0, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4, "colossal": 6}
SIZE_OF_SPACE = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan", 6: "colossal"}
UNABLE = {"dead", "helpless", "paralyzed", "stunned", "unconscious"}
PARTNERS = {"ally": "ally of attacker", "enemy_of_target": "enemy of target", "any_threatener": "anybody"}
ANCHORS = {"any_square": "square", "centre": "space"}
LEVELS = {
    "light": creatures.LIGHT, "concealed": creatures.CONCEALED, "heavy": creatures.HEAVY, "9/10": creatures.NEARLY_TOTAL,
    "total": creatures.TOTAL,
}  # fmt: skip


@dataclass(frozen=True)
class Found:
    """The four lines from a corner: how many walls block, creatures, and either of them, and what degree each gives."""

    walls: int
    creatures: int
    together: int
    hard: str
    soft: str

    @property
    def order(self) -> tuple[int, int]:
        return self.walls, self.creatures


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

    @property
    def ways(self) -> Ways:
        return EDITIONS[self.edition]

    def option(self, name: str) -> str:
        """The value of an option; its default may depend on the edition."""
        by_edition = DEFAULTS[name]
        return self.options.get(name, by_edition.get(self.edition, by_edition["other"]))

    def body(self, name: str) -> Body:
        keys, space = self.keys.get(name, {}), self.spaces[name]
        size = keys.get("size", SIZE_OF_SPACE[max(space[2:])])
        conditions = set(keys.get("conditions", ()))
        gives_cover = keys.get("gives_cover", "dead" not in conditions)
        return Body(
            space,
            side=keys.get("side", "neutral"),
            reach=keys["reach"] // 5 if "reach" in keys else REACH[size],
            reach_min=keys.get("reach_min", 0) // 5 if self.option("reach_weapon_dead_zone") == "yes" else 0,
            gives_cover=gives_cover if isinstance(gives_cover, bool) else tuple(gives_cover),
            is_able=not conditions & UNABLE and (keys.get("armed", True) or self.option("threat_unarmed") == "threatens"),
            mount=self.ids.index(keys["mount"]) if "mount" in keys else None,
            level=keys.get("elevation", 0) // 5,
        )

    @cached_property
    def bodies(self) -> list[Body]:
        return [self.body(name) for name in self.ids]

    def pair(self, attacker: str, target: str) -> Pair:
        return Pair(self, self.ids.index(attacker), self.ids.index(target))

    def has_effect(self, a: int, t: int) -> bool:
        spaces = self.bodies[a].space, self.bodies[t].space
        is_touching = self.options.get("line_of_effect") == "touching"
        return has_line_of_effect(self.effect, *spaces, is_touching)

    def has_sight(self, a: int, t: int) -> bool:
        return has_line_of_effect(self.sight, self.bodies[a].space, self.bodies[t].space)

    # ---- cover

    def cover(self, a: int, t: int) -> Found:
        """The lines from the corner that the attacker takes; the worst one of a square where all its corners count."""
        attacker, target = self.bodies[a], self.bodies[t]
        is_adjacent = self.attack == "melee" and creatures.are_adjacent(attacker.space, target.space)
        is_large = max(attacker.space[2:]) > 1 and attacker.reach_min == 0
        is_as_ranged = is_large and self.option("reach_attacker_adjacent_uses_ranged") == "natural_reach"
        has_all_corners = is_adjacent and not is_as_ranged and self.option("adjacent_melee_mode") == "all_corners"
        words = self.ways.lines_from_all if has_all_corners else self.words_for_lines
        nothing = Found(4, 0, 4, words[4], "none")
        choices = []
        for square in creatures.squares_of(attacker.space):
            by_square = [
                [self.found(lines, words) for lines in self.corners(a, t, square, other)]
                for other in creatures.squares_of(target.space)
            ]
            if self.attack == "ranged" and self.options.get("large_target_ranged") == "all_squares":
                choices += [max(corner, key=self.cost) for corner in zip(*by_square, strict=True)]
            elif has_all_corners:
                choices += [max(corners, key=lambda found: found.order, default=nothing) for corners in by_square]
            else:
                choices += [corner for corners in by_square for corner in corners]
        return min(choices, key=self.cost, default=nothing)

    @property
    def words_for_lines(self) -> tuple[str, ...]:
        if self.option("partial") == "off":
            return tuple(word.replace("partial", "cover") for word in self.ways.lines)
        return self.ways.lines

    def found(self, lines: tuple[int, int, int], words: tuple[str, ...]) -> Found:
        walls, by_creatures, together = lines
        soft = "none"
        if by_creatures:
            soft = words[together] if self.option("creature_max_degree") == "by_lines" else self.soft_word
        return Found(*lines, words[walls], soft)

    @property
    def soft_word(self) -> str:
        return "soft" if self.option("creature_cover") == "soft" else self.ways.soft

    def corners(self, a: int, t: int, square: tuple, other: tuple) -> list[tuple[int, int, int]]:
        """For each usable corner the lines that walls, creatures, and both together block."""
        counts_all = self.options.get("cut_corners") == "count"
        usable = [c for c in range(4) if counts_all or not cut_off(self.effect, square, c)]
        if self.attack == "ranged" and self.options.get("large_attacker_ranged") == "outer_corners":
            usable = [c for c in usable if is_outer(self.bodies[a].space, square, c)]
        counted = [c for c in range(4) if counts_all or not cut_off(self.effect, other, c)]
        hard = self.blocked_by_walls(square, other)
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

    def blocked_by_walls(self, square: tuple, other: tuple) -> list[int]:
        """For each corner the nibble of blocked lines; those along walls are among them where the edition says so."""
        hard = blocked_nibbles(self.effect, square, other)
        if self.option("edge_contact") == "clear":
            return hard
        along = creatures.nibbles(square, other, lambda p, q: runs_along_walls(self.effect, p, q))
        if self.option("common_sense_exempt") == "on" and not any(hard) and is_in_line(square, other):
            sides = [(i, j) for i in range(4) for j in range(4) if is_parallel(square, other, i, j)]
            if all(along[i] >> j & 1 for i, j in sides):
                return hard
        return [one | more for one, more in zip(hard, along, strict=True)]

    def counts_creatures(self, a: int, t: int) -> bool:
        if self.attack == "ranged":
            return True
        if creatures.are_adjacent(self.bodies[a].space, self.bodies[t].space):
            return self.option("melee_blockers_adjacent") == "walls_and_creatures"
        return self.option("soft_cover_vs_reach") == "applies"

    def cost(self, found: Found) -> tuple[int, int, int]:
        """The attacker's penalty, then lines blocked by walls, then by creatures."""
        degrees = {found.hard, found.soft}
        return self.number("defense", degrees) - self.number("attack", degrees), *found.order

    def number(self, name: str, degrees: set[str]) -> int:
        """The most that one of the degrees adds to a statistic of the defender, or takes from the attack."""
        return (min if name == "attack" else max)(self.of_degree(name, degree) for degree in degrees)

    def of_degree(self, name: str, degree: str) -> int:
        """The number of a degree; a pair is for ranged attacks and for melee."""
        is_melee = self.attack == "melee"
        if name == "attack" and degree == "soft":
            return int(self.option("soft_penalty"))
        if name == "attack" and degree == "partial" and is_melee and self.option("partial_penalty_vs_reach") != "as_ranged":
            return {"as_cover": -4, "none": 0}[self.option("partial_penalty_vs_reach")]
        value = self.ways.numbers.get(degree, {}).get(name, 0)
        return value[is_melee] if isinstance(value, tuple) else value

    @property
    def hides(self) -> set[str]:
        """The degrees of cover behind which one can hide."""
        if self.option("partial_cover_hides") == "no":
            return self.ways.hides - {"partial"}
        return self.ways.hides | ({"1/4"} if self.option("hiding") == "any" else set())

    @property
    def hides_in(self) -> set[str]:
        return self.ways.hides_in | ({"1/4"} if self.option("hiding") == "any" else set())

    @property
    def untouchable(self) -> set[str]:
        """The concealments that keep one from attacking the target."""
        return {"total"} if self.option("total_conceal_targetable") == "only_square" else set()

    def forbids_opportunity(self, hard: str, soft: str, concealment: str) -> bool:
        by_soft = soft != "none" and self.option("soft_cover_blocks_aoo") == "yes"
        return hard in self.ways.no_opportunity or by_soft or concealment in self.ways.no_opportunity_in

    # ---- reach, flanking, fog

    def threatens(self, k: int, t: int, *, only_reach: bool = False) -> bool:
        one, other = (replace(self.bodies[n], space=creatures.standing(self.bodies, n)) for n in (k, t))
        diagonals = self.options.get("diagonals", self.ways.diagonals)
        has_second = self.ways.diagonals == "5-10-5" and self.options.get("reach10_second_diagonal") != "no"
        is_near = k != t and creatures.is_in_reach(one, other, diagonals, has_second)
        return is_near and self.has_effect(k, t) and (only_reach or one.is_able)

    def flanks(self, a: int, t: int) -> bool:
        partner = PARTNERS[self.option("flank_partner")]
        anchor = ANCHORS[self.option("flank_anchor")]
        must_be_adjacent = self.option("flank_requires_adjacent") == "yes"
        with_ends = self.option("flank_corners_inclusive") == "yes"
        return creatures.flanks(self.bodies, a, t, self.threatens, partner, anchor, must_be_adjacent, with_ends)

    def concealment(self, a: int, t: int) -> str:
        if self.has_effect(a, t) and not self.has_sight(a, t):
            return self.ways.conceals[creatures.TOTAL]
        return self.ways.conceals[self.level(self.bodies[a].space, self.bodies[t].space)]

    def level(self, space: tuple, other: tuple) -> int:
        """How much conceals the target, from the corner that the attacker takes."""
        fog = self.fog
        if self.edition == "dnd5e" and self.hides_in_fifth(space, other):
            return creatures.TOTAL
        is_near = creatures.are_adjacent(space, other)
        if is_near and self.attack == "melee":
            return creatures.whole_space(fog, other)
        hides = self.edition != "dnd5e" and self.option("fog_depth_total") == "on" and not is_near
        meets = creatures.touched if self.option("concealment_border") == "border" else creatures.passed
        found = []
        for pair in creatures.choices(space, other):
            levels = creatures.most_concealing(fog, space, *pair, meets)
            depths = creatures.fog_depth(fog, *pair)
            found += [
                creatures.TOTAL if hides and depth >= 2 else level for level, depth in zip(levels, depths, strict=True)
            ]
        return max(found) if self.option("concealment_chooser") == "defender" else min(found)


    def hides_in_fifth(self, space: tuple, other: tuple) -> bool:
        if self.options.get("fog_opaque_both_ways") == "no":
            return all(square in self.fog.fog for square in creatures.squares_of(other))
        return creatures.concealment(self.fog, space, other, self.attack, is_opaque=True) == "total"


@dataclass(frozen=True)
class Pair:
    """What a case may expect of attacker and target, each by its name there."""

    judged: Judged
    a: int
    t: int

    @property
    def ways(self) -> Ways:
        return self.judged.ways

    @cached_property
    def found(self) -> Found:
        return self.judged.cover(self.a, self.t)

    @property
    def hard(self) -> str:
        return self.found.hard if self.line_of_effect else "total"

    @property
    def cover(self) -> str:
        return max(self.hard, self.found.soft, key=self.ways.degrees.index)

    @property
    def lines(self) -> int:
        return self.found.together

    @property
    def soft(self) -> bool:
        return self.found.creatures > 0

    @property
    def line_of_effect(self) -> bool:
        return self.judged.has_effect(self.a, self.t)

    @property
    def line_of_sight(self) -> bool:
        return self.judged.has_sight(self.a, self.t)

    @property
    def in_reach(self) -> bool:
        return self.judged.threatens(self.a, self.t, only_reach=True)

    @property
    def flanked(self) -> bool:
        return self.judged.attack == "melee" and self.judged.flanks(self.a, self.t)

    @property
    def concealment(self) -> str:
        return self.judged.concealment(self.a, self.t)

    @property
    def can_attack(self) -> bool:
        return self.line_of_effect and self.concealment not in self.judged.untouchable

    @property
    def opportunity(self) -> bool:
        is_forbidden = self.judged.forbids_opportunity(self.hard, self.found.soft, self.concealment)
        return self.judged.threatens(self.a, self.t) and self.can_attack and not is_forbidden

    @property
    def can_hide(self) -> bool:
        """Behind cover, though not behind what one only sees through, or in what conceals."""
        by_cover = self.cover in self.judged.hides and (self.line_of_effect or not self.line_of_sight)
        return by_cover or self.concealment in self.judged.hides_in

    @property
    def miss_chance(self) -> int:
        return self.ways.miss_chance.get(self.concealment, 0) if self.line_of_effect else 0

    @property
    def evasion(self) -> str:
        return "improved" if self.cover in self.ways.evasion else "none"

    @property
    def attack_modifier(self) -> int:
        return self.sum("attack") + (self.ways.flanking if self.flanked else 0)

    @property
    def defense_modifier(self) -> int:
        return self.sum("defense")

    @property
    def save_modifier(self) -> int:
        return self.sum("save")

    @property
    def stealth_modifier(self) -> int:
        return self.sum("stealth")

    def sum(self, name: str) -> int:
        """What cover adds, and what concealment does; an attack that cannot be made has no numbers."""
        if not self.line_of_effect:
            return 0
        by_concealment = self.ways.concealed.get(self.concealment, {}).get(name, 0)
        return self.judged.number(name, {self.hard, self.found.soft}) + by_concealment


# Walls do not depend on the edition.
cut_off = cache(oracle.cut_off)
blocked_nibbles = cache(oracle.blocked_nibbles)


@cache
def has_line_of_effect(walls: oracle.Walls, a: tuple, b: tuple, is_touching: bool = False) -> bool:
    return oracle.any_free(walls, a, b) if is_touching else oracle.line_of_effect(walls, a, b)


def runs_along_walls(walls: oracle.Walls, p: tuple, q: tuple) -> bool:
    """Whether the line runs along a wall or along a side of a solid square."""
    p, q = (tuple(walls.subdivisions * place for place in point) for point in (p, q))
    sides = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in walls.segments]
    for square in walls.solid:
        low, right, under, high = (
            tuple(walls.subdivisions * place for place in creatures.corner_of(square, corner)) for corner in range(4)
        )
        sides += [(low, right), (low, under), (right, high), (under, high)]
    return any(creatures.runs_along(p, q, side) for side in sides if side[0] != side[1])


def is_in_line(square: tuple, other: tuple) -> bool:
    """Whether two squares stand in one row or one column."""
    return (square[0] == other[0]) != (square[1] == other[1])


def is_parallel(square: tuple, other: tuple, i: int, j: int) -> bool:
    """Whether the line between two of their corners leads along their row or column."""
    axis = 0 if square[0] == other[0] else 1
    return creatures.corner_of(square, i)[axis] == creatures.corner_of(other, j)[axis]


def is_outer(space: tuple, square: tuple, corner: int) -> bool:
    """Whether a corner of one of its squares is a corner of a space."""
    x, y, width, height = space
    return creatures.corner_of(square, corner) in {(x, y), (x + width, y), (x, y + height), (x + width, y + height)}


def fog_of(rows: tuple[str, ...], ground: dict[str, str], legend: dict[str, dict[str, str]]) -> creatures.Fog:
    """What conceals in a drawing, with what is under creatures: ``ground`` by letter; ``legend`` has more letters."""
    drawn = ["".join(ground.get(char, char) for char in row) for row in rows]
    letters = {"f": (creatures.CONCEALED, True), "b": (creatures.CONCEALED, False)}
    letters |= {letter: (LEVELS[kind["concealment"]], kind["kind"] == "fog") for letter, kind in legend.items()}
    return creatures.fog_of(drawn, letters)
