"""The types of the page's JavaScript, from the server's: `python .ci/page_types.py` renews `static/types.js`.

Every class of `tesuji.web.schema` becomes a JSDoc typedef, with its docstrings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "src" / "tesuji" / "web"
TYPES = WEB / "static" / "types.js"
HEAD = "/**\n * Types of the server's JSON, for documentation and editors; made by .ci/page_types.py.\n"
NAMES = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "None": "null", "Any": "any"}


def typescript(node: ast.expr) -> str:
    """An annotation in the syntax of TypeScript."""
    match node:
        case ast.BinOp(left=left, right=right):
            return f"{typescript(left)}|{typescript(right)}"
        case ast.Subscript(value=ast.Name("list"), slice=item):
            inner = typescript(item)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case ast.Subscript(value=ast.Name("dict"), slice=ast.Tuple([key, value])):
            return f"Record<{typescript(key)}, {typescript(value)}>"
        case ast.Subscript(value=ast.Name("Literal"), slice=values):
            words = values.elts if isinstance(values, ast.Tuple) else [values]
            return "|".join(f'"{ast.literal_eval(word)}"' for word in words)
        case ast.Subscript(value=ast.Name("NotRequired"), slice=item):
            return typescript(item)
    name = ast.unparse(node)
    return NAMES.get(name, name)


def lines(tree: ast.Module) -> Iterator[str]:
    """The lines of the typedefs, in the order of the classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) != "TypedDict"]
            about = (ast.get_docstring(node) or "").splitlines()[0]
            own = f"{node.name}Own" if bases else node.name
            yield f"@typedef {{object}} {own}  {about}"
            for at, field in enumerate(node.body):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    kind, name = typescript(field.annotation), field.target.id
                    after = node.body[at + 1] if at + 1 < len(node.body) else None
                    doc = ast.literal_eval(after.value) if isinstance(after, ast.Expr) else ""
                    optional = "NotRequired" in ast.unparse(field.annotation)
                    yield f"@property {{{kind}}} {f'[{name}]' if optional else name}  {doc}"
            if bases:
                yield f"@typedef {{{'&'.join([*bases, own])}}} {node.name}"
            yield ""
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield from (f"@typedef {{{typescript(node.value)}}} {node.targets[0].id}", "")


def page_types() -> str:
    """The whole file."""
    tree = ast.parse((WEB / "schema.py").read_text(encoding="utf-8"))
    body = "\n".join(f" * {line}".rstrip() for line in ["", *lines(tree)][:-1])
    return f"{HEAD}{body}\n */\nexport {{}};\n"


if __name__ == "__main__":
    TYPES.write_text(page_types(), encoding="utf-8")
