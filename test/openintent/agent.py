"""An agent of the published OpenIntent SDK, driven by one JSON argument; prints a JSON line for each step."""

import asyncio
import json
import sys

from openintent import BaseAgent, HumanRetryPolicy, IntentStatus, OpenIntentClient
from openintent import on_assignment, on_complete, on_handoff, on_input_received, on_input_requested
from openintent import on_lease_available, on_state_change, on_suspension_expired
from openintent.client import AsyncOpenIntentClient
from openintent.exceptions import ConflictError, OpenIntentError
from openintent.models import AccessPolicy, DecisionType, MembershipRole, Permission, PortfolioStatus

AGENT_ID = "refunder"
in_order = AsyncOpenIntentClient.set_status


async def set_status(self, intent_id, version, status, reason=None):
    """BaseAgent.request_input of 0.17.0 hands over status and version the wrong way round, and fails."""
    if isinstance(version, IntentStatus):
        version, status = status, version
    return await in_order(self, intent_id, version, status, reason)


AsyncOpenIntentClient.set_status = set_status


def tell(step, **fields):
    print(json.dumps({"step": step, **fields}, default=str), flush=True)


class Refunder(BaseAgent):
    _agent_id = AGENT_ID

    @on_input_requested
    async def requested(self, intent, suspension):
        tell(
            "requested",
            status=intent.status.value,
            suspension_id=suspension.id,
            attempt=suspension.context.get("_attempt"),
            channel_hint=suspension.channel_hint,
            record=suspension.to_dict(),
        )

    @on_input_received
    async def received(self, intent, response):
        tell("received", value=response.value, responded_by=response.responded_by, at=response.responded_at)

    @on_suspension_expired
    async def expired(self, intent, suspension):
        held = intent.state.to_dict().get("_suspension", {})
        tell("expired", resolution=held.get("resolution"))


class Helper(BaseAgent):
    """Lives on its subscription, as the SDK's agents do."""

    _agent_id = "helper"

    async def _handle_event(self, event):
        tell("frame", type=event.type)
        await super()._handle_event(event)

    @on_assignment
    async def assigned(self, intent):
        tell("assigned", title=intent.title)
        return {"helped": True}

    @on_handoff
    async def handed(self, intent, from_agent):
        tell("handed", title=intent.title, by=from_agent)

    @on_state_change(["helped"])
    async def changed(self, intent, old_state, new_state):
        tell("changed", new_state=new_state)

    @on_lease_available("refunds")
    async def available(self, intent, scope):
        tell("available", scope=scope)

    @on_complete
    async def completed(self, intent):
        tell("completed", title=intent.title, status=intent.status.value)


def serve(task):
    """Runs until it is killed."""
    Helper(base_url=task["base_url"], api_key=task["api_key"]).run()


async def watch(task, agent):
    """Reads the stream of an intent or a portfolio until an intent is completed."""
    sync = OpenIntentClient(task["base_url"], task["api_key"], AGENT_ID)
    of = task["watched"]
    stream = sync.subscribe_portfolio(of["id"]) if of["kind"] == "portfolio" else sync.subscribe_sse(of["id"])
    for event in stream:
        tell("frame", type=event.type, status=event.data.get("new_status"))
        if event.type == "INTENT_COMPLETED":
            return


async def finish(task, agent):
    """Takes a lease, gives it back, and completes the intent."""
    client = agent.async_client
    lease = await client.acquire_lease(task["intent_id"], "refunds", 60)
    await client.release_lease(task["intent_id"], lease.id)
    intent = await client.get_intent(task["intent_id"])
    intent = await client.set_status(intent.id, intent.version, IntentStatus.COMPLETED)
    tell("finished", status=intent.status.value)


async def delegate(task, agent):
    await agent.delegate(task["intent_id"], "helper", {"why": "busy"})
    tell("delegated")


