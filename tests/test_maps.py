"""The maps of ``maps/``: every one loads, is written as gridlos writes it, and holds what its name promises."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import jsonschema
import oracle
import pytest

import gridlos
from gridlos.bench import generate
from gridlos.facts import Stops
from gridlos.formats import load_scene_json, scene_schema, to_scene_json
from gridlos.formats.scene_json import scene_from_data

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "maps").glob("*.scene.json"))
NAMES = [file.name.removesuffix(".scene.json") for file in FILES]

# rows, columns, creatures, walls
SIZES = {
    "ambush": (8, 16, 7, 0),
    "bridge": (16, 24, 12, 12),
    "cave": (18, 26, 12, 67),
    "corridor": (12, 24, 12, 8),
    "crypt": (16, 20, 11, 22),
    "dungeon": (40, 60, 40, 13),
    "gatehouse": (14, 20, 12, 5),
    "grove": (14, 22, 12, 5),
    "pillars": (14, 18, 11, 23),
    "pit": (14, 20, 11, 4),
    "prison": (14, 22, 13, 12),
    "ruin": (16, 22, 11, 24),
    "tavern": (15, 20, 12, 29),
    "tower": (14, 22, 12, 4),
}


@cache
def scene(name: str):
    return load_scene_json(ROOT / "maps" / f"{name}.scene.json")


def squares(name: str, letter: str) -> set[tuple[int, int]]:
    rows = scene(name).battle_map.to_rows()
    return {(x, y) for y, row in enumerate(rows) for x, found in enumerate(row) if found == letter}


def ends(wall) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    return tuple((Fraction(x), Fraction(y)) for x, y in (wall.start, wall.end))


def sizes(name: str) -> set[str]:
    return {creature.size for creature in scene(name).creatures}


def kinds(name: str) -> Counter:
    return Counter((wall.kind, wall.state) for wall in scene(name).battle_map.walls)


def oracle_walls(name: str) -> oracle.Walls:
    battle_map = scene(name).battle_map
    terrain, stops = battle_map.terrain & Stops.EFFECT, battle_map.stops & Stops.EFFECT
    stops[battle_map.special] = 0
    return oracle.Walls(
        rows=battle_map.rows,
        cols=battle_map.cols,
        subdivisions=battle_map.subdivisions,
        solid=frozenset((x, y) for y in range(battle_map.rows) for x in range(battle_map.cols) if terrain[y, x]),
        segments=tuple(tuple(map(int, ends)) for ends, stop in zip(battle_map.segments, stops, strict=True) if stop),
    )


# ---- every map


def test_each_map_is_described_here() -> None:
    assert set(NAMES) == set(SIZES)


@pytest.mark.parametrize("name", NAMES)
def test_map_has_its_size(name: str) -> None:
    battle_map = scene(name).battle_map
    assert (battle_map.rows, battle_map.cols, len(scene(name).creatures), len(battle_map.walls)) == SIZES[name]


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_map_fits_the_schema_and_is_written_the_usual_way(file: Path) -> None:
    content = file.read_bytes()
    jsonschema.validate(json.loads(content), scene_schema())
    assert to_scene_json(load_scene_json(file)) == content


@pytest.mark.parametrize("name", NAMES)
def test_map_has_a_name_and_sides(name: str) -> None:
    assert scene(name).name
    assert {"party", "monsters"} <= {creature.side for creature in scene(name).creatures}


@pytest.mark.parametrize("name", NAMES)
def test_map_needed_no_repair(name: str) -> None:
    assert scene(name).load_warnings == ()
    assert scene(name).battle_map.repairs == ()


def barriers(name: str) -> list:
    """What nobody walks through, as pairs of points in squares; a door can be opened, behind a curtain one can step."""
    walls = [wall for wall in scene(name).battle_map.walls if wall.kind in {"wall", "window"}]
    return [ends(wall) for wall in walls]


def centre(square) -> tuple[Fraction, Fraction]:
    return square[0] + Fraction(1, 2), square[1] + Fraction(1, 2)


def is_passable(walls, here, there) -> bool:
    return not any(oracle.meets(centre(here), centre(there), wall) for wall in walls)


@pytest.mark.parametrize("name", NAMES)
def test_nobody_stands_on_a_wall_or_on_another(name: str) -> None:
    walls = barriers(name)
    taken: set = set()
    for space in map(tuple, scene(name).spaces.tolist()):
        own = oracle.squares_of(space)
        assert not taken & set(own)
        taken.update(own)
        assert not any(oracle.on_wall(centre(square), wall) for square in own for wall in walls)
        pairs = [(a, b) for a in own for b in own if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
        assert all(is_passable(walls, a, b) for a, b in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_everybody_can_walk_to_everybody(name: str) -> None:
    """From square to square over their common sides, through doors at worst."""
    battle_map, walls = scene(name).battle_map, barriers(name)
    occupied = {square for space in scene(name).spaces.tolist() for square in oracle.squares_of(space)}
    start = min(occupied)
    reached, ahead = {start}, [start]
    while ahead:
        x, y = here = ahead.pop()
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if there in reached or not battle_map.has_square(*there) or battle_map.is_solid(*there):
                continue
            if is_passable(walls, here, there):
                reached.add(there)
                ahead.append(there)
    assert occupied <= reached


@pytest.mark.parametrize("name", NAMES)
def test_map_holds_every_kind_of_answer(name: str) -> None:
    result = gridlos.evaluate(scene(name), edition="pathfinder1", attack="ranged")
    words = {result.degrees[code] for code in result.cover[result.distinct]}
    assert {"none", "partial", "cover", "total"} <= words
    result = gridlos.evaluate(scene(name), edition="dnd5e", attack="ranged")
    words = {result.degrees[code] for code in result.cover[result.distinct]}
    assert {"none", "half", "three-quarters", "total"} <= words


# ---- what each map is for


def test_gatehouse() -> None:
    walls = {wall.id: wall for wall in scene("gatehouse").battle_map.walls}
    assert (walls["gate"].kind, walls["gate"].state) == ("door", "closed")
    assert (walls["postern"].kind, walls["postern"].state) == ("door", "open")
    assert squares("gatehouse", "w")
    assert squares("gatehouse", "s")
    assert "large" in sizes("gatehouse")


def test_gatehouse_archer_sees_half_of_the_ogre() -> None:
    """The README's pair: from the archer's best corner two lines pass the tower and two do not."""
    walls = oracle_walls("gatehouse")
    spaces = dict(zip(scene("gatehouse").ids, map(tuple, scene("gatehouse").spaces.tolist()), strict=True))
    archer, ogre = spaces["archer"], spaces["ogre"]
    assert oracle.line_of_effect(walls, archer, ogre)
    nibbles = [
        nibble
        for one in oracle.squares_of(archer)
        for other in oracle.squares_of(ogre)
        for nibble in oracle.blocked_nibbles(walls, one, other)
    ]
    assert min(nibble.bit_count() for nibble in nibbles) == 2
    verdict = gridlos.evaluate(scene("gatehouse"), edition="pathfinder1", attack="ranged")["archer", "ogre"]
    assert (verdict.cover, verdict.blocked_lines) == ("cover", 2)
    verdict = gridlos.evaluate(scene("gatehouse"), edition="dnd5e", attack="ranged")["archer", "ogre"]
    assert (verdict.cover, verdict.blocked_lines) == ("half", 2)


def test_cave_has_free_walls_that_clip_squares() -> None:
    battle_map = scene("cave").battle_map
    assert len(battle_map.free) == len(battle_map.walls)
    assert battle_map.subdivisions == 8
    coordinates = [value for wall in battle_map.walls for point in ends(wall) for value in point]
    assert {value.denominator for value in coordinates} == {1, 2, 4, 8}
    walls = oracle_walls("cave")
    clipped = {
        name
        for name, space in zip(scene("cave").ids, scene("cave").spaces.tolist(), strict=True)
        if any(oracle.cut_off(walls, square, corner) for square in oracle.squares_of(space) for corner in range(4))
    }
    assert {"wizard", "spider", "captive"} <= clipped


def test_corridor_is_one_square_wide_and_bends() -> None:
    floor = squares("corridor", ".")
    beside = {(x, y): {n for n in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if n in floor} for x, y in floor}
    narrow = [(x, y) for x, y in floor if not any({(x + i, y + j), (x + i, y), (x, y + j)} <= floor
                                                  for i in (-1, 1) for j in (-1, 1))]  # fmt: skip
    bends = [square for square in narrow if len(beside[square]) == 2 and len({n[0] for n in beside[square]}) == 2]
    bends = [square for square in bends if len({n[1] for n in beside[square]}) == 2]
    assert len(narrow) > 50
    assert len(bends) >= 5
    walls = [ends(wall) for wall in scene("corridor").battle_map.walls]
    assert ((9, 9), (20, 9)) in walls
    assert ((9, 10), (20, 10)) in walls


def test_pillars() -> None:
    solid = squares("pillars", "#")
    around = ((1, 0), (-1, 0), (0, 1), (0, -1))
    assert sum(not any((x + i, y + j) in solid for i, j in around) for x, y in solid) >= 14
    assert len(scene("pillars").battle_map.free) == 8 + 8 + 4 + 1


def test_crypt_has_diagonals_joints_and_seams() -> None:
    walls = [ends(wall) for wall in scene("crypt").battle_map.walls]
    diagonal = [(a, b) for a, b in walls if abs(a[0] - b[0]) == abs(a[1] - b[1])]
    assert sum(all(value.denominator == 1 for point in wall for value in point) for wall in diagonal) >= 10
    tips = {end for wall in walls for end in wall}
    joints = [(tip, wall) for tip in tips for wall in walls if tip not in wall and oracle.on_wall(tip, wall)]
    assert len(joints) >= 6
    solid = squares("crypt", "#")
    assert {(9, 7), (10, 7)} <= solid  # they share a side
    assert {(8, 6), (9, 7)} <= solid  # they meet in a corner
    assert not {(9, 6), (8, 7)} & solid


def test_tavern() -> None:
    counts = kinds("tavern")
    assert counts["window", None] == 4
    assert counts["curtain", None] == 3
    assert {kind for kind, state in counts if state} == {"door"}
    result = gridlos.evaluate(scene("tavern"), edition="pathfinder1", attack="ranged")
    only_seen = (result.line_of_sight & ~result.line_of_effect)[result.distinct]
    only_reached = (result.line_of_effect & ~result.line_of_sight)[result.distinct]
    assert only_seen.any()
    assert only_reached.any()


def beside(wall) -> list[tuple[int, int]]:
    """The squares on both sides of a wall, five eighths of a square away from its middle."""
    (x0, y0), (x1, y1) = ends(wall)
    long = max(abs(x1 - x0), abs(y1 - y0)) * Fraction(8, 5)
    across, middle = ((y0 - y1) / long, (x1 - x0) / long), ((x0 + x1) / 2, (y0 + y1) / 2)
    return [((middle[0] + turned * across[0]) // 1, (middle[1] + turned * across[1]) // 1) for turned in (-1, 1)]


def open_map(name: str, place: int) -> oracle.Walls:
    """The walls of a map with one of its doors open."""
    found, wall = oracle_walls(name), scene(name).battle_map.segments[place].tolist()
    rest = list(found.segments)
    if tuple(wall) in rest:
        rest.remove(tuple(wall))
    return dataclasses.replace(found, segments=tuple(rest))


@pytest.mark.parametrize("name", NAMES)
def test_each_door_opens_a_way(name: str) -> None:
    battle_map = scene(name).battle_map
    for place, wall in enumerate(battle_map.walls):
        if wall.kind != "door":
            continue
        one, other = ((*square, 1, 1) for square in beside(wall))
        assert oracle.line_of_effect(open_map(name, place), one, other), wall
        assert wall.state == "open" or not oracle.any_free(oracle_walls(name), one, other), wall


def test_bridge_has_big_and_tiny_creatures() -> None:
    assert {"tiny", "medium", "large", "huge", "gargantuan"} <= sizes("bridge")
    assert squares("bridge", "~")
    assert any(value % 1 for creature in scene("bridge").creatures for value in creature.at)


def test_ruin_has_a_slit_before_a_gargantuan_creature() -> None:
    walls = [ends(wall) for wall in scene("ruin").battle_map.walls]
    gap = {point for wall in walls for point in wall if point[0] == 8 and 2 < point[1] < 3}
    assert {float(y) for _, y in gap} == {2.35, 2.65}
    assert "gargantuan" in sizes("ruin")


def test_dungeon_comes_from_its_generator() -> None:
    made = scene_from_data(generate.dungeon(40, 60, 40, seed=13))
    assert to_scene_json(made) == (ROOT / "maps" / "dungeon.scene.json").read_bytes()
    counts = kinds("dungeon")
    assert all(counts["door", state] for state in ("open", "closed", "locked"))
    assert counts["secret door", "closed"]
    assert {"tiny", "small", "medium", "large", "huge"} <= sizes("dungeon")


# ---- heights, walls that stop in part, slits: what a game master expects


def asked(name: str, edition: str = "pathfinder1", attack: str = "ranged"):
    return gridlos.evaluate(scene(name), edition=edition, attack=attack)


def covers(name: str, *pairs: str, edition: str = "pathfinder1") -> list[str]:
    """The cover of pairs that are written as attacker>target."""
    result = asked(name, edition)
    return [result[tuple(pair.split(">"))].cover for pair in pairs]


def is_mutual(column) -> bool:
    return bool((column == column.T).all())


@pytest.mark.parametrize("name", NAMES)
def test_line_of_effect_is_mutual_but_for_one_way_walls(name: str) -> None:
    result = asked(name)
    assert is_mutual(result.line_of_effect) == (name != "prison")
    assert is_mutual(result.line_of_sight) == (name != "prison")


def test_gatehouse_arrow_slits_shelter_those_inside_only() -> None:
    """The crossbow and the sentry stand beside their slits; a low wall of 3 ft hides half of the rogue."""
    inside, outside = ["crossbow>cleric", "sentry>fighter"], ["cleric>crossbow", "fighter>sentry", "rogue>sentry"]
    assert covers("gatehouse", *inside) == ["none", "none"]
    assert covers("gatehouse", *outside) == ["improved"] * 3
    assert covers("gatehouse", *inside, edition="dnd5e") == ["none", "none"]
    assert covers("gatehouse", *outside, edition="dnd5e") == ["three-quarters"] * 3
    assert covers("gatehouse", *outside, edition="dnd30") == ["9/10"] * 3
    verdict = asked("gatehouse")["fighter", "sentry"]
    assert (verdict.defense_modifier, verdict.save_modifier, verdict.stealth_modifier) == (8, 4, 10)


def test_gatehouse_low_wall_and_door() -> None:
    """The rogue is beside the low wall, so that it covers him and not those at whom he shoots; the gate is shut."""
    assert covers("gatehouse", "sentry>rogue", "rogue>ogre", "archer>chief") == ["cover", "none", "total"]
    assert covers("gatehouse", "sentry>rogue", edition="dnd5e") == ["half"]
    assert covers("gatehouse", "sentry>rogue", edition="hybrid35") == ["1/2"]


def test_tower() -> None:
    battle_map = scene("tower").battle_map
    assert (battle_map.elevation == 20).sum() == len(squares("tower", "T")) == 16
    assert kinds("tower") == {("low wall", None): 4}
    assert {"small", "medium", "large", "huge"} <= sizes("tower")


def test_tower_battlement_shelters_who_is_behind_it() -> None:
    """Three of the archer's six feet; editions without a rule for low obstacles count it for those below, too."""
    assert covers("tower", "archer>orc", "orc>archer") == ["none", "cover"]
    assert covers("tower", "archer>orc", "orc>archer", edition="starfinder1") == ["none", "cover"]
    assert covers("tower", "archer>orc", "orc>archer", edition="defense") == ["none", "cover"]
    assert covers("tower", "archer>orc", "orc>archer", edition="dnd5e") == ["half", "half"]
    assert covers("tower", "archer>orc", "orc>archer", edition="hybrid35") == ["1/2", "1/2"]


