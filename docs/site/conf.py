"""Sphinx's configuration of the site. stage.py puts the sources together, scripts/docs runs both."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["WEFT_BUILD"]).resolve()
sys.path[:0] = [str(HERE), str(BUILD / "python")]

import formulas  # noqa: E402
import links  # noqa: E402
import offline  # noqa: E402
import signatures  # noqa: E402

project = "weft"
version = release = re.search(r"VERSION (\S+)", (HERE.parents[1] / "CMakeLists.txt").read_text().partition("project(")[2])[1]
copyright = "the weft authors, BSD-3-Clause"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence"]
myst_all_links_external = True  # links.py resolves them: MyST knows neither anchors in HTML nor GitHub's of λ
suppress_warnings = ["myst.header"]  # the mathematics begin levels as they need them

primary_domain = "cpp"
highlight_language = "none"
default_role = "code"

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say more than types
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"weft {version}"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = True
html_domain_indices = False
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "monokai"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7db4f0", "color-brand-content": "#7db4f0"},
}


def setup(app):
    links.setup(app)
    formulas.setup(app)
    offline.setup(app)
    signatures.setup(app)
