# SPDX-License-Identifier: Apache-2.0
"""What the drawings of the pages have in common: an SVG that is readable in light and dark."""

from html import escape

STYLE = (
  "text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:14px;fill:#1f2328}"
  ".title{font-size:16px;font-weight:600}.mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px}"
  ".note{font-size:12.5px;fill:#59636e}.card{fill:#ffffff;stroke:#d1d9e0}.box{fill:#f6f8fa;stroke:#d1d9e0}"
  ".secret{fill:#fff1e8;stroke:#f05138}.arrow{fill:none;stroke:#59636e;stroke-width:1.5}.head{fill:#59636e}"
  "@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.note{fill:#9198a1}.card{fill:#0d1117;stroke:#3d444d}"
  ".box{fill:#151b23;stroke:#3d444d}.secret{fill:#2d1a14;stroke:#f05138}.arrow{stroke:#9198a1}.head{fill:#9198a1}}")


def drawing(title, size, *parts, style=""):
  """A card with a heading and these parts; the title is read aloud."""
  width, height = size
  return "\n".join([
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    f' viewBox="0 0 {width} {height}" role="img">',
    f"<title>{escape(title)}</title>", f"<style>{STYLE}{style}</style>",
    f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
    *parts, "</svg>"]) + "\n"


def text(value, style, x, y):
  return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(value)}</text>'
