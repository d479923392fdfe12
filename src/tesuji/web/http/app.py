"""The ASGI application: the API, the live connection and the page, inside the security middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

import tesuji.web
from tesuji.web.http import errors, live, store_api, tables_api
from tesuji.web.http.security import SecurityMiddleware
from tesuji.web.services import Services

STATIC = Path(tesuji.web.__file__).parent / "static"
NO_MODULES = ("main.js", "types.js")  # the page's script itself, and types


def make_app(
    services: Services, *, token: str | None = None, hosts: Iterable[str] | None = None
) -> SecurityMiddleware:
    """The complete application: `uvicorn.run(make_app(Services(store, ServerLimits())))`."""
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
        version=tesuji.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    errors.install(app)
    for routes in (tables_api, store_api, live):
        app.include_router(routes.router)
    app.add_route("/", _page, include_in_schema=False)
    app.mount("/", StaticFiles(directory=STATIC, html=True, check_dir=False))
    return app


async def _page(request: Request) -> Response:
    """The page, which requests all its modules at once; otherwise each would follow those that import it."""
    modules = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
    links = [f'<link rel="modulepreload" href="{one}">' for one in modules if one not in NO_MODULES]
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("<!-- modules -->", "\n    ".join(links)))
