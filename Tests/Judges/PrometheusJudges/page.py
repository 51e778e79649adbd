"""The blocks of the recipe, so that the checks test the page itself, and our rules, which they never change."""

import re
from pathlib import Path

from world import Failed

PROJECT = Path(__file__).resolve().parents[3]
RULES = PROJECT / "packaging/prometheus/probekit.rules.yml"
# Rules and scrapes run every second, so that the unchanged durations of the rules take no longer than stated.
INTERVALS = "scrape_interval: 1s, evaluation_interval: 1s"

# A module with the authority of the check's web server.
MODULES = "modules: {{ http_2xx: {{ prober: http, http: {{ tls_config: {{ ca_file: {ca} }} }} }} }}"


def block(start):
    """The block of the recipe that begins with a text."""
    blocks = re.findall(r"^```text\n(.*?)^```$", (PROJECT / "docs/recipes/prometheus.md").read_text(), re.M | re.S)
    found = [block for block in blocks if block.lstrip().startswith(start)]
    if len(found) != 1:
        raise Failed(f"{len(found)} blocks of docs/recipes/prometheus.md begin with {start}")
    return found[0]


def replaced(text, old, new):
    """A text with a part replaced that must occur once."""
    if text.count(old) != 1:
        raise Failed(f"the block contains {old} {text.count(old)} times, not once")
    return text.replace(old, new)


def scrapes(rules=RULES):
    """The block that scrapes; `rule_files` names our rules, or is absent, as an agent requires."""
    installed = "rule_files: [/usr/share/doc/probekit/examples/probekit.rules.yml]\n"
    return replaced(block("scrape_configs:"), installed, f"rule_files: [{rules}]\n" if rules else "")
