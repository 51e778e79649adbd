"""The results of engines and their profiles for fixtures, and the reasons for the differences."""

import dataclasses
import fnmatch
import json
import statistics
import subprocess
import sys

import yaml


def fixtures(root, names):
    """The paths of all fixtures, or of those with one of the names in their path."""
    paths = sorted(str(file.parent.relative_to(root)) for file in root.glob("fixtures/*/*/fixture.yaml"))
    chosen = [path for path in paths if not names or any(name in path for name in names)]
    if not chosen:
        sys.exit(f"no fixture has {' or '.join(names)} in its path")
    return chosen


def profiles(root, probekit, names, paths):
    """The verdict and the login URL of each profile for each fixture."""
    command = [probekit, "verify", *paths, "--profile", ",".join(names), "--format", "ndjson"]
    verified = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
    results = {name: {} for name in names}
    for record in map(json.loads, verified.stdout.splitlines()):
        if record["type"] == "run":
            portal = record["portal"] or {}
            results[record["pipeline"]][record["source"]] = record["verdict"], portal.get("loginURL")
    return results


@dataclasses.dataclass(frozen=True)
class Difference:
    """Different verdicts of an engine and its profile for a fixture, or different login URLs with the same verdict."""

    profile: str
    fixture: str
    engine_result: str
    profile_result: str
    is_login: bool

    def __str__(self):
        return (
            f"{self.profile}: {self.fixture}: the engine reports {self.engine_result}, "
            f"the profile {self.profile_result}")


class Result:
    """The comparison of one engine with its profile."""

    def __init__(self, engine, version, found, modeled):
        self.engine = engine
        self.version = version
        self.fixtures = set(found)
        self.seconds = statistics.median(answer["seconds"] for answer in found.values())
        self.differences = []
        self.same_verdict = self.portals = self.same_login = 0
        for fixture in sorted(found):
            self._compare(fixture, found[fixture], *modeled[fixture])

    def _compare(self, fixture, answer, verdict, login):
        reported = answer["verdict"], answer["login"]
        shown = self.engine.verdict(verdict), login and self.engine.login(login)
        part = next((part for part in (0, 1) if reported[part] != shown[part]), None)
        if part is not None:
            names = (str(reported[part] or "no URL"), str(shown[part] or "no URL"))
            self.differences.append(Difference(self.engine.profile, fixture, *names, is_login=part == 1))
        self.same_verdict += part != 0
        if part != 0 and verdict == "captivePortal":
            self.portals += 1
            self.same_login += part is None

    @property
    def summary(self):
        return (
            f"{self.version}: profile {self.engine.profile}: the same verdict in {self.same_verdict} of "
            f"{len(self.fixtures)} fixtures, the same login URL in {self.same_login} of {self.portals}; "
            f"{self.seconds:.2f} s per fixture (median)")


class Reasons:
    """The accepted differences in a file, each with its reason."""

    def __init__(self, file):
        self.entries = yaml.safe_load(file.read_text())

    def reason(self, difference):
        """Why a difference is accepted, or None."""
        return next((entry["reason"] for entry in self.entries if self._covers(entry, difference)), None)

    def complaints(self, results):
        """The differences without a reason, and the reasons without a difference."""
        differences = [difference for result in results for difference in result.differences]
        found = [f"{difference}; no reason is given" for difference in differences if not self.reason(difference)]
        for entry in self.entries:
            for result in results:
                if not fnmatch.fnmatchcase(result.engine.profile, entry["profiles"]) or entry.get("sometimes"):
                    continue
                covered = {each.fixture for each in result.differences if self._covers(entry, each)}
                for fixture in (f"fixtures/{name}" for name in entry["fixtures"]):
                    if fixture in result.fixtures - covered:
                        found.append(f"{result.engine.profile}: {fixture}: no such difference: {entry['reason']}")
        return found

    @staticmethod
    def _covers(entry, difference):
        return (
            fnmatch.fnmatchcase(difference.profile, entry["profiles"])
            and difference.fixture.removeprefix("fixtures/") in entry["fixtures"]
            and (
                difference.is_login and "engine" not in entry
                or (difference.engine_result, difference.profile_result)
                == (entry.get("engine"), entry.get("profile"))))
