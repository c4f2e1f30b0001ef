"""The one place where numba's options stand, with a cache that never breaks a program."""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba.core import caching, config

from gridlos.kernels.stored import StoredKernels

__all__ = ["Array", "cache_folder", "inner_kernel", "int64", "interpreted", "kernel", "source_hash"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
"""An array argument of a kernel; its shape and dtype stand in the docstring."""

int64: Any = int if config.DISABLE_JIT else np.int64
"""Makes a full integer of what an array holds; untyped, since in a kernel there is but one kind of integer."""

Function = TypeVar("Function", bound=Callable[..., Any])

UNREADABLE = (
    OSError,
    EOFError,
    pickle.PickleError,
    ValueError,
    TypeError,
    AttributeError,
    ImportError,
    IndexError,
    KeyError,
)
"""What reading or writing a damaged, foreign or forbidden cache file raises; the remedy is always to compile again."""


def source_hash() -> str:
    """Return a hash of the kernels' sources and of numba's version and bounds checking: two equal hashes mean the same machine code."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK} {os.environ.get('GRIDLOS_LANES')}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _find_cache_folder() -> Path | None:
    name = f"gridlos-{source_hash()}"
    asked = [Path(config.CACHE_DIR)] if config.CACHE_DIR else []
    home = os.environ.get("XDG_CACHE_HOME") or (Path(os.environ["HOME"]) / ".cache" if os.environ.get("HOME") else None)
    at_home = [Path(home) / "gridlos"] if home else []
    user = f"gridlos-{os.getuid()}" if hasattr(os, "getuid") else "gridlos"
    for parent in [*asked, Path(__file__).parent / "__pycache__", *at_home, Path(tempfile.gettempdir()) / user]:
        if _is_writable(parent / name):
            return parent / name
    return None


_FOLDER = None if config.DISABLE_JIT else _find_cache_folder()


def cache_folder() -> Path | None:
    """Return the folder of the compiled kernels; None where none can be written and each process compiles its own."""
    return _FOLDER


class _Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Puts a function's cache into the folder of the kernels' common hash, so that an edit in any kernel file is seen."""

    def __init__(self, py_func: Any, py_file: str) -> None:  # noqa: ANN401
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._cache_path = str(_FOLDER)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:  # noqa: ANN401
        return cls(py_func, py_file)


class _Implementation(StoredKernels):
    _locator_classes = [_Locator]  # noqa: RUF012 - numba's own attribute


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """numba's cache, except that a file that cannot be read or written counts as absent."""

    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # numba would register all that it can compile first
        except UNREADABLE:
            with suppress(*UNREADABLE):
                self.flush()  # an index that cannot be read could not be added to either
            return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        try:
            super().save_overload(sig, data)
        except UNREADABLE:
            self.disable()


def kernel(function: Function) -> Function:
    """Return the jitted function: lazy signature, no GIL, integers that wrap, cached by :func:`source_hash`."""
    return _jitted(function)


def inner_kernel(function: Function) -> Function:
    """Return a jitted function that makes no array of its own: it counts no references, which costs more than small kernels do."""
    return _jitted(function, _nrt=False)


def _jitted(function: Function, **options: bool) -> Function:
    dispatcher: Any = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if _FOLDER is not None and hasattr(dispatcher, "_cache"):
        dispatcher._cache = _Cache(dispatcher.py_func)  # noqa: SLF001 - what numba's own enable_caching() does
    return dispatcher


def interpreted(function: Function) -> Function:
    """Return the kernel as plain Python, with all the kernels that it calls: slow, but integers never overflow in it."""
    namespaces: dict[int, dict[str, Any]] = {}

    def plain(kernel_function: Any) -> Any:  # noqa: ANN401
        code = getattr(kernel_function, "py_func", kernel_function)
        home = code.__globals__
        if id(home) not in namespaces:
            namespace = namespaces[id(home)] = {**home, "int64": int}
            for name, value in home.items():
                if hasattr(value, "py_func"):
                    namespace[name] = plain(value)
        return FunctionType(code.__code__, namespaces[id(home)], code.__name__, code.__defaults__)

    result: Function = plain(function)
    return result
