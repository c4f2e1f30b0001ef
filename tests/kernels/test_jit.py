"""Numba's options and cache: one signature a kernel, caches that are forbidden or broken, and runs without the compiler."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from kernels import support
from kernels.entries import ENTRIES
from oracle import Walls

import gridlos.kernels

PACKAGE = Path(gridlos.kernels.__file__).parent.parent
TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent

USE = """
import sys
import numpy as np
from gridlos.kernels import index, jit
solid = np.zeros((2, 3), np.uint8)
arms = index.index_arms(solid, np.zeros((2, 4), np.uint8), np.zeros((3, 3), np.uint8))
assert arms.tolist() == [[6, 10, 10, 12], [5, 0, 0, 5], [3, 10, 10, 9]], arms
stats = index.index_arms.stats
print(jit.cache_folder(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
"""One small kernel is used, in a process of its own; it tells the folder, how often the cache had it, and how often not."""


SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")


def obey_permissions():
    """Take from the superuser what lets him write where it is forbidden; for others nothing changes."""
    drop_from_bounding_set = 24
    for capability in (1, 2):  # write, and read and search, whatever the permissions
        ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0)


def run(code, package=PACKAGE.parent, is_limited=False, **environment):
    """The words that a Python process prints; fails if the process does."""
    kept = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**kept, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd="/",
        preexec_fn=obey_permissions if is_limited else None,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def used(filled, cache=None, **environment):
    """Hits and misses of a process whose cache is at ``cache``."""
    package, own = filled
    folder, hits, misses = run(USE, package, NUMBA_CACHE_DIR=str(cache or own), **environment)
    assert Path(folder).parent == (cache or own)
    return int(hits), int(misses)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A package, and a cache that holds the kernel."""
    found = copied_package(tmp_path_factory.mktemp("package")), tmp_path_factory.mktemp("cache")
    assert used(found) == (0, 1)
    return found


def test_the_second_process_finds_the_compiled_kernel(filled):
    assert used(filled) == (1, 0)


@pytest.fixture
def copied(filled, tmp_path):
    """A copy of the filled cache to damage, and the files in it."""
    cache = tmp_path / "cache"
    shutil.copytree(filled[1], cache)
    return cache, [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("ending", "damage"),
    [
        *((".nbi", damage) for damage in ("empty", "truncated", "noise", "other pickle", "folder")),
        *((".nbc", damage) for damage in ("empty", "truncated", "noise", "folder")),
    ],
)
def test_a_damaged_cache_counts_as_absent(filled, copied, ending, damage):
    """Index and data files; the kernel is compiled again and gives the same answers."""
    cache, files = copied
    hit = [path for path in files if path.suffix == ending and "index_arms" in path.name]
    assert hit
    for path in hit:
        content = path.read_bytes()
        path.unlink()
        if damage == "folder":
            path.mkdir()
            continue
        path.write_bytes(
            {
                "empty": b"",
                "truncated": content[: len(content) // 2],
                "noise": np.random.default_rng(1).bytes(len(content)),
                "other pickle": b"\x80\x04K\x01.",
            }[damage]
        )
    assert used(filled, cache) == (0, 1)
    if damage in ("truncated", "noise"):
        assert used(filled, cache) == (1, 0)  # it was mended


BINS = """
import sys
import numpy as np
from gridlos.kernels import index
bins = index.index_walls(np.array([[1, 1, 9, 3], [8, 4, 12, 4]], np.int32), 2, 3, 4)
assert bins.tolist() == [7, 8, 10, 12, 12, 13, 14, 0, 0, 1, 0, 1, 1, 1], bins
both = (index.index_walls, index.sort_into)
print(*(len(hits) for kernel in both for hits in (kernel.stats.cache_hits, kernel.stats.cache_misses)))
print("numba.np.arrayobj" in sys.modules)
"""
"""A kernel with one inner kernel: hits and misses of both, and whether what numba compiles arrays with was imported."""


def test_a_kernel_is_compiled_against_one_from_the_cache(filled, tmp_path):
    """Its code alone is read to call it; more of it when another is compiled, and when that is read again."""
    package, folder = filled[0], str(tmp_path)
    assert run(BINS, package, NUMBA_CACHE_DIR=folder) == ["0", "1", "0", "1", "True"]
    assert run(BINS, package, NUMBA_CACHE_DIR=folder) == ["1", "0", "0", "0", "False"]
    outer = [path for path in tmp_path.rglob("*") if "index_walls" in path.name]
    assert len(outer) == 2
    for path in outer:
        path.unlink()
    assert run(BINS, package, NUMBA_CACHE_DIR=folder) == ["0", "1", "1", "0", "True"]
    assert run(BINS, package, NUMBA_CACHE_DIR=folder) == ["1", "0", "0", "0", "False"]


def test_an_index_without_its_data_counts_as_absent(filled, copied):
    """The data file is gone, the index is not."""
    cache, files = copied
    for path in files:
        if path.suffix == ".nbc":
            path.unlink()
    assert used(filled, cache) == (0, 1)


@pytest.fixture
def limited(tmp_path):
    """A folder in which permissions count, for the superuser too."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    code = (
        f"import tempfile\ntry:\n  tempfile.TemporaryFile(dir={str(locked)!r})\nexcept OSError:\n  print('forbidden')"
    )
    if not hasattr(os, "geteuid") or run(code, is_limited=os.geteuid() == 0) != ["forbidden"]:
        pytest.skip("nothing is forbidden here")
    yield tmp_path, os.geteuid() == 0
    for path in tmp_path.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)


