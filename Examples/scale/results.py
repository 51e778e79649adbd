"""Reads the results of a list that was probed in parts, and reports what is wrong with them."""

import contextlib
import json
from pathlib import Path


def files(folder):
    """The files of results in a folder."""
    return sorted(path for path in Path(folder).glob("**/part-*") if path.is_file())


def complete(folder):
    """The number of files with an end line, for which only the end of each is read."""
    count = 0
    for file in files(folder):
        # A file of Spark may be moved at this moment.
        with contextlib.suppress(OSError), open(file, "rb") as content:
            content.seek(max(0, file.stat().st_size - 1000))
            count += b'"type":"end"' in content.read()
    return count


def read(folder):
    """The ids of each file of results in a folder, by name, and the files without an end line, which do not count."""
    parts, broken = {}, []
    for file in files(folder):
        ids, end = [], None
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    record = {}
                if end or record.get("type") not in ("probe", "end"):
                    end, ids = None, []
                    break
                if record["type"] == "end":
                    end = record
                else:
                    ids.append(record["id"])
        if end and end["results"] == len(ids):
            parts[str(file.relative_to(folder))] = ids
        else:
            broken.append(str(file.relative_to(folder)))
    return parts, broken


def faults(folder, count):
    """What is wrong with the results of the ids from 0 to count."""
    parts, broken = read(folder)
    seen = [0] * count
    unknown = 0
    for ids in parts.values():
        for number in ids:
            if isinstance(number, int) and 0 <= number < count:
                seen[number] += 1
            else:
                unknown += 1
    missing, repeated = sum(times == 0 for times in seen), sum(times > 1 for times in seen)
    found = [f"{name} has no end line, or another one than its results" for name in broken]
    found += [f"{missing} ids have no result"] if missing else []
    found += [f"{repeated} ids have several results"] if repeated else []
    found += [f"{unknown} results have an unknown id"] if unknown else []
    return found
