"""Starting programs, and ending them whatever happens."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import time


class Wrong(Exception):
    """A program did not do what it was asked, so that its figures mean nothing."""


class Unavailable(Exception):
    """Something that a row needs is not on this machine; says what, and how to get it."""


class Finished:
    """What a program that has ended wrote and used; `seconds` and `cpu` are the whole process's."""

    def __init__(self, output, seconds, cpu):
        self.output = output
        self.seconds = seconds
        self.cpu = cpu


def run(command, timeout=120):
    """Runs a program to its end; any end but exit status 0 in time is wrong."""
    before = children_cpu()
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{name(command)} had not ended after {timeout} s") from None
    finally:
        end(process)
    if process.returncode != 0:
        raise Wrong(f"{name(command)} ended with {process.returncode}: {(errors or output).strip()[-500:]}")
    return Finished(output, time.monotonic() - start, children_cpu() - before)


def run_for_json(command, timeout=120):
    """Runs a program that writes one JSON object; the object has the whole process's figures, too."""
    finished = run(command, timeout)
    try:
        result = json.loads(finished.output)
    except ValueError:
        raise Wrong(f"{name(command)} wrote no JSON: {finished.output[:200]!r}") from None
    return result | {"wall": finished.seconds}


class Cost:
    """What a program took: seconds from start to end, CPU seconds, and its peak memory in bytes."""

    def __init__(self, seconds, usage):
        self.seconds = seconds
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def cost(command, statuses=(0,)):
    """Runs a program, its output thrown away, to its end with one of the exit statuses."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in statuses:
        raise Wrong(f"{name(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(seconds, usage)


def start_and_end_seconds(program, *arguments):
    """The time from starting a program, its output thrown away, to its end; no Python runs in between."""
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
    """A server that runs as long as the block, from when it is ready within so many seconds; yields its process id."""
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
    """Ends a process and all of its session, if it has not ended by itself."""
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
    """Raises the limit of open files of this process and of what it starts; says how far it got."""
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
