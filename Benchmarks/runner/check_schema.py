"""Loads a YAML file, validates it against a JSON Schema, and prints the seconds for both and for loading.

usage: check_schema.py SCHEMA FILE
"""

import json
import sys
import time

import yaml
from jsonschema import Draft202012Validator


def main():
    with open(sys.argv[1]) as file:
        validator = Draft202012Validator(json.load(file))
    with open(sys.argv[2], "rb") as file:
        text = file.read()
    start = time.perf_counter()
    value = yaml.load(text, yaml.CSafeLoader)
    loaded = time.perf_counter()
    errors = sum(1 for _ in validator.iter_errors(value))
    end = time.perf_counter()
    if errors:
        sys.exit(f"{errors} errors in a valid file")
    print(json.dumps({"seconds": end - start, "load": loaded - start}))


main()
