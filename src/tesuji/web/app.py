"""The application: all calls, the live connection and the page, behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from tesuji import __version__
from tesuji.web import api, live, problems, stored
from tesuji.web.rooms import Rooms
from tesuji.web.safety import Guard

STATIC = Path(__file__).parent / "static"


def make_app(rooms: Rooms, *, token: str | None = None, hosts: Iterable[str] | None = None) -> Guard:
    """The application as a server runs it: `uvicorn.run(make_app(Rooms(store, Limits())))`."""
    return Guard(make_api(rooms), body=rooms.limits.body, token=token, hosts=hosts)


def make_api(rooms: Rooms) -> FastAPI:
    """The application without the guard."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        rooms.open()
        try:
            yield
        finally:
            await rooms.close()

    app = FastAPI(
        title="Tesuji",
        description="Play, analyse and review board games.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages come from elsewhere, and nothing here does
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.rooms = rooms
    problems.install(app)
    app.include_router(api.router)
    app.include_router(stored.router)
    app.include_router(live.router)
    app.mount("/", Page(directory=STATIC, html=True, check_dir=False))
    return app


class Page(StaticFiles):
    """Our own files; a browser asks each time whether they have changed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file of the folder, and never one outside of it."""
        if scope["type"] != "http":  # a live connection to nowhere
            await send({"type": "websocket.close", "code": 4404})
            return

        async def sending(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (b"cache-control", b"no-cache")]  # type: ignore[misc]
                message = {**message, "headers": headers}
            await send(message)

        await super().__call__(scope, receive, sending)  # type: ignore[arg-type]
