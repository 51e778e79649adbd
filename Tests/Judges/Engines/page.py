"""The page that `run --write` writes: docs/engines.md."""

import datetime

HEAD = """<!-- Written by Tests/Judges/Engines/run --write. Do not edit. -->

# Engines and their profiles

How the built-in [profiles](profiles.md) compare with the programs that they model. `make engine-judges` runs the programs in network
namespaces without a route out, replays every fixture to them, and compares the verdict and the login URL with those of the profile.
NetworkManager, Firefox and Chromium are Debian's packages; ConnMan is built from Debian's newest source package. Measured on {date}:

| engine | profile | fixtures | same verdict | same login URL |
| --- | --- | ---: | ---: | ---: |
"""

NOTES = """
- NetworkManager runs with the connectivity settings of each distribution. The verdict is that of `CheckConnectivity`: `FULL` is
  `online`, `PORTAL` is `captivePortal`, `LIMITED` and `NONE` are `offline`. The login URL is the URL of the check.
- Firefox: the state of `nsICaptivePortalService` after a check. `UNKNOWN` is `inconclusive`. The login URL is the one that Firefox
  announces to its windows. Debian has only the ESR. For the profile `firefox`, it runs with the URL and the text of Firefox 155, so all
  responses are compared except those with another status from 200 to 299, for which the ESR has no rule.
- Chromium: the page that it shows after a certificate error. It does not show why there is no portal, so `online`, `offline` and
  `inconclusive` count as the same verdict. It shows the host of the login URL, and only the host is compared.
- ConnMan: the state of the service, and the requests to its agent. A request for a browser or for a login is `captivePortal`. The state
  is `ready` after a check that fails and after one without a result, so `offline` and `inconclusive` count as the same verdict. It has
  IPv4 only. The profile is that of ConnMan 1.42, which Debian no longer has.

## Accepted differences

| profiles | engine | profile | fixtures | reason |
| --- | --- | --- | --- | --- |
"""

# The most fixtures that a row of the table names.
MOST = 20


def write(file, results, reasons):
    """Writes the page; differences without a reason are not part of it."""
    text = HEAD.format(date=datetime.date.today().isoformat())
    for result in results:
        text += (
            f"| {result.version} | `{result.engine.profile}` | {len(result.fixtures)} | {result.same_verdict} | "
            f"{result.same_login} of {result.portals} |\n")
    text += NOTES
    for entry in reasons.entries:
        names = entry["fixtures"]
        fixtures = ", ".join(f"`{name}`" for name in names)
        if len(names) > MOST:
            fixtures = f"{len(names)} fixtures, listed in `Tests/Judges/Engines/differences.yaml`"
        engine, profile = entry.get("engine", "another login URL"), entry.get("profile", "")
        text += f"| `{entry['profiles']}` | {engine} | {profile} | {fixtures} | {entry['reason']} |\n"
    file.write_text(text)
