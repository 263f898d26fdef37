"""Access control: requests must come from the page itself and carry the token of the session."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "induce"
ADDRESS = "address.json"
LEAST_TOKEN = 16
"""Minimum length of a token; shorter ones were not generated here."""
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """ASGI middleware that only admits requests from the workbench's own page.

    Parameters
    ----------
    app : ASGI application
    token : str
        Token of the session, in the address of the first request and in a cookie afterwards.
    port : int
        Port of the server. `Host` must be ``127.0.0.1`` or ``localhost`` with this port, which defeats DNS
        rebinding.
    limit : int
        Maximum size of a request in bytes.
    """

    def __init__(self, app: App, token: str, port: int, limit: int) -> None:
        self._app, self._token, self._limit = app, token, limit
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"{COOKIE}{port}"  # cookies are shared by all ports of a host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no websockets
        refusal = self._refusal(scope)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        token = _token_in(scope)
        if token is not None:
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
            await _answer(send, 303, "", [(b"location", b"/"), (b"set-cookie", cookie.encode())])
            return

        async def headed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = message.get("headers", [])
                named = {name for name, _ in own}  # a report has its own policy
                message["headers"] = [*own, *(each for each in HEADERS if each[0] not in named)]
            await send(message)

        await self._app(scope, self._bounded(receive), headed)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and message of a refusal, or None if the request is admitted."""
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        if headers.get("host", "") not in self._hosts:
            return 403, "this is not the address of the workbench; open the one that induce workbench printed"
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return 403, "the request comes from another page"
        if scope["method"] not in ("GET", "HEAD") and origin is None:
            return 403, "the request has no Origin header"
        told = _token_in(scope)
        known = _cookie_of(headers.get("cookie", ""), self._cookie) if told is None else told
        if not hmac.compare_digest(known.encode(), self._token.encode()):
            return 403, "the token is missing; open the address that induce workbench printed"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit:
            return (
                413,
                f"the file is larger than {self._limit / 1e6:,.0f} MB; open it by induce workbench FILE",
            )
        return None

    def _bounded(self, receive: Receive) -> Receive:
        """Return a receiver that disconnects when a request exceeds the size limit."""
        seen = 0

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return {"type": "http.disconnect"} if seen > self._limit else message

        return bounded


def kept_address(folder: Path) -> tuple[int, str]:
    """Return the last port and the token of a workspace, so that open pages reconnect; port 0 if there is
    none.

    Only the owner can read the file.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> kept_address(folder)[0]
    0
    >>> keep_address(folder, 8765, "a-token-of-a-workspace")
    >>> kept_address(folder)
    (8765, 'a-token-of-a-workspace')
    """
    try:
        told = json.loads((folder / ADDRESS).read_text(encoding="utf-8"))
        port, token = told["port"], told["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return 0, secrets.token_urlsafe(24)
    sound = (
        isinstance(port, int) and 0 < port < 65536 and isinstance(token, str) and len(token) >= LEAST_TOKEN
    )
    return (port, token) if sound else (0, secrets.token_urlsafe(24))


def keep_address(folder: Path, port: int, token: str) -> None:
    """Save the port and the token of a workspace."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ADDRESS
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"port": port, "token": token}, file)


def _token_in(scope: Scope) -> str | None:
    if scope["path"] != "/" or scope["method"] != "GET":
        return None
    found = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token")
    return found[0] if found else None


def _cookie_of(text: str, name: str) -> str:
    try:
        found = SimpleCookie(text).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


async def _answer(
    send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    start = {"type": "http.response.start", "status": status, "headers": [kind, *HEADERS, *(headers or [])]}
    await send(start)
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})
