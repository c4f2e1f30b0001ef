"""A compiled kernel as it is stored, and read again without what only the compiler needs.

numba reads a compiled kernel as if others were to be compiled against it: it takes in the kernel's bitcode, looks through
its symbols, imports the modules of all that it calls and registers everything that numba can compile. To call the kernel
takes its machine code alone.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from llvmlite import binding
from numba.core import caching, codegen, compiler
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime import rtsys

__all__ = ["StoredKernels"]

_Environment: TypeAlias = tuple[str | None, list[Any], str]
_Library: TypeAlias = tuple[str, bytes, bytes, tuple[str, ...]]


class _StoredLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Machine code; its bitcode is read when another kernel is compiled against it."""

    _shared_module: Any

    def __init__(self, engine: Any, stored: _Library) -> None:  # noqa: ANN401
        name, code, self._bitcode, symbols = stored
        super().__init__(engine, name)
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()
        engine._engine._defined_symbols.update(symbols)  # noqa: SLF001 - what numba does once it has read the bitcode

    def _get_module_for_linking(self) -> Any:  # noqa: ANN401
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


class StoredKernels(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """What is stored of a compiled kernel, and how it is made of that again."""

    def reduce(self, cres: Any) -> tuple[Any, ...]:  # noqa: ANN401
        """Return what is stored: all that can be pickled and takes no import to be read."""
        (name, _, (code, bitcode)), _, environment, *_, environments = cres._reduce()  # noqa: SLF001 - as numba does
        shared = cres.library._get_module_for_linking()  # noqa: SLF001 - as numba does when it reads
        named = (*shared.functions, *shared.global_variables)
        symbols = tuple(one.name for one in named if not one.is_declaration)
        library = (name, code, bitcode, symbols)
        return library, cres.fndesc, cres.signature, _of_environment(environment), [*map(_of_environment, environments)]

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:  # noqa: ANN401
        """Return the compiled kernel, ready to be called."""
        stored, fndesc, signature, own, others = payload
        rtsys.initialize(target_context)
        library = _StoredLibrary(target_context.codegen(), stored)
        environment, environments = _environment(own), [_environment(one) for one in others]
        entry_point = target_context.get_executable(library, fndesc, environment)
        for one in environments:
            library.codegen.set_env(one.env_name, one)
        return compiler.compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=entry_point,
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=[],
            referenced_envs=environments,
        )


def _of_environment(environment: Any) -> _Environment:  # noqa: ANN401
    return environment.globals.get("__name__"), environment.consts, environment.env_name


def _environment(stored: _Environment) -> Any:  # noqa: ANN401
    """Return the one environment of that name; of its globals only their module's name, since compiled code reads but constants."""
    module, constants, name = stored
    found = lookup_environment(name)
    if found is None:
        found = Environment({"__name__": module})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found  # noqa: SLF001 - where numba looks for it
    return found
