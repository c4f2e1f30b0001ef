"""What the books say, typed from their tables: the numbers of every degree, and the options with their defaults.

Sources: Pathfinder variant with Defense (statements S000); Starfinder (S001) and its Core Rulebook for what that excerpt
leaves out; hybrid of the 3.5 rules (S002); System Reference Document 3.0 (S004) and 3.5, Combat; Pathfinder RPG Core
Rulebook, Combat; System Reference Documents 5.1 and 5.2, Combat, and Dungeon Master's Guide (2014), Running the Game;
Player's Handbook (2008) of the fourth edition, Combat.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One degree. ``attack`` and ``defense`` are (ranged, melee), or (ranged, melee, area).

    ``aoo``: an attack of opportunity stays possible.
    """

    attack: tuple[int, ...] = (0, 0)
    defense: tuple[int, int] = (0, 0)
    save: int = 0
    stealth: int = 0
    miss: int = 0
    roll: int = 0
    flat_check: int = 0
    evasion: str = "none"
    can_attack: bool = True
    aoo: bool = True
    hides: bool = False


def same(number: int) -> tuple[int, int]:
    return number, number


NONE = Row()
TOTAL = Row(can_attack=False, aoo=False, hides=True)

COVER: dict[str, dict[str, Row]] = {
    "defense": {
        "none": NONE,
        "soft": NONE,  # S000-6, S000-15, S000-16, S000-13
        "partial": Row(attack=same(-2), save=1, aoo=False, hides=True),  # S000-17, S000-19
        "cover": Row(attack=same(-4), save=2, aoo=False, hides=True),  # S000-6, S000-12, S000-22, S000-34
        "improved": Row(
            attack=same(-8), save=4, stealth=10, evasion="improved", aoo=False, hides=True
        ),  # S000-22 to 24
        "total": TOTAL,
    },
    "starfinder1": {
        "none": NONE,
        "soft": Row(defense=(4, 0), aoo=False),
        "partial": Row(defense=same(2), save=1, aoo=False, hides=True),
        "cover": Row(defense=same(4), save=2, aoo=False, hides=True),  # S001-12
        "improved": Row(defense=same(8), save=4, aoo=False, hides=True),
        "total": TOTAL,
    },
    "hybrid35": {
        "none": NONE,
        "soft": Row(defense=same(4)),  # S002-44 to S002-46
        "1/4": Row(defense=same(2)),  # S002-33
        "1/2": Row(defense=same(4), hides=True),  # S002-34, S002-42
        "3/4": Row(defense=same(6), save=2, hides=True),  # S002-35, S002-38
        "9/10": Row(defense=same(8), save=4, stealth=4, evasion="improved", hides=True),  # S002-36, S002-39 to 41
        "total": Row(can_attack=False, hides=True),  # S002-37
    },
    "dnd30": {
        "none": NONE,
        "1/4": Row(defense=same(2), save=1),  # S004-64
        "1/2": Row(defense=same(4), save=2, aoo=False, hides=True),  # S004-65, S004-70
        "3/4": Row(defense=same(7), save=3, aoo=False, hides=True),  # S004-66
        "9/10": Row(defense=same(10), save=4, evasion="improved", aoo=False, hides=True),  # S004-67, S004-69
        "total": TOTAL,  # S004-68
    },
    "pathfinder1": {
        "none": NONE,
        "soft": Row(defense=same(4), aoo=False),
        "partial": Row(defense=same(2), save=1, aoo=False, hides=True),
        "cover": Row(defense=same(4), save=2, aoo=False, hides=True),
        "improved": Row(defense=same(8), save=4, stealth=10, evasion="improved", aoo=False, hides=True),
        "total": TOTAL,
    },
    "dnd35": {
        "none": NONE,
        "soft": Row(defense=same(4), aoo=False),
        "cover": Row(defense=same(4), save=2, aoo=False, hides=True),
        "improved": Row(defense=same(8), save=4, stealth=10, evasion="improved", aoo=False, hides=True),
        "total": TOTAL,
    },
    "dnd4e": {
        "none": NONE,
        "cover": Row(attack=(-2, -2, -2)),
        "superior": Row(attack=(-5, -5, -5), hides=True),
        "total": Row(can_attack=False, hides=True),
    },
    "dnd5e": {
        "none": NONE,
        "half": Row(defense=same(2), save=2),
        "three-quarters": Row(defense=same(5), save=5),
        "total": Row(can_attack=False, hides=True),
    },
    "dnd5e-2024": {
        "none": NONE,
        "half": Row(defense=same(2), save=2),
        "three-quarters": Row(defense=same(5), save=5, hides=True),
        "total": Row(can_attack=False, hides=True),
    },
}

