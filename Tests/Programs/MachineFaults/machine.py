"""Shared by the checks of machine faults: a replayed network, programs with limits, and a list of errors."""

import json
import os
import resource
import subprocess
import tempfile
import time

# A program that takes as long as this hangs.
PATIENCE = 60

CODES = {0, 1, 2, 64, 65, 69}


class Machine:
    """The programs under test, and the errors found."""

    def __init__(self, programs):
        self.probekit = os.path.join(os.path.abspath(programs), "probekit")
        self.soak = os.path.join(os.path.abspath(programs), "soak")
        self.wrong = []
        self.folder = tempfile.TemporaryDirectory(prefix="machine-faults-")
        # A crash must end the program, without a minute of backtraces.
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C"}

        # A network in which every server responds as expected.
        self.open = self.file("fixture.yaml", """version: 1
name: open
source: { kind: synthetic, reference: "made up" }
routes:
  - id: page
    respond: { status: 204 }
""")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def expect(self, condition, words, run=None):
        """Records an error if a condition does not hold, with the output of a program."""
        if condition:
            return
        if run is not None:
            words += f" (exit {run.returncode}; {run.stderr.strip()[-300:]!r}; {run.stdout.strip()[-300:]!r})"
        self.wrong.append(words)
        print(f"  ERROR: {words}", flush=True)

    def run(self, arguments, limits=(), environment=None, **options):
        """Runs a program, which must end; limits are pairs of a resource and a number."""

        def limit():
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))

        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        start = time.monotonic()
        try:
            run = subprocess.run(
                arguments, text=True, errors="replace", timeout=PATIENCE, preexec_fn=limit, check=False,
                env={**self.environment, **(environment or {})}, **options)
        except subprocess.TimeoutExpired:
            self.expect(False, f"hung: {arguments}")
            run = subprocess.CompletedProcess(arguments, 255, "", "hung")
        run.stdout, run.stderr = run.stdout or "", run.stderr or ""
        run.seconds = time.monotonic() - start
        return run

    def shell(self, script, **options):
        """Runs a shell script with the command as $0."""
        return self.run(["bash", "-c", script, self.probekit], **options)


class Replay:
    """A replayed network, for the duration of a with statement."""

    def __init__(self, machine, fixture):
        self.process = subprocess.Popen(
            [machine.probekit, "replay", "--format", "json", fixture],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=machine.environment)

    def __enter__(self):
        answer = json.loads(self.process.stdout.readline())
        port = {name: address.rsplit(":", 1)[1] for name, address in answer["listeners"].items()}
        self.authority = answer["ca"]
        # For every host, the port of its scheme.
        self.options = [
            "--allow-http", "--cacert", self.authority, "--connect-to", f":80:127.0.0.1:{port['http']}",
            "--connect-to", f":443:127.0.0.1:{port['https']}"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