def test_tower_floor_hides_those_at_its_foot_and_those_far_from_its_edge() -> None:
    """Who stands three squares from the edge sees nobody below but the big ones; the halfling looks over no battlement."""
    result = asked("tower")
    below = ["guard", "goblin", "orc", "sapper", "deserter"]
    assert {result["captain", one].cover for one in below} == {"total"}
    assert result["captain", "ogre"].line_of_effect
    assert {result["halfling", one].cover for one in [*below, "ogre", "giant"]} == {"total"}
    assert result["harpy", "halfling"].cover == "soft"  # from above; the archer stands between
    assert covers("tower", "harpy>archer", "archer>harpy") == ["cover", "none"]  # ten feet up is not over it
    assert result["archer", "guard"].cover == "total"  # at the foot of another side
    assert result["archer", "sapper"].line_of_effect


def test_tower_distances_count_the_height() -> None:
    """Archer and sapper: 1 square aside, 4 levels up, so 20 ft; every second diagonal step would count double."""
    assert [asked("tower", edition)["archer", "sapper"].distance for edition in ("pathfinder1", "dnd5e")] == [20, 20]
    result = asked("tower", attack="melee")
    assert not result["sapper", "archer"].in_reach
    assert not result["archer", "sapper"].in_reach


def test_pit() -> None:
    battle_map = scene("pit").battle_map
    assert sorted({float(value) for value in battle_map.elevation.flat}) == [-10, 0, 5, 10]
    assert {"tiny", "small", "medium", "large"} <= sizes("pit")
    assert [creature.id for creature in scene("pit").creatures if creature.elevation is not None] == ["drake"]