def test_a_read_only_package_and_no_home(limited):
    folder, is_limited = limited
    package, home, temporary = copied_package(folder), str(folder / "locked"), folder / "temporary"
    temporary.mkdir()
    for path in [*package.rglob("*"), package]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    places = {"HOME": home, "XDG_CACHE_HOME": "", "TMPDIR": str(temporary), "NUMBA_CACHE_DIR": ""}
    found, _, misses = run(USE, package, is_limited, **places)
    assert misses == "1"
    assert Path(found).is_relative_to(temporary)


def test_an_unwritable_cache(limited):
    folder, is_limited = limited
    package, cache, home = copied_package(folder), folder / "cache", folder / "home"
    for path in (package / "gridlos" / "kernels" / "__pycache__", cache, home):
        path.mkdir(exist_ok=True)
    cache.chmod(0o555)
    (package / "gridlos" / "kernels" / "__pycache__").chmod(0o555)
    home.chmod(0o777)
    found = [
        run(USE, package, is_limited, HOME=str(home), XDG_CACHE_HOME="", NUMBA_CACHE_DIR=str(cache)) for _ in range(2)
    ]
    assert [Path(words[0]).is_relative_to(home) for words in found] == [True, True]
    assert [words[1:] for words in found] == [["0", "1"], ["1", "0"]]


def test_a_cache_that_becomes_unwritable(limited):
    """Writable when it was found, forbidden when the kernel is compiled."""
    folder, is_limited = limited
    package, cache = copied_package(folder), folder / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    forbid = "solid = np.zeros((2, 3), np.uint8)\njit.cache_folder().chmod(0o555)"
    code = USE.replace("solid = np.zeros((2, 3), np.uint8)", forbid)
    assert run(code, package, is_limited, NUMBA_CACHE_DIR=str(cache))[1:] == ["0", "1"]
    assert run(code, package, is_limited, NUMBA_CACHE_DIR=str(cache))[1:] == ["0", "1"]


def test_a_cache_that_is_a_file(tmp_path):
    """Nothing can be written below a file, whoever one is."""
    cache = tmp_path / "cache"
    cache.write_text("")
    folder = run("from gridlos.kernels import jit; print(jit.cache_folder())", NUMBA_CACHE_DIR=str(cache))[0]
    assert not folder.startswith(str(cache))


def test_no_folder_can_be_written(tmp_path):
    """Neither the package's, nor at home, nor the temporary one: compiled in this process, kept nowhere."""
    package = copied_package(tmp_path)
    (package / "gridlos" / "kernels" / "__pycache__").write_text("")  # a file where the folder would be
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("")
    code = f"import tempfile; tempfile.tempdir = {str(nowhere)!r}\n" + USE.replace(
        "jit.cache_folder(), sum", "jit.cache_folder(), 0 * sum"
    )
    found = run(code, package, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere), NUMBA_CACHE_DIR=str(nowhere))
    assert found[0] == "None"


def test_a_folder_that_goes_away_while_the_program_runs(tmp_path):
    """The cache is writable at the import and gone at the call."""
    code = USE.replace(
        "solid = np.zeros((2, 3), np.uint8)",
        "import shutil, pathlib\n"
        "folder = jit.cache_folder()\n"
        "shutil.rmtree(folder)\n"
        "pathlib.Path(folder).write_text('')\n"
        "solid = np.zeros((2, 3), np.uint8)",
    )
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"))[1:] == ["0", "1"]


def copied_package(tmp_path):
    """A package of its own, to be edited; the folder to import it from."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "gridlos", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "site"


HASHES = """
from pathlib import Path
from gridlos.kernels import jit
print(jit.__file__, jit.source_hash())
for path in sorted(Path(jit.__file__).parent.glob("*.py")):
    content = path.read_bytes()
    path.write_bytes(content + b"#")
    print(path.name, jit.source_hash())
    path.write_bytes(content)