HIDDEN = Row(miss=50, can_attack=False, aoo=False, hides=True)
OBSCURED = {"none": NONE, "lightly obscured": NONE, "heavily obscured": Row(roll=-1, aoo=False, hides=True)}

CONCEALMENT: dict[str, dict[str, Row]] = {
    "defense": {"none": NONE, "concealed": Row(miss=20, hides=True), "total": HIDDEN},  # S000-30, 33, 36, 37, 39
    "starfinder1": {"none": NONE, "concealed": Row(miss=20, hides=True), "total": HIDDEN},
    "hybrid35": {
        "none": NONE,
        "concealed": Row(defense=same(2), hides=True),  # S002-52, S002-54
        "total": Row(defense=same(4), save=4, hides=True),  # S002-56
    },
    "dnd30": {
        "none": NONE,
        "1/4": Row(miss=10),  # S004-88
        "1/2": Row(miss=20, hides=True),  # S004-89
        "3/4": Row(miss=30, hides=True),  # S004-90
        "9/10": Row(miss=40, hides=True),  # S004-91
        "total": Row(miss=50, hides=True),  # S004-92
    },
    "pathfinder1": {"none": NONE, "concealed": Row(miss=20, hides=True), "total": HIDDEN},
    "dnd35": {"none": NONE, "concealed": Row(miss=20, hides=True), "total": HIDDEN},
    "dnd4e": {"none": NONE, "concealed": Row(attack=same(-2)), "total": Row(attack=same(-5), hides=True)},
    "dnd5e": OBSCURED,
    "dnd5e-2024": OBSCURED,
}

# The edition's word for each level of concealment of squares, from none over 1/4, 1/2, 3/4 and 9/10 to total.
LEVELS = {
    "defense": ["none", "concealed", "concealed", "concealed", "concealed", "total"],
    "starfinder1": ["none", "concealed", "concealed", "concealed", "concealed", "total"],
    "hybrid35": ["none", "concealed", "concealed", "concealed", "concealed", "total"],
    "dnd30": ["none", "1/4", "1/2", "3/4", "9/10", "total"],
    "pathfinder1": ["none", "concealed", "concealed", "concealed", "concealed", "total"],
    "dnd35": ["none", "concealed", "concealed", "concealed", "concealed", "total"],
    "dnd4e": ["none", *["concealed"] * 2, *["total"] * 3],
    "dnd5e": ["none", *["lightly obscured"] * 2, *["heavily obscured"] * 3],
    "dnd5e-2024": ["none", *["lightly obscured"] * 2, *["heavily obscured"] * 3],
}

BY_LINES = {
    "defense": ["none", "partial", "cover", "cover", "cover"],
    "starfinder1": ["none", "partial", "cover", "cover", "cover"],
    "hybrid35": ["none", "1/4", "1/2", "3/4", "9/10"],
    "dnd30": ["none", "1/4", "1/2", "3/4", "9/10"],
    "pathfinder1": ["none", "partial", "cover", "cover", "cover"],
    "dnd35": ["none", "cover", "cover", "cover", "cover"],
    "dnd4e": ["none", "cover", "cover", "superior", "superior"],
    "dnd5e": ["none", "half", "half", "three-quarters", "three-quarters"],
    "dnd5e-2024": ["none", "half", "half", "three-quarters", "three-quarters"],
}

# What lines give at most whose walls hide a part of the body: 1/4 to 3/8, to 1/2 (not half), to 5/8, to 3/4, to 33/40,
# to all of it (DESIGN, Heights). Nothing there: they are blocked like others, or do not count.
AT_MOST: dict[str, list[str]] = {
    "hybrid35": ["1/4", "1/2", "1/2", "3/4", "3/4", "9/10"],
    "dnd30": ["1/4", "1/2", "1/2", "3/4", "3/4", "9/10"],
    "dnd4e": ["cover"] * 6,
    "dnd5e": ["none", "none", "half", "half", "three-quarters", "three-quarters"],
    "dnd5e-2024": ["none", "none", "half", "half", "three-quarters", "three-quarters"],
}

# Where the text has low obstacles: S000-10, S000-11; 3.5, and the core rulebooks of Pathfinder and Starfinder.
LOW_OBSTACLES = {"defense", "starfinder1", "pathfinder1", "dnd35"}

