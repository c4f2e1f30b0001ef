import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from gridlos.errors import MapFileError
from gridlos.formats import Limits, load, save
from gridlos.scene import Scene

SCENE = Scene.from_drawing("A.#\n..T\n\nA archer party\nwall gate (1, 0)-(1, 1) door closed")


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["x.scene.json", "x.json", "x.txt", "X.TXT"])
def test_saved_and_loaded(tmp_path, name):
    path = tmp_path / name
    save(SCENE, path)
    assert load(path) == SCENE
    assert load(str(path)) == SCENE
    assert names_in(tmp_path) == [name]


def test_content_goes_before_the_ending(tmp_path):
    save(SCENE, tmp_path / "x.json")
    (tmp_path / "x.json").rename(tmp_path / "x.txt")
    assert load(tmp_path / "x.txt") == SCENE
    (tmp_path / "drawing").write_text("A.T", encoding="utf-8-sig")
    assert load(tmp_path / "drawing").ids == ("A", "T")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.scene.json", b"A.T", "line 1, column 1: broken JSON"),
        ("x.scene.json", b"", "the file is empty"),
        ("x.txt", b"", "the file is empty"),
        ("x.txt", b"A.\n.", "line 2: the row has 1 letters"),
        ("x.txt", b"A.\n\nA archer sde=x", "line 3: unknown key \"sde\"; did you mean 'side'?"),
        ("x.txt", b"A.\xe9", "line 1, byte 3: byte 0xe9 is not UTF-8"),
        ("x.zip", b"PK\x03\x04....", "zip archive"),
        ("x.scene.json", b"PK\x03\x04....", "zip archive"),
        ("x.dd2vtt", b"\x89PNG\r\n\x1a\n", "PNG picture"),
        ("x.jpg", b"\xff\xd8\xff\xe0", "JPEG picture"),
        ("x.webp", b"RIFF....WEBP", "WebP"),
        ("x.gz", b"\x1f\x8b\x08", "gzip"),
        ("x.scene.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", "git lfs pull"),
        ("x.bin", b"\x01\x00\x02", "binary"),
        ("x.txt", b"\xff\xfeA\x00", "UTF-16"),
        ("x.dd2vtt", b'{"format": 0.3, "line_of_sight": [], "portals": []}', "$.resolution: expected an object, got nothing"),
        (
            "x.json",
            b'{"name": "s", "walls": [], "grid": 100, "tokens": []}',
            "$.width: expected a number of pixels, got nothing",
        ),
        ("x.db", b'{"_id": "a"}\n{"_id": "b"}\n', "there is no scene in it; 2 other documents are in it"),
        ("x.json", b'{"walls": [], "grid": {}, "pixelsPerTile": 150}', "not a format that gridlos reads yet: Dungeon Alchemist"),
        ("x.tmx", b'<?xml version="1.0"?><map/>', "line 1: tilewidth is missing"),
        ("x.map", b"type octile\nheight 1\n", "no line that says map"),
        ("x.json", b'{"layers": [], "tilewidth": 16, "width": 3}', "$: tileheight is missing"),
        ("x.md", b"# Title\n", "not a format that gridlos reads: .md"),
    ],
)
def test_refused_with_one_line(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MapFileError) as caught:
        load(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["no/such/file.txt", "no.scene.json", "a\0b.txt", "x" * 5000])
def test_no_such_file(tmp_path, name):
    with pytest.raises(MapFileError, match=r"no such file|cannot be read"):
        load(tmp_path / name)


def test_a_folder(tmp_path):
    with pytest.raises(MapFileError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: this is a folder; give a file in it"
    (tmp_path / "CURRENT").write_text("MANIFEST-000001\n", encoding="utf-8")
    with pytest.raises(MapFileError, match="CURRENT names 'MANIFEST-000001', and that is no manifest in the folder"):
        load(tmp_path)


def test_a_circle_of_links(tmp_path):
    (tmp_path / "a.txt").symlink_to(tmp_path / "a.txt")
    with pytest.raises(MapFileError, match="cannot be read"):
        load(tmp_path / "a.txt")
    with pytest.raises(MapFileError, match="cannot be written"):
        save(SCENE, tmp_path / "a.txt")


def test_limits(tmp_path):
    save(SCENE, tmp_path / "x.txt")
    save(SCENE, tmp_path / "x.json")
    for name in ("x.txt", "x.json"):
        size = (tmp_path / name).stat().st_size
        assert load(tmp_path / name, limits=Limits(file_bytes=size)) == SCENE
        for limits in ({"file_bytes": size - 1}, {"squares": 5}, {"walls": 0}, {"creatures": 1}):
            with pytest.raises(MapFileError, match=rf"Limits\({next(iter(limits))}="):
                load(tmp_path / name, limits=Limits(**limits))


def test_an_endless_file_is_not_read_to_its_end():
    with pytest.raises(MapFileError, match="more than 1000 bytes"):
        load("/dev/zero", limits=Limits(file_bytes=1000))


@pytest.mark.parametrize(
    ("name", "words"),
    [("x.png", "writes no .png"), ("x", "writes no files without ending"), ("no/x.txt", "cannot be written")],
)
def test_refused_writing(tmp_path, name, words):
    with pytest.raises(MapFileError, match=words):
        save(SCENE, tmp_path / name)
    assert names_in(tmp_path) == []


def test_writing_replaces_all_or_nothing(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    with pytest.raises(ValueError, match="nan"):
        save(Scene(SCENE.battle_map, extra=float("nan")), path)
    assert path.read_text(encoding="utf-8") == "old"
    save(SCENE, link)
    assert load(path) == SCENE
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names_in(tmp_path) == ["link.txt", "x.txt"]


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    path = tmp_path / "x.txt"
    path.write_text("old", encoding="utf-8")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(MapFileError, match="cannot be written: No space left"):
        save(SCENE, path)
    assert names_in(tmp_path) == ["x.txt"]
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text(encoding="utf-8")))
    reader.start()
    save(SCENE, path)
    reader.join(timeout=10)
    assert read == [SCENE.to_drawing()]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_standard_output_gets_a_scene_file(capfdbinary):
    save(SCENE, "/dev/stdout")
    written = capfdbinary.readouterr().out
    assert written.startswith(b'{\n  "schema": "gridlos.scene/1"')
