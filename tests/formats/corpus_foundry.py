"""Real scenes of Foundry VTT read with plain JSON, and what they hold, counted on its own."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = (
    sorted(path for folder in ("json", "nedb", "leveldb") for path in Path(CORPUS, f"foundry-{folder}").iterdir())
    if CORPUS
    else []
)
OPEN = {0: 0, 1: 2, 2: 1, 10: 1, 20: 2, 30: 0, 40: 0}  # what a number stops: 0 nothing, 1 the second time, 2 all


def documents(path):
    """All live documents of a file or folder."""
    if path.is_dir():
        return from_leveldb(path)
    if path.suffix == ".db":
        found = {}
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.strip():
                one = json.loads(line)
                found[one["_id"]] = None if one.get("$$deleted") else one
        return [one for one in found.values() if one is not None]
    return [json.loads(path.read_text(encoding="utf-8"))]


def from_leveldb(path):
    import rleveldb  # noqa: PLC0415 - an extra

    newest = {}
    with rleveldb.RawLevelDb(os.fspath(path)) as database:
        for record in sorted(database.iterate_records_raw(), key=lambda record: record.seq):
            live = record.state == rleveldb.KeyState.Live
            newest[record.user_key.decode()] = json.loads(record.value) if live else None
    scenes = [one for key, one in newest.items() if key.startswith("!scenes!")]
    for scene in scenes:
        for part in ("walls", "tokens", "lights"):
            scene[part] = [newest[f"!scenes.{part}!{scene['_id']}.{one}"] for one in scene[part]]
    return scenes


def scenes(path):
    """The scenes among them, those in adventures too, by name."""
    found = [scene for one in documents(path) for scene in one.get("scenes", [one])]
    return {one["name"]: one for one in found if "walls" in one and "grid" in one}


def grid(scene):
    """Kind, pixels, feet."""
    held = scene["grid"]
    if isinstance(held, dict):
        return held["type"], held["size"], held["distance"]
    return scene["gridType"], held, scene["gridDistance"]


def corner(scene):
    """Pixels of the canvas before the first square, across and down; and how many squares there are."""
    _, size, _ = grid(scene)
    offset = scene.get("background") or {}
    shifts = [offset.get(f"offset{axis}", scene.get(f"shift{axis}") or 0) for axis in "XY"]
    found = []
    for length, shift in zip((scene["width"], scene["height"]), shifts, strict=True):
        start = math.ceil(scene.get("padding", 0.25) * length / size) * size - shift
        first = start // size * size
        found.append((first, math.ceil((start + length - first) / size)))
    return found


def restrictions(wall):
    """What it stops of movement and of sight."""
    sight = wall["sight"] if "sight" in wall else wall["sense"]
    return OPEN[wall["move"]], OPEN[sight], sight in (30, 40)


def kept(scene):
    """The walls that have a length, meet the map and stop something: ends in pixels of the map, and the wall."""
    (x, cols), (y, rows) = corner(scene)
    _, size, _ = grid(scene)
    found = []
    for wall in scene["walls"]:
        x0, y0, x1, y1 = (value - origin for value, origin in zip(wall["c"], (x, y, x, y), strict=True))
        has_length = abs(x0 - x1) >= 0.2 or abs(y0 - y1) >= 0.2
        meets = max(x0, x1) >= 0 and min(x0, x1) <= cols * size and max(y0, y1) >= 0 and min(y0, y1) <= rows * size
        move, sight, by_distance = restrictions(wall)
        if has_length and meets and (move or sight or by_distance or wall["door"]):
            found += [((x0, y0, x1, y1), wall)] * (2 if by_distance and move else 1)
    return found
