"""One HTML file from an executed notebook: figures and style inside, nothing fetched, no scripts."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import project_root
from metacog.report.drawing import MARK

CHAPTER = "own-trials"
#: What folds a section, up to the next heading of its rank, until its heading is clicked.
FOLD = "<!-- fold -->"
#: Sections that ask something of models alone, and are left out of the page on people.
OF_MODELS = (
    "Gate: which answers may pass?",
    "Which signal?",
    "Wrong, and sure of it",
    "Does confidence come true?",
    "The verdict",
    "Differences between models",
    "Is it self-knowledge?",
    "Whom to ask?",
    "By domain and temperature",
    "A screen before the measures",
)

_STYLE = """
:root{color-scheme:light dark}
body{font:17px/1.6 Georgia,serif;max-width:46rem;margin:0 auto;padding:1rem;color:#1f2937;background:#fff}
h1,h2{font-family:system-ui,sans-serif;line-height:1.25}
figure{margin:1.5rem 0}figure svg,figure img{width:100%;height:auto;background:#fff}
figcaption{font-size:.92em;color:#4b5563}
.wide{overflow-x:auto}table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif;margin:1rem 0}
th,td{padding:.3rem .6rem;border-bottom:1px solid #d1d5db;text-align:right}
td{white-space:nowrap}td:last-child{white-space:normal}td.wrap{white-space:normal;min-width:14rem}
th:first-child,td:first-child,.text{text-align:left}caption{caption-side:top;text-align:left;padding:.3rem 0}
aside{border-left:5px solid #6b7280;padding:.4rem 1rem;margin:.8rem 0;background:#f3f4f6}
aside.tip{border-color:#0f7b5f}aside.warning{border-color:#c2571a}aside b{font-family:system-ui,sans-serif}
.answer{font-size:1.2em;border-left:4px solid #0f5fc7;padding:.1rem 0 .1rem 1rem}
details{margin:1rem 0;overflow-x:auto}summary{cursor:pointer;font:15px/1.4 system-ui,sans-serif}
details.section{border-top:1px solid #d1d5db}summary h2{display:inline-block;margin:.6rem 0;font-size:1.25rem}
td.yes{background:#c8e6c9;color:#12361a}td.no{background:#ffd8a8;color:#4a2a00}td.open,td.none{color:#4b5563}
td[title]{cursor:help;text-decoration:underline dotted}
aside p{margin:.2rem 0}pre{overflow-x:auto;background:#f3f4f6;padding:.6rem}
@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}figcaption{color:#9ca3af}
aside,pre{background:#1f2937}td.open,td.none{color:#9ca3af}th,td{border-color:#374151}}
@media(max-width:40rem){table{font-size:12px}th,td{padding:.25rem .35rem}}
@media print{aside,figure,table{break-inside:avoid}details::details-content{content-visibility:visible;height:auto}}
"""

_ADMONITION = re.compile(
    r"^:::\{admonition\} (?P<title>[^\n]*)\n:class: (?P<kind>\w+)\n(?P<body>.*?)\n:::$"
    r"|^:::\{div\} page-answer\n(?P<answer>.*?)\n:::$",
    re.S | re.M,
)


def render_report(folder: Path) -> Path:
    """Execute the report's notebook on an import's folder and write ``report.html`` there."""
    import jupytext
    import papermill

    from metacog.collect.keys import run_notebook

    notebook = jupytext.read(project_root() / "notebooks" / "shared" / f"{CHAPTER}.py")
    if json.loads((folder / "import.json").read_text(encoding="utf-8")).get("people"):
        notebook.cells = without_sections(notebook.cells, OF_MODELS)
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", [])
    target = folder / "report.ipynb"
    try:
        run_notebook(notebook, target, {"folder": str(folder.resolve())})
    except papermill.PapermillExecutionError as error:
        raise MetacogError(
            f"the report stopped at cell {error.exec_count}: {error.ename}: {error.evalue}. "
            f"Trials and measures are in {folder}, the half-run notebook is {target}"
        ) from None
    import nbformat

    page = folder / "report.html"
    with replacing(page) as handle:
        handle.write(notebook_html(nbformat.read(target, as_version=4)))
    target.unlink()
    return page


def without_sections(cells: list[Any], titles: Collection[str]) -> list[Any]:
    kept, leaving = [], False
    for cell in cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            leaving = cell.source.splitlines()[0].removeprefix("## ") in titles
        if not leaving:
            kept.append(cell)
    return kept


def notebook_html(notebook: Any) -> str:
    """An executed notebook as one self-contained page; code is left out."""
    parts: list[str] = []
    folded = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            if folded and re.match(r"##? ", cell.source):
                parts.append("</details>")
                folded = False
            made = markdown_html(cell.source.replace(FOLD, ""))
            if FOLD in cell.source:
                summary = r'<details class="section"><summary>\g<0></summary>'
                made = re.sub(r"<h2>.*?</h2>", summary, made, count=1)
                folded = True
            parts.append(made)
        elif cell.cell_type == "code":
            shown = [text for output in cell.outputs if (text := _output(output))]
            caption = next((c for output in cell.outputs if (c := _described(output, "caption"))), "")
            figures = [text for text in shown if text.startswith("<figure>")]
            parts += [text for text in shown if text not in figures]
            if figures and caption:
                words = f"<figcaption>{_inline(caption)}</figcaption></figure>"
                figures[-1] = figures[-1].removesuffix("</figure>") + words
            parts += figures
    return page_html("\n".join([*parts, *(["</details>"] if folded else [])]))


def page_html(body: str) -> str:
    """A body as one page that needs no other file, titled by its first heading."""
    match = re.search(r"<h1>(.*?)</h1>", body, re.S)
    title = re.sub(r"<[^>]+>", "", match[1]) if match else "Report"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{html.escape(html.unescape(title))}</title>\n<style>{_STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def markdown_html(text: str) -> str:
    """Markdown with answers and admonitions as HTML; raw HTML in it is shown, not obeyed."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    made, end = [], 0
    for match in _ADMONITION.finditer(text):
        made.append(parser.render(text[end : match.start()]))
        end = match.end()
        if match["answer"]:
            made.append(f'<div class="answer">{parser.render(match["answer"])}</div>')
            continue
        kind = match["kind"] if match["kind"] in {"tip", "warning", "note"} else "note"
        body = parser.render(match["body"])
        made.append(f'<aside class="{kind}"><b>{_inline(match["title"])}</b>{body}</aside>')
    made.append(parser.render(text[end:]))
    return "".join(made)


def _described(output: Any, what: str) -> str:
    """The ``caption`` or ``alt`` of an output's figure."""
    return str(output.get("metadata", {}).get(MARK, {}).get(what, ""))


def _alt(output: Any) -> str:
    """Text for those who cannot see a figure, as an attribute's value."""
    alt = _described(output, "alt") or "".join(output.get("data", {}).get("text/plain", ""))
    if not alt or alt.startswith("<"):
        raise MetacogError("a figure of the report has no alternative text: give its drawing one")
    return html.escape(alt, quote=True)


def _inline(text: str) -> str:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).renderInline(text)


def _output(output: Any) -> str:
    data = output.get("data", {})
    if any(key.startswith("application/papermill") for key in data):
        return ""
    if "image/svg+xml" in data:
        svg = "".join(data["image/svg+xml"])
        drawn = svg[max(svg.find("<svg"), 0) :].replace(
            "<svg", f'<svg role="img" aria-label="{_alt(output)}"', 1
        )
        return f"<figure>{drawn}</figure>"
    if "image/png" in data:
        code = "".join(data["image/png"]).replace("\n", "")
        base64.b64decode(code, validate=True)
        return f'<figure><img alt="{_alt(output)}" src="data:image/png;base64,{code}"></figure>'
    if "text/markdown" in data:
        return markdown_html("".join(data["text/markdown"]))
    if "text/html" in data:
        return f'<div class="wide">{"".join(data["text/html"])}</div>'
    if output.get("output_type") == "stream" and output.get("name") == "stdout":
        return f"<pre>{html.escape(''.join(output['text']))}</pre>"
    return ""
