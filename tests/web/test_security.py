"""Access control: host names, origins, tokens, sizes of requests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.web.server_process import TIMEOUT, ApiClient, ServerProcess, error_of
from tesuji.cli import main


def test_every_response_has_security_headers(client: ApiClient) -> None:
    for path in ("/api/games", "/api/nothing", "/", "/nothing.js"):
        headers = httpx.get(client.base + path, trust_env=False).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_cross_origin_requests_are_refused(client: ApiClient, headers: dict[str, str]) -> None:
    body = {"game": "hex:size=5", "seats": ["person", "person"]}
    response = client.http.post("/tables", json=body, headers=headers)
    assert error_of(response) == (403, "Cross-origin request refused.")


def test_same_origin_requests_are_accepted(client: ApiClient) -> None:
    body = {"game": "hex:size=5", "seats": ["person", "person"]}
    ours = {"origin": client.base, "sec-fetch-site": "same-origin"}
    assert client.http.post("/tables", json=body, headers=ours).status_code == 201


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[::1", "a:b"]
)
def test_unknown_host_names_are_refused(client: ApiClient, host: str) -> None:
    assert error_of(client.http.get("/games", headers={"host": host})) == (403, f"Unknown host {host!r}.")


@pytest.mark.parametrize(
    "path",
    [
        "/../../app.py",
        "/..%2f..%2fapp.py",
        "/%2e%2e/app.py",
        "/static/../app.py",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
    ],
)
def test_no_file_outside_the_static_folder_is_served(client: ApiClient, path: str) -> None:
    host, port = client.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), TIMEOUT) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n".encode())
        response = b"".join(iter(lambda: raw.recv(65536), b""))
    assert response.startswith(b"HTTP/1.1 404") and b"root:" not in response and b"import" not in response


def test_large_bodies_are_refused_with_and_without_content_length(client: ApiClient) -> None:
    big = b'{"text": "' + b"x" * 1_000_000 + b'"}'
    status, line = error_of(
        client.http.post("/records", content=big, headers={"content-type": "application/json"})
    )
    assert status == 413 and "262144" in line

    def drops() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"x" * 1000

    response = client.http.post("/records", content=drops(), headers={"content-type": "application/json"})
    assert error_of(response)[0] == 413
    assert client.http.get("/games").status_code == 200


@pytest.mark.parametrize(
    ("header", "status"),
    [(b"host: 127.0.0.1", 413), (b"host: elsewhere.example", 403)],
    ids=["long", "barred"],
)
def test_a_client_that_keeps_sending_still_receives_the_refusal(
    client: ApiClient, header: bytes, status: int
) -> None:
    """Closing with unread input would reset the connection, and sending or reading would fail here."""
    ending = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
    host, port = client.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), TIMEOUT) as raw:
        raw.sendall(b"POST /api/records HTTP/1.1\r\n%b\r\ncontent-length: 50000000\r\n\r\n" % header)
        for _ in range(500):
            raw.sendall(b"x" * 100_000)
        raw.sendall(ending)
        response = b"".join(iter(lambda: raw.recv(65536), b""))
    assert response.startswith(b"HTTP/1.1 %d " % status)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("web") / "games.db", "--host", "0.0.0.0", "--workers", "1")
    yield server
    assert server.end() == ""


def test_a_token_is_generated_and_required_beyond_loopback(guarded: ServerProcess) -> None:
    token = guarded.link.partition("?token=")[2]
    assert len(token) >= 20
    for path in ("/", "/api/games", "/api/openapi.json"):
        response = httpx.get(guarded.base + path, trust_env=False)
        assert error_of(response)[0] == 401 and token not in response.text
    assert error_of(httpx.get(f"{guarded.base}/?token=wrong", trust_env=False))[0] == 401
    bearer = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"{guarded.base}/api/games", headers=bearer, trust_env=False).status_code == 200


def test_the_link_sets_a_cookie(guarded: ServerProcess) -> None:
    token = guarded.link.partition("?token=")[2]
    with httpx.Client(base_url=guarded.base, trust_env=False) as browser:
        response = browser.get(f"/?token={token}")
        assert response.status_code == 303 and response.headers["location"] == "/"
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        body = {"game": "hex:size=5", "seats": ["person", "person"]}
        assert browser.post("/api/tables", json=body).status_code == 201


@pytest.mark.parametrize(
    "foreign",
    [
        "[bad]=1; tesuji={}",
        'session="a b; tesuji={}',
        "=; ;tesuji={}; x",
        "tesuji=another; tesuji={}",
        'tesuji="{}"',
        "größe=1; tesuji-8000=another; tesuji-8001={}",
    ],
)
def test_malformed_cookies_of_other_programs_are_ignored(guarded: ServerProcess, foreign: str) -> None:
    token = guarded.link.partition("?token=")[2]
    for given, status in ((token, 200), (token[:-1], 401), ("", 401)):
        cookie = foreign.format(given).encode("latin-1")
        response = httpx.get(f"{guarded.base}/api/games", headers={b"cookie": cookie}, trust_env=False)
        assert response.status_code == status
    basic = {"authorization": "Basic eDp5", "cookie": f"tesuji={token}"}  # of a proxy in front
    assert httpx.get(f"{guarded.base}/api/games", headers=basic, trust_env=False).status_code == 200


def test_two_servers_on_one_host_use_different_cookies(guarded: ServerProcess, tmp_path: Path) -> None:
    with (
        ServerProcess(tmp_path / "games.db", "--host", "0.0.0.0", "--workers", "1") as other,
        httpx.Client(trust_env=False) as browser,
    ):
        for server in (guarded, other):
            assert browser.get(server.base + "/?" + server.link.partition("?")[2]).status_code == 303
        for server in (guarded, other):
            assert browser.get(f"{server.base}/api/games").status_code == 200


def test_a_live_connection_requires_the_token(guarded: ServerProcess) -> None:
    token = guarded.link.partition("?token=")[2]
    with (
        ApiClient(guarded.base, authorization=f"Bearer {token}") as client,
        ApiClient(guarded.base) as stranger,
    ):
        table = client.new("hex:size=5", "person", "person")
        with client.live(table["id"]) as live:
            assert live.next()["type"] == "table"
        with pytest.raises(InvalidStatus), stranger.live(table["id"]) as _:
            pass


def test_invalid_arguments_of_serve_are_one_line_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "games.db")
    assert main(["serve", "--store", store, "--token", "short"]) == 2
    assert "--token must be 8" in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--store", store, "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot listen on 127.0.0.1" in capsys.readouterr().err
    (tmp_path / "text.db").write_text("hello")
    assert main(["serve", "--store", str(tmp_path / "text.db")]) == 2
    assert "is not a Tesuji store" in capsys.readouterr().err
