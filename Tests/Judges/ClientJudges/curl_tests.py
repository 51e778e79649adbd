"""The data of curl's own tests: the responses of its test server (tests/FILEFORMAT.md of its source)."""

import base64
import dataclasses
import re
import subprocess
import sys
from pathlib import Path

SOURCES = """Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""
VERSION = "7.88.1"


@dataclasses.dataclass
class Test:
    """A test with a response over plain HTTP."""

    number: int
    method: str
    answer: bytes


def fetch(folder):
    """The folder of the tests in curl's source, which apt downloads with a separate list: nothing else changes."""
    data = folder / f"curl-{VERSION}" / "tests" / "data"
    if data.exists():
        return data
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "source.sources").write_text(SOURCES)
    options = {
        "Dir::Etc::SourceList": folder / "source.sources", "Dir::Etc::SourceParts": "-",
        "Dir::State::Lists": folder / "lists", "Dir::Cache": folder, "APT::Sandbox::User": "",
    }
    apt = ["apt-get", "-q", *(f"-o{name}={value}" for name, value in options.items())]
    for command in [[*apt, "update"], [*apt, "--download-only", "source", "curl/bookworm"]]:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    archive = folder / f"curl_{VERSION}.orig.tar.gz"
    if not archive.exists():
        sys.exit(f"the source of curl in Debian 12 is not {VERSION}")
    subprocess.run(["tar", "--extract", "--file", archive, f"curl-{VERSION}/tests/data"], cwd=folder, check=True)
    return data


def tests(folder):
    """The tests whose server speaks only HTTP, and whose first response is self-contained."""
    files = sorted(folder.glob("test[0-9]*"), key=lambda file: int(file.name[4:]))
    for file in files:
        number = int(file.name[4:])
        document = file.read_bytes()
        server, answer = part(document, b"client", b"server"), part(document, b"reply", b"data")
        if server and answer and server[1].split() == [b"http"]:
            command = part(document, b"client", b"command")
            yield Test(number, method(command[1] if command else b""), content(*answer, number))


def part(document, section, name):
    """The attributes and the lines of a part, or None if there is none."""
    found = re.search(rb"^ *<%b>(.*?)^ *</%b>" % (section, section), document, re.DOTALL | re.MULTILINE)
    found = found and re.search(
        rb"^ *<%b( [^>\n]*)?>[^\n]*\n(.*?)^ *</%b>" % (name, name), found[1], re.DOTALL | re.MULTILINE)
    return found and (found[1] or b"", found[2])


def method(command):
    words = set(command.split())
    if words & {b"-I", b"--head"}:
        return "HEAD"
    return "POST" if words & {b"-d", b"--data", b"--data-binary", b"--json", b"-F"} else "GET"


def content(attributes, lines, number):
    """The bytes that are sent."""
    # curl as packaged in Debian has none of the queried features: Hyper and the debug build.
    lines = re.sub(rb"(?m)^ *%if !.*\n((?:.*\n)*?)(?: *%else.*\n(?:.*\n)*?)? *%endif.*\n", rb"\1", lines)
    lines = re.sub(rb"(?m)^ *%if .*\n(?:.*\n)*?(?: *%else.*\n((?:.*\n)*?))? *%endif.*\n", rb"\1", lines)
    for name, value in {b"TESTNUMBER": b"%d" % number, b"HOSTIP": b"127.0.0.1", b"HTTPPORT": b"80"}.items():
        lines = lines.replace(b"%" + name, value)
    lines = re.sub(rb"%b64\[(.*)\]b64%", lambda found: base64.b64encode(unescaped(found[1])), lines)
    lines = re.sub(rb"%hex\[(.*)\]hex%", lambda found: unescaped(found[1]), lines)
    lines = re.sub(rb"%repeat\[(\d+) x (.*)\]%", lambda found: unescaped(found[2]) * int(found[1]), lines)
    if b'crlf="yes"' in attributes:
        head, empty, body = lines.partition(b"\n\n")
        lines = (head + empty).replace(b"\n", b"\r\n") + body
    if b'base64="yes"' in attributes:
        return base64.b64decode(lines)
    if b'hex="yes"' in attributes:
        return bytes.fromhex(lines.decode())
    return lines[:-1] if b'nonewline="yes"' in attributes else lines


def unescaped(value):
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), value)
