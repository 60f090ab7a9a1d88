#!/bin/sh
# Finds a Chromium for the tests of the page, or installs one where apt-get may be used without asking.
for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
  if command -v "$name" >/dev/null 2>&1; then
    exit 0
  fi
done
skipped() {
  echo "No Chromium was found $1: the tests of the page (tests/browser) WILL BE SKIPPED."
  echo "To run them install chromium or google-chrome."
  exit 0
}
command -v apt-get >/dev/null 2>&1 || skipped "and there is no apt-get to install it"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif sudo -n true >/dev/null 2>&1; then
  as_root="sudo -n"
else
  skipped "and it cannot be installed without a password"
fi
echo "Installing chromium for the tests of the page"
if ! { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1; then
  skipped "and apt-get could not install it"
fi
