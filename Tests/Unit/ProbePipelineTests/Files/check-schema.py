#!/usr/bin/python3
"""Checks files against a schema with python3-jsonschema: `check-schema.py SCHEMA FILE...`.

Prints a line for each file: `accepted NAME`, `refused NAME: WHY` if the schema refuses it, or `unreadable NAME: WHY` if
it is not YAML. Fails if the schema itself is not a valid schema of draft 2020-12.
"""

import json
import os
import sys

import yaml
from jsonschema import Draft202012Validator


class Loader(yaml.CSafeLoader):
    """YAML whose plain scalars are those of JSON: numbers, true, false and null; everything else is a string."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:~|null|)$", ["~", "n", ""]),
    ("int", r"^-?(?:0|[1-9][0-9]*)$", "-0123456789"),
    ("float", r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$", "-0123456789"),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", yaml.resolver.re.compile(pattern), list(first))


def unique_mapping(loader, node):
    """A mapping with unique strings as keys; PyYAML alone would keep the last of two equal ones."""
    result = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.YAMLError("a key is not a string")
        if key_node.value in result:
            raise yaml.YAMLError(f"the key {key_node.value} occurs twice")
        result[key_node.value] = loader.construct_object(value_node, deep=True)
    return result


Loader.add_constructor("tag:yaml.org,2002:map", unique_mapping)


def unique_object(pairs):
    if len(dict(pairs)) < len(pairs):
        raise yaml.YAMLError("a key occurs twice")
    return dict(pairs)


def read(path):
    """The value of a file; JSON is read as JSON, because PyYAML does not know all of its escapes."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        return json.loads(text, object_pairs_hook=unique_object)
    except (ValueError, RecursionError):
        return yaml.load(text, Loader)


def examine(validator, path):
    name = os.path.basename(path)
    try:
        value = read(path)
    except (yaml.YAMLError, RecursionError, ValueError, UnicodeError) as error:
        return f"unreadable {name}: {type(error).__name__}"
    try:
        error = next(validator.iter_errors(value), None)
    except RecursionError:
        return f"unreadable {name}: it contains itself"
    if error is None:
        return f"accepted {name}"
    place = "/".join(str(part) for part in error.absolute_path)
    return f"refused {name}: {place}: {error.message[:100]}".replace("\n", " ")


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for path in sys.argv[2:]:
        print(examine(validator, path))


main()
