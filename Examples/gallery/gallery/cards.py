"""The fixtures of a gallery, and what is known about each without a picture."""

import dataclasses
import json
import os
import subprocess

import yaml

FILE = "fixture.yaml"


class CannotRun(Exception):
    """The gallery cannot be made; the message has the reason."""


@dataclasses.dataclass
class Card:
    """A fixture, the result of its check, and what a browser shows of it."""

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
    # The page in the picture: its URL, its title, and notes about it.
    shown: str | None = None
    title: str | None = None
    notes: list = dataclasses.field(default_factory=list)

    @property
    def target(self):
        """The login URL: the one that was found, or else the expected one."""
        return self.login_url or self.expected_url


def select(root, names, everything):
    """The fixtures below a folder: the portals, or all, or those whose paths contain one of the names."""
    known = [_card(folder, os.path.relpath(folder, root)) for folder in _folders(root)]
    if not names:
        portals = [card for card in known if _is_portal(card)]
        return portals + [card for card in known if everything and card not in portals]
    found = []
    for name in names:
        if os.path.exists(os.path.join(name, FILE)):
            path = os.path.relpath(name, root)
            # A fixture from elsewhere has the name of its folder only.
            is_own = path.split(os.sep)[0] != os.pardir
            chosen = [_card(name, path if is_own else os.path.basename(os.path.abspath(name)))]
        else:
            chosen = [card for card in known if name in card.path]
        if not chosen:
            raise CannotRun(f"no fixture has \"{name}\" in its path")
        found += [card for card in chosen if all(card.path != other.path for other in found)]
    return found


def judge(cards, probekit, pipeline=None):
    """Verifies the fixtures with probekit, and records the results."""
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
        # probekit lint reports it in more detail.
        return Card(folder, path, notes=[f"fixture.yaml cannot be read: {error}"])
