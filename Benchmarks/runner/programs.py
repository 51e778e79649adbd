"""Starts programs, and ends them in any case."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import time


class Wrong(Exception):
    """A program did not do its work, so its figures are meaningless."""


class Unavailable(Exception):
    """A requirement of a row is missing on this machine; the message has the requirement and the fix."""


class Finished:
    """The output and resource usage of a finished program; `seconds` and `cpu` are those of the whole process."""

    def __init__(self, output, seconds, cpu):
        self.output = output
        self.seconds = seconds
        self.cpu = cpu


def run(command, timeout=120):
    """Runs a program to its end; raises Wrong unless it ends in time with exit status 0."""
    before = children_cpu()
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{name(command)} did not end within {timeout} s") from None
    finally:
        end(process)
    if process.returncode != 0:
        raise Wrong(f"{name(command)} ended with exit code {process.returncode}: {(errors or output).strip()[-500:]}")
    return Finished(output, time.monotonic() - start, children_cpu() - before)


def run_for_json(command, timeout=120):
    """Runs a program that writes one JSON object, and adds the seconds of the whole process to it, as `wall`."""
    finished = run(command, timeout)
    try:
        result = json.loads(finished.output)
    except ValueError:
        raise Wrong(f"{name(command)} did not write JSON: {finished.output[:200]!r}") from None
    return result | {"wall": finished.seconds}


class Cost:
    """The cost of a program: seconds from start to end, CPU seconds, and its peak memory in bytes."""

    def __init__(self, seconds, usage):
        self.seconds = seconds
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def cost(command, statuses=(0,)):
    """Runs a program and discards its output; raises Wrong unless it ends with one of the exit statuses."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in statuses:
        raise Wrong(f"{name(command)} ended with exit code {os.waitstatus_to_exitcode(status)}")
    return Cost(seconds, usage)


def start_and_end_seconds(program, *arguments):
    """The time from the start of a program to its end. Its output is discarded; no Python code runs in between."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    start = time.perf_counter()
    pid = os.posix_spawn(program, [program, *arguments], os.environ, file_actions=null)
    _, status = os.waitpid(pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise Wrong(f"{name([program])} ended with wait status {status}")
    return seconds


@contextlib.contextmanager
def server(command, log, is_ready, patience=10):
    """Starts a server, which must be ready within `patience` seconds, and ends it after the block; yields its PID."""
    with open(log, "w") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    try:
        deadline = time.monotonic() + patience
        while not is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                with open(log) as lines:
                    raise Wrong(f"{name(command)} did not start: {lines.read().strip()[-500:]}")
            time.sleep(0.02)
        yield process.pid
    finally:
        end(process)


def end(process):
    """Ends a process and its session, unless it has ended by itself."""
    if process.poll() is None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=3)
                break
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def allow_descriptors(count):
    """Raises the limit of open files for this process and its children; returns the number that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        count = min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    return count


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def name(command):
    return os.path.basename(command[0])
