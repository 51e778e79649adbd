"""The fixtures of a gallery, and what is known of each without looking at it."""

import dataclasses
import json
import os
import subprocess

import yaml

FILE = "fixture.yaml"


class CannotRun(Exception):
    """Nothing can be shown, and why."""


@dataclasses.dataclass
class Card:
    """A fixture, what a check finds in it, and what a browser shows of it."""

    folder: str
    path: str
    vendor: str | None = None
    kind: str = ""
    reference: str = ""
    expected: list = dataclasses.field(default_factory=list)
    expected_url: str | None = None
    verdict: str | None = None
    login_url: str | None = None
    passed: bool = False
    # The picture's path in the gallery, or None and the reason why there is none.
    picture: str | None = None
    reason: str | None = None
    # What the picture shows: the page's address and title, and what is to be said of it.
    shown: str | None = None
    title: str | None = None
    notes: list = dataclasses.field(default_factory=list)

    @property
    def target(self):
        """Where to log in: what was found, else what is expected."""
        return self.login_url or self.expected_url


def select(root, names, everything):
    """The fixtures below a folder: the portals, or all, or those whose paths have one of the names in them."""
    known = [_card(folder, os.path.relpath(folder, root)) for folder in _folders(root)]
    if not names:
        portals = [card for card in known if _is_portal(card)]
        return portals + [card for card in known if everything and card not in portals]
    found = []
    for name in names:
        if os.path.exists(os.path.join(name, FILE)):
            path = os.path.relpath(name, root)
            # One from elsewhere goes by the name of its folder alone.
            is_own = path.split(os.sep)[0] != os.pardir
            chosen = [_card(name, path if is_own else os.path.basename(os.path.abspath(name)))]
        else:
            chosen = [card for card in known if name in card.path]
        if not chosen:
            raise CannotRun(f"no fixture has \"{name}\" in its path")
        found += [card for card in chosen if all(card.path != other.path for other in found)]
    return found


def judge(cards, probekit, pipeline=None):
    """Has probekit verify the fixtures, and notes what it finds."""
    command = [probekit, "verify", "--format", "json"] + (["--pipeline", pipeline] if pipeline else [])
    run = subprocess.run(command + [card.folder for card in cards], stdout=subprocess.PIPE)
    if run.returncode not in (0, 1, 65) or not run.stdout:
        raise CannotRun(f"probekit verify ended with status {run.returncode}")
    found = {os.path.realpath(one["path"]): one for one in json.loads(run.stdout)["fixtures"]}
    for card in cards:
        results = found.get(os.path.realpath(card.folder), {}).get("results", [])
        if results:
            card.verdict, card.login_url = results[0]["verdict"], results[0]["loginURL"]
            card.passed = all(result["pass"] for result in results)


def _folders(root):
    for folder, below, files in os.walk(root):
        below.sort()
        if FILE in files:
            below.clear()
            yield folder


def _is_portal(card):
    return card.path.startswith("portals" + os.sep) or card.expected == ["captivePortal"]


def _card(folder, path):
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            fixture = yaml.load(file, yaml.BaseLoader)
        source, expect = fixture.get("source", {}), fixture.get("expect", {})
        verdict = expect.get("verdict", [])
        return Card(
            folder, path, fixture.get("vendor"), source.get("kind", ""), source.get("reference", ""),
            verdict if isinstance(verdict, list) else [verdict], expect.get("loginURL"))
    except (yaml.YAMLError, AttributeError, TypeError) as error:
        # probekit lint says it better.
        return Card(folder, path, notes=[f"fixture.yaml cannot be read: {error}"])
