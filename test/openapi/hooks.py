"""What schemathesis has to know of Holdpoint: see schemathesis.toml."""

import functools
import itertools
import json
import os

import requests
import schemathesis
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

# Refusals by rules between fields, or between a request and what went before it.
RULES = {
    "deadline_in_past",
    "idempotency_key_reused",
    "input_wiring",
    "invalid_choices",
    "invalid_decision_rule",
    "invalid_patch",
    "invalid_plan",
    "invalid_response_schema",
    "invalid_retry_policy",
    # No schema forbids U+0000 or half of a surrogate pair at every depth of a body.
    "invalid_text",
    "invalid_value",
    # A token is more than its characters.
    "link_invalid",
    "missing_output",
    "mixed_shapes",
    "output_type_mismatch",
    "outside_scope",
    "request_key_reused",
    "resume_signal_mismatch",
    "secret_refused",
    # An instant that has passed by the clock, or by which the question has expired.
    "snooze_not_possible",
    "state_too_large",
    "task_cycle",
    # The configuration has no codec.
    "codec_not_configured",
    # Who can answer is a matter of keys and the directory.
    "unknown_principal",
    "unknown_recipient",
    "webhooks_not_configured",
}

# What is accepted where one field decides what another may be: calls, but not to give consent; a signal, or an answer;
# two names that are equal; two intents that differ; a key that is in the header and in the body; two days and what is between.
BETWEEN_FIELDS = (
    "at least one of",
    "either ",
    "at least one call",
    "resume_signal, ",
    "one of on_behalf_of and decider",
    "another intent than",
    "the request_key of the body",
    "at least one day and at most ",
)
# What no schema says of a number or a text: that a double holds it, that people see something of it, that it is a time zone.
NOT_IN_SCHEMAS = ("a number that a double holds exactly", "a text that people can see", "a time zone of IANA")

QUESTION = {"question": "Refund?", "response_type": "text"}


@schemathesis.check
def refused_by_a_rule_only(ctx, response, case):
    """A request that fits its schema is refused with 400 or 422 only by a rule that no schema can say."""
    if response.status_code not in (400, 422) or not case.meta.generation.mode.is_positive:
        return
    problem = response.json()
    field = problem.get("field", "")
    # A cursor says nothing to its reader, no schema forbids a name at every depth, how far ahead a
    # deadline or an expiry may lie depends on the day, what is a URL is more than a pattern says, null counts as
    # absent where one field at least, or exactly one, is due, and the ids of calls differ.
    unsaid = field in ("cursor", "webhook_url", "expires_at") or field.endswith(("__proto__", ".deadline"))
    unsaid = unsaid or (field.startswith("calls[") and (field.endswith(".id") or ".input_schema" in field))
    if problem["code"] in RULES or unsaid:
        return
    if problem.get("accepted", "").startswith(BETWEEN_FIELDS + NOT_IN_SCHEMAS):
        return
    raise AssertionError(f"Fits its schema, but is refused: {response.text}")


class Live:
    """Makes what a request is about, so that it does not end at 404."""

    def __init__(self, base_url):
        self.base_url = base_url
        self.session = requests.Session()
        self.session.headers["X-API-Key"] = os.environ["HOLDPOINT_TEST_KEY"]
        # A busy server may say so for once.
        patient = Retry(5, status_forcelist=[503], allowed_methods=None, backoff_factor=0.5)
        self.session.mount("http://", HTTPAdapter(max_retries=patient))

    def post(self, path, body, headers=None):
        reply = self.session.post(self.base_url + path, json=body, headers=headers, timeout=30)
        reply.raise_for_status()
        return reply

    def made(self, path, body):
        return self.post(path, body).json()["id"]

    def intent(self):
        return self.made("/v1/intents", {"title": "Refund", "status": "active"})

    def suspension(self, intent_id):
        return self.made(f"/v1/intents/{intent_id}/suspend", QUESTION)

    def lease(self, intent_id):
        body = {"scope": "refunds", "duration_seconds": 600}
        return self.made(f"/v1/intents/{intent_id}/leases", body)

    def dependency(self, intent_id):
        upstream = self.intent()
        path = f"/v1/intents/{intent_id}/dependencies"
        self.post(path, {"dependency_id": upstream}, {"If-Match": '"1"'})
        return upstream

    def portfolio(self):
        return self.made("/v1/portfolios", {"name": "Refunds"})

    def member(self, portfolio_id):
        intent_id = self.intent()
        self.post(f"/v1/portfolios/{portfolio_id}/intents", {"intent_id": intent_id})
        return intent_id

    def task(self):
        return self.made("/v1/tasks", {"intent_id": self.intent(), "name": "review"})

    def plan(self):
        tasks = [{"name": "review", "outputs": {"approved": "boolean"}}]
        return self.made("/v1/plans", {"intent_id": self.intent(), "tasks": tasks})

    def workflow(self):
        return self.made("/v1/workflows", {"title": "Refunds", "phases": {"review": {}}})

    def coordinator(self):
        return self.coordinator_of(self.intent())

    def coordinator_of(self, intent_id):
        return self.made("/v1/coordinators", {"intent_id": intent_id})


