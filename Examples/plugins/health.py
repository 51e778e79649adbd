#!/usr/bin/env python3
"""A validator: accepts a JSON document in which a field has a value, such as {"status": "up"}."""
import base64
import json
import sys

HELLO = {
    "hello": 1, "kind": "validator", "name": "health",
    "examples": [{
        "options": {"field": "status", "expected": "up"},
        "accepts": {"status": 200, "text": '{"status": "up", "version": "1.4"}'},
        "rejects": {"status": 200, "text": '{"status": "down"}'},
    }],
}


def judge(response, options):
    """The members of an answer, besides its id."""
    field, expected = options.get("field", "status"), options.get("expected", "up")
    try:
        document = json.loads(base64.b64decode(response.get("bodyBase64") or ""))
        found = document[field]
    except (LookupError, RecursionError, TypeError, ValueError):
        return {"accepted": False, "reason": "health.unreadable", "detail": f"there is no {field} in the body"}
    if found != expected:
        # repr, because a server can send anything.
        return {"accepted": False, "reason": "health.down", "detail": f"{field} is {found!r:.100}"}
    return {"accepted": True}


def send(message):
    print(json.dumps(message), flush=True)


send(HELLO)
for line in sys.stdin:
    message = json.loads(line)
    # Other messages, such as cancel, need no answer.
    if "response" in message:
        send({"id": message["id"], **judge(message["response"], message.get("options") or {})})