def test_pit_hides_who_is_in_it_from_those_far_from_its_edge() -> None:
    """The gnome's head is 7 ft below the kerb at which it cowers; the lion's head is level with the floor."""
    result = asked("pit")
    hidden = {one for one in result.attackers if one != "gnome" and not result[one, "gnome"].line_of_effect}
    assert hidden == {"herald", "gambler", "thief"}
    assert result["lion", "gladiator"].cover == "none"
    assert result["gambler", "lion"].line_of_effect


def test_pit_edge_shelters_those_above() -> None:
    """From the edge one sees all of who stands below; from below, the edge hides the feet."""
    assert covers("pit", "warden>gladiator", "gladiator>warden") == ["none", "cover"]
    assert covers("pit", "gladiator>warden", "lion>warden", edition="dnd5e") == ["half", "none"]
    assert covers("pit", "herald>lion", "lion>herald") == ["cover", "cover"]


def test_pit_flier_looks_over_the_railing() -> None:
    """The drake's feet are 15 ft high, the railing ends at 13; nobody but a creature is in its way."""
    result = asked("pit")
    assert result["drake", "keeper"].cover == "soft"
    assert result["gladiator", "keeper"].cover == "cover"
    assert {one for one in result.attackers if one != "drake" and not result["drake", one].line_of_effect} == set()


