"""Who may look at a live view: whoever has its address, and no page of another site.

A browser lets any page connect to a port of this computer, and tells who asks in `Origin`. A name
of somebody else's that is made to point here (DNS rebinding) is told in `Host`. Both are compared
with where the page is served, and the path has to begin with a random token that only the printed
address has.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

TOKEN_BYTES = 24
"""Random bytes of a token: nobody guesses 192 bits."""

SCHEME = "scheme"
"""Folder of the pictures by which a browser tells whether its system is dark or light."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

EVERYWHERE = frozenset({"", "0.0.0.0", "::"})
"""Hosts to serve at that mean every address of this computer."""


class Gate:
    """The address of a page and the requests it answers.

    Attributes
    ----------
    token : str     random, new for every page; first part of every path that is answered
    host : str      where the page is served
    scheme : str | None     "dark" or "light", as the browser that told last has it
    """

    scheme: str | None = None
    _asked = 0

    def __init__(self, host: str) -> None:
        self.host = host.strip("[]").lower()
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._names = {self.host, *LOOPBACK_NAMES}
        if self._away:
            own = {socket.gethostname(), socket.getfqdn()}
            self._names |= {name.lower() for name in own}

    @property
    def _away(self) -> bool:
        """Whether other computers can reach the page."""
        if self.host in LOOPBACK_NAMES:
            return False
        address = _address(self.host)
        return address is None or not address.is_loopback

    def url(self, port: int) -> str:
        """The address to open."""
        shown = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/{self.token}/"

    @property
    def question(self) -> str:
        """HTML with which any browser tells its scheme, at once and when the system changes it.

        A picture of which the browser chooses the source by the scheme; it is never seen.
        """
        self._asked += 1  # another address each time: pictures that were there are not asked for
        dark, light = (f"/{self.token}/{SCHEME}/{s}.svg?{self._asked}" for s in ("dark", "light"))
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
            f'<img src="{light}" alt="" style="position:absolute;width:0;height:0"></picture>'
        )

    def hears(self, inside: str | None) -> bool:
        """Take the scheme that a request for the picture tells; whether it was such a request."""
        found = re.fullmatch(rf"/{SCHEME}/(dark|light)\.svg(\?\d*)?", inside or "")
        if found is not None:
            self.scheme = found[1]
        return found is not None

    def refuses(self, path: str, hosts: Sequence[str], origins: Sequence[str]) -> str | None:
        """Why a request is refused, in a sentence; None for one that is answered.

        Parameters
        ----------
        path : str      of the request
        hosts, origins : sequences of str
            Every `Host` and every `Origin` of the request.
        """
        if len(hosts) != 1 or not self._is_here(hosts[0]):
            return "This page is not served under that name."
        # whoever is no browser sends no Origin; a browser always does when it opens a websocket
        if len(origins) > 1 or (origins and not _is_of(origins[0], hosts[0])):
            return "Pages of other sites may not look."
        if self.inside(path) is None:
            return "Open the whole address that was printed: it contains a token."
        return None

    def inside(self, path: str) -> str | None:
        """The path behind the token; None without the right one."""
        rest, question, query = path.partition("?")
        token, _, inside = rest.removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            return None
        return f"/{inside}{question}{query}"

    def _is_here(self, host: str) -> bool:
        """Whether a `Host` is a name of this page, at any port: ports may be forwarded.

        An address in numbers cannot be rebound; it is taken where other computers may look.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._away and _address(name) is not None)


def _is_of(origin: str, host: str) -> bool:
    """Whether an `Origin` is the page that is served as `host` itself."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _address(name: str) -> Any:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
