"""Universal VTT files that are broken somewhere: each is read or refused with one line, in bounded time and memory."""

from __future__ import annotations

import builtins
import json
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.errors import MapFileError
from gridlos.formats import load, scene_from_json, scene_from_uvtt, to_scene_json

MAP = {
    "format": 0.3,
    "resolution": {"map_origin": {"x": 2, "y": 1}, "map_size": {"x": 6, "y": 5}, "pixels_per_grid": 70},
    "line_of_sight": [[{"x": 3, "y": 2}, {"x": 5, "y": 2}, {"x": 5.99, "y": 4}]],
    "objects_line_of_sight": [[{"x": 4, "y": 4}, {"x": 4.5, "y": 4.25}]],
    "portals": [{"position": {"x": 6, "y": 4.5}, "bounds": [{"x": 6, "y": 4}, {"x": 6, "y": 5}], "rotation": 0, "closed": True}],
    "foundry_terrain_walls": [{"points": [{"x": 3, "y": 3}, {"x": 3, "y": 4}], "flags": {"foundry_sense": {"move": 20, "sight": 10}}}],
    "lights": [{"position": {"x": 4, "y": 3}, "range": 2, "color": "ffeccd8b"}],
    "image": "iVBORw0KGgoAAAANSUhEUgAA",
}
GOOD = json.dumps(MAP).encode()


def read_or_refused(content):
    """The scene, or None for what is refused in one line that begins with the file."""
    try:
        scene = scene_from_uvtt(content, file="x.dd2vtt")
    except MapFileError as error:
        message = str(error)
        assert message.startswith("x.dd2vtt: ")
        assert "\n" not in message
        return None
    assert scene_from_json(to_scene_json(scene)) == scene
    return scene


def test_a_file_that_is_cut_off_anywhere_is_refused():
    assert read_or_refused(GOOD) is not None
    for end in range(len(GOOD)):
        assert read_or_refused(GOOD[:end]) is None, end


@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=3), st.integers(0, 8))
def test_a_file_with_other_bytes_in_it_is_read_or_refused(start, other, n_lost):
    read_or_refused(GOOD[:start] + other + GOOD[start + n_lost :])


@pytest.mark.parametrize("number", [b"1e400", b"-1e400", b"NaN", b"-Infinity", b"9" * 400, b"1e-400", b"-0.0", b"0x10", b"1.", b"--1"])
def test_numbers_of_any_kind_anywhere(number):
    for start in range(len(GOOD)):
        if GOOD[start : start + 1].isdigit() and not GOOD[start - 1 : start].isdigit():
            read_or_refused(GOOD[:start] + number + GOOD[start + 1 :])


@pytest.mark.parametrize("value", [b"{}", b"[]", b'"x"', b"null", b"true", b"-5", b"[[[]]]", b'{"x": {"x": 1}}'])
def test_values_of_any_kind_under_every_key(value):
    for key in MAP:
        scene = read_or_refused(json.dumps({**MAP, key: "here"}).encode().replace(b'"here"', value))
        assert key != "resolution" or scene is None


def test_ten_million_walls_are_refused_before_any_is_made():
    content = GOOD.replace(b'"line_of_sight": [[', b'"line_of_sight": [[' + b'{"x":1,"y":2},' * 10_000_000, 1)
    tracemalloc.start()
    try:
        with pytest.raises(MapFileError, match=r"values, and the limit is 4000000, 40 a wall; Limits\(walls=...\) allows more"):
            scene_from_uvtt(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * len(content)


@pytest.mark.parametrize("picture", ["../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "https://example.org/a.png"])
def test_no_picture_that_is_named_is_opened(tmp_path, monkeypatch, picture):
    path = tmp_path / "x.dd2vtt"
    path.write_text(json.dumps({**MAP, "image": picture}), encoding="utf-8")
    opened, open_path = [], Path.open

    def watched(self, *args, **keys):
        opened.append(self)
        return open_path(self, *args, **keys)

    monkeypatch.setattr(Path, "open", watched)
    monkeypatch.setattr(builtins, "open", lambda *_, **__: pytest.fail("something else was opened"))
    monkeypatch.setattr(os, "open", lambda *_, **__: pytest.fail("something else was opened"))
    scene = load(path)
    assert opened == [path]
    assert len(scene.battle_map.walls) == 5
    assert [one.name for one in tmp_path.iterdir()] == ["x.dd2vtt"]