def test_grove() -> None:
    assert kinds("grove") == {("terrain", None): 5}
    assert squares("grove", "h")
    assert squares("grove", "b")
    assert squares("grove", "t")


def test_grove_bushes_let_one_look_in_and_out_but_not_past() -> None:
    """The hawthorn stands between ranger and wolf, the dryad is in it; lines of effect pass."""
    result = asked("grove")
    pairs = [("ranger", "wolf"), ("ranger", "dryad"), ("wolf", "dryad"), ("druid", "pixie"), ("dryad", "pixie")]
    assert [result[pair].line_of_sight for pair in pairs] == [False, True, True, True, False]
    assert all(result[pair].line_of_effect for pair in pairs)
    assert {result[pair].concealment for pair in pairs if not result[pair].line_of_sight} == {"total"}
    assert result["ranger", "wolf"].can_attack is False
    assert asked("grove", "hybrid35")["ranger", "wolf"].can_attack is True


def test_grove_trees_cover_by_their_word() -> None:
    expected = {"pathfinder1": "partial", "starfinder1": "partial", "defense": "partial", "dnd5e": "half"}
    expected |= {"dnd30": "1/4", "hybrid35": "1/4"}
    for edition, degree in expected.items():
        assert covers("grove", "druid>woodcutter", "woodcutter>druid", edition=edition) == [degree] * 2


