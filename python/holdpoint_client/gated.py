"""Gates a plain function: it runs once people have approved the call, and as they approved it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypedDict, TypeVar

from .approvals import ApprovalFlows, Approvals, AsyncApprovals, Redeemed
from .connection import Flow, Work, checked
from .json_values import JsonObject

if TYPE_CHECKING:
    from typing_extensions import Unpack

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class ToolCall:
    """Names a call: it is asked about once, also after a crash."""

    run: str
    id: str
    """The model's id of the call, or any other that is unique in the run."""


class GateOptions(TypedDict, total=False):
    """What people see of a call, and which edits they may make."""

    tool: str
    """The name of the function by default."""
    prompt: str
    """What is asked, such as `Wire {amount} to {to}?`, with the names of arguments."""
    input_schema: Mapping[str, Any]
    """The JSON Schema of the arguments; their names by default."""
    request: Mapping[str, Any]
    """Further fields of the request for approval."""
    waits: bool
    """Whether a call waits for the decision; if not, it raises ApprovalPending."""


class Gate(Protocol):
    """Gates a function whose first parameter is the approved call."""

    def __call__(
        self, function: Callable[Concatenate[Redeemed, P], T], /
    ) -> Callable[Concatenate[ToolCall, P], T]: ...


def gated(approvals: Approvals | AsyncApprovals, **options: Unpack[GateOptions]) -> Gate:
    """Gates a function whose first parameter is the approved call, and whose result is JSON.

    Callers give a ToolCall in the place of the first argument. A call asks, waits, runs the
    function with the approved arguments, and records its result, which the same call returns from
    then on. After a crash the function may run again, with the same `idempotency_key`. Raises
    ApprovalDenied or ApprovalExpired, whose messages are for the model.
    """

    flows = approvals._flows
    checked(GateOptions, options)

    def gate(function: Callable[..., Any], /) -> Callable[..., Any]:
        tool = _Tool(function, options)
        if inspect.iscoroutinefunction(function) != isinstance(approvals, AsyncApprovals):
            raise TypeError("An async function needs AsyncApprovals, and a plain one Approvals.")

        @functools.wraps(function)
        def run(call: ToolCall, *args: Any, **kwargs: Any) -> Any:
            # The async client returns an awaitable here.
            return approvals.run(tool.call(flows, call, args, kwargs))

        return run

    return gate


class _Tool:
    def __init__(self, function: Callable[..., Any], options: GateOptions) -> None:
        self.name = options.get("tool") or function.__name__
        self._function = function
        self._options = options
        self._signature = inspect.signature(function)
        _call, *self._parameters = self._signature.parameters.values()
        plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        if any(one.kind not in plain for one in self._parameters):
            raise TypeError(f"{self.name} needs a name for each parameter after the first.")

    def call(
        self, flows: ApprovalFlows, call: ToolCall, args: tuple[Any, ...], kwargs: JsonObject
    ) -> Flow[Any]:
        bound = self._signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        arguments = {one.name: bound.arguments[one.name] for one in self._parameters}
        key = (yield from flows.ask(**self._request(call, arguments))).key
        if self._options.get("waits", True):
            yield from flows.wait(key)
        redeemed = yield from flows.redeem(key, arguments, self.name)
        if redeemed.completed_at is not None:
            return redeemed.result
        result = yield Work(lambda _lost: self._function(redeemed, **redeemed.arguments))
        yield from flows.complete(key, result)
        return result

    def _request(self, call: ToolCall, arguments: JsonObject) -> JsonObject:
        prompt = self._options.get("prompt")
        asked = {} if prompt is None else {"prompt": prompt.format(**arguments)}
        return {
            "run": call.run,
            "tool_call_id": call.id,
            "tool": self.name,
            "arguments": arguments,
            "input_schema": self._options.get("input_schema") or self._schema(),
            "request": {**asked, **self._options.get("request", {})},
        }

    def _schema(self) -> JsonObject:
        """Returns a schema with which an edit cannot add, rename or remove an argument."""
        names = [one.name for one in self._parameters]
        properties = dict.fromkeys(names, True)
        return {
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": False,
        }
