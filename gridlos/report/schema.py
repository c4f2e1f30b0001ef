"""The JSON Schema of results, made from the record types and shipped with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from gridlos.report.records import RESULT_SCHEMA, Pair, Result

__all__ = ["result_schema", "shipped_result_schema"]


def result_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of results: the columnar document, or the list of one object a pair.

    Examples
    --------
    >>> [branch.get("type", branch.get("$ref")) for branch in result_schema()["anyOf"]]
    ['#/$defs/Result', 'array']
    """
    (result, pairs), definitions = msgspec.json.schema_components([Result, list[Pair]], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{RESULT_SCHEMA.replace('/', ':').replace('.', ':')}",
        "title": RESULT_SCHEMA,
        "anyOf": [result, pairs],
        "$defs": definitions,
    }


def shipped_result_schema() -> str:
    """Return the text of the JSON Schema of results that comes with the package."""
    return files("gridlos.report").joinpath("result.schema.json").read_text(encoding="utf-8")
