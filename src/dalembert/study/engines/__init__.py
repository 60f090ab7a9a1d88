"""Engines: who runs the chunks of a study; one a file, all with the same one method."""
