"""Damaged maps: a file of the corpus, changed at random, is a scene or one error of one line; nothing else ever.

``python tests/formats/fuzz.py [N] [SEED] [FORMAT ...]`` changes files N times a format (1,000), prints a line a format, and
ends with 1 if something else was raised, took longer than ten seconds or needed more than two gigabytes.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from gridlos.errors import GridlosError
from gridlos.formats import load, scenes_at, to_scene_json

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FORMATS = (
    "uvtt", "foundry-json", "foundry-nedb", "foundry-leveldb", "tiled", "watabou", "donjon", "movingai", "scene", "drawing", "roguelike",
)  # fmt: skip
LARGEST = 400_000
SECONDS, BYTES = 10, 4 * 2**30
NUMBERS = [b"-1", b"0", b"1e999", b"-1e308", b"NaN", b"Infinity", b"9" * 400, b"4294967296", b"1.5", b"-0.0", b"1e-320", b"1000000"]
VALUES = [
    None, True, "", "x" * 1000, [], {}, -1, 0, 1.5, 2**31, 2**63, 10**30,
    1e300, [[]], {"x": 1}, "NaN", "é\u2028", float("nan"), float("inf"), -5.5,
]  # fmt: skip
TEXTS = [
    b"\0", b"\xff\xfe", b"\r\n", b"\xef\xbb\xbf", b"]", b"}", b'"', b"<", b"[" * 2000,
    b'{"a":' * 2000, b"<map>" * 100, b"\\ud800", b"&a;", b"../../",
]  # fmt: skip
SPAN = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
DUNGEON = b"#########\n#..+...@#\n#.~~|..D#\n#########\n"
DRAWING = b"####\n#A.#\n#.T#\n####\n\nA archer party\nT troll monsters\nwall gate (1, 1)-(2, 1) door closed\nscene name=x\n"


def sources(format_, folder):
    """Files to begin with."""
    if format_ in ("scene", "drawing", "roguelike"):
        path = folder / {"scene": "x.scene.json", "drawing": "x.txt", "roguelike": "y.txt"}[format_]
        first = next(path for path in sorted(Path(CORPUS, "uvtt").iterdir()) if path.stat().st_size < 10 * LARGEST)
        path.write_bytes({"scene": to_scene_json(load(first)), "drawing": DRAWING, "roguelike": DUNGEON}[format_])
        return [path]
    found = sorted(Path(CORPUS, format_).iterdir())
    return [path for path in found if path.is_dir() or path.stat().st_size <= LARGEST] or found[:1]


def of_json(content, rng):
    """JSON with some values changed, keys gone, or keys twice."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return of_bytes(content, rng)
    for _ in range(rng.randrange(1, 4)):
        holder = data
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(min(len(holder), 5000)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(holder[key], dict | list) and rng.random() < 0.8:
                holder = holder[key]
                continue
            change = rng.randrange(6)
            if change == 0:
                del holder[key]
            elif change == 1 and isinstance(holder, list):
                holder.extend(holder[:50])
            elif change == 2 and isinstance(holder[key], int | float):
                holder[key] *= rng.choice([-1, 1e9, 0.001, 1e200])
            else:
                holder[key] = rng.choice(VALUES)
            break
    text = json.dumps(data)
    if rng.random() < 0.1 and '"' in text:
        text = text.replace("{", '{"name": 1, "name": 2, ', 1)
    return text.encode()


def of_bytes(content, rng):
    """Bytes cut, changed, doubled, put in between; numbers changed."""
    found = bytearray(content)
    for _ in range(rng.randrange(1, 4)):
        at, change = rng.randrange(len(found) + 1), rng.randrange(8)
        if change == 0:
            del found[at:]
        elif change == 1 and found:
            found[min(at, len(found) - 1)] = rng.randrange(256)
        elif change == 2:
            del found[at : at + rng.randrange(1, 200)]
        elif change == 3:
            found[at:at] = found[at : at + rng.randrange(1, 2000)]
        elif change == 4:
            found[at:at] = rng.choice(TEXTS)
        elif change == 5:
            found = bytearray(bytes(found).replace(b"\n", b"\r\n"))
        elif spans := list(SPAN.finditer(found, max(0, at - 2000), at + 2000)):
            span = rng.choice(spans)
            found[span.start() : span.end()] = rng.choice(NUMBERS)
    return bytes(found)


def changed(path, folder, rng):
    """A changed copy of a file or of one file of a folder."""
    target = folder / f"z{path.suffix if not path.name.endswith('.scene.json') else '.scene.json'}"
    if path.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(path, target)
        part = rng.choice(sorted(target.iterdir()))
        part.write_bytes(of_bytes(part.read_bytes(), rng))
        return target
    content = path.read_bytes()
    if path.suffix == ".db" and rng.random() < 0.6:
        lines = content.split(b"\n")
        at = rng.randrange(len(lines))
        lines[at] = of_json(lines[at], rng)
        target.write_bytes(b"\n".join(lines))
    else:
        is_json = content.lstrip()[:1] in (b"{", b"[") and path.suffix != ".db"
        target.write_bytes((of_json if is_json and rng.random() < 0.6 else of_bytes)(content, rng))
    return target


def read(path):
    """Whether it was read; otherwise the error."""
    try:
        for _, scene in scenes_at(path)[:2]:
            to_scene_json(scene())
    except GridlosError as error:
        found = error
    else:
        return None
    assert str(found).startswith(str(path))
    assert "\n" not in str(found)
    return found


def fuzz(format_, n, seed):
    rng, n_read, slowest, bad, told = Random(f"{seed} {format_}"), 0, 0.0, 0, Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = sources(format_, folder)
        for number in range(n):
            path = changed(rng.choice(found), folder, rng)
            begin = time.perf_counter()
            signal.alarm(SECONDS)
            try:
                error = read(path)
                n_read += error is None
                if error is not None:
                    told[re.sub(r"[0-9]+", "0", error.problem)[:60]] += 1
            except BaseException as error:  # anything else is what is looked for
                if isinstance(error, KeyboardInterrupt):
                    raise
                bad += 1
                kept = Path(tempfile.gettempdir(), f"fuzz-{format_}-{number}{path.suffix}")
                (shutil.copytree if path.is_dir() else shutil.copy)(path, kept)
                sys.stdout.write(f"{kept}: {''.join(traceback.format_exception(error)[-3:])}\n")
            signal.alarm(0)
            slowest = max(slowest, time.perf_counter() - begin)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"{format_:16} {n} changed: {n_read} read, {n - n_read - bad} refused in {len(told)} ways, {bad} bad; ")
    sys.stdout.write(f"slowest {slowest:.2f} s, peak {peak} MB\n")
    sys.stdout.flush()
    return bad


def too_long(*_):
    raise TimeoutError(f"more than {SECONDS} seconds")


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    how_many, first_seed = (int(word) for word in [*sys.argv[1:3], *("1000", "0")[len(sys.argv[1:3]) :]])
    sys.exit(min(1, sum(fuzz(format_, how_many, first_seed) for format_ in sys.argv[3:] or FORMATS)))
