"""The examples in the docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

import gridlos

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(gridlos.__path__, "gridlos.") if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", ["gridlos", *MODULES])
def test_examples(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.failed == 0


def test_there_are_modules():
    assert {"gridlos.questions.pairs", "gridlos.rules.judge", "gridlos.kernels.line"} <= set(MODULES)
