"""Tiled's XML (``.tmx``, ``.tsx``) as plain data in the form of its JSON; document types and entities are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from gridlos.errors import MapFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gridlos.formats.files import Limits

__all__ = ["LINE", "data_from_xml"]

LINE = " line"
"""The key under which each object holds the line where it stands; no name in XML begins with a blank."""

_KEPT = frozenset({
    "map", "tileset", "tile", "properties", "property", "layer", "objectgroup", "group", "imagelayer", "data", "chunk",
    "object", "point", "ellipse", "polygon", "polyline", "text", "capsule", "template", "image",
})  # fmt: skip
_NUMBERS = frozenset({
    "width", "height", "tilewidth", "tileheight", "x", "y", "offsetx", "offsety", "firstgid", "gid", "id", "rotation",
})  # fmt: skip
_SWITCHES = frozenset({"infinite", "visible"})
_TEXTS = frozenset({"data", "chunk", "property"})
_SHAPES = frozenset({"point", "ellipse", "text", "capsule"})
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}
_DEEPEST = 64
_ELEMENTS_A_WALL = 10
_PART = 2**20  # letters that the parser gets at once
_LONGEST_TAG = 4 * 2**20  # bytes


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: Mapping[str, str]
    line: int
    children: list[_Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    gids: list[int] = field(default_factory=list)


class _Builder:
    """What the parser of the standard library calls; it keeps the elements that a map needs, within limits."""

    def __init__(self, file: str, limits: Limits) -> None:
        self.file = file
        self.root: _Element | None = None
        self._open: list[_Element] = []
        self._n_skipped = 0
        self._n_left = _ELEMENTS_A_WALL * limits.walls
        self._n_tiles_left = limits.squares
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def refused(self, problem: str) -> MapFileError:
        """Return the error at the line where the parser stands."""
        return MapFileError(self.file, problem, f"line {self.parser.CurrentLineNumber}")

    def _doctype(self, *_: object) -> None:
        raise self.refused("a document type or an entity, which no map of Tiled has; take it out")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._n_skipped or (self._open and tag not in _KEPT):
            self._n_skipped += 1
        if len(self._open) + self._n_skipped > _DEEPEST:
            raise self.refused("elements are nested too deep for a map")
        if self._n_skipped:
            return
        above = self._open[-1] if self._open else None
        if tag == "tile" and above is not None and above.tag in ("data", "chunk"):
            self._n_tiles_left -= 1
            if self._n_tiles_left < 0:
                raise self.refused("more tiles than squares are allowed; Limits(squares=...) allows more")
            above.gids.append(self._whole(attributes.get("gid", "0"), "gid"))
            self._n_skipped = 1
            return
        self._n_left -= 1
        if self._n_left < 0:
            raise self.refused(f"more than {_ELEMENTS_A_WALL} elements a wall; Limits(walls=...) allows more")
        element = _Element(tag, attributes, self.parser.CurrentLineNumber)
        if above is None:
            self.root = element
        else:
            above.children.append(element)
        self._open.append(element)

    def _end(self, _: str) -> None:
        if self._n_skipped:
            self._n_skipped -= 1
        else:
            self._open.pop()

    def _text(self, text: str) -> None:
        if self._open and not self._n_skipped and self._open[-1].tag in _TEXTS:
            self._open[-1].texts.append(text)

    def _whole(self, text: str, name: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise self.refused(f"{name} {text[:40]!r} is no whole number") from None


def data_from_xml(text: str, file: str, limits: Limits) -> dict[str, Any]:
    """Return a map or a tileset in XML as plain data in the form of Tiled's JSON, each object with its line.

    Raises
    ------
    MapFileError
        For broken XML, with line and column; for document types and entities, for what is nested too deep or holds too
        much; for what is neither a map nor a tileset.
    """
    builder = _Builder(file, limits)
    n_bytes = 0
    try:
        for start in range(0, len(text), _PART):
            part = text[start : start + _PART].encode("utf-8", "surrogatepass")
            n_bytes += len(part)
            builder.parser.Parse(part, False)  # noqa: FBT003 - the parser's own call
            if n_bytes - builder.parser.CurrentByteIndex > _LONGEST_TAG:
                raise builder.refused(f"a tag of more than {_LONGEST_TAG} bytes")
        builder.parser.Parse(b"", True)  # noqa: FBT003 - as above
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise MapFileError(file, f"broken XML: {expat.ErrorString(error.code)}", place) from error
    root = builder.root
    if root is None or root.tag not in ("map", "tileset", "template"):
        name = root.tag[:40] if root else ""
        raise MapFileError(file, f"the XML is no map of Tiled: it holds <{name}>, and a map is a <map>", "line 1")
    return _plain(root, file)


def _plain(element: _Element, file: str) -> dict[str, Any]:
    found: dict[str, Any] = {name: _value(name, text, element, file) for name, text in element.attributes.items()}
    found[LINE] = element.line
    if element.tag in _LAYERS:
        found["type"] = _LAYERS[element.tag]
    if element.tag == "map":
        found["tilesets"] = []
    if element.tag in ("map", "tileset", "template"):
        found["type"] = element.tag
    if element.tag in ("map", "group"):
        found["layers"] = []
    if element.tag == "objectgroup":
        found["objects"] = []
    for child in element.children:
        _add(found, element.tag, child, file)
    return found


def _add(found: dict[str, Any], tag: str, child: _Element, file: str) -> None:
    """Put a child where it stands in JSON."""
    if child.tag == "properties":
        found["properties"] = [_property(one) for one in child.children if one.tag == "property"]
    elif tag == "tile" and child.tag == "objectgroup":
        found["objectgroup"] = _plain(child, file)
    elif child.tag in _LAYERS and tag in ("map", "group"):
        found["layers"].append(_plain(child, file))
    elif (tag, child.tag) in (("map", "tileset"), ("tileset", "tile"), ("objectgroup", "object")):
        found.setdefault(f"{child.tag}s", []).append(_plain(child, file))
    elif tag == "template" and child.tag in ("tileset", "object"):
        found[child.tag] = _plain(child, file)
    elif (tag, child.tag) == ("tile", "image") and child.attributes.get("height", "").isdecimal():
        found["imageheight"] = _number("height", child.attributes["height"], child, file)
    elif (tag, child.tag) == ("layer", "data"):
        _add_data(found, child, file)
    elif tag == "object" and child.tag in _SHAPES:
        found[child.tag] = True
    elif tag == "object" and child.tag in ("polygon", "polyline"):
        found[child.tag] = _points(child, file)


def _add_data(found: dict[str, Any], data: _Element, file: str) -> None:
    for name in ("encoding", "compression"):
        if name in data.attributes:
            found[name] = data.attributes[name]
    chunks = [chunk for chunk in data.children if chunk.tag == "chunk"]
    if chunks:
        found["chunks"] = [{**_plain(chunk, file), "data": _tiles(chunk)} for chunk in chunks]
    else:
        found["data"] = _tiles(data)


def _tiles(element: _Element) -> str | list[int]:
    return element.gids or "".join(element.texts)


def _property(element: _Element) -> dict[str, Any]:
    text = element.attributes.get("value", "".join(element.texts))
    kind = element.attributes.get("type", "string")
    value: Any = text
    if kind == "bool":
        value = text.strip().casefold() == "true"
    elif kind in ("int", "float"):
        try:
            value = float(text)
        except ValueError:
            value = text
    return {"name": element.attributes.get("name", ""), "type": kind, "value": value}


def _value(name: str, text: str, element: _Element, file: str) -> Any:  # noqa: ANN401 - any JSON
    if name in _SWITCHES:
        return text.strip() not in ("0", "false", "")
    return _number(name, text, element, file) if name in _NUMBERS else text


def _number(name: str, text: str, element: _Element, file: str) -> float:
    try:
        number = float(text)
        return int(number) if number.is_integer() else number
    except (ValueError, OverflowError):
        problem = f"{name} {text[:40]!r} of <{element.tag}> is no number"
        raise MapFileError(file, problem, f"line {element.line}") from None


def _points(element: _Element, file: str) -> list[dict[str, float]]:
    found = []
    for pair in element.attributes.get("points", "").split():
        x, comma, y = pair.partition(",")
        if not comma:
            raise MapFileError(file, f"{pair[:40]!r} is no point; write x,y", f"line {element.line}")
        found.append({"x": _number("x", x, element, file), "y": _number("y", y, element, file)})
    return found