class Shared(Live):
    """Makes once what is only read."""

    def __init__(self, base_url):
        super().__init__(base_url)
        self.replies = {}

    def post(self, path, body, headers=None):
        made = json.dumps([path, body])
        if made not in self.replies:
            self.replies[made] = super().post(path, body, headers)
        return self.replies[made]


shared = functools.cache(Shared)


# What an id in a path names, where it stands alone.
MAKERS = {
    "coordinatorId": Live.coordinator,
    "planId": Live.plan,
    "taskId": Live.task,
    "workflowId": Live.workflow,
}
MADE_OF_AN_INTENT = ("/coordinators", "/plans", "/tasks")

turns = itertools.count()

# The bounds that were tried, each with its place: schemathesis gives a field of a body every wrong type it knows of.
tried = set()


@schemathesis.hook
def filter_case(ctx, case):
    """Leaves out what differs from an earlier case of the phase `coverage` by its value alone."""
    meta = case.meta
    if meta is None or meta.phase.name.value != "coverage":
        return True
    bound = meta.phase.data
    place = (case.operation.label, case.method, bound.parameter_location, bound.parameter)
    what = (*place, bound.scenario, bound.description)
    is_new = what not in tried
    tried.add(what)
    return is_new


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Points three of four valid requests at an intent or what belongs to it that is there."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    live = (shared if case.method == "GET" else Live)(case.operation.base_url.rstrip("/"))
    ids = case.path_parameters or {}
    if case.operation.path.endswith("/portfolios/{portfolioId}/intents") and isinstance(case.body, dict):
        case.body["intent_id"] = live.intent()
    is_of_an_intent = case.operation.path.endswith(MADE_OF_AN_INTENT)
    if is_of_an_intent and isinstance(case.body, dict) and "intent_id" in case.body:
        case.body["intent_id"] = live.intent()
    if case.operation.path == "/v1/decisions" and isinstance(case.body, dict):
        case.body["intent_id"] = live.intent()
        case.body["coordinator_id"] = live.coordinator_of(case.body["intent_id"])
    if meta.phase.name.value == "stateful" or not ids or next(turns) % 4 == 0:
        return
    for name in MAKERS.keys() & ids.keys():
        ids[name] = MAKERS[name](live)
        if "If-Match" in (case.headers or {}):
            case.headers["If-Match"] = '"1"'
        return
    if "portfolioId" in ids:
        ids["portfolioId"] = live.portfolio()
        if "intentId" in ids:
            ids["intentId"] = live.member(ids["portfolioId"])
        return
    intent_id = live.intent()
    if isinstance(case.body, dict) and "dependency_id" in case.body:
        case.body["dependency_id"] = live.intent()
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = '"1"'
    if "intentId" in ids:
        ids["intentId"] = intent_id
    if "dependencyId" in ids:
        ids["dependencyId"] = live.dependency(intent_id)
        case.headers["If-Match"] = '"2"'
    if "leaseId" in ids:
        ids["leaseId"] = live.lease(intent_id)
    if "suspensionId" in ids:
        ids["suspensionId"] = live.suspension(intent_id)
    elif case.operation.path.endswith(("/respond", "/cancel")):
        suspension_id = live.suspension(intent_id)
        if isinstance(case.body, dict):
            case.body["suspension_id"] = suspension_id
