"""Effects on an area come from a point: against the oracle's lines from it, and what stands in the way."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import Walls, blocked_nibbles, cut_off, line_of_effect, squares_of
from strategies import build_space, build_walls

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.errors import QuestionError
from gridlos.rules import edition_ids
from gridlos.scene import Scene
from gridlos.walls import Wall

BY_LINES = ("none", "1/4", "1/2", "3/4", "9/10")


def scene_of(walls: Walls, space) -> Scene:
    s = walls.subdivisions
    rows = ["".join("#" if (x, y) in walls.solid else "." for x in range(walls.cols)) for y in range(walls.rows)]
    ends = [tuple(s * v for v in edge) for edge in sorted(walls.edges)] + list(walls.segments)
    drawn = [Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s)) for x0, y0, x1, y1 in ends]
    x, y, width, height = space
    target = Creature(id="T", at=(x, y), space=(width, height))
    return Scene(BattleMap.from_rows(rows, walls=drawn, subdivisions=s), creatures=(target,))


def expected(walls: Walls, point, space):
    """The fewest lines that are blocked from the point, 0 to 4; None where no line of effect leads to the target."""
    x, y = point
    around = [(x + i, y + j) for j in (-1, 0) for i in (-1, 0)]
    inside = [one for one in around if 0 <= one[0] < walls.cols and 0 <= one[1] < walls.rows and one not in walls.solid]
    counts, reaches, sees = [], False, False
    for square in inside:
        corner = (x - square[0]) + 2 * (y - square[1])
        sees |= line_of_effect(walls, (*square, 1, 1), space)
        for goal in squares_of(space):
            counted = [c for c in range(4) if not cut_off(walls, goal, c)]
            if cut_off(walls, square, corner):
                continue
            nibble = blocked_nibbles(walls, square, goal)[corner]
            blocked = [c for c in counted if nibble >> c & 1]
            counts.append(4 if len(blocked) == len(counted) else len(blocked))
            reaches |= len(blocked) < len(counted)
    return min(counts, default=4) if reaches and sees else None


@pytest.mark.parametrize("chunk", range(4))
def test_lines_from_a_point_as_the_oracle(chunk, counts):
    n_reached = n_blocked = 0
    for seed in range(chunk, 800, 4):
        rng = np.random.default_rng(seed)

        def below(bound, rng=rng):
            return int(rng.integers(bound))

        walls = build_walls(below, largest=8, most_free=12)
        space = build_space(below, walls, 2)
        if any(square in walls.solid for square in squares_of(space)):
            continue
        point = below(walls.cols + 1), below(walls.rows + 1)
        try:
            found = gridlos.evaluate(scene_of(walls, space), edition="hybrid35", attack="area", origin=point)
        except QuestionError as error:
            assert "solid" in str(error)  # noqa: PT017 - only such points are refused
            around = [(point[0] + i, point[1] + j) for j in (-1, 0) for i in (-1, 0)]
            assert all(not (0 <= x < walls.cols and 0 <= y < walls.rows) or (x, y) in walls.solid for x, y in around)
            continue
        lines = expected(walls, point, space)
        n_reached += lines is not None
        n_blocked += bool(lines)
        assert bool(found.line_of_effect[0, 0]) == (lines is not None), seed
        assert found.degrees[found.cover[0, 0]] == ("total" if lines is None else BY_LINES[lines]), seed
        assert bool(found.can_attack[0, 0]) == (lines is not None), seed
        if lines is not None:
            assert found.blocked_lines[0, 0] == lines, seed
            corner = found["origin", "T"].proof.corner
            assert corner == point, seed
    name = "effects from a point that reach their target as the oracle"
    counts[name] += n_reached
    assert n_reached > 10
    assert n_blocked > 3


ROOM = Scene.from_drawing(
    """
    ..........
    ....#.....
    .T..#.....
    ....#.....
    ..........
    """
)


@pytest.mark.parametrize("edition", edition_ids())
def test_a_point_has_no_attack_roll_and_no_reach(edition):
    found = gridlos.evaluate(ROOM, edition=edition, attack="area", origin=(5, 2))
    assert found.attackers == ("origin",)
    for name in ("in_reach", "threatens", "flanked", "opportunity", "roll"):
        assert name not in found.columns
    assert found.miss_chance[0, 0] == 0


def test_another_point_is_the_square_in_which_it_lies():
    found = gridlos.evaluate(ROOM, edition="pathfinder1", attack="area", origin=(0.5, 4.25))
    assert found["origin", "T"].proof.attacker_square == (0, 4)


# S001-12, S001-13, S004-79: a spread goes round corners, but in the edition of 2000 the bonus stays.
@pytest.mark.parametrize(
    ("edition", "degree", "save", "spread_save"),
    [("starfinder1", "cover", 2, 0), ("pathfinder1", "cover", 2, 0), ("dnd30", "1/2", 2, 2)],
)
def test_a_spread_negates_cover_but_not_in_all_editions(edition, degree, save, spread_save):
    scene = Scene.from_drawing(
        """
        .......
        .T.....
        ..#....
        .......
        """
    )
    point = (5, 3)
    plain = gridlos.evaluate(scene, edition=edition, attack="area", origin=point)
    assert plain.degrees[plain.cover[0, 0]] == degree
    assert plain.save_modifier[0, 0] == save
    assert (plain.attack_modifier[0, 0], plain.defense_modifier[0, 0]) == (0, 0)
    spread = gridlos.evaluate(scene, edition=edition, attack="area", origin=point, spread=True)
    assert spread.save_modifier[0, 0] == spread_save


@pytest.mark.parametrize(
    ("origin", "said"),
    [((-1, 0), "off the map"), ((float("inf"), 0), "off the map"), ((4.5, 2.5), "solid"), ((11, 0), "off the map")],
)
def test_points_that_are_none_are_refused(origin, said):
    with pytest.raises(QuestionError, match=said):
        gridlos.evaluate(ROOM, edition="pathfinder1", attack="area", origin=origin)


def test_a_creature_cannot_be_called_like_the_point():
    scene = Scene(ROOM.battle_map, creatures=(Creature(id="origin", at=(0, 0)),))
    with pytest.raises(QuestionError, match="rename"):
        gridlos.evaluate(scene, edition="pathfinder1", attack="area", origin=(5, 2))