def test_prison() -> None:
    counts = kinds("prison")
    assert counts["portcullis", None] == counts["fence", None] == 2
    assert counts["secret door", "closed"] == 2
    assert [wall.id for wall in scene("prison").battle_map.walls if wall.blocks_from] == ["silvering", "warding"]
    assert len(squares("prison", "s")) == 2


def test_prison_bars_cover_from_both_sides() -> None:
    assert covers("prison", "bard>turnkey", "turnkey>bard") == ["cover", "cover"]
    assert covers("prison", "bard>turnkey", "turnkey>bard", edition="dnd5e") == ["half", "half"]
    assert covers("prison", "bard>turnkey", "turnkey>bard", edition="dnd30") == ["1/2", "1/2"]
    assert covers("prison", "turnkey>hound", "hound>turnkey") == ["cover", "cover"]  # the rail


def test_prison_mirror_is_a_window_from_one_side() -> None:
    result = asked("prison")
    assert result["hound", "witch"].line_of_sight
    assert not result["witch", "hound"].line_of_sight
    assert not result["hound", "witch"].line_of_effect
    assert not result["witch", "hound"].line_of_effect


def test_prison_ward_stops_the_demon_only() -> None:
    assert covers("prison", "warder>demon", "demon>warder") == ["none", "total"]
    result = asked("prison")
    assert result["warder", "demon"].line_of_sight
    assert not result["demon", "warder"].line_of_sight


def test_prison_guards_shoot_out_of_their_slits() -> None:
    assert covers("prison", "guard>rescuer", "marksman>horse") == ["none", "none"]
    assert covers("prison", "rescuer>guard", "horse>marksman", "rescuer>marksman") == ["improved"] * 3


def test_ambush() -> None:
    found = scene("ambush")
    assert found.light == "dark"
    assert found.creature("guard").light is not None
    assert found.creature("goblin").senses.darkvision
    assert {word for one in found.creatures for word in one.conditions} == {"invisible", "kneeling", "prone"}
    assert squares("ambush", "w")
