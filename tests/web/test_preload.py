"""The page requests all of its modules at once."""

from __future__ import annotations

import re

import httpx

from tests.web.server_process import ServerProcess
from tesuji.web.http.app import STATIC

IMPORT = re.compile(r'^(?:import|export) [^;"(]*"(\.[^"]+)"', re.MULTILINE)
PRELOAD = re.compile(r'<link rel="modulepreload" href="([^"]+)">')


def test_every_module_of_the_page_is_preloaded(server: ServerProcess) -> None:
    """Otherwise a module is requested only after all those through which it is imported, one by one."""
    found, todo = {"main.js"}, ["main.js"]
    while todo:
        path = STATIC / todo.pop()
        for target in IMPORT.findall(path.read_text()):
            module = (path.parent / target).resolve().relative_to(STATIC.resolve()).as_posix()
            if module not in found:
                found.add(module)
                todo.append(module)
    preloaded = PRELOAD.findall(httpx.get(f"{server.base}/", trust_env=False).text)
    assert found - {"main.js"} <= set(preloaded)
    assert all((STATIC / module).exists() for module in preloaded)
