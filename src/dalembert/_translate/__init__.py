"""Kernels to machine code: the text of a kernel becomes LLVM, without a detour.

Kernels are written in a small part of Python (decision 0001): numbers, arrays, loops, branches,
other kernels. Nothing is allocated, nothing raised. For so little a translator of a few hundred
lines is enough, and it takes milliseconds where a compiler for all of Python and NumPy takes
seconds (decision 0005).

| file | job |
|---|---|
| `kinds` | what a value can be, and the machine words it consists of |
| `source` | the syntax tree of a kernel, and what the names in it stand for |
| `names` | variables that are bound once, and need no memory |
| `writer` | instructions and blocks as LLVM text |
| `operations` | arithmetic, comparison, conversion |
| `builtin`, `primitives` | what a kernel may call besides kernels |
| `expressions`, `function` | expressions and statements of one kernel |
| `program` | a kernel with everything it calls, and the door by which it is entered |
| `objects` | object code: optimised, kept on disk, loaded |
| `cache` | the folder it is kept in |
| `separate` | kernels compiled apart from their callers, when first called |
| `workers` | compiling in several threads |
| `entry` | the door for Python |

What is not in that part of Python raises `UnsupportedError`.
"""