# The edition's degree for each word of a map, and for a hidden fraction told by the map.
PAIZO = {
    "none": "none", "light": "partial", "partial": "partial", "standard": "cover", "improved": "improved",
    "total": "total", "1/4": "partial", "1/2": "cover", "3/4": "cover", "9/10": "improved", "1": "total",
}  # fmt: skip
FRACTIONS = {
    "none": "none", "light": "1/4", "partial": "1/4", "standard": "1/2", "improved": "9/10",
    "total": "total", "1/4": "1/4", "1/2": "1/2", "3/4": "3/4", "9/10": "9/10", "1": "total",
}  # fmt: skip
FIFTH = {
    "none": "none", "light": "none", "partial": "half", "standard": "half", "improved": "three-quarters",
    "total": "total", "1/4": "none", "1/2": "half", "3/4": "three-quarters", "9/10": "three-quarters", "1": "total",
}  # fmt: skip
COVER_WORDS = {
    "defense": PAIZO,
    "starfinder1": PAIZO,
    "pathfinder1": PAIZO,
    "hybrid35": FRACTIONS,
    "dnd30": FRACTIONS,
    "dnd35": {
        "none": "none", "light": "cover", "partial": "cover", "standard": "cover", "improved": "improved",
        "total": "total", "1/4": "cover", "1/2": "cover", "3/4": "cover", "9/10": "improved", "1": "total",
    },
    "dnd4e": {
        "none": "none", "light": "cover", "partial": "cover", "standard": "cover", "improved": "superior",
        "total": "total", "1/4": "cover", "1/2": "cover", "3/4": "cover", "9/10": "cover", "1": "total",
    },
    "dnd5e": FIFTH,
    "dnd5e-2024": FIFTH,
}  # fmt: skip

# +2 on melee attacks in S000-46, S001-14, S002-62, S004-2, Pathfinder and the fourth edition; advantage in the Dungeon
# Master's Guide of 2014; nothing in the System Reference Document 5.2.
FLANKING = {name: Row(attack=(0, 2)) for name in ("defense", "starfinder1", "hybrid35", "dnd30", "pathfinder1")}
FLANKING |= {"dnd35": Row(attack=(0, 2)), "dnd4e": Row(attack=(0, 2)), "dnd5e": Row(roll=1), "dnd5e-2024": NONE}

SEEDS = {"defense": "S000", "starfinder1": "S001", "hybrid35": "S002", "dnd30": "S004"}

