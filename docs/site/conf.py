"""Settings of Sphinx; `build.py` calls it on the staged pages."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "dalembert"
author = copyright = "dalembert contributors"
extensions = ["myst_parser", "mathml", "dalembert.viewer.sphinx"]
html_theme = "furo"
html_math_renderer = "mathml"
html_title = "dalembert"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": False}
myst_enable_extensions = ["dollarmath", "deflist", "html_image", "attrs_inline"]
myst_heading_anchors = 6
myst_dmath_double_inline = True
pygments_style = "tango"
pygments_dark_style = "monokai"
nitpicky = True
