"""Programs as modules of WebAssembly: sections, exports, and what they compute in node."""

import base64
import json
import math
import re
import shutil
import subprocess

import numpy as np
import pytest
from tests.wasm_bits import PLAYER

from dalembert._jit import kernel
from dalembert._translate import wasm
from dalembert._translate.kinds import FLOAT, INTEGER
from dalembert._translate.portable import _functions, portable
from dalembert._translate.program import Program, entry_door
from dalembert._translate.wasm_object import module_of, number, read, sections_of, signed
from dalembert.engine.engine import Making

TABLE = np.array([0.5, 0.25, 2.0])


@kernel
def polynomial(x, out):
    """A loop over a table, a function of the library, a whole number."""
    total = 0.0
    for k in range(len(TABLE)):
        total += TABLE[k] * x**k
        out[k] = math.sin(total) + math.atan2(total, x)
    return round(total)


def making():
    """An engine of it."""
    made, out = Making(), np.zeros(3)
    made.entry("polynomial", polynomial, 0.0, out)
    made.array("out", out)
    return made


def test_a_module_asks_for_a_memory_and_nothing_to_compute_with():
    engine = making().engine()
    (module,) = engine.modules
    assert module.code[:8] == b"\0asm\1\0\0\0"
    assert set(module.imports) <= {
        "__linear_memory",
        "__stack_pointer",
        "__indirect_function_table",
    }
    assert module.data_end >= TABLE.nbytes  # the table is data of the module
    kinds = [kind for kind, _ in sections_of(module.code)]
    assert kinds == sorted(kinds, key=lambda kind: 9.5 if kind == 12 else kind)
    assert 0 not in kinds  # nothing of the linker's


def in_node(engine, tmp_path, lines):
    """What a script with an engine writes."""
    script = tmp_path / "run.mjs"
    script.write_text(
        f'import {{ Engine }} from "{(PLAYER / "engine.js").as_uri()}";'
        'import { readFileSync } from "node:fs";'
        "const { spec, codes, memory } = JSON.parse(readFileSync(0));"
        'const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));'
        "const engine = await Engine.open(spec, codes.map(bytes), bytes(memory));" + lines
    )
    given = {
        "spec": engine.spec,
        "codes": [base64.b64encode(module.code).decode() for module in engine.modules],
        "memory": base64.b64encode(engine.memory).decode(),
    }
    done = subprocess.run(
        ["node", str(script)], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_it_computes_in_node_what_the_text_says(tmp_path):
    found = in_node(
        making().engine(),
        tmp_path,
        'const whole = engine.call("polynomial", 1.7);'
        "process.stdout.write(JSON.stringify([whole, ...engine.arrays.out]));",
    )
    out = np.zeros(3)
    wanted = polynomial.function(1.7, out)
    assert found[0] == wanted
    assert np.allclose(found[1:], out, rtol=1e-15)


def test_portable_texts_fuse_nothing_and_call_no_library():
    text = portable(
        "  %a = fmul contract double %x, %y\n"
        "  %b = call contract double @llvm.sin.f64(double %a)\n"
        "  %c = call double @llvm.sqrt.f64(double %b)\n"
        "  %d = call {double, double} @llvm.sincos.f64(double %c)\n"
        "  %e = call double @tan(double %c)\n"
    )
    assert "contract" not in text
    assert re.findall(r"@([\w.]+)\(", text) == [
        "own.llvm.sin.f64",
        "llvm.sqrt.f64",
        "own.llvm.sincos.f64",
        "own.tan",
    ]
    own = _functions()
    assert "contract" not in own
    library = {"sqrt", "fabs", "copysign", "rint", "abs"}
    assert set(re.findall(r"call double @llvm\.(\w+)\.f64", own)) <= library


@pytest.mark.parametrize("n", [0, 1, 127, 128, 300, 70000, 2**31])
def test_numbers_are_read_as_they_were_written(n):
    for written in (number(n), signed(n)):
        assert read(written + b"\xff", 0) == (n, len(written))
    assert not signed(n)[-1] & 64  # the sign bit is free


@kernel
def entry_of(x, k):
    """An entry of the table, wherever that is."""
    return TABLE[k] * x


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_a_checked_module_tells_of_an_index(tmp_path):
    made = Making(checked=True)
    made.entry("entry_of", entry_of, 0.0, 0)
    found = in_node(
        made.engine(),
        tmp_path,
        'let said = ""; try { engine.call("entry_of", 1, 7) } catch (e) { said = e.message }'
        'process.stdout.write(JSON.stringify([engine.call("entry_of", 3, 2), said]));',
    )
    assert found[0] == 6.0
    assert "entry_of" in found[1]
    assert "out of range" in found[1]


def test_data_of_a_module_stands_where_it_is_told():
    program = Program(checked=False, whole=True)
    door, _ = entry_door(program, "entry_of", entry_of.function, (FLOAT, INTEGER))
    code, _ = wasm.kernels_object(None, lambda: (program.text(door), ""))
    first, moved = (module_of(code, ["entry_of"], {3: "entry_of"}, at) for at in (0, 100_000))
    assert moved.data_end - first.data_end == 100_000
    differ = [k for k, (a, b) in enumerate(zip(first.code, moved.code, strict=False)) if a != b]
    assert differ  # the address in the code, and that of the segment
    assert "__indirect_function_table" in moved.imports


def test_kernels_are_compiled_once(monkeypatch):
    begun = []
    compiled = wasm._object
    monkeypatch.setattr(
        wasm, "_object", lambda texts, **options: begun.append(1) or compiled(texts, **options)
    )
    first, second = making().engine(), making().engine()
    assert len(begun) <= 1
    assert first.modules == second.modules
    assert first.spec == second.spec
