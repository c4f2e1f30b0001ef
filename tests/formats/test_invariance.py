"""What holds for each real map, whatever its format: how walls are written, and in which format, changes no answer."""

from __future__ import annotations

import os
from dataclasses import replace

import msgspec
import pytest
from formats.corpus import CORPUS, answers, halves, hollow, loaded, maps, nameless, populated, rewritten, turned

import gridlos
from gridlos.errors import GridlosError
from gridlos.formats import load, save
from gridlos.formats.uvtt_write import uvtt_copy

pytestmark = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")

IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
LOST_NOTHING = "the width of a square, "
EACH_OF = {"foundry-json": 5, "uvtt": 1}  # every so many maps of a format, unless all are wanted
EDITIONS = [
    ("pathfinder1", "melee"), ("dnd35", "ranged"), ("dnd5e", "ranged"), ("pathfinder2", "ranged"), ("starfinder1", "ranged"),
    ("hybrid35", "ranged"),
]  # fmt: skip
MOST_WALLS = 700  # of a map in the sample
MOST_SQUARES_HOLLOWED = 70_000


def _chosen():
    found = [one for one in maps() if loaded(one) is not None]
    if IS_THOROUGH:
        return found
    small = [one for one in found if len(loaded(one).battle_map.walls) <= MOST_WALLS]
    return [one for index, one in enumerate(small) if index % EACH_OF.get(one.format, 2) == 0]


each_map = pytest.mark.parametrize("one", _chosen() if CORPUS else [], ids=str)


def _exact(scene):
    """Whether the middles of all walls can be on a lattice."""
    battle_map = scene.battle_map
    return 2 * battle_map.subdivisions * max(battle_map.rows, battle_map.cols) < 2**23


@each_map
def test_split_reversed_and_doubled_walls_change_no_answer(one):
    scene = populated(one)
    walls, expected = scene.battle_map.walls, answers(scene)
    assert _exact(scene)
    assert answers(rewritten(scene, [turned(wall) for wall in walls[::-1]])) == expected
    assert answers(rewritten(scene, [*walls, *map(nameless, walls)])) == expected
    assert answers(rewritten(scene, [half for wall in walls for half in halves(wall)])) == expected


@each_map
def test_line_of_effect_and_of_sight_are_mutual(one):
    scene = populated(one)
    two_way = [msgspec.structs.replace(wall, blocks_from=None) for wall in scene.battle_map.walls]
    found = gridlos.evaluate(rewritten(scene, two_way, parts=1), edition="pathfinder1")
    for column in ("line_of_effect", "line_of_sight"):
        assert (found.columns[column] == found.columns[column].T).all()


@each_map
def test_walls_around_solid_squares_are_as_good_as_these(one):
    scene = populated(one)
    if not ((scene.battle_map.terrain == 3).any() and scene.battle_map.terrain.size <= MOST_SQUARES_HOLLOWED):
        pytest.skip("no solid squares, or too many")
    assert answers(hollow(scene)) == answers(scene)
    assert answers(hollow(scene), "dnd35", "melee") == answers(scene, "dnd35", "melee")


@each_map
def test_scene_files_and_drawings_have_the_same_answers(one, tmp_path):
    scene = populated(one)
    for name in ("x.txt", "x.scene.json"):
        save(scene, tmp_path / name)
        again = load(tmp_path / name)
        assert again == replace(scene, load_warnings=())
        assert again.battle_map.repairs == ()
    for edition, attack in EDITIONS if IS_THOROUGH else EDITIONS[len(one.path.name) % 3 :: 3]:
        assert answers(again, edition, attack) == answers(scene, edition, attack)


@each_map
def test_a_universal_vtt_copy_has_the_same_answers_or_says_what_it_lost(one, tmp_path):
    scene = populated(one)
    bare = replace(scene, creatures=())
    copy = uvtt_copy(bare)
    (tmp_path / "x.uvtt").write_bytes(copy.content)
    has_windows = any("window" in told for told in copy.warnings)
    again = load(tmp_path / "x.uvtt", weld=0, windows="open" if has_windows else "none")
    assert (again.battle_map.rows, again.battle_map.cols) == (scene.battle_map.rows, scene.battle_map.cols)
    if all(told.startswith(LOST_NOTHING) or " open door" in told or " window" in told for told in copy.warnings):
        kept = replace(rewritten(again, again.battle_map.walls, parts=1, feet=scene.battle_map.feet_per_square), creatures=scene.creatures)
        assert answers(kept) == answers(scene)


def test_each_file_is_loaded_or_refused_in_one_line():
    found = maps()
    n_refused = 0
    for one in found:
        if loaded(one) is None:
            with pytest.raises(GridlosError) as error:
                load(one.path, scene=one.scene)
            assert "\n" not in str(error.value)
            assert str(error.value).startswith(str(one.path))
            n_refused += 1
    assert (len(found), n_refused) == (98, 8)
