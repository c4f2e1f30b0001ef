"""Effects from a point on the far sides of a map: what lies beyond is as solid as a row and a column of walls would be."""

import numpy as np
import pytest

from gridlos import Scene, evaluate
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.walls import SquareKind, Wall

ROWS = ("A..#.B", "..C...", ".#...D")


@pytest.mark.parametrize("origin", [(6, 0), (6, 2), (6, 3), (4, 3), (0, 3)])
def test_points_on_the_far_sides(origin):
    for edition in ("pathfinder1", "pathfinder2"):
        bare, walled = (
            evaluate(Scene.from_drawing("\n".join(rows)), edition=edition, attack="area", origin=origin)
            for rows in (ROWS, [*(f"{row}#" for row in ROWS), "#######"])
        )
        for name, column in bare.columns.items():
            assert np.array_equal(column, walled.columns[name]), (edition, name)


CRATE = {"o": SquareKind(kind="obstacle", top=3)}
LOW = ((1, 1.5, 4, 0.5), (4.5, 0, 6, 2.5), (2, 2, 3.5, 3))


@pytest.mark.parametrize("origin", [(6, 0), (6, 2), (6, 3), (4, 3), (1, 3)])
@pytest.mark.parametrize("kind", ["low wall", "arrow slit", "fence"])
def test_special_walls_seen_from_the_far_sides(origin, kind):
    found = []
    for more in (0, 1):
        rows = [line + "#" * more for line in (".o....", "...o.o", "..o...")] + ["#" * 7] * more
        walls = [Wall(start=(a, b), end=(c, d), kind=kind) for a, b, c, d in LOW]
        creatures = tuple(Creature(id=f"c{k}", at=at) for k, at in enumerate([(0, 0), (2, 0), (5, 1), (3, 2), (0, 2)]))
        scene = Scene(battle_map=BattleMap.from_rows(rows, legend=CRATE, walls=walls, subdivisions=2), creatures=creatures)
        found.append([evaluate(scene, edition=one, attack="area", origin=origin) for one in ("pathfinder1", "pathfinder2")])
    for bare, walled in zip(*found, strict=True):
        for name, column in bare.columns.items():
            assert np.array_equal(column, walled.columns[name]), name
    assert found[0][1].cover.any()