async def containers(task, agent):
    """Portfolios, tasks, plans and coordinators, by the methods the SDK has for them."""
    client = agent.async_client
    intent = await client.create_intent("Refund", "")
    portfolio = await client.create_portfolio("Launch", metadata={"of": "spring"})
    added = await client.add_intent_to_portfolio(portfolio.id, intent.id, MembershipRole.PRIMARY, 3)
    intents, aggregate = await client.get_portfolio_intents(portfolio.id)
    listed = [one.id for one in await client.list_portfolios(created_by=AGENT_ID)]
    of_intent = [one.id for one in await client.get_intent_portfolios(intent.id)]
    tell("portfolio", by=portfolio.created_by, dated=portfolio.created_at is not None, metadata=portfolio.metadata,
         role=added.role.value, priority=added.priority, intents=[one.title for one in intents],
         total=aggregate.total, listed=portfolio.id in listed, of_intent=of_intent == [portfolio.id])
    await client.remove_intent_from_portfolio(portfolio.id, intent.id)
    closed = await client.update_portfolio_status(portfolio.id, PortfolioStatus.COMPLETED)
    read = await client.get_portfolio(portfolio.id)
    tell("closed", status=[closed.status.value, read.status.value], total=read.aggregate_status.total)
    tools = [{"service": "ledger", "scopes": ["read"], "required": True}]
    first = await client.create_task(intent.id, "review", priority="high", requires_tools=tools)
    second = await client.create_task(intent.id, "pay", depends_on=[first.id])
    tell("task", status=[first.status.value, second.status.value], tools=[one.to_dict() for one in first.requires_tools],
         metadata=first.metadata, dated=first.created_at is not None)
    plan = await client.create_plan(intent.id, [first.id, second.id], on_failure="notify")
    running = await client.update_task(first.id, (await client.get_task(first.id)).version, "running", assigned_agent="helper")
    done = await client.update_task(first.id, running.version, "completed", output={"ok": True})
    tell("done", status=done.status.value, output=done.output, agent=done.assigned_agent)
    tell("tasks", names=sorted(one.name for one in await client.list_tasks(intent.id)))
    try:
        await client.update_task(second.id, 99, "running")
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__)
    active = await client.update_plan(plan.id, (await client.get_plan(plan.id)).version, state="active")
    plans = await client.list_plans(intent.id)
    tell("plan", states=[plan.state.value, active.state.value], tasks=len(plan.tasks), on_failure=plan.on_failure.value,
         listed=[one.id for one in plans] == [plan.id])
    lease = await client.create_coordinator_lease("lead", intent.id, guardrails={"max_tasks_per_plan": 5})
    beat = await client.coordinator_heartbeat(lease.id)
    leases = await client.list_coordinator_leases(intent.id)
    read = await client.get_coordinator_lease(lease.id)
    tell("coordinator", agent=read.agent_id, status=read.status.value, guardrails=read.guardrails.max_tasks_per_plan,
         beat=beat["status"], listed=[one.id for one in leases] == [lease.id])
    made = await client.create_decision_record(lease.id, intent.id, DecisionType.TASK_ASSIGNED, "helper", "is free")
    decisions = await client.list_decision_records(intent.id)
    tell("decided", summary=made["summary"], same=decisions == [made])
    tell("events", types=sorted({event.event_type.value for event in await client.get_events(intent.id)}))


async def register(task, agent):
    """Registers, gives a sign of life, drains: by the synchronous client, which has all of it."""
    sync = OpenIntentClient(task["base_url"], task["api_key"], AGENT_ID)
    made = sync.register_agent("helper", ["pay"], heartbeat_config={"interval_seconds": 30}, metadata={"a": 1})
    again = sync.register_agent("helper", ["pay"])
    beat = sync.agent_heartbeat("helper", 2, ["t"])
    read = sync.get_agent_record("helper")
    sync.update_agent_status("helper", "draining")
    draining = [one.agent_id for one in sync.list_agents(status="draining")]
    tell("registered", status=made.status.value, metadata=made.metadata, versions=[made.version, again.version],
         beat=beat["status"], seen=read.last_heartbeat_at is not None, draining=draining)
    try:
        sync.agent_heartbeat("nobody")
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__)
    tell("subscriptions", listed=len(sync.get_subscriptions()))


async def ask(task, agent):
    """Asks, and tells what came of it."""
    question = dict(task["question"])
    policy = question.pop("retry_policy", None)
    if policy is not None:
        question["retry_policy"] = HumanRetryPolicy.from_dict(policy)
    digits = question.get("context", {}).get("of_digits")
    if digits is not None:
        question["context"] = {"n": int(digits)}
    try:
        value = await agent.request_input(task["intent_id"], **question)
        tell("returned", value=value)
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__)


async def write_record(task, agent):
    """Suspends an intent, and writes a record as it is given, for what request_input has no argument."""
    intent = await agent.async_client.get_intent(task["intent_id"])
    intent = await agent.async_client.set_status(intent.id, intent.version, IntentStatus.SUSPENDED_AWAITING_INPUT)
    written = await agent.async_client.update_state(intent.id, intent.version, {"_suspension": task["record"]})
    tell("written", record=written.state.to_dict()["_suspension"])


async def withdraw(task, agent):
    """Marks the open record as cancelled, as one agent's client can for another process of it."""
    intent = await agent.async_client.get_intent(task["intent_id"])
    record = {**intent.state.to_dict()["_suspension"], "resolution": "cancelled"}
    written = await agent.async_client.update_state(intent.id, intent.version, {"_suspension": record})
    tell("withdrawn", status=written.status.value)


async def create(task, agent):
    client = agent.async_client
    intent = await client.create_intent("Refund", "Order 4711", initial_state={"order": 4711})
    if task.get("active"):
        intent = await client.set_status(intent.id, intent.version, IntentStatus.ACTIVE)
    tell("created", intent=intent.to_dict())


