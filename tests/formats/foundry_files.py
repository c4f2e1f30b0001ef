"""Scenes of Foundry VTT as plain JSON, written as the versions write them, and LevelDB folders written by hand."""

from __future__ import annotations

import json
import struct

import oracle

from gridlos.facts import Stops
from gridlos.formats import scene_from_foundry

SIZE = 100
RESTRICTIONS = {"none": 0, "normal": 20, "limited": 10, "proximity": 30, "distance": 40}


def wall(*ends, **keys):
    """A wall as versions 9 and later write it; restrictions by their words."""
    held = {"move": 20, "sight": 20, "light": 20, "sound": 20, "dir": 0, "door": 0, "ds": 0, "flags": {}}
    held |= {key: RESTRICTIONS.get(value, value) if isinstance(value, str) else value for key, value in keys.items()}
    return {"c": list(ends), **held}


def token(x, y, width=1, height=1, **keys):
    return {
        "name": "T",
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "elevation": 0,
        "disposition": -1,
        "hidden": False,
        **keys,
    }


def light(x, y, bright=10, dim=20, **keys):
    config = {"bright": bright, "dim": dim, "angle": 360, "darkness": {"min": 0, "max": 1}} | keys.pop("config", {})
    return {"x": x, "y": y, "rotation": 0, "walls": True, "vision": False, "hidden": False, "config": config, **keys}


def v8(width=800, height=600, size=SIZE, **keys):
    """Versions up to 9: the grid is a number."""
    grid = {"grid": size, "gridType": 1, "gridDistance": 5, "gridUnits": "ft", "padding": 0, "shiftX": 0, "shiftY": 0}
    return {
        "_id": "abc",
        "name": "Old",
        "width": width,
        "height": height,
        **grid,
        "walls": [],
        "tokens": [],
        "lights": [],
        **keys,
    }


def v12(width=800, height=600, size=SIZE, **keys):
    """Versions 10 to 13: the grid is an object."""
    grid = {
        "grid": {"type": 1, "size": size, "distance": 5, "units": "ft"},
        "padding": 0,
        "background": {"offsetX": 0, "offsetY": 0},
    }
    return {
        "_id": "abc",
        "name": "New",
        "width": width,
        "height": height,
        **grid,
        "walls": [],
        "tokens": [],
        "lights": [],
        **keys,
    }


def v14(width=800, height=600, size=SIZE, **keys):
    """Version 14: levels; the shift is back, the background gone."""
    whole = [{"_id": "L", "name": "Level", "elevation": {"bottom": None, "top": None}, "background": {"src": "x.webp"}}]
    held = {**v12(width, height, size), "shiftX": 0, "shiftY": 0, "levels": whole, **keys}
    return {key: value for key, value in held.items() if key != "background"}


def read(data, **options):
    return scene_from_foundry(json.dumps(data).encode(), file="x.json", **options)


def ends(scene):
    return [(*one.start, *one.end) for one in scene.battle_map.walls]


def looks(scene):
    """Kind, effect and sight of each wall."""
    return [(one.kind, one.effect, one.sight) for one in scene.battle_map.walls]


def sees(scene, attacker, target, channel=Stops.SIGHT):
    """Whether the oracle finds a line between two squares; walls that are not simply there or not are left out of it."""
    battle_map = scene.battle_map
    walls = oracle.Walls(
        rows=battle_map.rows, cols=battle_map.cols, subdivisions=battle_map.subdivisions,
        segments=tuple(
            tuple(segment) for segment, stops in zip(battle_map.segments.tolist(), battle_map.stops, strict=True) if stops & channel
        ),
    )  # fmt: skip
    return oracle.line_of_effect(walls, (*attacker, 1, 1), (*target, 1, 1))


# ---- LevelDB


def _crc32c_table():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


TABLE = _crc32c_table()


def masked_crc(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(number):
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def log_file(records):
    """Records in LevelDB's log format."""
    content = b""
    for whole in records:
        record, first = whole, True
        while True:
            room = 32768 - len(content) % 32768
            if room < 7:
                content += bytes(room)
                continue
            piece, record = record[: room - 7], record[room - 7 :]
            kind = (1 if first else 4) if not record else (2 if first else 3)
            head = bytes([kind])
            content += struct.pack("<IHB", masked_crc(head + piece), len(piece), kind) + piece
            first = False
            if not record:
                break
    return content


def batch(sequence, changes):
    """A batch of changes: ``(key, value)``; a value of None deletes."""
    content = struct.pack("<QI", sequence, len(changes))
    for key, value in changes:
        name = key.encode()
        content += bytes([value is not None]) + varint(len(name)) + name
        if value is not None:
            content += varint(len(value)) + value
    return content


def text_of(sort, text):
    return varint(sort) + varint(len(text)) + text


def write_leveldb(folder, changes, *, log=4, stale=()):
    """Write a LevelDB folder: one log with the changes in order; ``stale`` goes into an older log that no longer counts."""
    folder.mkdir()
    edit = text_of(1, b"leveldb.BytewiseComparator") + varint(2) + varint(log) + varint(9) + varint(0)
    edit += varint(3) + varint(log + 1) + varint(4) + varint(0)
    (folder / "MANIFEST-000002").write_bytes(log_file([edit]))
    (folder / "CURRENT").write_bytes(b"MANIFEST-000002\n")
    encoded = [(key, None if value is None else json.dumps(value).encode()) for key, value in changes]
    batches = [batch(1000 + number, [change]) for number, change in enumerate(encoded)]
    (folder / f"{log:06d}.log").write_bytes(log_file(batches))
    if stale:
        older = [(key, json.dumps(value).encode()) for key, value in stale]
        (folder / "000003.log").write_bytes(log_file([batch(1, older)]))
    return folder
