"""Who may look at a live view: whoever has the printed address, from no page of another site."""

import contextlib
import http.client
import re
import socket
import time
import types
from urllib.parse import urlsplit

import pytest

import dalembert as dl
from dalembert import errors
from dalembert.viewer.live_gate import Gate

viser = pytest.importorskip("viser")
import msgspec.msgpack  # noqa: E402
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402


@pytest.fixture(scope="module")
def live():
    view = dl.view(
        dl.catalog.load("pendulum"), step=1e-3, open_browser=False, block=False, port=8991
    )
    yield view
    view.stop()


def parts(live):
    """Port and path of the page."""
    address = urlsplit(live.url)
    return address.port, address.path


@contextlib.contextmanager
def client(live, *, path=None, host=None, origin="same"):
    """A websocket as a browser opens it, with the headers given."""
    port, whole = parts(live)
    host = f"127.0.0.1:{port}" if host is None else host
    origin = f"http://{host}" if origin == "same" else origin
    with (
        socket.create_connection(("127.0.0.1", port)) as line,
        connect(
            f"ws://{host}{whole if path is None else path}",
            sock=line,
            origin=origin,
            subprotocols=[f"viser-v{viser.__version__}"],
        ) as opened,
    ):
        yield opened


def page(live, *, path=None, **headers):
    """Status and headers of a plain request."""
    port, whole = parts(live)
    asked = http.client.HTTPConnection("127.0.0.1", port)
    asked.request("GET", whole if path is None else path, headers=headers)
    answer = asked.getresponse()
    return answer.status, answer.headers, answer.read()


def others(live):
    """Requests that are not to be answered."""
    port, path = parts(live)
    evil = "rebound.example"
    return [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://localhost:{port}"},  # another site to a browser
        {"origin": f"http://127.0.0.1:{port + 1}"},  # another program of this computer
        {"host": f"{evil}:{port}"},
        {"host": f"{evil}:{port}", "origin": f"http://127.0.0.1:{port}"},
        {"host": f"127.0.0.1.{evil}:{port}"},
        {"host": f"192.168.7.7:{port}"},
        {"path": "/"},
        {"path": "/wrong/"},
        {"path": path[:-2] + "/"},
        {"path": f"/{'a' * 32}/"},
        {"path": f"/?token={path.strip('/')}"},
        {"path": f"//{path.strip('/')}/"},
    ]


def test_the_address_that_was_printed_connects(live):
    with client(live) as opened:
        assert len(opened.recv(timeout=20)) > 0  # the scene
    with client(live, path=parts(live)[1].rstrip("/")) as opened:  # as viser's page asks
        assert len(opened.recv(timeout=20)) > 0
    with client(live, host="localhost:9000") as opened:  # through a forwarded port
        assert len(opened.recv(timeout=20)) > 0
    with client(live, origin=None) as opened:  # a program, which has the token
        assert len(opened.recv(timeout=20)) > 0


def test_the_page_is_as_dark_as_the_system_of_whoever_looks(live):
    """A browser chooses a picture by it; the box in the panel has the last word."""

    def chosen(scheme):
        found = re.search(rf'"(/[^"]*/{scheme}\.svg[^"]*)"', live.panel.scheme.content)
        status, headers, content = page(live, path=found[1])
        assert status == 200
        assert headers["Content-Type"] == "image/svg+xml"
        assert content.startswith(b"<svg")
        return found[1]

    first = chosen("dark")
    assert_soon(lambda: live.panel.dark.value)
    chosen("light")
    assert_soon(lambda: not live.panel.dark.value)
    assert_soon(lambda: first not in live.panel.scheme.content)  # it is asked for once more
    live.panel.chose_light = True
    chosen("dark")
    time.sleep(0.2)
    assert not live.panel.dark.value
    assert page(live, path=first.replace(live.gate.token, "a" * 32))[0] == 403


