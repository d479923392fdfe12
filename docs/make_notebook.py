"""Runs the example notebooks and writes their outputs: `python docs/make_notebook.py`.

A cell's output is what it prints, and the value of its last expression as text and, where it has one, as a
picture or a table. That is all that the examples need of Jupyter.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import types
from pathlib import Path
from typing import Any

from tesuji._helpers.notebook import picture

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run_notebook(path: Path) -> dict[str, Any]:
    """The notebook with new outputs; its module stays in `sys.modules`, as dataclasses need."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    module = sys.modules["notebook_cells"] = types.ModuleType("notebook_cells")
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), vars(module), number)
    return notebook


def _outputs(source: str, scope: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), scope)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), scope)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        elif drawn := picture(value):
            data["image/svg+xml"] = drawn.splitlines(keepends=True)
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        outputs.append(result)
    return outputs


def main() -> None:
    """Run every notebook."""
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        text = json.dumps(run_notebook(path), indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
