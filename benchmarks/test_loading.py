"""How long it takes to load a scene of Foundry VTT of the sizes that public ones have: the ninth in ten, and the largest.

Scenes are made of rooms drawn by hand, a little off everywhere, so that there is something to weld, with doors,
windows, terrain walls, lights and tokens.
"""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

from gridlos.formats import load

SIZE = 100
KINDS = [(20, 20)] * 14 + [(20, 10)] * 4 + [(20, 0), (0, 20)]  # move and sight, as often as public scenes have them


def foundry_scene(n_walls, seed):
    """Return a scene with exactly so many walls: rooms beside each other, each of twelve walls drawn by hand.

    Nearly all ends are those of another wall; one wall in a hundred stops a pixel short, as in public scenes.
    """
    rng = Random(seed)
    n_rooms = -(-n_walls // 12)
    across = round(n_rooms**0.5) + 1
    side = 9 * across + 1
    padding = -(-side // 4) * SIZE
    walls = []
    for room in range(n_rooms):
        x, y = (padding + SIZE * 9 * place for place in (room % across, room // across))
        x, y = (
            start + (0 if rng.random() < 0.2 else 10 + int(rng.random() * (SIZE - 10)))
            for start in (x + SIZE, y + SIZE)
        )
        width, height = (SIZE * (2 + int(rng.random() * 6)) for _ in "xy")
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        points = [(x, y)]
        for (x0, y0), (x1, y1) in pairwise(corners):
            for k in (1, 2, 3):
                wobble_x, wobble_y = (int(rng.random() * 9) - 4 if k < 3 else 0 for _ in "xy")
                points.append((x0 + (x1 - x0) * k // 3 + wobble_x, y0 + (y1 - y0) * k // 3 + wobble_y))
        walls += [_wall(a, b, rng) for a, b in pairwise(points)]
    return {
        "_id": f"seed{seed}", "name": f"Rooms {seed}", "width": side * SIZE, "height": side * SIZE, "padding": 0.25,
        "background": {"src": "rooms.webp", "offsetX": 0, "offsetY": 0},
        "grid": {"type": 1, "size": SIZE, "distance": 5, "units": "ft"},
        "walls": walls[:n_walls],
        "tokens": [_token(i, padding, side, rng) for i in range(20)],
        "lights": [_light(padding, side, rng) for _ in range(n_walls // 25)],
        "darkness": 0.3, "flags": {},
    }  # fmt: skip


def _wall(start, end, rng):
    short = int(rng.random() < 0.01)
    move, sight = KINDS[int(rng.random() * len(KINDS))]
    return {
        "_id": f"{int(rng.random() * 2**52):016x}", "c": [*start, end[0] - short, end[1] - short], "light": sight, "move": move,
        "sight": sight, "sound": sight, "dir": 0, "door": int(rng.random() < 0.03), "ds": 0, "flags": {},
        "threshold": {"light": None, "sight": None, "sound": None, "attenuation": False},
    }  # fmt: skip


def _token(number, padding, side, rng):
    x, y = (padding + SIZE * int(rng.random() * side) for _ in "xy")
    return {
        "_id": f"t{number}", "name": "Orc", "x": x, "y": y, "width": 1, "height": 1, "elevation": 0, "disposition": -1, "hidden": False
    }  # fmt: skip


def _light(padding, side, rng):
    x, y = (padding + int(rng.random() * side * SIZE) for _ in "xy")
    config = {"bright": 20, "dim": 40, "angle": 360, "darkness": {"min": 0, "max": 1}}
    return {"x": x, "y": y, "rotation": 0, "walls": True, "vision": False, "hidden": False, "config": config}


@pytest.mark.parametrize("n_walls", [672, 5176])
@pytest.mark.benchmark(group="loading a scene of Foundry VTT", min_rounds=20, warmup=True, warmup_iterations=2)
def test_foundry(benchmark, tmp_path, n_walls):
    path = tmp_path / "scene.json"
    held = foundry_scene(n_walls, seed=1)
    path.write_text(json.dumps(held), encoding="utf-8")
    assert len(held["walls"]) == n_walls
    drawn, scene = load(path, weld=0), load(path)
    assert len(drawn.battle_map.walls) == n_walls
    assert sum(wall.kind == "door" for wall in drawn.battle_map.walls) == sum(wall["door"] for wall in held["walls"])
    assert any(warning.startswith("weld: ") for warning in scene.load_warnings)
    assert (len(scene.creatures), len(scene.lights)) == (20, n_walls // 25)
    benchmark.extra_info["walls"] = len(scene.battle_map.walls)
    benchmark(load, path)
