"""A Universal VTT map of 30 MB, nearly all of it its picture: rooms with doors, walls a little off the grid, lights."""

from __future__ import annotations

import base64
import json
from random import Random

__all__ = ["write_large_uvtt"]

N_COLS, N_ROWS = 60, 40
N_PICTURE = 22_500_000  # bytes, which are 30,000,000 in base64


def write_large_uvtt(path, *, picture_first=False, n_picture=N_PICTURE, seed=1):
    """Write the map and return how many walls and portals it has."""
    rng = Random(seed)
    rooms = [(x, y) for x in range(1, N_COLS - 3, 3) for y in range(1, N_ROWS - 3, 3)]
    walls, portals, lights = [], [], []
    for x, y in rooms:
        short = int(rng.random() * 5) / 1000
        ring = [(x + 1, y), (x + 2, y), (x + 2, y + 2), (x, y + 2), (x, y + short)]
        walls.append([{"x": a, "y": b} for a, b in ring])
        portals.append({"bounds": [{"x": x, "y": y}, {"x": x + 1, "y": y}], "closed": rng.random() < 0.5, "rotation": 0})
        lights.append({"position": {"x": x + 0.5, "y": y + 0.5}, "range": 4, "intensity": 1, "color": "ffeccd8b"})
    resolution = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": N_COLS, "y": N_ROWS}, "pixels_per_grid": 128}
    data = {"format": 0.3, "resolution": resolution, "line_of_sight": walls, "portals": portals, "lights": lights}
    picture = {"image": base64.b64encode(rng.randbytes(n_picture)).decode()}
    path.write_text(json.dumps({**picture, **data} if picture_first else {**data, **picture}), encoding="utf-8")
    return 4 * len(rooms), len(portals)