# Options with their values, the default first.
SHARED = {
    "line_of_effect": ["clear", "touching"],
    "cut_corners": ["ignore", "count"],
    "large_target_ranged": ["any_one_square", "all_squares"],
    "large_attacker_ranged": ["any_square", "outer_corners"],
    "same_corner_for_cover_and_concealment": ["independent", "same"],
    "flank_corners_inclusive": ["yes", "no"],
    "flank_anchor": ["any_square", "centre"],
}
THIRD = {
    **SHARED,
    "flank_requires_adjacent": ["no", "yes"],
    "threat_unarmed": ["not", "threatens"],
    "reach10_second_diagonal": ["yes", "no"],
    "fog_depth_total": ["on", "off"],
}
ALL_CORNERS = {
    "adjacent_melee_mode": ["all_corners", "best_corner"],
    "melee_blockers_adjacent": ["walls_only", "walls_and_creatures"],
}
BEST_CORNER = {"adjacent_melee_mode": ["best_corner", "all_corners"]}
PARTIAL = {"partial": ["lines", "off", "area"], "partial_cover_hides": ["yes", "no"]}
PARTNERS = ["enemy_of_target", "ally", "any_threatener"]
OPTIONS: dict[str, dict[str, list[str]]] = {
    "defense": {
        **THIRD,
        **ALL_CORNERS,
        **PARTIAL,
        "partial_penalty_vs_reach": ["as_ranged", "as_cover", "none"],
        "soft_penalty": ["0", "-4"],
        "soft_cover_vs_reach": ["applies", "not"],
        "soft_cover_blocks_aoo": ["no", "yes"],
        "reach_attacker_adjacent_uses_ranged": ["never", "natural_reach"],
        "concealment_border": ["interior", "border"],
        "total_conceal_targetable": ["only_square", "yes"],
        "flank_partner": PARTNERS,
        "reach_weapon_dead_zone": ["yes", "no"],
        "pinned_ranged": ["gm", "pathfinder1"],
        "prone_ranged": ["gm", "pathfinder1"],
        "squeezing_ranged": ["gm", "pathfinder1"],
        "helpless_dex": ["both", "only_four"],
    },
    "starfinder1": {
        **THIRD,
        **BEST_CORNER,
        **PARTIAL,
        "melee_blockers_adjacent": ["walls_and_creatures", "walls_only"],
        "creature_cover": ["cover", "soft"],
        "soft_cover_vs_reach": ["applies", "not"],
        "soft_cover_blocks_aoo": ["yes", "no"],
        "edge_contact": ["clear", "blocked_for_walls_only"],
        "common_sense_exempt": ["on", "off"],
        "concealment_border": ["border", "interior"],
        "concealment_chooser": ["attacker", "defender"],
        "total_conceal_targetable": ["only_square", "yes"],
        "flank_partner": PARTNERS,
        "reach_weapon_dead_zone": ["no", "yes"],
    },
    "hybrid35": {
        **THIRD,
        **BEST_CORNER,
        "melee_blockers_adjacent": ["walls_only", "walls_and_creatures"],
        "soft_cover_vs_reach": ["not", "applies"],
        "concealment_border": ["interior", "border"],
        "total_conceal_targetable": ["yes", "only_square"],
        "flank_partner": ["ally", "enemy_of_target", "any_threatener"],
        "reach_weapon_dead_zone": ["yes", "no"],
        "degree_from": ["lines", "area"],
        "higher_ground_ft": ["1", "5"],
        "prone_ranged": ["unusable", "literal"],
        "size_shift": ["medium", "target", "off"],
        "blind_attacker": ["total", "concealed"],
        "helpless_dex": ["both", "only_four"],
    },
    "dnd30": {
        **THIRD,
        **BEST_CORNER,
        "melee_blockers_adjacent": ["walls_only", "walls_and_creatures"],
        "soft_cover_vs_reach": ["applies", "not"],
        "hiding": ["half", "any"],
        "concealment_border": ["interior", "border"],
        "flank_partner": ["ally", "enemy_of_target", "any_threatener"],
        "reach_weapon_dead_zone": ["yes", "no"],
        "degree_from": ["lines", "area"],
        "higher_ground_ft": ["1", "5"],
        "helpless_dex": ["both", "only_four"],
    },
    "pathfinder1": {
        **THIRD,
        **ALL_CORNERS,
        **PARTIAL,
        "soft_cover_vs_reach": ["applies", "not"],
        "soft_cover_blocks_aoo": ["yes", "no"],
        "reach_attacker_adjacent_uses_ranged": ["natural_reach", "never"],
        "concealment_border": ["interior", "border"],
        "total_conceal_targetable": ["only_square", "yes"],
        "flank_partner": PARTNERS,
        "reach_weapon_dead_zone": ["yes", "no"],
    },
    "dnd5e": {
        **SHARED,
        **BEST_CORNER,
        "diagonals": ["1", "5-10-5"],
        "dmg_four_lines": ["three_quarters", "total"],
        "creature_max_degree": ["half", "by_lines"],
        "melee_blockers_adjacent": ["walls_and_creatures", "walls_only"],
        "concealment_border": ["interior", "border"],
        "fog_opaque_both_ways": ["yes", "no"],
        "hide_behind": ["unseen", "three_quarters"],
        "flanking": ["advantage", "off"],
        "flank_partner": ["ally", "enemy_of_target", "any_threatener"],
        "flank_requires_adjacent": ["yes", "no"],
        "threat_unarmed": ["threatens", "not"],
        "reach_weapon_dead_zone": ["no", "yes"],
    },
}
OPTIONS["dnd5e-2024"] = {
    **OPTIONS["dnd5e"],
    "hide_behind": ["three_quarters", "unseen"],
    "flanking": ["off", "advantage"],
}
OPTIONS["dnd35"] = {
    **THIRD,
    **ALL_CORNERS,
    "soft_cover_vs_reach": ["not", "applies"],
    "soft_cover_blocks_aoo": ["yes", "no"],
    "reach_attacker_adjacent_uses_ranged": ["never", "natural_reach"],
    "spread_vs_cover": ["negates", "not"],
    "concealment_border": ["interior", "border"],
    "total_conceal_targetable": ["only_square", "yes"],
    "flank_partner": ["ally", "enemy_of_target", "any_threatener"],
    "reach_weapon_dead_zone": ["yes", "no"],
    "higher_ground_ft": ["1", "5"],
    "helpless_dex": ["both", "only_four"],
}
OPTIONS["dnd4e"] = {
    **SHARED,
    **BEST_CORNER,
    "creature_max_degree": ["by_lines", "cover"],
    "concealment_border": ["interior", "border"],
    "fog_depth_total": ["on", "off"],
    "hide_behind": ["superior", "any"],
    "flank_partner": ["ally", "enemy_of_target", "any_threatener"],
    "flank_requires_adjacent": ["yes", "no"],
    "threat_unarmed": ["threatens", "not"],
    "reach_weapon_dead_zone": ["no", "yes"],
}
OPTIONS["pathfinder1"] |= {
    "spread_vs_cover": ["negates", "not"],
    "higher_ground_ft": ["1", "5"],
    "helpless_dex": ["both", "only_four"],
    "grappling": ["table", "condition"],
}
READ_BY_QUESTIONS = {
    "diagonals",
    "flank_anchor",
    "flank_corners_inclusive",
    "flank_partner",
    "flank_requires_adjacent",
    "reach10_second_diagonal",
    "reach_weapon_dead_zone",
    "threat_unarmed",
}
"""Options that change facts, not how they are judged."""
