r"""The grammar of SGF, the Smart Game Format FF[4], for any game (https://www.red-bean.com/sgf/).

    collection = tree {tree}        tree = "(" node {node} {tree} ")"
    node = ";" {property}           property = NAME value {value}        value = "[" anything "]"

In a value, "]" and "\" are escaped with a backslash. Values are kept as written; `text` and `simple_text`
decode them, `escape` encodes. Parsing is not recursive; files may be nested up to `MAX_DEPTH`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

MAX_DEPTH = 1000
"""Maximum nesting of variations."""

_START = re.compile(r"\(\s*;")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})|\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\])", re.DOTALL)
_SPACE = re.compile(r"\s*")
_LINE_END = r"\r\n|\n\r|\n|\r"
_SPECIAL = re.compile(rf"\\({_LINE_END})|\\(.)|({_LINE_END})|([\t\v\f])", re.DOTALL)


class SGFError(ValueError):
    """Invalid SGF; one line with the position and the problem."""


@dataclass
class Node:
    """A node: its properties (name to values as written), and its line number from 1."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    line: int = field(default=1, compare=False)

    def get(self, name: str) -> str | None:
        """The first value of a property as simple text; None if it is missing."""
        values = self.properties.get(name)
        return simple_text(values[0]) if values else None


@dataclass
class Tree:
    """A sequence of nodes and the variations after it; the first variation is the main line."""

    nodes: list[Node] = field(default_factory=list)
    trees: list[Tree] = field(default_factory=list)

    def main_line(self) -> Iterator[Node]:
        """The nodes of the main line."""
        tree = self
        while True:
            yield from tree.nodes
            if not tree.trees:
                return
            tree = tree.trees[0]


def parse(text: str) -> list[Tree]:
    r"""The trees of a collection; text before the first tree is ignored, as the standard requires.

    >>> tree, = parse("(;GM[11]SZ[5];B[c3](;W[d2];B[b4])(;W[a1]))")
    >>> [node.get("B") or node.get("W") for node in tree.main_line()]
    [None, 'c3', 'd2', 'b4']
    >>> parse("(;GM[11")
    Traceback (most recent call last):
        ...
    tesuji.records.sgf.SGFError: line 1, character 5: missing ] after the value
    """
    first = _START.search(text)
    if first is None:
        raise SGFError("no game: missing '(;'")
    return _Parser(text, first.start()).collection()


def write(trees: Sequence[Tree]) -> str:
    r"""A collection as text, one line per node; the inverse of `parse`.

    >>> write(parse("(;SZ[3];B[a1])"))
    '(;SZ[3]\n;B[a1])\n'
    """
    parts: list[str] = []
    for tree in trees:
        stack: list[Tree | str] = [tree]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            nodes = "\n".join(";" + _properties(node) for node in item.nodes)
            parts.append(f"({nodes}" if not parts or parts[-1].endswith("\n") else f"\n({nodes}")
            stack.append(")")
            stack.extend(reversed(item.trees))
        parts.append("\n")
    return "".join(parts)


def text(value: str) -> str:
    r"""Decode a value, with line ends as \n: `text(r"a\]") == "a]"`."""

    def decoded(found: re.Match[str]) -> str:
        soft, escaped, line_end, _space = found.groups()
        if soft is not None:
            return ""
        if escaped is not None:
            return " " if escaped in "\t\v\f" else escaped
        return " " if line_end is None else "\n"

    return _SPECIAL.sub(decoded, value)


def simple_text(value: str) -> str:
    r"""Decode a value on one line: `simple_text("a\nb") == "a b"`."""
    return text(value).replace("\n", " ")


def escape(plain: str) -> str:
    r"""Encode a text as a value: `escape("a]") == r"a\]"`."""
    return re.sub(r"([\\\]])", r"\\\1", plain)


def decode(data: bytes) -> str:
    """Decode a file: as UTF-8 if possible, else as Latin-1, the default of the standard."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _properties(node: Node) -> str:
    return "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in node.properties.items() if values
    )


class _Parser:
    """A one-pass parser."""

    def __init__(self, source: str, start: int) -> None:
        self.source = source
        self.at = start
        self.line = 1 + source.count("\n", 0, start)
        self.trees: list[Tree] = []
        self.open: list[Tree] = []

    def collection(self) -> list[Tree]:
        while True:
            begin = self.at
            found = _TOKEN.match(self.source, begin)
            if found is None:
                self._end_or_error()
                return self.trees
            self.line += self.source.count("\n", begin, found.end())
            self.at = found.end()
            mark, name, value = found.groups()
            if mark == "(":
                self._begin_tree()
            elif mark == ")":
                self._end_tree()
            elif mark == ";":
                self._begin_node()
            elif name is not None:
                self._property(name)
            else:
                raise self._error(f"[{repr(value[:20])[1:-1]}] has no property", found.start(3) - 1)

    def _begin_tree(self) -> None:
        if len(self.open) == MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} nested variations", self.at - 1)
        tree = Tree()
        if self.open:
            if not self.open[-1].nodes:
                raise self._error("expected ; after (", self.at - 1)
            self.open[-1].trees.append(tree)
        else:
            self.trees.append(tree)
        self.open.append(tree)

    def _end_tree(self) -> None:
        if not self.open:
            raise self._error(") without (", self.at - 1)
        if not self.open.pop().nodes:
            raise self._error("expected ; after (", self.at - 1)

    def _begin_node(self) -> None:
        if not self.open or self.open[-1].trees:
            raise self._error("; must follow ( or another node", self.at - 1)
        self.open[-1].nodes.append(Node(line=self.line))

    def _property(self, written: str) -> None:
        name = re.sub("[a-z]", "", written)  # before FF[4], Black[a1] was B[a1]
        place = self.at - len(written)
        if not name or not self.open or not self.open[-1].nodes or self.open[-1].trees:
            raise self._error(f"{written!r} is not a property of a node", place)
        properties = self.open[-1].nodes[-1].properties
        if name in properties:
            raise self._error(f"{name} is given twice in one node", place)
        values = properties[name] = []
        while (found := _TOKEN.match(self.source, self.at)) and found[3] is not None:
            self.line += self.source.count("\n", self.at, found.end())
            self.at = found.end()
            values.append(found[3])
        if not values:
            if self.source.startswith("[", (start := self._next())):
                raise self._error("missing ] after the value", start)
            raise self._error(f"{name} has no value", place)

    def _end_or_error(self) -> None:
        place = self._next()
        if place < len(self.source):
            if self.source[place] == "[":
                raise self._error("missing ] after the value", place)
            raise self._error(f"unexpected {self.source[place]!r}", place)
        if self.open:
            raise self._error(f"missing {len(self.open)} ) at the end", place)

    def _next(self) -> int:
        """The start of the next token."""
        found = _SPACE.match(self.source, self.at)
        return found.end() if found else self.at

    def _error(self, message: str, place: int) -> SGFError:
        line = 1 + self.source.count("\n", 0, place)
        character = place - self.source.rfind("\n", 0, place)
        return SGFError(f"line {line}, character {character}: {message}")
