"""Effects from a point on the far sides of a map: what lies beyond is as solid as a row and a column of walls would be."""

import numpy as np
import pytest

from gridlos import Scene, evaluate

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
