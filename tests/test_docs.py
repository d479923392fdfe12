"""The documentation is true: its Python runs, its commands work, its tables and links are right.

The Python blocks of a page run in order, in one module. A `text` block right after one is what it prints, or
the error that it raises; `…` there stands for anything. A block that begins with `# name.py` also goes into
the file of that name; a class in it that begins with `...  # as before` goes on with the one of that name.

In a `console` block every `$ tesuji …` runs. Its output is compared too; after `console sample` it is not,
for what differs from machine to machine, and after `console long` nothing is run. A line that begins with
`tesuji:` is a complaint about bad input, and its exit code is 2.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from docs.make_samples import run_command
from docs.make_tables import with_tables
from tests.registered import only_own
from tesuji.registry import games

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("examples/*.md"))]
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ERROR = re.compile(r"[\w.]*(?:Error|Interrupt): ")
FILE = re.compile(r"# (\w+\.py)\n")
GOES_ON = re.compile(r"class (\w+):\n    \.\.\.  # as before\n")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")

named = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
SLOW_SAMPLES = {"arena.md", "cli.md", "learning.md", "write-your-own-game.md", "zero.md"}
"""Pages whose samples train and play for more than ten seconds."""
with_samples = pytest.mark.parametrize(
    "path",
    [pytest.param(page, marks=[pytest.mark.slow] if page.name in SLOW_SAMPLES else []) for page in PAGES],
    ids=lambda path: str(path.relative_to(ROOT)),
)


@dataclass
class Block:
    """A fenced block of a page."""

    language: str
    words: list[str]
    text: str
    line: int
    follows: bool
    """It stands right after the block before it."""


@dataclass
class Reader:
    """Runs the samples of a page, from top to bottom."""

    page: str
    module: types.ModuleType
    files: dict[str, str] = field(default_factory=dict)

    def run(self, block: Block, expected: str | None) -> None:
        if file := FILE.match(block.text):
            self.write(file[1], block.text[file.end() :])
            source = self.files[file[1]]
        else:
            source = "\n" * block.line + block.text  # so that a traceback names the page's own lines
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(source, self.page, "exec"), vars(self.module))
            except Exception as error:
                if expected is None or not ERROR.match(expected):
                    raise
                compare(f"{type(error).__name__}: {error}", expected)
                return
        if expected is not None:
            compare(output.getvalue(), expected)

    def write(self, name: str, text: str) -> None:
        whole = self.files.get(name, "")
        if more := GOES_ON.match(text):
            body = re.search(rf"^class {more[1]}\b.*\n(?:(?:[ ].*)?\n)*", whole, re.MULTILINE)
            assert body is not None, f"{name} has no class {more[1]}"
            whole = f"{whole[: body.end()].rstrip()}\n{text[more.end() :]}\n\n{whole[body.end() :]}"
        else:
            whole += text
        self.files[name] = whole
        Path(name).write_text(whole, encoding="utf-8")


def blocks(path: Path) -> list[Block]:
    page = path.read_text(encoding="utf-8")
    found: list[Block] = []
    end = 0
    for match in BLOCK.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        follows = not page[end : match.start()].strip() and bool(found)
        found.append(Block(match[1], match[2].split(), match[3], line, follows))
        end = match.end()
    return found


def compare(output: str, expected: str) -> None:
    """Whether this is the output that the page shows."""
    told, shown = (_plain(text) for text in (output, expected))
    pattern = ".*?".join(map(re.escape, shown.split("…")))
    if not re.fullmatch(pattern, told, re.DOTALL):
        assert told == shown


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder to work in, with the examples; games registered here are forgotten afterwards."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    with only_own(games):  # a page may define a game that an example has, too
        yield


@with_samples
def test_code_samples_produce_the_output_shown(
    path: Path, desk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path.stem == "zero":
        pytest.importorskip("torch")
    module = types.ModuleType(f"page_{path.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
    reader = Reader(str(path), module)
    page = blocks(path)
    for block, after in itertools.zip_longest(page, page[1:]):
        if block.language == "python":
            shown = after and after.follows and after.language == "text"
            reader.run(block, after.text if shown else None)
        elif block.language == "console" and "long" not in block.words:
            run_commands(block)


def run_commands(block: Block) -> None:
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        if not command.startswith("tesuji "):
            continue
        done = run_command(command)
        wanted = 2 if re.search("^tesuji: ", expected, re.MULTILINE) else 0
        assert done.returncode == wanted, f"{command}\n{done.stdout}"
        if "sample" not in block.words:
            compare(done.stdout, expected)


@named
def test_a_page_needs_no_file_that_an_installed_package_lacks_unless_it_links_it(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    for block in blocks(path):
        assert not re.search(r"^\s*(?:from|import) examples\b", block.text, re.MULTILINE), block.text
        for file in re.findall(r"\bexamples/\w+\.py\b", block.text):
            linked = re.search(rf"\]\([^)]*(?:{file}|examples/README\.md)\)", page)
            assert linked or path.parent.name == "examples", f"{path.name} does not say where {file} is"


@named
def test_option_tables_agree_with_the_option_classes(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert with_tables(page) == page, "run: python docs/make_tables.py"


@named
def test_internal_links_are_valid(path: Path) -> None:
    for target, anchor in LINK.findall(path.read_text(encoding="utf-8")):
        there = path.parent / target if target else path
        assert there.exists(), f"{path.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(_anchor, headings), f"{path.name} links to {target}#{anchor}"


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = {str(page.relative_to(ROOT / "docs")) for page in PAGES if ROOT / "docs" in page.parents}
    assert pages - set(re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)) == set()


def _anchor(heading: str) -> str:
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
