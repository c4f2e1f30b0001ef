"""Lanes: several 64-bit words that are read, combined and written at once, and single words where that cannot be.

A kernel that steps through arrays of uint64 by ``LANES``, reads with ``load``, writes with ``store`` and in between uses
``& | ^ ~`` and shifts by a uint64 below 64 is the same code for both.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, TypeVar

import llvmlite.binding
import numba
from llvmlite import ir
from numba.core import config, types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from gridlos.kernels.jit import Array, inner_kernel

__all__ = ["LANES", "WIDEST", "load", "store", "without_lanes"]

WIDEST = 8
"""Boards are padded to a multiple of so many words, whatever ``LANES`` is."""

Function = TypeVar("Function", bound=Callable[..., Any])
Values = tuple[Any, ...]


def _lanes() -> int:
    """Return how many words this processor's registers hold; 1 where it is asked for, and where every index is to be checked."""
    if config.DISABLE_JIT or config.BOUNDSCHECK or os.environ.get("GRIDLOS_LANES") == "1":
        return 1
    features = llvmlite.binding.get_host_cpu_features()
    return 8 if features.get("avx512f") else 4 if features.get("avx2") else 2


LANES = _lanes()
"""Words at once: 8, 4 or 2; 1 where the environment variable ``GRIDLOS_LANES`` says so, or without the compiler."""

_VECTOR = ir.VectorType(ir.IntType(64), max(LANES, 2))


class _LanesType(types.Type):
    """The compiler's type of ``LANES`` words."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{LANES}")


_LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, of_type: Any) -> None:  # noqa: ANN401
        super().__init__(manager, of_type, _VECTOR)


def _offer(operators: Iterable[Any], *arguments: Any) -> None:  # noqa: ANN401
    """Let the compiler type operators on lanes."""
    for one in operators:
        cases = [signature(_LANES, *arguments)]
        infer_global(one)(type(f"_Lanes_{one.__name__}", (ConcreteTemplate,), {"key": one, "cases": cases}))


_offer((operator.and_, operator.or_, operator.xor), _LANES, _LANES)
_offer((operator.lshift, operator.rshift), _LANES, types.uint64)
_offer((operator.invert,), _LANES)


@lower_builtin(operator.and_, _LANES, _LANES)
def _and(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.and_(*args)


@lower_builtin(operator.or_, _LANES, _LANES)
def _or(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.or_(*args)


@lower_builtin(operator.xor, _LANES, _LANES)
def _xor(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.xor(*args)


@lower_builtin(operator.invert, _LANES)
def _not(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.not_(*args)


def _in_all_lanes(builder: Any, word: Any) -> Any:  # noqa: ANN401
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), _VECTOR.count), [0] * _VECTOR.count)
    return builder.shuffle_vector(first, undefined, order)


@lower_builtin(operator.lshift, _LANES, types.uint64)
def _shift_up(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.shl(args[0], _in_all_lanes(builder, args[1]))


@lower_builtin(operator.rshift, _LANES, types.uint64)
def _shift_down(_context: Any, builder: Any, _sig: Any, args: Values) -> Any:  # noqa: ANN401
    return builder.lshr(args[0], _in_all_lanes(builder, args[1]))


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:  # noqa: ANN401
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _VECTOR.as_pointer())


@intrinsic
def _load_lanes(_typing_context: Any, words: Any, _place: Any) -> Any:  # noqa: ANN401
    def code(context: Any, builder: Any, sig: Any, args: Values) -> Any:  # noqa: ANN401
        found = builder.load(_pointer(context, builder, sig.args[0], *args))
        found.align = 8
        return found

    return _LANES(words, types.intp), code


@intrinsic
def _store_lanes(_typing_context: Any, words: Any, _place: Any, _value: Any) -> Any:  # noqa: ANN401
    def code(context: Any, builder: Any, sig: Any, args: Values) -> Any:  # noqa: ANN401
        builder.store(args[2], _pointer(context, builder, sig.args[0], *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(words, types.intp, _LANES), code


@inner_kernel
def _load_word(words: Array, place: int) -> Any:  # noqa: ANN401
    return words[place]


@inner_kernel
def _store_word(words: Array, place: int, value: Any) -> None:  # noqa: ANN401
    words[place] = value


_WORD = {"LANES": 1, "load": _load_word, "store": _store_word}

load: Any = _load_lanes if LANES > 1 else _load_word
"""``load(words, place)``: the words ``words[place : place + LANES]`` of a contiguous array of uint64."""

store: Any = _store_lanes if LANES > 1 else _store_word
"""``store(words, place, value)`` writes them."""


def without_lanes(function: Function, more: Mapping[str, Any] | None = None) -> Function:
    """Return the kernel, and all that it calls, compiled for one word at a time; it is kept in no cache.

    ``more`` are other names that stand for lanes, and what they stand for without.
    """
    one_word = {**_WORD, **(more or {})}
    namespaces: dict[int, dict[str, Any]] = {}

    def plain(kernel_function: Any) -> Any:  # noqa: ANN401
        code = kernel_function.py_func
        home = code.__globals__
        if id(home) not in namespaces:
            namespace = namespaces[id(home)] = {**home}
            for name, value in home.items():
                if name in one_word:
                    namespace[name] = one_word[name]
                elif hasattr(value, "py_func") and value not in one_word.values():
                    namespace[name] = plain(value)
        copy = FunctionType(code.__code__, namespaces[id(home)], code.__name__, code.__defaults__)
        return numba.njit(nogil=True)(copy)

    result: Function = function if LANES == 1 else plain(function)
    return result
