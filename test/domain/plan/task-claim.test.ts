import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Refusal, Ruling } from '../../../contracts/kernel/problem.js';
import { proceed, takeGate, takeUpstream } from '../../../domain/plan/task.js';
import { checkClaim, claim } from '../../../domain/plan/task-claim.js';
import {
  aState,
  AT,
  EXPIRES,
  LATER,
  news,
  TASK_ID,
  UPSTREAM_ID,
  UPSTREAM_INTENT,
} from './task-samples.js';

const WAITS = { intent_id: UPSTREAM_INTENT, suspended_since: AT, expires_at: EXPIRES };
const WIRED = {
  status: 'pending',
  depends_on: [UPSTREAM_ID],
  inputs: { found: 'research.findings' },
} as const;

function wired(changes = {}) {
  return aState({ ...WIRED, depends_on: [UPSTREAM_ID], ...changes }, [news(1)]);
}

function refusalOf(ruling: Ruling<unknown>): Refusal {
  assert.ok(!ruling.ok);
  return ruling.refusal;
}

describe('claiming a task', () => {
  it('is refused while a phase its inputs come from is suspended [R26-74, R26-75]', () => {
    const state = takeUpstream(
      wired(),
      news(2, { status: 'blocked', suspension: WAITS }),
      AT,
    ).state;
    const { code, state: details } = refusalOf(checkClaim(state, 'agent-1'));
    assert.equal(code, 'upstream_intent_suspended');
    assert.deepEqual(details, {
      task_id: TASK_ID,
      phase_name: 'review',
      suspended_intent_id: UPSTREAM_INTENT,
      expected_resume_at: EXPIRES,
    });
    assert.equal(state.task.status, 'pending', 'R26-77');
  });

  it('is merely early where no input comes from the suspended phase [R26-74]', () => {
    const loose = takeUpstream(wired({ inputs: {} }), news(2, { suspension: WAITS }), AT).state;
    const { code, state } = refusalOf(checkClaim(loose, 'agent-1'));
    assert.equal(code, 'unresolvable_input');
    assert.deepEqual(state?.['unresolvable_refs'], ['research']);
  });

  it('knows no instant of a question without a deadline [R26-75, AM-42]', () => {
    const endless = { ...WAITS, expires_at: null };
    const state = takeUpstream(wired(), news(2, { suspension: endless }), AT).state;
    assert.equal(refusalOf(checkClaim(state, 'agent-1')).state?.['expected_resume_at'], null);
  });

  it('is refused although the outputs are there, where that phase is suspended again', () => {
    const completed = { status: 'completed', output: { findings: [] } } as const;
    const state = takeUpstream(wired(), news(2, { ...completed, suspension: WAITS }), AT).state;
    assert.equal(refusalOf(checkClaim(state, 'agent-1')).code, 'upstream_intent_suspended');
  });

  it('finds nothing between the resume and the completion [AM-42]', () => {
    const { code, state } = refusalOf(checkClaim(wired(), 'agent-1'));
    assert.equal(code, 'unresolvable_input');
    assert.deepEqual(state?.['unresolvable_refs'], ['research.findings']);
  });

  it('names every input that cannot be resolved, static ones too', () => {
    const inputs = {
      a: 'research.findings',
      b: 'research.other',
      c: '$trigger.quarter',
      d: '$trigger.none',
    };
    const rules = {
      types: {},
      condition: null,
      static_values: { '$trigger.quarter': 'Q1', '$trigger.none': null },
    };
    const start = aState({ ...WIRED, depends_on: [UPSTREAM_ID], inputs }, [news(1)], rules);
    const output = { findings: [1] };
    const { state } = takeUpstream(start, news(2, { status: 'completed', output }), AT);
    assert.equal(state.task.status, 'ready');
    const refused = refusalOf(checkClaim(state, 'agent-1'));
    assert.deepEqual(refused.state?.['unresolvable_refs'], ['research.other', '$trigger.none']);
  });

  it('gives the declared inputs and nothing else', () => {
    const output = { findings: [1], secret: 'x' };
    const { state } = takeUpstream(wired(), news(2, { status: 'completed', output }), AT);
    const granted = claim(state, 'agent-1', LATER);
    assert.ok(granted.ok);
    const { status, assigned_agent, input } = granted.value.state.task;
    assert.deepEqual([status, assigned_agent, input], ['claimed', 'agent-1', { found: [1] }]);
    assert.ok(claim(granted.value.state, 'agent-1', LATER).ok, 'the same agent again');
    assert.equal(refusalOf(claim(granted.value.state, 'agent-2', LATER)).code, 'task_claimed');
  });

  it('leaves a task that is claimed alone when a phase before it is suspended later [AM-43]', () => {
    const running = aState({ ...WIRED, depends_on: [UPSTREAM_ID], status: 'running' }, [news(1)]);
    const { state, events } = takeUpstream(running, news(2, { suspension: WAITS }), AT);
    assert.equal(state.task.status, 'running');
    assert.deepEqual(events, []);
  });

  it('is looked at again on resume and on completion, for an agent that waits [R26-78, AM-42]', () => {
    const waiting_claim = { agent_id: 'agent-1', since: AT };
    const start = wired({ waiting_claim });
    const held = takeUpstream(start, news(2, { suspension: WAITS }), AT).state;
    const resumed = takeUpstream(held, news(3), AT).state;
    assert.deepEqual([resumed.task.status, resumed.task.waiting_claim], ['pending', waiting_claim]);
    const output = { findings: [] };
    const { state, events } = takeUpstream(
      resumed,
      news(4, { status: 'completed', output }),
      LATER,
    );
    assert.deepEqual([state.task.status, state.task.assigned_agent], ['claimed', 'agent-1']);
    assert.equal(state.task.waiting_claim, null);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      ['task.ready', 'task.claimed'],
    );
  });
});

describe('a pending task', () => {
  it('is ready once all it depends on is over and its plan is open', () => {
    const start = aState({ status: 'pending', plan_id: UPSTREAM_INTENT }, [news(1)]);
    const closed = { ...start, gate: { revision: 0, open: false } };
    const done = takeUpstream(closed, news(2, { status: 'completed', output: null }), AT).state;
    assert.equal(done.task.status, 'pending');
    assert.equal(takeGate(done, { revision: 1, open: true }, AT).state.task.status, 'ready');
  });

  it('stays as it is where nothing has changed', () => {
    const state = wired();
    assert.deepEqual(proceed(state, AT), { state, events: [] });
  });
});
