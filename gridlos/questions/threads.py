"""Many questions asked of a kernel in parts, by several threads: kernels let go of the interpreter while they run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["in_parts", "n_threads"]

_VARIABLE = "GRIDLOS_THREADS"


def n_threads() -> int:
    """Return how many threads may work at once: what the variable ``GRIDLOS_THREADS`` says, else all processors allowed."""
    said = os.environ.get(_VARIABLE, "")
    if said.isdecimal() and int(said):
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(ask: Callable[[NDArray[Any]], NDArray[Any]], asked: NDArray[Any], least: int) -> NDArray[Any]:
    """Return ``ask(asked)``, an answer a row; where a thread gets ``least`` rows or more, threads share them.

    ``least`` rows are to be about a millisecond of work: below two in all, threads cost more than they save.

    Examples
    --------
    >>> in_parts(lambda rows: rows.sum(axis=1), np.arange(12).reshape(6, 2), 2).tolist()
    [1, 5, 9, 13, 17, 21]
    """
    n = min(n_threads(), len(asked) // least)
    if n < 2:
        return ask(asked)
    return np.concatenate(list(_pool(os.getpid(), n_threads()).map(ask, np.array_split(asked, n))))


@lru_cache(maxsize=1)
def _pool(_process: int, n: int) -> ThreadPoolExecutor:
    """Return the threads of this process; one that was forked has none of those of its parent."""
    return ThreadPoolExecutor(n, "gridlos")
