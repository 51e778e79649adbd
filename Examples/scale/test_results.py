#!/usr/bin/python3
"""Tests of results.py: does it notice lost and repeated parts?"""

import json
import tempfile
import unittest
from pathlib import Path

from results import faults


def part(*ids, results=None):
    """The file of a part."""
    lines = [{"type": "probe", "id": number} for number in ids]
    lines.append({"type": "end", "results": len(ids) if results is None else results})
    return "".join(json.dumps(line) + "\n" for line in lines)


class ResultsTests(unittest.TestCase):
    def expect(self, expected, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (Path(folder) / f"part-{name}").write_text(text)
            self.assertEqual(faults(folder, 4), expected)

    def test_every_id_once(self):
        self.expect([], a=part(2, 0), b=part(1, 3), c=part())

    def test_missing_and_repeated(self):
        self.expect(["1 ids have no result", "1 ids have several results"], a=part(0, 1), b=part(1, 2))

    def test_without_end_line(self):
        cut = part(2, 3).rsplit("{", 1)[0]
        wrong = "part-b has no end line, or another one than its results"
        self.expect([wrong, "2 ids have no result"], a=part(0, 1), b=cut)
        self.expect([wrong, "2 ids have no result"], a=part(0, 1), b=cut[:-9])
        self.expect([wrong, "2 ids have no result"], a=part(0, 1), b="")

    def test_other_counts_than_results(self):
        wrong = "part-b has no end line, or another one than its results"
        self.expect([wrong, "2 ids have no result"], a=part(0, 1), b=part(2, 3, results=3))
        self.expect([wrong, "2 ids have no result"], a=part(0, 1), b=part(2) + part(3))

    def test_unknown_ids(self):
        self.expect(["2 results have an unknown id"], a=part(0, 1, 2, 3, 4, None))


unittest.main()
