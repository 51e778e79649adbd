"""The page of a gallery."""

import html as escaping
import os
import urllib.parse

STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; background: #f4f4f2; color: #222 }
h1 { font-size: 1.4em }
h2 { font-size: 1.1em; margin: 0 }
p { margin: .5em 0 }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 1.2em }
main { align-items: start }
article { background: #fff; border: 1px solid #ccc; border-radius: 6px; padding: 1em; overflow-wrap: anywhere }
img, .none { display: block; width: 100%; aspect-ratio: 4 / 5; border: 1px solid #ddd }
img, .none { box-sizing: border-box }
.none { padding: 2em; background: #eee; color: #555 }
dl { display: grid; grid-template-columns: auto 1fr; gap: .2em .8em; margin: .5em 0 }
dt { color: #666 }
dd { margin: 0; max-height: 4.2em; overflow: auto }
.wrong { color: #a00 }
.note { color: #666; font-style: italic }
"""


def html(cards, output):
    """The whole page: a card for each fixture."""
    wrong = sum(not card.passed for card in cards)
    summary = "1 fixture" if len(cards) == 1 else f"{len(cards)} fixtures"
    if wrong:
        summary += f", {wrong} of them with unexpected results"
    articles = "\n".join(_article(card, output) for card in cards)
    # Contents of a picture, a name or a title can neither run nor load anything.
    safety = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{safety}">
<title>Fixtures</title>
<style>{STYLE}</style>
</head>
<body>
<h1>What the fixtures show</h1>
<p>{summary}. Each picture shows where a browser arrives with the URL that a phone opens when it joins the network.</p>
<main>
{articles}
</main>
</body>
</html>
"""


def _article(card, output):
    link = urllib.parse.quote(os.path.relpath(card.folder, output)) + "/"
    lines = [f'<h2><a href="{_text(link)}">{_text(card.path)}</a></h2>']
    if card.picture:
        picture = _text(urllib.parse.quote(card.picture))
        alternative = _text(card.title or card.path)
        lines.append(f'<a href="{picture}"><img src="{picture}" alt="{alternative}" loading="lazy"></a>')
    else:
        lines.append(f'<div class="none">No picture: {_text(card.reason or "")}</div>')
    lines += [f'<p class="note">{_text(note)}</p>' for note in card.notes]
    shown = "the login URL" if card.shown and card.shown == card.login_url else card.shown
    rows = [("vendor", card.vendor), ("source", f"{card.kind}: {card.reference}"), ("title", card.title),
            ("shows", shown)]
    expected = " or ".join(card.expected) + (f", {card.expected_url}" if card.expected_url else "")
    mark = "✓" if card.passed else "✗"
    rows += [("verdict", f"{mark} {card.verdict or 'none'}"), ("login URL", card.login_url),
             ("expected", expected or "nothing")]
    lines.append('<dl>' if card.passed else '<dl class="wrong">')
    lines += [f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in rows if value]
    return "<article>\n" + "\n".join(lines) + "\n</dl>\n</article>"


def _text(value):
    """Escapes text from a fixture, a network or a page: markup, and characters that are invisible or reverse a line."""
    shown = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in str(value))
    return escaping.escape(shown)
