"""The ASGI application: the API, the live connection and the page, inside the security middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from tesuji import __version__
from tesuji.web import api, error_handlers, live, store_api
from tesuji.web.security import SecurityMiddleware
from tesuji.web.services import Services

STATIC = Path(__file__).parent / "static"


def make_app(
    services: Services, *, token: str | None = None, hosts: Iterable[str] | None = None
) -> SecurityMiddleware:
    """The complete application: `uvicorn.run(make_app(Services(store, Limits())))`."""
    return SecurityMiddleware(
        make_api(services), body_bytes=services.limits.body_bytes, token=token, hosts=hosts
    )


def make_api(services: Services) -> FastAPI:
    """The application without the security middleware."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.open()
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(
        title="Tesuji",
        description="Play, analyse and review board games.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    error_handlers.install(app)
    app.include_router(api.router)
    app.include_router(store_api.router)
    app.include_router(live.router)
    app.mount("/", Page(directory=STATIC, html=True, check_dir=False))
    return app


class Page(StaticFiles):
    """The static files of the page; browsers revalidate them on every load."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a file of the folder."""
        if scope["type"] != "http":  # a WebSocket to an unknown path
            await send({"type": "websocket.close", "code": 4404})
            return

        async def send_uncached(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (b"cache-control", b"no-cache")]  # type: ignore[misc]
                message = {**message, "headers": headers}
            await send(message)

        await super().__call__(scope, receive, send_uncached)  # type: ignore[arg-type]
