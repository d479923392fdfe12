"""The ASGI application: the API, the live connection and the page, inside the security middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

import tesuji.web
from tesuji.web.http import errors, live, store_api, tables_api
from tesuji.web.http.security import SecurityMiddleware
from tesuji.web.services import Services

STATIC = Path(tesuji.web.__file__).parent / "static"


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
    app.mount("/", StaticFiles(directory=STATIC, html=True, check_dir=False))
    return app
