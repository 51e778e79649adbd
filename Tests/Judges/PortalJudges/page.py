"""The HTML report in Chromium: it shows every finding, obeys its policy, runs nothing from the network, and prints."""

import json
import re
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures/portals"
# A portal that tries to inject markup wherever the report shows its texts.
HOSTILE = """version: 1
name: hostile
source: { kind: synthetic, reference: "made for a test" }
routes:
  - when: { listener: http, path: /login }
    respond: { status: 404 }
  - when: { listener: http }
    respond: { status: 301, headers: ['Location: http://portal.example/login?"><script>console.log(1)</script><img/src=x>'] }
"""


def chromium(world, *arguments):
    return ["chromium", "--headless", "--disable-gpu", "--no-sandbox", "--enable-logging=stderr",
            f"--user-data-dir={world.folder}/chromium", *arguments]


def check(world):
    (world.folder / "hostile").mkdir()
    (world.folder / "hostile/fixture.yaml").write_text(HOSTILE)
    for name, fixture in (("coova-chilli", FIXTURES / "coova-chilli"), ("hostile", world.folder / "hostile")):
        report = [world.probekit, "portal", "--replay", fixture]
        page, paper = world.folder / f"{name}.html", world.folder / f"{name}.pdf"
        world.run(*report, "--format", "html", "--output", page, accept=(0, 1))
        findings = json.loads(world.run(*report, "--format", "json", accept=(0, 1)))["findings"]
        errors = world.folder / f"{name}.log"
        dom = world.run("sh", "-c", 'errors=$1; shift; exec "$@" 2>"$errors"', "sh", errors,
                        *chromium(world, "--dump-dom", page.as_uri()))
        world.check(f"{name}: the page has an article for each finding", dom.count("<article ") == len(findings), dom)
        world.check(f"{name}: nothing from the network is markup", not re.search(r"<script|<img", dom), dom)
        world.check(f"{name}: the policy allows all of the page", "CONSOLE" not in errors.read_text(), errors.read_text())
        world.run(*chromium(world, "--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri()))
        # Lines and words are broken at the edge of the paper.
        text = re.sub(r"\s", "", world.run("pdftotext", paper, "-"))
        missing = [finding["id"] for finding in findings
                   if re.sub(r"\s", "", finding["summary"]) not in text or re.sub(r"\s", "", finding["fix"]) not in text]
        world.check(f"{name}: the printout has every finding and its fix", not missing, missing)
        pages = int(re.search(r"Pages:\s+(\d+)", world.run("pdfinfo", paper))[1])
        world.check(f"{name}: the printout has few pages", pages <= 8, pages)