async def tour(task, agent):
    """Walks through what else the contract has, with the clients as they are."""
    client = agent.async_client
    tell("discovered", **(await client.discover()))
    intent = await client.create_intent("Tour", "")
    intent = await client.set_status(intent.id, intent.version, IntentStatus.ACTIVE)
    intent = await client.update_state(intent.id, intent.version, {"a/b": 1})
    lease = await client.acquire_lease(intent.id, "refunds", 60)
    await client.renew_lease(intent.id, lease.id, 120)
    tell("leased", agent=lease.agent_id, scopes=[one.scope for one in await client.get_leases(intent.id)])
    try:
        await client.acquire_lease(intent.id, "refunds", 60)
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__)
    await client.release_lease(intent.id, lease.id)
    try:
        await client.set_status(intent.id, 1, IntentStatus.BLOCKED)
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__, current=error.current_version)
    try:
        await client.get_intent("nothing")
    except OpenIntentError as error:
        tell("raised", error=type(error).__name__)
    decision = await agent.should_request_input(intent.id, confidence=0.2, risk=0.9)
    tell("decided", mode=decision.mode)
    events = await client.get_events(intent.id)
    tell("events", types=[event.event_type.value for event in events], actors=[e.actor for e in events])
    listed = [one.id for one in await client.list_intents()]
    tell("listed", found=intent.id in listed, state=intent.state.to_dict())
    sync = OpenIntentClient(task["base_url"], task["api_key"], AGENT_ID)
    child = sync.create_child_intent(intent.id, "Part", "")
    graph = sync.get_intent_graph(intent.id)
    children = sync.get_children(intent.id)
    tell("graph", parent=child.parent_intent_id == intent.id, children=len(children), nodes=len(graph["nodes"]))


async def records(task, agent):
    """Everything that is only kept and given back, by the methods the SDK has for it."""
    client = agent.async_client
    intent = await client.create_intent("Records", "", governance_policy={"write_scope": "any"})
    decision = await client.record_decision(intent.id, "refund", "pay", "it is small")
    tell("decision", maker=decision.decision_maker_id, listed=len(await client.get_decisions(intent.id)))
    arbitration = await client.request_arbitration(intent.id, "two of them")
    escalation = await client.escalate_to_human(intent.id, "stuck")
    try:
        await client.resolve_escalation(escalation.id, "done", "by phone")
    except OpenIntentError as error:
        tell("raised", status=error.status_code)
    person = AsyncOpenIntentClient(task["base_url"], task["operator_key"], "alice")
    resolved = await person.resolve_escalation(escalation.id, "done", "by phone")
    listed = await client.list_escalations(intent.id)
    tell("escalation", before=escalation.status, after=resolved.status, listed=[e.status for e in listed])
    tell("arbitration", status=arbitration.status)
    approval = await client.request_approval(intent.id, "pay", "because")
    try:
        await client.approve_approval(intent.id, approval.id)
    except OpenIntentError as error:
        tell("raised", status=error.status_code)
    await person.approve_approval(intent.id, approval.id)
    decided = await client.get_approval_status(intent.id, approval.id)
    tell("approval", status=decided.status, by=decided.decided_by)
    ruled = await client.set_governance_policy(intent.id, intent.version, {"max_cost": 5.0})
    tell("governance", cost=ruled.governance_policy.max_cost, read=await client.get_governance_policy(intent.id))
    await client.remove_governance_policy(intent.id, ruled.version)
    await client.set_acl(intent.id, AccessPolicy.CLOSED, [{"principal_id": "a", "permission": "read"}])
    entry = await client.grant_access(intent.id, "b", permission=Permission.WRITE)
    await client.revoke_access(intent.id, entry.id)
    acl = await client.get_acl(intent.id)
    tell("acl", policy=acl.default_policy.value, entries=[e.principal_id for e in acl.entries])
    await client.assign_agent(intent.id, "helper")
    await client.unassign_agent(intent.id, "helper")
    tell("events", types=[event.event_type.value for event in await client.get_events(intent.id)])


async def governed(task, agent):
    """Completes an intent whose policy demands an approval of that."""
    client = agent.async_client
    person = AsyncOpenIntentClient(task["base_url"], task["operator_key"], "alice")
    policy = {"completion_mode": "require_approval"}
    intent = await client.create_intent("Governed", "", governance_policy=policy)
    intent = await client.set_status(intent.id, intent.version, IntentStatus.ACTIVE)
    for decide in (person.deny_approval, person.approve_approval):
        approval = await client.request_approval(intent.id, "complete", "all is done", {"paid": 5})
        tell("asked", status=approval.status, by=approval.requested_by, context=approval.context)
        try:
            await client.set_status(intent.id, intent.version, IntentStatus.COMPLETED)
        except OpenIntentError as error:
            tell("raised", status=error.status_code)
        await decide(intent.id, approval.id)
        decided = await client.get_approval_status(intent.id, approval.id)
        tell("decided", status=decided.status, by=decided.decided_by)
        try:
            await decide(intent.id, approval.id)
        except ConflictError as error:
            tell("raised", detail=error.response["detail"])
    completed = await client.set_status(intent.id, intent.version, IntentStatus.COMPLETED)
    tell("completed", status=completed.status.value)


TASKS = {
    one.__name__: one
    for one in (ask, withdraw, write_record, create, tour, records, governed, containers, register, watch, finish, delegate)
}


async def main(task):
    await TASKS[task["do"]](task, Refunder(base_url=task["base_url"], api_key=task["api_key"]))


given = json.loads(sys.argv[1])
if given["do"] == "serve":
    serve(given)
else:
    asyncio.run(main(given))
