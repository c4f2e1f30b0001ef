"""Drawings: a scene as text that people read and write.

A drawing is a block of rows, one letter a square, and below it, after a blank line, what letters cannot say::

    ########
    #..w.OO#
    #A...OO#
    ########

    A archer party weapon=bow
    O ogre monsters reach=10
    wall gate (4, 1)-(4, 2) door closed

Rows hold the letters of the map (``.`` open, ``#`` wall, ``w c f b s ~``, a blank for void, the legend's) and, for
creatures, capital letters and digits that the legend does not use. A big creature is a rectangle of one letter. A
letter without a line is a creature of that id, on open ground, of the size that its rectangle has. Common indentation
is dropped. Where the first or the last column holds void, every row stands between bars: ``|  ##|``; bars that begin
and end every row are no squares.

Below the rows stands one statement a line, in any order; values are JSON or plain words::

    MARK [id] [size] [side] [key=value ...]
    wall [id] (x, y)-(x, y) [kind] [state] [key=value ...]
    light [id] (x, y) [key=value ...]
    legend LETTER kind [key=value ...]
    override target=id [attacker=id] [key=value ...]
    option name=value ...
    scene [name=...] [feet_per_square=...] [subdivisions=...] [light=...] [options={...}] [extra=...]

The first is a creature, with the keys of a scene file and ``on=LETTER`` for the ground under it. The mark ``-`` is a
creature that is not drawn (two share a square, or the ground is mixed); it needs ``at=[x,y]``. Words with a blank or
with other letters stand in quotes. A creature with ``at`` in halves is drawn in the square that holds this point.

Creatures come in the order of their lines, then those without a line in reading order.
"""

from __future__ import annotations

from gridlos.drawing.read import Parsed, parse_drawing
from gridlos.drawing.write import text_of

__all__ = ["Parsed", "parse_drawing", "text_of"]
