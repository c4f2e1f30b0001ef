"""The corner that each attacker takes where no wall is special: tables by the lines that are blocked.

What lines are blocked from a corner is one byte, ``16 hard + soft``, so that a table of 256 entries tells what the corner
costs, and one of 65,536 which of two corners beside each other costs less. Where corners are cut off from the target, or from
the attacker, there is a table entry for each nibble of target corners that count.

Keys are those of :mod:`gridlos.rules.corners` in one byte: bits 2 to 7, the rank among the classes that there are; bits 0 and
1, the corner. 63 is the rank of a corner that is not usable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Masks
from gridlos.rules.corners import ALL_BLOCKED, CLASSES, N_CLASSES, Choosing, Chosen, Keys

__all__ = ["LineTables", "Packed", "chosen_plainly", "packed_lines"]

Packed = NDArray[np.uint8] | NDArray[np.uint16]

_ALL = np.uint8(15)
_EVERY_CORNER = 15 << 8  # where the entries begin for targets all of whose corners count
_SECOND = np.array([0, 2], np.uint8).view(np.uint16)[0]  # the bit that tells corners 2 and 3 from corners 0 and 1
_UNUSABLE = 0xFC
_UNUSABLE_KEYS = np.array(
    [[0 if nibble >> corner & 1 else _UNUSABLE | corner for corner in range(4)] for nibble in range(16)], np.uint8
)
_CORNERS = np.arange(4, dtype=np.uint8)
_LATER_CORNERS = np.uint8(3) - _CORNERS
_POSSIBLE = np.unique(np.concatenate(list(CLASSES.values())))


@dataclass(frozen=True, slots=True, eq=False)
class LineTables:
    """What the blocked lines of a corner say.

    Attributes
    ----------
    classes
        ``(4096,)`` uint8: the class for ``counted << 8 | hard << 4 | soft``.
    keys
        ``(4096,)`` uint8: the keys likewise, of corner 0.
    whole
        Those of the keys for targets all of whose corners count, one byte each.
    orders
        ``(4096,)`` uint8: how bad the class is among those that there are, from 1, times 4.
    keys_by_order
        ``(256,)`` uint8: the key of a corner with this order to which ``3 - corner`` has been added.
    classes_by_key
        ``(256,)`` uint8: the class for a key; that of four lines blocked by walls for a corner that is not usable.
    """

    classes: Masks
    keys: Masks
    whole: bytes
    orders: Masks
    keys_by_order: Masks
    classes_by_key: Masks

    @classmethod
    def of(cls, ranks: Keys, cut_corners: str) -> LineTables:
        """Return the tables for ranks of classes, ``(125,)``."""
        short = np.zeros(N_CLASSES, np.uint8)
        short[_POSSIBLE] = np.unique(ranks[_POSSIBLE], return_inverse=True)[1]
        classes = CLASSES[cut_corners]
        keys = short.take(classes) << np.uint8(2)
        orders = np.zeros(N_CLASSES, np.uint8)
        orders[_POSSIBLE] = 4 * np.arange(1, len(_POSSIBLE) + 1)
        keys_by_order, classes_by_key = np.full(256, _UNUSABLE, np.uint8), np.full(256, ALL_BLOCKED, np.uint8)
        for corner in range(4):
            keys_by_order[orders[_POSSIBLE] + np.uint8(3 - corner)] = 4 * short[_POSSIBLE] + np.uint8(corner)
            classes_by_key[4 * short[_POSSIBLE] + np.uint8(corner)] = _POSSIBLE
        whole = keys[_EVERY_CORNER:].tobytes()
        return cls(classes, keys, whole, orders.take(classes), keys_by_order, classes_by_key)


@lru_cache(maxsize=64)
def _two_corners(whole: bytes) -> Masks:
    """Return the smaller key of corners 0 and 1, by the bytes of the two, ``(65536,)``; nobody may change it."""
    two, keys = np.arange(1 << 16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), np.frombuffer(whole, np.uint8)
    smaller: Masks = np.minimum(keys.take(two[:, 0]), keys.take(two[:, 1]) | np.uint8(1))
    return smaller


def packed_lines(hard: Masks, soft: Masks | None) -> Masks:
    """Return the bytes ``16 hard + soft`` of nibbles, ``(C, 4)``.

    Examples
    --------
    >>> packed_lines(np.uint8([[1, 0, 15, 4]]), np.uint8([[0, 2, 15, 4]])).tolist()
    [[16, 2, 255, 68]]
    """
    four = np.ascontiguousarray(hard).view(np.uint32) << np.uint32(4)
    if soft is not None:
        four |= np.ascontiguousarray(soft).view(np.uint32)
    return four.view(np.uint8)


def chosen_plainly(
    choosing: Choosing,
    packed: Masks,
    counted: Masks,
    tables: tuple[LineTables, LineTables],
    worst_rows: NDArray[np.int64] | None,
) -> tuple[Chosen, Masks]:
    """Return what is chosen for every pair, and the class of the lines from there, ``(P,)``; it is of its own.

    Where no corner is usable it is the class of four lines that walls block.

    Parameters
    ----------
    packed
        ``(C, 4)``: the lines that are blocked.
    counted
        ``(C,)``: nibbles of the target corners that count.
    tables
        Those for the best corner, and those where all corners count.
    worst_rows
        The choices where all corners count; None: nowhere.
    """
    best, worst = tables
    lines, begin = _with_counted(packed, counted)
    all_usable = _is_full(choosing.usable)
    is_whole = begin > 0 and all_usable and choosing.group_start is None
    if is_whole:
        two = _two_corners(best.whole).take(packed.view(np.uint16)).view(np.uint16)[:, 0] | _SECOND
        keys = np.minimum(two & np.uint16(0xFF), two >> np.uint16(8)).astype(np.uint8)
    else:
        keys = best.keys[begin:].take(lines)
        keys |= _CORNERS
        np.maximum(keys, _UNUSABLE_KEYS.take(choosing.usable, axis=0), out=keys)
    if worst_rows is not None:
        orders = worst.orders[begin:].take(lines[worst_rows]) + _LATER_CORNERS
        if not all_usable:
            orders[_UNUSABLE_KEYS.take(choosing.usable[worst_rows], axis=0) > 0] = 0
        most = np.maximum(np.maximum(orders[:, 0], orders[:, 1]), np.maximum(orders[:, 2], orders[:, 3]))
        of_worst = worst.keys_by_order.take(most)
        keys[worst_rows] = of_worst if is_whole else of_worst[:, None]
    index, key = choosing.least(keys)
    key = key.astype(np.uint8)
    found = best.classes_by_key.take(key)
    if worst_rows is not None:
        is_worst = np.zeros(len(packed), np.bool_)
        is_worst[worst_rows] = True
        found = np.where(is_worst.take(index), worst.classes_by_key.take(key), found)
    return Chosen(index, key & np.uint8(3)), found


def _with_counted(packed: Masks, counted: Masks) -> tuple[Packed, int]:
    """Return the lines as indices into tables from an entry on: with nibbles of counted corners where some do not count."""
    if _is_full(counted):
        return packed, _EVERY_CORNER
    return packed | (counted.astype(np.uint16) << np.uint16(8))[:, None], 0


def _is_full(nibbles: Masks) -> bool:
    return bool(np.bitwise_and.reduce(nibbles) & _ALL == _ALL)
