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


def pytest_collection_modifyitems(config, items):
    """One process for all tests of pages: a browser is large."""
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("browser"))


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


@pytest.fixture
def complaints():
    """Errors a page has shown and addresses it asked for elsewhere; empty when all is well."""
    return []


@pytest.fixture
def page(chromium, complaints):
    """A tab that notes errors and requests to other hosts in `complaints`."""
    tab = chromium.new_page(viewport={"width": 1100, "height": 720})

    def asked(request):
        here = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "file:", "about:")
        if not request.url.startswith(here):
            complaints.append(f"asked for {request.url}")

    tab.on("request", asked)
    tab.on("pageerror", lambda problem: complaints.append(str(problem)))
    tab.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    yield tab
    tab.close()
