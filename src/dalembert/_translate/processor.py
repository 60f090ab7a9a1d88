"""Processors that code is made for: that of this machine, or another."""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def processor() -> tuple[str, str, str, str]:
    """Marks of this processor and compiler: version, triple, name, features."""
    import llvmlite
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features().flatten()
    triple = binding.get_process_triple()
    return llvmlite.__version__, triple, binding.get_host_cpu_name(), features


def target_machine() -> Any:
    """A new target machine of this processor; an engine takes it into its possession."""
    _, triple, cpu, features = processor()
    return machine_for(triple, cpu, features)


def machine_for(triple: str, cpu: str, features: str = "") -> Any:
    """A new target machine."""
    from llvmlite import binding

    if triple != processor()[1]:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
    return binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=2, codemodel="jitdefault", jit=True
    )
