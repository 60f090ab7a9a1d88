"""Looking at a run in a browser: a page to keep and share."""
