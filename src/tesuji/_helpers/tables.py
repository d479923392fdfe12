"""Tables of text: in aligned columns, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape


def text_table(columns: Mapping[str, Sequence[str]], *, left: Collection[str] = ()) -> list[str]:
    r"""Lines with a heading; the columns named in `left` are flush left, all others flush right.

    >>> print(*text_table({"move": ["c2", "a10"], "visits": ["90", "7"]}, left=["move"]), sep="\n")
    move  visits
    c2        90
    a10        7
    """
    widths = {name: max(map(len, [name, *cells])) for name, cells in columns.items()}
    rows = [tuple(columns), *zip(*columns.values(), strict=True)]
    lines = []
    for row in rows:
        cells = [
            text.ljust(widths[name]) if name in left else text.rjust(widths[name])
            for name, text in zip(columns, row, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def html_table(columns: Mapping[str, Sequence[str]]) -> str:
    """The same as HTML.

    >>> html_table({"a<b": ["1"]})
    '<table><thead><tr><th>a&lt;b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = zip(*columns.values(), strict=True)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