def assert_soon(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("which", range(14))
def test_others_are_refused_as_websockets(live, which):
    with pytest.raises(InvalidStatus) as refused, client(live, **others(live)[which]):
        pass
    assert refused.value.response.status_code == 403


def test_the_page_itself_asks_for_the_token_and_the_right_names(live):
    port, path = parts(live)
    status, headers, text = page(live)
    assert status == 200
    assert b"<!doctype html>" in text
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    for refused in (
        {"path": "/"},
        {"path": "/index.html"},
        {"path": "/wrong/index.html"},
        {"Host": f"rebound.example:{port}"},
        {"Origin": "http://evil.example"},
    ):
        status, _, text = page(live, **refused)
        assert status == 403
        assert len(text) < 100
        assert path.strip("/").encode() not in text
    assert page(live, path=f"{path}no-such-file")[0] == 404
    assert page(live, path=f"{path}../index.html")[0] == 404


def test_two_hosts_in_one_request_are_refused(live):
    port, path = parts(live)
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n".encode()
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 403")


def test_no_page_can_ask_for_a_tunnel(live, monkeypatch):
    asked = []
    monkeypatch.setattr("viser._viser.ViserTunnel", lambda *where: asked.append(where))
    monkeypatch.setattr(live.server, "request_share_url", lambda *_: asked.append("url"))
    handlers = live.server._websock_server._incoming_handlers
    assert not [kind for kind in handlers if "Share" in kind.__name__]
    with client(live) as opened:
        opened.recv(timeout=20)
        for kind in ("ShareUrlRequest", "ShareUrlDisconnect"):
            opened.send(msgspec.msgpack.encode({"type": kind}))
        time.sleep(0.5)
        opened.ping().wait(20)  # it is still served
    assert asked == []


def test_every_page_has_a_token_of_its_own():
    tokens = {Gate("127.0.0.1").token for _ in range(100)}
    assert len(tokens) == 100
    assert min(len(token) for token in tokens) >= 32


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),
        ("::1", "http://[::1]:80/"),
        ("robot.lab", "http://robot.lab:80/"),
    ],
)
def test_the_address_can_be_opened(host, url):
    gate = Gate(host)
    assert gate.url(80) == f"{url}{gate.token}/"


def test_for_other_computers_addresses_in_numbers_and_own_names_are_taken():
    gate = Gate("0.0.0.0")
    path = f"/{gate.token}/"
    for host in ("192.168.7.7:8080", "[fe80::1]:8080", f"{socket.gethostname()}:8080"):
        assert gate.refuses(path, [host], [f"http://{host}"]) is None
        assert gate.refuses("/", [host], [f"http://{host}"]) is not None
        assert gate.refuses(path, [host], ["http://evil.example"]) is not None
    for host in ("evil.example:8080", "192.168.7.7.evil.example", "", "[", "a:b:c"):
        assert gate.refuses(path, [host], [f"http://{host}"]) is not None
    named = Gate("robot.lab")
    assert named.refuses(f"/{named.token}/", ["Robot.lab:8080"], ["http://Robot.lab:8080"]) is None
    assert named.refuses(f"/{named.token}/", ["evil.lab:8080"], ["http://evil.lab:8080"])


def test_all_interfaces_are_served_behind_the_same_gate():
    view = dl.view(
        dl.catalog.load("pendulum"),
        step=1e-3,
        open_browser=False,
        block=False,
        port=8995,
        host="0.0.0.0",
    )
    try:
        port, _ = parts(view)
        with client(view, host=f"192.168.7.7:{port}") as opened:
            assert len(opened.recv(timeout=20)) > 0
        for refused in ({"path": "/"}, {"host": f"rebound.example:{port}"}):
            with pytest.raises(InvalidStatus), client(view, **refused):
                pass
    finally:
        view.stop()


def test_a_viser_that_opens_its_server_otherwise_is_not_used(monkeypatch):
    import websockets
    from websockets.asyncio import server

    own = types.SimpleNamespace(**vars(server))  # a version that holds `serve` by itself
    elsewhere = types.SimpleNamespace(
        asyncio=types.SimpleNamespace(server=own), exceptions=websockets.exceptions
    )
    monkeypatch.setattr("viser.infra._infra.websockets", elsewhere)
    with pytest.raises(errors.OptionError, match="could not be closed to other sites"):
        dl.view(dl.catalog.load("pendulum"), step=1e-3, open_browser=False, block=False, port=8998)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", 8998))
