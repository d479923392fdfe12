"""Hooks of the site: generated content, and Markdown as the site's parser takes it.

`<!-- generated: NAME -->` in a page is replaced by what `content.py` writes under that name. Links that leave
`docs/` lead to the repository. Words after the language of a code block are for the tests, not for the site.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.website import content  # noqa: E402

PROJECT_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "ROADMAP.md": "roadmap.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages that lie beside `docs/`, and their names on the site."""
PLACE = re.compile(r"<!-- generated: (\w+) -->")
INFO_WORDS = re.compile(r"^(```\w+) [\w ]+$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the project's pages, the recorded game and the script for diagrams."""
    for source, name in PROJECT_PAGES.items():
        page = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=_links(page, source, config)))
    for name, text in content.game_files().items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "assets/mermaid.min.js", content=content.mermaid_script()))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Files) -> str:
    """Fill the generated places, and adapt links and code blocks."""
    markdown = PLACE.sub(lambda place: content.GENERATED[place[1]](), markdown)
    markdown = INFO_WORDS.sub(r"\1", markdown)
    if page.file.src_uri in PROJECT_PAGES.values():
        return markdown
    return _links(markdown, f"docs/{page.file.src_uri}", config)


def _links(markdown: str, source: str, config: Any) -> str:
    """The page with links that work on the site; `source` is its path in the repository."""

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        if not (ROOT / path).exists():
            return link[1]
        if path in PROJECT_PAGES:
            path = f"docs/{PROJECT_PAGES[path]}"
        if not path.startswith("docs/"):
            return f"{config.extra['repository']}/blob/main/{path}"
        start = posixpath.dirname(f"docs/{PROJECT_PAGES.get(source, source.removeprefix('docs/'))}")
        return posixpath.relpath(path, start)

    return LINK.sub(target, markdown)
