"""The server of a live view: viser's, behind a gate."""

from __future__ import annotations

import contextlib
import errno
import io
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from dalembert.errors import OptionError
from dalembert.viewer.live_gate import Gate

MOST_PORTS = 100
"""How many ports are tried."""

HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Sent with every answer: the token goes to no other site and stays in no cache."""

NOTHING = '<svg xmlns="http://www.w3.org/2000/svg"/>'
"""A picture without anything in it: the answer to a browser that tells its scheme."""

_opening = threading.Lock()


def need_viser() -> None:
    """Refuse by name where viser is not installed."""
    try:
        import viser  # noqa: F401
    except ImportError as problem:
        raise OptionError(
            "view: the live view needs viser, which is not installed. Install it with"
            " pip install 'dalembert[viewer]', or look at a finished run: dl.save_html(solution,"
            " path) needs nothing else."
        ) from problem


def open_server(gate: Gate, port: int, label: str) -> Any:
    """A viser server behind the gate, without its own banner and without tunnels."""
    import viser

    if isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65536:
        raise OptionError(f"view: port is {port!r}. Give a number between 1 and 65535.")
    free = _free_port(gate.host, port)
    with _opening, contextlib.redirect_stdout(io.StringIO()), _gated(gate) as gated:
        server = viser.ViserServer(host=gate.host, port=free, label=label, verbose=False)
        if not gated:
            server.stop()
            raise OptionError(
                f"view: the installed viser {viser.__version__} opens its server in a way that is"
                " not known here, and the page could not be closed to other sites. Install the"
                " version that fits: pip install 'dalembert[viewer]'."
            )
    _without_tunnels(server)
    return server


@contextlib.contextmanager
def _gated(gate: Gate) -> Iterator[list[Any]]:
    """Servers that viser opens meanwhile ask the gate first; gives a list of them.

    viser has no option for it: `websockets.asyncio.server.serve`, which it calls, is replaced while
    it starts.
    """
    from websockets.asyncio import server as module

    serve, gated = module.serve, []

    def serve_behind_gate(handler: Any, *places: Any, **options: Any) -> Any:
        if not str(getattr(handler, "__module__", "")).startswith("viser."):
            return serve(handler, *places, **options)
        options["process_request"] = _asked(gate, options.get("process_request"))
        gated.append(serve(handler, *places, **options))
        return gated[-1]

    module.serve = serve_behind_gate
    try:
        yield gated
    finally:
        module.serve = serve


def _asked(gate: Gate, then: Callable[[Any, Any], Any] | None) -> Callable[[Any, Any], Any]:
    """Answer pages and websockets: a refusal, or the answer of `then` behind the token."""

    def process_request(connection: Any, request: Any) -> Any:
        headers = request.headers
        reason = gate.refuses(request.path, headers.get_all("Host"), headers.get_all("Origin"))
        if reason is not None:
            answer = connection.respond(403, f"{reason}\n")
        elif then is None:
            return None
        else:
            inside = gate.inside(request.path)
            if gate.hears(inside):
                answer = connection.respond(200, NOTHING)
                del answer.headers["Content-Type"]
                answer.headers["Content-Type"] = "image/svg+xml"
            else:
                answer = then(connection, replace(request, path=inside))
        if answer is not None:
            for name, value in HEADERS.items():
                answer.headers[name] = value
        return answer

    return process_request


def _without_tunnels(server: Any) -> None:
    """Take no request of a page for a tunnel that would make it public, and none to close one."""
    from viser import _messages

    for request in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
        server._websock_server.unregister_handler(request)


def _free_port(host: str, port: int) -> int:
    """The port, or the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + MOST_PORTS, 65536)):
        try:
            with socket.create_server((host, candidate), family=family):
                return candidate
        except OSError as problem:
            refused = problem
            if problem.errno != errno.EADDRINUSE:
                break
    raise OptionError(
        f"view: no page can be served at {host}:{port} ({refused.strerror or refused})."
        " Give another host or port."
    ) from refused
