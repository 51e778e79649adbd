"""The clients that are compared: the curl command, and ours, which one-exchange runs."""

import asyncio
import base64
import dataclasses
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

# The names of our clients.
OURS = ("own", "curl")

# The rest of the environment must have no effect.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
SECONDS = 60

# Our equivalent reason codes for each exit code of curl.
CODES = {
    "1": ["http.protocol"], "8": ["http.protocol"], "18": ["body.short"], "27": ["http.headTooLarge"],
    "35": ["tls.handshake"], "52": ["http.noResponse"], "56": ["http.protocol", "proxy.refused"],
    "60": ["tls.untrusted", "proxy.failed"], "61": ["body.encoding"],
}


@dataclasses.dataclass
class Question:
    """One exchange."""

    url: str
    method: str = "GET"
    version: str = "1.1"
    fields: list = dataclasses.field(default_factory=list)
    body: bytes | None = None
    max_body: int = 1 << 24
    authorities: Path | None = None
    proxy: str | None = None
    login: tuple | None = None


@dataclasses.dataclass
class Seen:
    """The result of a client."""

    failure: str | None
    version: str | None = None
    status: int | None = None
    phrase: str | None = None
    fields: list = dataclasses.field(default_factory=list)
    body: bytes = b""
    is_cut: bool = False
    deviations: list = dataclasses.field(default_factory=list)

    def cut(self, limit):
        """The result of a client that keeps at most this many bytes."""
        return dataclasses.replace(self, body=self.body[:limit], is_cut=len(self.body) > limit)

    def differences(self, other):
        """The differences from curl's result: both values, by kind. If a response is missing, compares the reasons."""
        if self.failure or other.failure:
            reason = (self.failure or "").split(":")[0]
            code = (other.failure or "").split(":")[0]
            return {} if reason in CODES.get(code, ()) else {"ending": (self.failure, other.failure)}
        pairs = {
            "status": ((self.version, self.status, self.phrase), (other.version, other.status, other.phrase)),
            "fields": (self.fields, other.fields),
            "body": ((self.body, self.is_cut), (other.body, other.is_cut)),
        }
        return {kind: pair for kind, pair in pairs.items() if pair[0] != pair[1]}


class Ours:
    """A process that performs any number of exchanges concurrently."""

    def __init__(self, programs):
        self.program, self.waiting, self.count = Path(programs, "one-exchange"), {}, 0

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            self.program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=ENVIRONMENT, limit=1 << 26)
        self.reading = asyncio.create_task(self.read())
        return self

    async def __aexit__(self, *_):
        self.process.stdin.close()
        await self.reading
        await self.process.wait()

    async def read(self):
        while line := await self.process.stdout.readline():
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer)
        for waiting in self.waiting.values():
            waiting.cancel()

    async def ask(self, client, question):
        self.count += 1
        request = {
            "id": self.count, "client": client, "url": question.url, "method": question.method,
            "version": question.version, "fields": question.fields, "seconds": SECONDS, "maxBody": question.max_body,
        }
        if question.body is not None:
            request["body"] = base64.b64encode(question.body).decode()
        if question.authorities:
            request["authorities"] = str(question.authorities)
        if question.proxy:
            request["proxy"] = question.proxy
        if question.login:
            request["user"], request["password"] = question.login
        if self.reading.done():
            raise RuntimeError("one-exchange has ended")
        self.waiting[self.count] = answer = asyncio.get_running_loop().create_future()
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        result = await answer
        failure = f"{result['failure']}: {result['detail']}" if "failure" in result else None
        return Seen(
            failure, result.get("version"), result.get("status"), result.get("phrase"),
            [tuple(field) for field in result.get("fields", [])], base64.b64decode(result.get("body", "")),
            result.get("isCut", False), result.get("deviations", []))


async def curl(question):
    """The result of curl, which always decodes content codings, as our clients do."""
    with tempfile.TemporaryDirectory() as folder:
        head, body = Path(folder, "head"), Path(folder, "body")
        arguments = ["--http" + question.version]
        if question.method == "HEAD":
            arguments.append("--head")
        elif question.method != "GET":
            arguments += ["--request", question.method]
        # The same request as ours: no other codings, and no persistent connection.
        for name, value in ({"Accept-Encoding": "gzip, deflate", "Connection": "close"} | dict(question.fields)).items():
            arguments += ["--header", f"{name}: {value}"]
        if question.body is not None:
            arguments += ["--data-binary", "@-"]
        if question.authorities:
            arguments += ["--cacert", question.authorities, "--proxy-cacert", question.authorities]
        if question.proxy:
            arguments += ["--proxy", question.proxy]
        if question.login:
            arguments += ["--proxy-user", ":".join(question.login)]
        command = [
            "curl", "--disable", "--silent", "--globoff", "--path-as-is", "--max-time", str(SECONDS), "--compressed",
            "--dump-header", head, "--output", body, "--write-out", "%{errormsg}", *arguments, question.url,
        ]
        process = await asyncio.to_thread(
            subprocess.run, command, input=question.body or b"", stdout=subprocess.PIPE, env=ENVIRONMENT)
        failure = f"{process.returncode}: {process.stdout.decode()}" if process.returncode else None
        lines = head.read_bytes() if head.exists() else b""
        content = body.read_bytes() if body.exists() and question.method != "HEAD" else b""
    return Seen(failure, *read_head(lines), content)


def read_head(lines):
    """The last head that curl has written: the head of a tunnel or of an interim response may precede it."""
    starts = list(re.finditer(rb"^HTTP/", lines, re.MULTILINE | re.IGNORECASE))
    if not starts:
        return None, None, None, []
    # A line that begins with white space continues the one before it.
    head = re.sub(rb"[ \t]*\r?\n[ \t]+", b" ", re.split(rb"\n\r?\n", lines[starts[-1].start():])[0])
    first, *rest = head.split(b"\n")
    version, status, phrase = re.fullmatch(rb"HTTP/(\S+) +(\d+) ?(.*?)\r?", first, re.IGNORECASE | re.DOTALL).groups()
    pairs = [line.partition(b":") for line in rest]
    return text(version), int(status), text(phrase), [(text(name), text(value)) for name, _, value in pairs]


def text(value):
    """The text of bytes in a head, without surrounding white space, as our clients show it."""
    value = value.strip(b" \t\r")
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
