"""What the editions of the cases are, in short and apart from the package's tables: degrees, numbers, defaults.

RULES A1 to A8 and DESIGN 2 have them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

PAIZO_DEGREES = ("none", "soft", "partial", "cover", "improved", "total")
PAIZO_LINES = ("none", "partial", "cover", "cover", "cover")
ANY_LINE = ("none", "cover", "cover", "cover", "cover")
FIFTH_LINES = ("none", "half", "half", "three-quarters", "three-quarters")
QUARTERS = ("none", "1/4", "1/2", "3/4", "9/10")
PLAIN = ("none", "concealed", "concealed", "concealed", "concealed", "total")  # by level, from NONE to TOTAL

QUARTER_WORDS = {"none": "none", "standard": "1/2", "improved": "9/10", "1/4": "1/4", "1/2": "1/2", "3/4": "3/4"}
PAIZO_WORDS = {"none": "none", "partial": "partial", "standard": "cover", "improved": "improved", "1/2": "cover"}


def nearest_quarter(h: Fraction) -> str:
    """The degree nearest to a hidden fraction, the milder of two."""
    return min(QUARTERS[1:], key=lambda word: (abs(Fraction(word) - h), Fraction(word)))


@dataclass(frozen=True)
class Ways:
    """How an edition counts.

    ``lines`` is the degree for each number of lines blocked from the best corner, ``lines_from_all`` from the worst one
    where all count. ``numbers`` has what a degree adds; a pair is for ranged attacks and for melee. ``conceals`` is the
    word for each level of concealment. ``counts_from`` is the least part of a body that walls must hide to count, ``limit``
    the most that a part gives; ``cover_words`` are the degrees for the words of walls.
    """

    degrees: tuple[str, ...]
    lines: tuple[str, ...]
    soft: str
    numbers: dict[str, dict[str, Any]]
    hides: set[str]
    no_opportunity: set[str]
    lines_from_all: tuple[str, ...] = ANY_LINE
    evasion: set[str] = field(default_factory=set)
    conceals: tuple[str, ...] = PLAIN
    concealed: dict[str, dict[str, int]] = field(default_factory=dict)
    miss_chance: dict[str, int] = field(default_factory=lambda: {"concealed": 20, "total": 50})
    hides_in: set[str] = field(default_factory=lambda: {"concealed", "total"})
    no_opportunity_in: set[str] = field(default_factory=lambda: {"total"})
    flanking: int = 2
    has_combat_advantage: bool = False  # by whatever cause
    fog: str = "deep"  # or "any": any square of it hides totally
    only_enemies: bool = False  # give soft cover
    into_melee: bool = False  # -4 on shots at those whom friends fight
    diagonals: str = "5-10-5"
    counts_from: Fraction = Fraction(1, 4)
    limit: Callable[[Fraction], str] = lambda h: "total"
    low_obstacles: bool = False
    is_centre: bool = False  # cover is found on one line; then soft is for a creature, and for one two sizes larger
    soft_larger: str = "none"
    off_guard: int = 0  # what being flanked adds to the defense
    cover_words: dict[str, str] = field(default_factory=lambda: QUARTER_WORDS)


def paizo(**ways: Any) -> Ways:
    return Ways(
        degrees=PAIZO_DEGREES,
        lines=PAIZO_LINES,
        hides={"partial", "cover", "improved", "total"},
        no_opportunity={"partial", "cover", "improved", "total"},
        low_obstacles=True,
        cover_words=PAIZO_WORDS,
        **ways,
    )


def fifth(**ways: Any) -> Ways:
    return Ways(
        degrees=("none", "half", "three-quarters", "total"),
        lines=FIFTH_LINES,
        lines_from_all=FIFTH_LINES,
        soft="half",
        numbers={"half": {"defense": 2, "save": 2}, "three-quarters": {"defense": 5, "save": 5}},
        no_opportunity={"total"},
        conceals=("none", *["lightly obscured"] * 2, *["heavily obscured"] * 3),
        miss_chance={},
        hides_in={"heavily obscured"},
        no_opportunity_in={"heavily obscured"},
        counts_from=Fraction(1, 2),
        limit=lambda h: "three-quarters" if h >= Fraction(3, 4) else "half",
        cover_words={"none": "none", "standard": "half", "improved": "three-quarters", "1/2": "half"},
        flanking=0,
        fog="any",
        diagonals="1",
        **ways,
    )


EDITIONS = {
    "pathfinder1": paizo(
        soft="soft",
        numbers={
            "soft": {"defense": 4},
            "partial": {"defense": 2, "save": 1},
            "cover": {"defense": 4, "save": 2},
            "improved": {"defense": 8, "save": 4, "stealth": 10},
        },
        evasion={"improved"},
        into_melee=True,
    ),
    "defense": paizo(
        soft="soft",
        numbers={
            "partial": {"attack": -2, "save": 1},
            "cover": {"attack": -4, "save": 2},
            "improved": {"attack": -8, "save": 4, "stealth": 10},
        },
        evasion={"improved"},
    ),
    "starfinder1": paizo(
        soft="cover",
        numbers={
            "soft": {"defense": (4, 0)},
            "partial": {"defense": 2, "save": 1},
            "cover": {"defense": 4, "save": 2},
            "improved": {"defense": 8, "save": 4},
        },
    ),
    "hybrid35": Ways(
        degrees=("none", "soft", "1/4", "1/2", "3/4", "9/10", "total"),
        lines=QUARTERS,
        lines_from_all=QUARTERS,
        limit=nearest_quarter,
        soft="soft",
        numbers={
            "soft": {"defense": 4},
            "1/4": {"defense": 2},
            "1/2": {"defense": 4},
            "3/4": {"defense": 6, "save": 2},
            "9/10": {"defense": 8, "save": 4, "stealth": 4},
        },
        hides={"1/2", "3/4", "9/10", "total"},
        no_opportunity={"total"},
        evasion={"9/10"},
        concealed={"concealed": {"defense": 2}, "total": {"defense": 4, "save": 4}},
        miss_chance={},
        no_opportunity_in=set(),
    ),
    "dnd30": Ways(
        degrees=("none", "1/4", "1/2", "3/4", "9/10", "total"),
        lines=QUARTERS,
        lines_from_all=QUARTERS,
        limit=nearest_quarter,
        soft="1/2",
        numbers={
            "1/4": {"defense": 2, "save": 1},
            "1/2": {"defense": 4, "save": 2},
            "3/4": {"defense": 7, "save": 3},
            "9/10": {"defense": 10, "save": 4},
        },
        hides={"1/2", "3/4", "9/10", "total"},
        no_opportunity={"1/2", "3/4", "9/10", "total"},
        evasion={"9/10"},
        conceals=("none", "1/4", "1/2", "3/4", "9/10", "total"),
        miss_chance={"1/4": 10, "1/2": 20, "3/4": 30, "9/10": 40, "total": 50},
        hides_in={"1/2", "3/4", "9/10", "total"},
        no_opportunity_in=set(),
    ),
    "dnd35": Ways(
        degrees=("none", "soft", "cover", "improved", "total"),
        lines=ANY_LINE,
        soft="soft",
        numbers={
            "soft": {"defense": 4},
            "cover": {"defense": 4, "save": 2},
            "improved": {"defense": 8, "save": 4, "stealth": 10},
        },
        hides={"cover", "improved", "total"},
        no_opportunity={"cover", "improved", "total"},
        evasion={"improved"},
        low_obstacles=True,
        into_melee=True,
        cover_words={"none": "none", "partial": "cover", "standard": "cover", "improved": "improved", "1/2": "cover"},
    ),
    "dnd4e": Ways(
        degrees=("none", "cover", "superior", "total"),
        lines=("none", "cover", "cover", "superior", "superior"),
        soft="cover",
        only_enemies=True,
        has_combat_advantage=True,
        numbers={"cover": {"attack": -2}, "superior": {"attack": -5}},
        hides={"superior", "total"},
        no_opportunity={"total"},
        concealed={"concealed": {"attack": -2}, "total": {"attack": -5}},
        conceals=("none", "concealed", "concealed", "total", "total", "total"),
        miss_chance={},
        hides_in={"total"},
        no_opportunity_in=set(),
        limit=lambda h: "cover",
        cover_words={"none": "none", "standard": "cover", "improved": "superior", "1/2": "cover"},
        diagonals="1",
    ),
    "dnd5e": fifth(hides={"total"}),
    "dnd5e-2024": fifth(hides={"three-quarters", "total"}),
    "pathfinder2": Ways(
        degrees=("none", "lesser", "standard", "greater", "total"),
        lines=("none", "standard"),
        soft="lesser",
        soft_larger="standard",
        is_centre=True,
        numbers={
            "lesser": {"defense": 1},
            "standard": {"defense": 2, "save": 2, "stealth": 2},
            "greater": {"defense": 4, "save": 4, "stealth": 4},
        },
        hides={"standard", "greater", "total"},
        no_opportunity=set(),
        conceals=("none", "concealed", "concealed", "concealed", "concealed", "hidden"),
        miss_chance={},
        hides_in={"concealed", "hidden"},
        no_opportunity_in=set(),
        cover_words={"none": "none", "standard": "standard", "improved": "greater", "1/2": "standard"},
        flanking=0,
        off_guard=-2,
    ),
}  # fmt: skip

NEAR = ("dnd4e", "dnd5e", "dnd5e-2024")
"""Editions in which flankers stand next to their target, and weapons with reach reach near squares too."""

DEFAULTS = {
    "adjacent_melee_mode": {**dict.fromkeys(("pathfinder1", "defense", "dnd35"), "all_corners"), "other": "best_corner"},
    "common_sense_exempt": {"other": "on"},
    "concealment_border": {"starfinder1": "border", "other": "interior"},
    "concealment_chooser": {"other": "attacker"},
    "creature_cover": {"other": "by the edition"},
    "creature_max_degree": {"dnd4e": "by_lines", "other": "by the edition"},
    "edge_contact": {"other": "clear"},
    "flank_anchor": {"pathfinder2": "centre", "other": "any_square"},
    "flank_corners_inclusive": {"other": "yes"},
    "flank_partner": {**dict.fromkeys(("pathfinder1", "defense", "starfinder1"), "enemy_of_target"), "other": "ally"},
    "flanking": {"dnd5e": "advantage", "other": "off"},
    "flank_requires_adjacent": {**dict.fromkeys(NEAR, "yes"), "other": "no"},
    "fog_depth_total": {"pathfinder2": "off", "other": "on"},
    "hide_behind": {"other": "by the edition"},
    "hiding": {"other": "half"},
    "melee_blockers_adjacent": {
        **dict.fromkeys(("starfinder1", "dnd5e", "dnd5e-2024"), "walls_and_creatures"), "other": "walls_only",
    },
    "partial": {"other": "lines"},
    "partial_cover_hides": {"other": "yes"},
    "partial_penalty_vs_reach": {"other": "as_ranged"},
    "reach_attacker_adjacent_uses_ranged": {"pathfinder1": "natural_reach", "other": "never"},
    "reach_weapon_dead_zone": {**dict.fromkeys(("starfinder1", "pathfinder2", *NEAR), "no"), "other": "yes"},
    "soft_cover_blocks_aoo": {**dict.fromkeys(("pathfinder1", "starfinder1", "dnd30", "dnd35"), "yes"), "other": "no"},
    "soft_cover_vs_reach": {**dict.fromkeys(("hybrid35", "dnd35", "dnd4e"), "not"), "other": "applies"},
    "soft_penalty": {"other": "0"},
    "threat_unarmed": {**dict.fromkeys((*NEAR, "pathfinder2"), "threatens"), "other": "not"},
    "total_conceal_targetable": {
        **dict.fromkeys(("pathfinder1", "defense", "starfinder1", "dnd35"), "only_square"), "other": "yes",
    },
}  # fmt: skip
"""For every option that a case may set, or whose default matters: the default of each edition."""
