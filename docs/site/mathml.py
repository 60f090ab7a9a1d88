r"""Formulas as MathML, made when the site is built; \tag{n} is the number beside one."""

import html
import re

from latex2mathml.converter import convert

TAG = re.compile(r"\\tag\{([^}]*)\}")


def of(text, *, block):
    """MathML of a formula, with the formula itself for readers without it."""
    made = convert(TAG.sub("", text).strip(), display="block" if block else "inline")
    return made.replace("<math ", f'<math alttext="{html.escape(text.strip())}" ', 1)


def visit_inline(self, node):
    """A formula in a line."""
    self.body.append(of(node.astext(), block=False))
    raise nodes_skip()


def visit_block(self, node):
    """A formula of its own, with its number."""
    number = TAG.search(node.astext())
    tag = f'<span class="tag">({html.escape(number[1])})</span>' if number else ""
    self.body.append(f'<div class="math">{of(node.astext(), block=True)}{tag}</div>')
    raise nodes_skip()


def nodes_skip():
    """What tells docutils that a node is done."""
    from docutils.nodes import SkipNode

    return SkipNode()


def setup(app):
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
