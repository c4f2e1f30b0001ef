"""Times, memory and start-up of workloads, and the machine that they were taken on."""

from __future__ import annotations

import datetime as dt
import gc
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from gridlos.bench.workloads import WORKLOADS, Case, SkippedError
from gridlos.errors import GridlosError
from gridlos.version import __version__

__all__ = ["Figures", "figures_of", "machine", "measured", "memory_of", "run_of", "start_up", "times_of"]

Figures = dict[str, Any]

SECONDS, MOST_ROUNDS, LEAST_ROUNDS = 0.5, 300, 5
CHILD_SECONDS = 1800
_TOO_LONG = 10  # times the seconds: one round is enough

_IMPORT = "import time; s = time.perf_counter(); import gridlos; e = time.perf_counter(); "
_FIRST = (
    "from gridlos.bench.scenes import dungeon; scene = dungeon(40, 60, 40); f = time.perf_counter(); "
    "gridlos.evaluate(scene, edition='pathfinder1'); g = time.perf_counter(); "
)


def times_of(run: Callable[[], Any], seconds: float, fresh: Callable[[], Any] | None = None) -> Figures:
    """Return ``min_ms``, ``median_ms`` and ``rounds`` of a function that was called before; ``fresh`` precedes each round, untimed."""
    taken: list[float] = []
    gc.collect()
    end = time.perf_counter() + seconds
    while len(taken) < LEAST_ROUNDS or (time.perf_counter() < end and len(taken) < MOST_ROUNDS):
        if fresh is not None:
            fresh()
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
        if seconds and taken[0] > _TOO_LONG * seconds:
            break
    low, middle = min(taken), statistics.median(taken)
    return {"min_ms": round(low * 1e3, 5), "median_ms": round(middle * 1e3, 5), "rounds": len(taken)}


def figures_of(case: Case, *, seconds: float = SECONDS, peers: bool = True) -> Figures:
    """Return the figures of a case after its check: times, pairs and lines, kept bytes, and the peers' times and ratios.

    Raises
    ------
    gridlos.bench.reference.WrongResultError
        If its result, or a peer's, is wrong.
    """
    case.check()
    given: list[Any] = [None]

    def fresh() -> None:
        given[0] = case.fresh()

    found = times_of(lambda: case.run(given[0]), seconds, fresh)
    found |= {"pairs": case.n_pairs, "lines": case.n_lines, **({"kept_bytes": case.nbytes} if case.nbytes else {})}
    found |= case.facts
    others = {}
    for peer in case.peers if peers else ():
        peer.check()
        times = times_of(peer.run, seconds)
        others[peer.name] = {**times, "ratio": round(times["min_ms"] / found["min_ms"], 2)}
    return found | ({"peers": others} if others else {})


def measured(
    names: Iterable[str],
    *,
    seconds: float = SECONDS,
    peers: bool = True,
    memory: bool = False,
    told: Callable[[str], None],
) -> Figures:
    """Return the figures of workloads by name, ``{"skipped": why}`` where one cannot be run; ``told`` each name as it begins."""
    found: Figures = {}
    for name in names:
        told(name)
        try:
            found[name] = figures_of(WORKLOADS[name].prepare(), seconds=seconds, peers=peers)
        except SkippedError as error:
            found[name] = {"skipped": str(error)}
            continue
        if memory:
            found[name] |= memory_of(name)
    return found


def run_of(workloads: Figures, **more: Figures) -> Figures:
    """Return the record of a run: date, version, commit where the package lies in a checkout, machine, figures."""
    today = dt.datetime.now(dt.UTC).date().isoformat()
    commit = {"commit": known} if (known := _commit()) else {}
    return {"date": today, "version": __version__, **commit, "machine": machine(), "workloads": workloads, **more}


def machine() -> Figures:
    """Return the processor's name, its cores, the vector type in use, and versions; nothing that names the computer."""
    from gridlos.kernels.lanes import LANES  # noqa: PLC0415 - numba takes longer to import than all the rest

    versions = {name: importlib.metadata.version(name) for name in ("numpy", "numba", "shapely")}
    with suppress(importlib.metadata.PackageNotFoundError):
        versions["tcod"] = importlib.metadata.version("tcod")
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "vector": f"{LANES} x 64 bits",
        "system": platform.system(),
        "python": platform.python_version(),
        **versions,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _commit() -> str:
    """Return the commit of the checkout that this package lies in; empty where it is installed."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    try:
        asked = subprocess.run(
            ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whichever git there is
            capture_output=True,
            text=True,
            cwd=root,
            check=False,
        )
    except OSError:
        return ""
    return asked.stdout.strip()


def memory_of(name: str) -> Figures:
    """Return ``process_mb``, the most that a process takes for a workload, and ``traced_mb``, what one call takes at most beyond that kept.

    It is run in a process of its own, unchecked; ``traced_mb`` counts what Python and numpy take, not what kernels do for themselves.
    """
    code = f"from gridlos.bench.measure import print_memory; print_memory({name!r})"
    return dict(_child(code))


def print_memory(name: str) -> None:
    """Print the memory of a workload as JSON."""
    case = WORKLOADS[name].prepare()
    given = case.fresh()
    case.run(given)
    given = case.fresh()
    tracemalloc.start()
    case.run(given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    found = {"traced_mb": round(peak / 1e6, 2)}
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - Unix only

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found["process_mb"] = round(most / (1e6 if sys.platform == "darwin" else 1e3), 1)
    sys.stdout.write(json.dumps(found) + "\n")


def start_up(*, cold: bool = False, rounds: int = 5) -> Figures:
    """Return seconds, the least of some new processes each: ``import gridlos``; the first evaluation with kernels compiled before.

    Bytecode is compiled before too, as it is wherever a package is installed. With ``cold`` also the first evaluation
    of one process that compiles its kernels.
    """
    show = "import sys, json; sys.stdout.write(json.dumps({'import_s': e - s, 'first_s': g - f}))"
    with tempfile.TemporaryDirectory() as folder:
        bytecode = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        warm = [_child(_IMPORT + _FIRST + show, **bytecode) for _ in range(rounds + 1)][1:]
    found = {
        "import_s": round(min(one["import_s"] for one in warm), 4),
        "first_evaluate_warm_s": round(min(one["first_s"] for one in warm), 4),
    }
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            anew = _child(_IMPORT + _FIRST + show, NUMBA_CACHE_DIR=folder)
        found["first_evaluate_cold_s"] = round(anew["first_s"], 2)
    return found


def _child(code: str, **environment: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what a new Python process prints."""
    asked = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=CHILD_SECONDS,
        env={**os.environ, **environment},
    )
    if asked.returncode:
        last = (asked.stderr.strip().splitlines() or ["no word"])[-1]
        raise GridlosError(f"a process of the benchmark failed: {last}")
    return json.loads(asked.stdout)
