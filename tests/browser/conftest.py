"""A Chromium for the tests of pages: the system's, one for all of them; skipped without one."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""As in chromium.sh."""

FLAGS = (
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
)
"""WebGL without a graphics card."""


@pytest.fixture(scope="session")
def chromium():
    """The browser."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        if os.environ.get("DALEMBERT_BROWSER") == "required":
            pytest.fail("no Chromium was found, and DALEMBERT_BROWSER=required")
        pytest.skip("no Chromium was found")
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def close_tabs(chromium):
    """Close the tabs a test leaves open: one that plays on takes a whole core from all others."""
    before = [tab for context in chromium.contexts for tab in context.pages]
    yield
    for context in list(chromium.contexts):
        for tab in list(context.pages):
            if tab not in before:
                tab.goto("about:blank")  # what it draws must not keep the browser from closing it
                tab.close()


HERE = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "file:", "about:")

_complaints = {}


def _watch(tab):
    """Note errors the tab shows and requests to other hosts."""
    found = _complaints.setdefault(id(tab), [])

    def asked(request):
        if not request.url.startswith(HERE):
            found.append(f"asked for {request.url}")

    def said(message):
        if message.type == "error":
            found.append(message.text)

    tab.on("request", asked)
    tab.on("pageerror", lambda problem: found.append(str(problem)))
    tab.on("console", said)
    return tab


@pytest.fixture(scope="module")
def open_tab(chromium):
    """A function that opens tabs; they are closed when the module is done."""
    opened = []

    def made(width=1100, height=720):
        opened.append(_watch(chromium.new_page(viewport={"width": width, "height": height})))
        return opened[-1]

    yield made
    for tab in (tab for tab in opened if not tab.is_closed()):
        tab.goto("about:blank")  # what it draws must not keep the browser from closing it
        tab.close()


@pytest.fixture(scope="session")
def complaints_of():
    """Errors a tab has shown and addresses it asked for elsewhere; empty when all is well."""
    return lambda tab: _complaints[id(tab)]