print("again", jit.source_hash())
"""


def test_an_edit_in_any_kernel_file_is_seen(tmp_path):
    package = copied_package(tmp_path)
    words = run(HASHES, package)
    names, hashes = words[::2], words[1::2]
    assert Path(names[0]).is_relative_to(package)
    assert {"__init__.py", "jit.py", "line.py", "index.py", "effect.py"} <= set(names)
    assert hashes[0] == hashes[-1]
    assert len(set(hashes)) == len(hashes) - 1


def test_an_edit_in_another_file_is_compiled_anew(tmp_path):
    """A constant of one module, used by a kernel of another: numba alone does not see it."""
    package, cache = copied_package(tmp_path), tmp_path / "cache"
    assert run(USE, package, NUMBA_CACHE_DIR=str(cache))[1:] == ["0", "1"]
    assert run(USE, package, NUMBA_CACHE_DIR=str(cache))[1:] == ["1", "0"]
    path = package / "gridlos" / "kernels" / "walk.py"
    content = path.read_text()
    old = "NORTH, EAST, SOUTH, WEST, FREE = 1, 2, 4, 8, 16"
    assert old in content
    path.write_text(content.replace(old, "NORTH, EAST, SOUTH, WEST, FREE = 8, 4, 2, 1, 16"))
    other = USE.replace(
        "[[6, 10, 10, 12], [5, 0, 0, 5], [3, 10, 10, 9]]", "[[6, 5, 5, 3], [10, 0, 0, 10], [12, 5, 5, 9]]"
    )
    assert run(other, package, NUMBA_CACHE_DIR=str(cache))[1:] == ["0", "1"]


def test_bounds_checks_have_a_cache_of_their_own(filled):
    assert used(filled, NUMBA_BOUNDSCHECK="1") == (0, 1)


def test_importing_gridlos_does_not_import_numba():
    code = "import sys, gridlos; print(*sorted(name for name in sys.modules if name.split('.')[0] in ('numba', 'llvmlite')))"
    assert run(code) == []
    assert run(code + "\ngridlos.Scene, gridlos.load\n" + code) == []


QUESTIONS = """
import gridlos, sys
from gridlos.scene import Scene
drawings = [
    "A.#.T\\n.....",
    "AA#T.\\nAA...\\n\\nwall (2, 0)-(3.5, 1.75)\\nwall (0.5, 0)-(1, 1.5) curtain",
    "A....\\n\\nwall (2, 0)-(2, 1) window",
    "A.T.B\\n\\nwall (1, 0)-(1, 1) door open\\nwall (0, 0)-(5, 1)",
    "AwT.B\\n.....\\n\\nwall (1.5, 0)-(2.5, 2) low wall",
    "A.sTc\\n",
]
for drawing in drawings:
    scene = Scene.from_drawing(drawing)
    along = {"edge_contact": "blocked_for_walls_only"}
    for edition, options in (("pathfinder1", {}), ("dnd5e", {}), ("starfinder1", along)):
        result = gridlos.evaluate(scene, edition=edition, options=options)
        for target in scene.ids[1:]:
            result["A", target].proof.lines
for module, names in ENTRIES.items():
    for name in names:
        print(name, len(getattr(sys.modules[module], name).signatures) if module in sys.modules else 0)
"""


def test_the_questions_compile_each_kernel_once():
    """Whatever a scene holds: grid walls alone or free walls, small and big creatures, one or many, both channels."""
    words = run(f"ENTRIES = {ENTRIES!r}" + QUESTIONS)
    found = dict(zip(words[::2], words[1::2], strict=True))
    assert found.keys() == {name for names in ENTRIES.values() for name in names}
    assert set(found.values()) <= {"0", "1"}
    asked = ("index_arms", "index_barriers", "index_legs", "index_walls", "mark_free_arms", "blocked_lines", "contacts")
    asked = (*asked, "contact_among", "tilt", "effects", "special_lines", "lines_along")
    assert {name: found[name] for name in asked} == dict.fromkeys(asked, "1")


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_a_reduced_profile(switch):
    """The kernels as plain Python, where numbers that do not fit give a warning, and with every index checked."""
    tests = ["test_agreement.py", "test_scenes.py", "test_extremes.py", "test_special.py", "test_table.py", "test_fan.py"]
    tests += ["test_hull.py", "test_regions.py", "test_soft_pairs.py"]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *(str(Path(__file__).parent / name) for name in tests),
        ],
        env={**os.environ, switch: "1", "HYPOTHESIS_PROFILE": "reduced"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


def test_support_gives_each_kernel_one_dtype():
    """What the tests hand to the kernels is what the package does."""
    found = support.indexed(Walls(2, 2, 2, segments=((0, 1, 3, 3),)))
    kinds = [
        array.dtype.name for array in (found.arms, found.legs, found.bins, found.free, found.barriers, found.pivots)
    ]
    assert kinds == ["uint8", "uint16", "int32", "int32", "int32", "int32"]
