"""The keys and refusals of tool calls are those of the TypeScript client."""

import json
from pathlib import Path

from holdpoint_client import InexactJsonError, call_key, parse_exact

FILE = Path(__file__).parents[2] / "test" / "vectors" / "calls.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
PLACE = "calls[0].arguments"
NO_JSON = {f'{{"x":{name}}}': float(name) for name in ("NaN", "Infinity", "-Infinity")}


def outcome_of(text: str) -> dict[str, str]:
    try:
        arguments = {"x": NO_JSON[text]} if text in NO_JSON else parse_exact(text)
        return {"key": call_key("run-7", "call-1", arguments)}
    except InexactJsonError as error:
        if error.accepted == "JSON":
            return {"refused": "no_json"}
        field = (error.field or "").removeprefix(PLACE).removeprefix(".")
        return {"refused": error.code, "field": field}
    except ValueError:
        return {"refused": "malformed_json"}


def test_vectors_are_many_of_both_outcomes() -> None:
    refused = [one for one in VECTORS if "refused" in one]
    assert len(VECTORS) >= 300
    assert 50 <= len(refused) <= len(VECTORS) - 200


def test_every_vector_has_the_outcome_of_the_typescript_client() -> None:
    wrong = []
    for vector in VECTORS:
        expected = {name: value for name, value in vector.items() if name != "text"}
        found = outcome_of(vector["text"])
        if found != expected:
            wrong.append((vector["text"], found, expected))
    assert wrong == []
