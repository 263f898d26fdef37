"""Configuration of the site (`make docs`). Nothing is fetched from a network."""

from __future__ import annotations

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import induce

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_ext"))

from elsewhere import inventories  # noqa: E402  (found by the path above)
from reference import aliases  # noqa: E402

project = "induce"
author = "induce maintainers"
copyright = author  # the name that Sphinx asks for
release = version = induce.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "reference",
    "gallery",
]
exclude_patterns = ["_ext"]
root_doc = "index"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

# docstrings: numpydoc, `name` is a name of Python if there is one, and text otherwise
default_role = "py:obj"
autodoc_typehints = "none"  # the sections of parameters say what they take
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"  # but for these
numpydoc_xref_aliases = aliases()
autosummary_generate = False  # numpydoc brings autosummary along

# other projects, by tables of this repository
intersphinx_mapping = inventories(DOCS.parent / "build" / "inventories")

html_theme = "pydata_sphinx_theme"
html_title = f"induce {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {"learners": []}  # whose tables need the room
html_show_sourcelink = False
html_copy_source = False
html_domain_indices = False  # the modules are listed in the API reference
html_search_scorer = str(DOCS / "_static" / "scorer.js")
html_theme_options = {
    "logo": {"text": "induce"},
    "navbar_align": "left",
    "header_links_before_dropdown": 5,
    "show_nav_level": 1,
    "navigation_depth": 2,
    "collapse_navigation": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "learners": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}


MOVED = {"bred-rules": "evolved-rules", "generalising": "function-approximation"}
"""Pages that had another name: links to the old one lead to the new one."""


def redirect(app: Sphinx, failure: Exception | None) -> None:
    """Write a page under each old name that leads to the new one."""
    for old, new in MOVED.items():
        link = f'<meta http-equiv="refresh" content="0; url={new}.html"><a href="{new}.html">Moved</a>'
        (app.outdir / f"{old}.html").write_text(
            f"<!doctype html><title>Moved</title>{link}\n", encoding="utf-8"
        )


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)
    app.connect("build-finished", redirect)
