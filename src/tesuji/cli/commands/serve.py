"""`tesuji serve`: the board in the browser."""

from __future__ import annotations

import os
import re
import secrets
import sys
import threading
from functools import partial
from typing import Annotated

import typer

from tesuji._helpers.extras import require
from tesuji.cli.shared.arguments import DEFAULT_STORE, Load, StoreFile, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.loading import files_to_load, load
from tesuji.scale import cores

TOKEN_BYTES = 18
PER_ADDRESS = "tesuji: --per-address is ignored: limit connections per address in a reverse proxy"


def serve(
    host: Annotated[
        str, option("NAME", "Address to listen on; any but loopback requires a token.")
    ] = "127.0.0.1",
    port: Annotated[int, option("N", "Port to listen on; 0: any free port.", min=0, max=65535)] = 8000,
    store: StoreFile = DEFAULT_STORE,
    token: Annotated[str | None, option("TEXT", "Access token; generated if needed.")] = None,
    workers: Annotated[int | None, option("N", "Search processes.", min=1, max=256)] = None,
    per_address: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, hidden=True),
    ] = None,
    open_page: Annotated[bool, flag("Open the board in a browser.", "--open")] = False,
    files: Load = None,
) -> int:
    """Play and analyse games in the browser.

    Prints the link to open. Ctrl-C stops the server; games continue when it is started again.
    """
    require("board", "the board in the browser")
    from tesuji.records.store import Store
    from tesuji.registry import bots
    from tesuji.web.http.security import LOOPBACK
    from tesuji.web.http.server import Server
    from tesuji.web.limits import ServerLimits
    from tesuji.web.services import Services

    if token is not None and not re.fullmatch("[A-Za-z0-9_-]{8,200}", token):
        raise BadInput("--token must be 8 to 200 letters, digits, - and _")
    known = set(bots.names())
    load(files)
    loaded = [name for name in bots.names() if name not in known]
    outside = host not in LOOPBACK
    if outside and token is None:
        token = secrets.token_urlsafe(TOKEN_BYTES)
    with input_errors():
        kept = Store(store)
        # One person's board may use the whole machine for a search; on a network, each search has one core.
        limits = ServerLimits(workers=workers or 0, threads=1 if outside else cores())
        if per_address is not None:
            print(PER_ADDRESS, file=sys.stderr)
    with kept:
        loads = partial(load, [path.absolute() for path in files_to_load(files)])
        services = Services(kept, limits, loads=loads, loaded_bots=loaded)
        with input_errors():
            server = Server(services, host=host, port=port, token=token, hosts=None if outside else LOOPBACK)
        print(f"Tesuji is at {server.link} (Ctrl-C stops it)", flush=True)
        if open_page:
            _open(server.link)
        return server.run()


def _open(link: str) -> None:
    """Open the page; not without a display, where a text browser would hide the link."""
    import webbrowser

    if sys.platform in ("darwin", "win32") or os.environ.keys() & {"DISPLAY", "WAYLAND_DISPLAY"}:
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
