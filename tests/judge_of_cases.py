"""What the oracles say of a published situation in the words of an edition: a check of the cases themselves.

The counting of the editions is done here in a few lines: which corner the attacker takes, which degree lines give, who
flanks, what fog does, which numbers follow. What the editions are is in ``editions_of_cases.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import oracle_centre
import oracle_creatures as creatures
import oracle_heights
from editions_of_cases import DEFAULTS, EDITIONS, Ways
from oracle_creatures import Body
from walls_of_cases import CaseWalls, Ground, is_in_line, is_outer, is_parallel, runs_along_walls, walls_of

if TYPE_CHECKING:
    from collections.abc import Callable

REACH = {"fine": 0, "diminutive": 0, "tiny": 0, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4, "colossal": 6}
HEIGHTS = {
    "fine": 0.5, "diminutive": 1, "tiny": 2, "small": 3, "medium": 6, "large": 10, "huge": 15, "gargantuan": 20, "colossal": 30,
}  # fmt: skip
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
class Line:
    """How much of the target walls hide on a line, whether a creature blocks it, and the words of walls on it."""

    hidden: Fraction
    creature: bool
    words: frozenset[str]


@dataclass(frozen=True)
class Judged:
    """A situation: the ground and its walls, spaces and keys of creatures, what conceals."""

    edition: str
    attack: str
    options: dict[str, Any]
    ground: Ground
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
        keys, space, size = self.keys.get(name, {}), self.spaces[name], self.size(name)
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
            level=int(self.heights[self.ids.index(name)].feet // 5),
        )

    def size(self, name: str) -> str:
        return self.keys.get(name, {}).get("size", SIZE_OF_SPACE[max(self.spaces[name][2:])])

    @cached_property
    def heights(self) -> list[oracle_heights.Body]:
        """The bodies of all creatures, from their feet to their top."""
        found = []
        for name, space in self.spaces.items():
            keys = self.keys.get(name, {})
            feet = Fraction(str(keys.get("elevation", self.ground.floor_under(space))))
            height = Fraction(str(keys.get("height", HEIGHTS[self.size(name)])))
            found.append(oracle_heights.Body(space, feet, feet + height))
        return found

    @cached_property
    def walls(self) -> CaseWalls:
        return walls_of(self.ground, min(body.feet for body in self.heights))

    @property
    def low(self) -> tuple[int, str] | None:
        """The rule of low obstacles, if the edition has it."""
        return (5, self.ways.diagonals) if self.ways.low_obstacles else None

    @cached_property
    def bodies(self) -> list[Body]:
        return [self.body(name) for name in self.ids]

    def pair(self, attacker: str, target: str) -> Pair:
        return Pair(self, self.ids.index(attacker), self.ids.index(target))

    def has_effect(self, a: int, t: int) -> bool:
        is_touching = self.options.get("line_of_effect") == "touching"
        return self.walls.has_line("effect", self.heights[a], self.heights[t], is_touching=is_touching)

    def has_sight(self, a: int, t: int) -> bool:
        return self.walls.has_line("sight", self.heights[a], self.heights[t])

    # ---- cover

    def cover(self, a: int, t: int) -> Found:
        """The lines from the corner that the attacker takes; the worst one of a square where all its corners count."""
        if self.ways.is_centre:
            return self.on_centre_line(a, t)
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
                choices += [max(corners, key=self.badness, default=nothing) for corners in by_square]
            else:
                choices += [corner for corners in by_square for corner in corners]
        return min(choices, key=self.cost, default=nothing)

    def on_centre_line(self, a: int, t: int) -> Found:
        """The one line between the centres of the spaces."""
        hidden, words = self.walls.between_centres(self.heights[a], self.heights[t], self.ways.counts_from, self.low)
        degrees = {self.ways.cover_words[word] for word in words} | {self.ways.lines[hidden >= self.ways.counts_from]}
        level = oracle_centre.soft(self.bodies, [list(HEIGHTS).index(self.size(name)) for name in self.ids], a, t)
        soft = ("none", self.ways.soft, self.ways.soft_larger)[level]
        walls, by_creatures = int(hidden >= self.ways.counts_from), int(level > 0)
        return Found(walls, by_creatures, walls | by_creatures, max(degrees, key=self.ways.degrees.index), soft)

    @property
    def words_for_lines(self) -> tuple[str, ...]:
        if self.option("partial") == "off":
            return tuple(word.replace("partial", "cover") for word in self.ways.lines)
        return self.ways.lines

    def found(self, lines: list[Line], words: tuple[str, ...]) -> Found:
        """What the counted lines from a corner come to."""
        walls, together = (self.count(lines, is_blocked) for is_blocked in (self.is_hidden, self.is_blocked))
        by_creatures = sum(line.creature for line in lines)
        soft = "none"
        if by_creatures:
            soft = words[together] if self.option("creature_max_degree") == "by_lines" else self.soft_word
        return Found(walls, by_creatures, together, self.degree(lines, words), soft)

    def count(self, lines: list[Line], is_blocked: Callable[[Line], bool]) -> int:
        """How many lines are blocked; four where walls block all that count."""
        return 4 if all(map(self.is_hidden, lines)) else sum(map(is_blocked, lines))

    def is_hidden(self, line: Line) -> bool:
        return line.hidden >= self.ways.counts_from

    def is_blocked(self, line: Line) -> bool:
        return self.is_hidden(line) or line.creature

    def degree(self, lines: list[Line], words: tuple[str, ...]) -> str:
        """The largest by what walls hide, each part as far as it goes, and by the words of walls."""
        found = {"none"} | {self.ways.cover_words[word] for line in lines for word in line.words}
        for h in {line.hidden for line in lines if self.is_hidden(line)} or {Fraction(1)}:
            by_lines = words[self.count_from(lines, h)]
            found.add(by_lines if h == 1 else min(by_lines, self.ways.limit(h), key=self.ways.degrees.index))
        return max(found, key=self.ways.degrees.index)

    def count_from(self, lines: list[Line], h: Fraction) -> int:
        found = sum(line.hidden >= h for line in lines)
        return 4 if found == len(lines) else found

    @property
    def soft_word(self) -> str:
        return "soft" if self.option("creature_cover") == "soft" else self.ways.soft

    def corners(self, a: int, t: int, square: tuple, other: tuple) -> list[list[Line]]:
        """For each usable corner its lines to the corners of the target that count."""
        counts_all = self.options.get("cut_corners") == "count"
        attacker, target = self.heights[a], self.heights[t]
        terms = {"least": self.ways.counts_from, "low": self.low}
        usable, counted = (
            list(range(4)) if counts_all else self.walls.corners(attacker, target, own, **terms, is_outward=is_outward)
            for own, is_outward in ((square, True), (other, False))
        )
        if self.attack == "ranged" and self.options.get("large_attacker_ranged") == "outer_corners":
            usable = [c for c in usable if is_outer(self.bodies[a].space, square, c)]
        hidden = self.hidden(attacker, target, square, other)
        words = self.walls.words(attacker, target, square, other, **terms)
        soft = creatures.soft_of(self.blockers(a), a, t, square, other) if self.counts_creatures(a, t) else [0] * 4
        return [[Line(hidden[i][j], bool(soft[i] >> j & 1), frozenset(words[i][j])) for j in counted] for i in usable]

    def hidden(self, attacker: oracle_heights.Body, target: oracle_heights.Body, square: tuple, other: tuple) -> list:
        """How much walls hide on each line; those along walls are blocked where the edition says so."""
        hidden = self.walls.hidden(attacker, target, square, other, self.low)
        if self.option("edge_contact") == "clear":
            return hidden
        along = creatures.nibbles(square, other, lambda p, q: runs_along_walls(self.walls.effect, p, q))
        if self.option("common_sense_exempt") == "on" and not any(map(any, hidden)) and is_in_line(square, other):
            sides = [(i, j) for i in range(4) for j in range(4) if is_parallel(square, other, i, j)]
            if all(along[i] >> j & 1 for i, j in sides):
                return hidden
        return [[max(h, Fraction(nibble >> j & 1)) for j, h in enumerate(line)] for line, nibble in zip(hidden, along, strict=True)]

    def blockers(self, a: int) -> list[Body]:
        """The bodies, of which only those give cover against a that do so in the edition."""
        if not self.ways.only_enemies:
            return self.bodies
        attacker = self.bodies[a]
        is_enemy = [creatures.relation(attacker, body) == creatures.ENEMY for body in self.bodies]
        return [body if one else replace(body, gives_cover=False) for body, one in zip(self.bodies, is_enemy, strict=True)]

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

    def badness(self, found: Found) -> tuple[int, int, int]:
        return self.ways.degrees.index(found.hard), *found.order

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
        by_option = {"unseen": {"total"}, "three_quarters": {"three-quarters", "total"}, "any": set(self.ways.degrees[1:])}
        hides = by_option.get(self.option("hide_behind"), self.ways.hides)
        return hides | ({"1/4"} if self.option("hiding") == "any" else set())

    @property
    def hides_in(self) -> set[str]:
        more = {"1/4"} if self.option("hiding") == "any" else set()
        return self.ways.hides_in | more | ({"concealed"} if self.option("hide_behind") == "any" else set())

    @property
    def untouchable(self) -> set[str]:
        """The concealments that keep one from attacking the target."""
        return {"total"} if self.option("total_conceal_targetable") == "only_square" else set()

    def forbids_opportunity(self, hard: str, soft: str, concealment: str) -> bool:
        by_soft = soft != "none" and self.option("soft_cover_blocks_aoo") == "yes"
        return hard in self.ways.no_opportunity or by_soft or concealment in self.ways.no_opportunity_in

    # ---- who is beside whom

    def enemies_beside(self, k: int) -> list[int]:
        one = self.bodies[k]
        return [
            n
            for n, body in enumerate(self.bodies)
            if creatures.relation(one, body) == creatures.ENEMY and creatures.are_adjacent(one.space, body.space)
        ]

    def is_into_melee(self, a: int, t: int) -> bool:
        """Whether the attacker shoots at somebody whom a friend of his fights."""
        friends = [k for k in self.enemies_beside(t) if creatures.relation(self.bodies[a], self.bodies[k]) == creatures.ALLY]
        fights = any(k != a and (self.bodies[k].is_able or self.bodies[t].is_able) for k in friends)
        return self.ways.into_melee and self.attack == "ranged" and fights

    def is_crowded(self, a: int) -> bool:
        """Whether the attacker shoots with an enemy beside him who is able to attack."""
        return self.attack == "ranged" and any(self.bodies[k].is_able for k in self.enemies_beside(a))

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
        if self.ways.fog == "any" and self.hides_in_fifth(space, other):
            return creatures.TOTAL
        is_near = creatures.are_adjacent(space, other)
        if is_near and self.attack == "melee":
            return creatures.whole_space(fog, other)
        hides = self.ways.fog == "deep" and self.option("fog_depth_total") == "on" and not is_near
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
        if not self.line_of_effect:
            return 0
        gains = self.combat_advantage if self.ways.has_combat_advantage else self.flanked
        into_melee = self.judged.is_into_melee(self.a, self.t)
        return self.sum("attack") + (self.ways.flanking if gains else 0) - (4 if into_melee else 0)

    @property
    def attacker_unseen(self) -> bool:
        return self.judged.concealment(self.t, self.a) == self.ways.conceals[creatures.TOTAL]

    @property
    def combat_advantage(self) -> bool:
        return self.flanked or self.attacker_unseen

    @property
    def roll(self) -> str:
        """Advantages do not add up, nor do disadvantages; both together are a normal roll."""
        judged = self.judged
        gains = self.attacker_unseen or (self.flanked and judged.option("flanking") == "advantage")
        loses = self.concealment == self.ways.conceals[creatures.TOTAL] or judged.is_crowded(self.a)
        return "normal" if gains == loses else "advantage" if gains else "disadvantage"

    @property
    def defense_modifier(self) -> int:
        return self.sum("defense") + (self.ways.off_guard if self.flanked else 0)

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


def fog_of(rows: tuple[str, ...], ground: dict[str, str], legend: dict[str, dict[str, Any]]) -> creatures.Fog:
    """What conceals in a drawing, with what is under creatures: ``ground`` by letter; ``legend`` has more letters."""
    drawn = ["".join(ground.get(char, char) for char in row) for row in rows]
    letters = {"f": (creatures.CONCEALED, True), "b": (creatures.CONCEALED, False)}
    letters |= {letter: (LEVELS[kind["concealment"]], kind["kind"] == "fog") for letter, kind in legend.items() if "concealment" in kind}
    return creatures.fog_of(drawn, letters)
