"""JSON that the service keeps as it is, and the hashes and keys of tool calls."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn, TypeAlias

import rfc8785

from .errors import InexactJsonError

JsonObject: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]

MOST_LEVELS = 100
_EXACT_NUMBER = "a number that a double holds exactly, or the same digits as text"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_UNSOUND = re.compile("[\0\ud800-\udfff]")


def parse_exact(text: str | bytes, levels: float = MOST_LEVELS) -> Any:
    """Reads JSON, such as the arguments that a model wrote, without a silent change.

    Raises ValueError if the text is not JSON, and InexactJsonError for a number that other
    programs would round, a name that stands twice, and nesting of more than `levels`.
    """
    try:
        value = json.loads(
            text,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise _too_deep((), levels) from None
    return kept(value, levels=levels)


def wire_json(body: Mapping[str, Any]) -> bytes:
    """Writes the body of a request. Raises InexactJsonError where the service would refuse it."""
    return json.dumps(kept(body), ensure_ascii=False, separators=(",", ":")).encode()


def hash_of(value: Any, at: Path = ()) -> str:
    """Returns the SHA-256 of a value as canonical JSON (RFC 8785), in hexadecimal digits.

    `at` is the place of the value in the request, which errors name.
    """
    return hashlib.sha256(rfc8785.dumps(kept(value, at))).hexdigest()


def call_key(run: str, tool_call_id: str, arguments: Mapping[str, Any]) -> str:
    """Returns the key of a tool call: its run, the model's id, and a hash of the arguments."""
    return f"{run}:{tool_call_id}:{hash_of(arguments, ('calls', 0, 'arguments'))}"


def kept(value: Any, at: Path = (), levels: float = MOST_LEVELS) -> Any:
    """Returns a value as the service keeps it. Raises InexactJsonError if it would not."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, at)
    if isinstance(value, int):
        return _whole(value, at)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _no_json(at, f"is {value}, which JSON does not have.")
        return float(value)
    if isinstance(value, Mapping):
        _check_depth(value, at, levels)
        return {_name(name, at): kept(part, (*at, name), levels) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        _check_depth(value, at, levels)
        return [kept(part, (*at, index), levels) for index, part in enumerate(value)]
    if isinstance(value, _Unread):
        raise _changed((*at, *value.at), value.detail, value.accepted)
    raise _no_json(at, f"is of the type {type(value).__name__}, which JSON does not have.")


@dataclass(frozen=True)
class _Unread:
    """Stands for a part of a JSON text that reading would change, until its place is known."""

    detail: str
    accepted: str
    at: Path = ()


_UNREAD_NUMBER = _Unread("would be kept as another number: send it as text.", _EXACT_NUMBER)


def _number(text: str) -> int | float | _Unread:
    number = float(text)
    if not _is_exact(text, number):
        return _UNREAD_NUMBER
    return number if re.search("[.eE]", text) else int(text)


def _is_exact(text: str, number: float) -> bool:
    """Whether a double, written with its shortest digits, has the value of the text."""
    if not math.isfinite(number):
        return False
    if number == 0:
        return re.search("[1-9]", re.split("[eE]", text)[0]) is None
    return Decimal(text) == Decimal(repr(number))


def _object(pairs: list[tuple[str, Any]]) -> JsonObject | _Unread:
    value: JsonObject = {}
    for name, part in pairs:
        if name in value:
            detail = "stands twice in its object, and only one of the two could be kept."
            return _Unread(detail, "each name once in an object", (name,))
        value[name] = part
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}.")


def _whole(value: int, at: Path) -> int | float:
    """Returns a whole number; a large one as the double that other programs make of it."""
    number = int(value)
    if abs(number) <= 2**53 - 1:
        return number
    try:
        double = float(number)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double) or int(Decimal(repr(double))) != number:
        raise _changed(at, _UNREAD_NUMBER.detail, _EXACT_NUMBER)
    return double


def _text(value: str, at: Path) -> str:
    if _UNSOUND.search(value):
        detail = f"{_field(at) or 'The text'} holds U+0000, or half of a surrogate pair."
        raise InexactJsonError("invalid_text", detail, field=_field(at))
    return value


def _name(name: object, at: Path) -> str:
    if not isinstance(name, str):
        raise _no_json(at, f"has the name {name!r}, which is no text.")
    if name == "__proto__":
        raise _changed((*at, name), "cannot be kept: use another name.", "another name")
    return _text(name, (*at, name))


def _check_depth(value: Any, at: Path, levels: float) -> None:
    if len(at) >= levels and len(value) > 0:
        raise _too_deep(at, levels)


def _changed(at: Path, detail: str, accepted: str) -> InexactJsonError:
    field = _field(at)
    text = f"{field or 'The value'} {detail}"
    return InexactJsonError("invalid_request", text, field=field, accepted=accepted)


def _no_json(at: Path, detail: str) -> InexactJsonError:
    return _changed(at, detail, "JSON")


def _too_deep(at: Path, levels: float) -> InexactJsonError:
    accepted = f"at most {levels} levels of nesting"
    detail = f"The JSON is nested too deep: use {accepted}."
    return InexactJsonError("invalid_request", detail, field=_field(at), accepted=accepted)


_SHOWN_PARTS = 20
_SHOWN_CHARACTERS = 60


def _field(path: Path) -> str:
    """Writes a path such as `calls[0].arguments.amount`, cut if it is long."""
    text = ""
    for part in (*path[:_SHOWN_PARTS], *(["…"] if len(path) > _SHOWN_PARTS else [])):
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        name = str(part)
        if len(name) > _SHOWN_CHARACTERS:
            name = f"{name[:_SHOWN_CHARACTERS]}…"
        if not _PLAIN_NAME.fullmatch(name):
            text += f"[{json.dumps(name, ensure_ascii=not name.isprintable())}]"
        else:
            text += name if text == "" else f".{name}"
    return text
