import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { Agent, InputTimeoutError } from '../../../client/index.js';
import { coordinatorQuery } from '../../../workflows/coordinator/messages.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { AT, ComplianceRows } from '../support/compliance-rows.js';
import type { PhaseName } from '../support/compliance.js';
import { Compliance } from '../support/compliance.js';
import { refusalOf, typesOf, writeStatus } from '../support/intents.js';
import { claimTask, idOf, patchTask } from '../support/plans.js';
import { SEEDS } from '../../support/secrets.js';
import { LADDER } from '../support/suspensions.js';
import { assertArmed } from '../support/histories.js';
import { World } from '../support/world.js';

/** Seconds from the beginning; the question is asked a moment later. */
const DEADLINE = 5_000;
const FAR_DEADLINE = 14_400;
const REVIEW = 'compliance_review';
const REPORT = 'generate_report';

describe('the compliance timeline', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** TL-01: phase 1 is done, phase 2 is its agent's, phase 3 depends on it. */
  async function begun(deadline = FAR_DEADLINE): Promise<Compliance> {
    const story = await Compliance.open(world, deadline);
    assert.deepEqual(await start(story, 'fetch_data'), {});
    await finish(story, 'fetch_data', { rows: [1, 2] });
    assert.deepEqual(await start(story, REVIEW), { rows: [1, 2] });
    const { depends_on } = await story.intentOnce(REPORT, 'active');
    assert.deepEqual(depends_on, [idOf(story.intent(REVIEW))]);
    const { depends_on: waitsFor } = await story.taskOnce(REPORT, { status: 'pending' });
    assert.deepEqual(waitsFor, [story.taskId(REVIEW)]);
    return story;
  }

  /** The agent of a phase, called like it, claims its task and starts; resolves with its inputs. */
  async function start(story: Compliance, name: PhaseName): Promise<unknown> {
    await story.taskOnce(name, { status: 'ready' });
    const { task } = await claimTask(story.task(name), name);
    await patchTask(story.task(name), { status: 'running' }, name);
    return task?.input;
  }

  async function finish(story: Compliance, name: PhaseName, output: object): Promise<void> {
    await patchTask(story.task(name), { status: 'completed', output: { ...output } }, name);
    await writeStatus(story.intent(name), 'completed', { actor: name });
    await story.intentOnce(name, 'completed');
  }

  /** TL-02: the agent of phase 2 asks, three times an hour apart, and fails without an answer. */
  async function ask(story: Compliance) {
    const retry_policy = { ...LADDER, final_fallback_policy: 'fail' } as const;
    const question = { question: 'Sign off?', channel_hint: 'slack', retry_policy };
    const view = await world.ask(story.intent(REVIEW), question);
    return { view, rows: new ComplianceRows(story, view) };
  }

  it('holds in each row, and nothing forbidden happens [R26-83, R26-84, TL-01, TL-02, TL-03, TL-04, TL-05, TL-06, TL-07, TL-08, TL-09, TL-10, TL-11, TL-12, TL-13, TL-14, TL-15, TL-16, TD-01, TD-02, TD-03, AM-70]', async () => {
    const story = await begun();
    const { view, rows } = await ask(story);
    await rows.asked();
    await rows.until(AT.reminded);
    await rows.reminded(2);
    await rows.until(AT.answered);
    await rows.progress();
    const lease = await story.coordinator.query(coordinatorQuery);
    assert.deepEqual([lease.status, lease.suspension_policy], ['active', 'isolate'], 'R26-84');
    const args = [await world.answer(view, 'approve')] as const;
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [...args] });
    await rows.resumed('approve');
    await finish(story, REVIEW, { verdict: 'approve' });
    await rows.completed();
    assert.deepEqual(await start(story, REPORT), { verdict: 'approve' }, 'TL-15');
    const { started_at } = await story.taskOnce(REPORT, { status: 'running' });
    rows.at(AT.answered, started_at ?? '', 'TL-15');
    await rows.until(AT.done);
    await finish(story, REPORT, { report: 'all in order' });
    await rows.done();
    await rows.until(AT.expired + 60);
    assert.deepEqual(rows.sent().length, 2, 'TD-03');
    assert.deepEqual(ownEvents(story), [
      'intent_created',
      'intent.suspended',
      'intent.suspension_renotified',
      'intent.suspension_escalated',
      'intent.resumed',
      'status_changed',
    ]);
    assert.deepEqual(rows.moves(REPORT), [
      ['blocked', 'upstream_suspended'],
      ['active', 'dependencies_completed'],
      ['completed', undefined],
    ]);
    const reached = typesOf(story.portfolioLog()).filter((type) => type.includes('deadline'));
    assert.deepEqual(reached, [], 'R26-84');
  });

  it('pages the supervisor and fails where nobody answers [TD-04, TD-05]', async () => {
    const story = await begun();
    const { view, rows } = await ask(story);
    await rows.asked();
    await rows.until(AT.reminded);
    await rows.reminded(2);
    const early = await refusalOf(claimTask(story.task(REPORT), REPORT));
    assert.equal(early.code, 'upstream_intent_suspended', 'R26-84');
    await rows.until(AT.paged);
    await rows.reminded(3);
    await rows.until(AT.expired);
    const expired = await story.event(REVIEW, 'intent.suspension_expired');
    assert.equal(expired.payload['reason'], 'attempts_exhausted');
    rows.at(AT.expired, expired.created_at, 'TD-05');
    await abandoned(story, rows, AT.expired, 'suspension_expired');
    const { settled_at } = await world.suspension(view.id).result();
    rows.at(AT.expired, settled_at, 'TD-05');
    await rows.attempted(3);
    await assertArmed(world.suspension(view.id), [rows.instant(AT.expired)]);
    await agentTimesOut(view.id);
    await rows.until(AT.expired + 7_200);
    assert.equal(rows.sent().length, 3);
    await neverReported(story, rows);
  });

  it('ends at the deadline of the portfolio where that comes first [TD-06]', async () => {
    const story = await begun(DEADLINE);
    const { governance_policy } = await story.portfolioOnce(() => true);
    const deadline = Date.parse(governance_policy.deadline ?? '');
    const { view, rows } = await ask(story);
    const seconds = (deadline - Date.parse(view.record.suspended_at)) / 1_000;
    await rows.asked();
    await rows.until(AT.reminded);
    await rows.reminded(2);
    await rows.until(DEADLINE);
    const expired = await story.event(REVIEW, 'intent.suspension_expired');
    assert.equal(expired.payload['reason'], 'portfolio_deadline');
    rows.at(seconds, expired.created_at, 'TD-06');
    const { settled_at } = await world.suspension(view.id).result();
    assert.equal(settled_at, governance_policy.deadline, 'TD-06');
    await assertArmed(story.portfolio, [settled_at]);
    await rows.attempted(2);
    await abandoned(story, rows, seconds, 'portfolio_deadline_exceeded');
    await rows.until(AT.expired + 60);
    assert.equal(rows.sent().length, 2);
    await neverReported(story, rows);
  });

  /** The events of phase 2 that are its intent's own, and not its task's. */
  function ownEvents(story: Compliance): readonly string[] {
    return typesOf(story.log(REVIEW)).filter((type) => !type.startsWith('task.'));
  }

  /** Phase 2 is over without a result, its task and the portfolio with it. */
  async function abandoned(
    story: Compliance,
    rows: ComplianceRows,
    seconds: number,
    reason: string,
  ): Promise<void> {
    const intent = await story.intentOnce(REVIEW, 'abandoned');
    rows.at(seconds, intent.updated_at, 'the abandonment');
    assert.deepEqual(ownEvents(story).slice(-2), ['intent.suspension_expired', 'status_changed']);
    const task = await story.taskOnce(REVIEW, { status: 'failed' });
    rows.at(seconds, task.updated_at, 'the end of the task');
    assert.deepEqual([intent.abandonment_reason, task.error], [reason, reason]);
    const read = await story.portfolioOnce((one) => one.aggregate_status.status === 'failed');
    assert.deepEqual([read.status, read.suspended_member_count], ['active', 0]);
    await story.event(REPORT, 'dependency_unsatisfiable');
  }

  /** Phase 3 is blocked for good, and nobody ever had it. */
  async function neverReported(story: Compliance, rows: ComplianceRows): Promise<void> {
    assert.deepEqual(rows.moves(REPORT), [['blocked', 'upstream_suspended']]);
    assert.equal((await story.intentOnce(REPORT, 'blocked')).status, 'blocked');
    rows.nobodyClaimedBefore(new Date(await world.now()).toISOString());
  }

  /** What the record makes of the agent that waits: its hook, then its error. */
  async function agentTimesOut(suspensionId: string): Promise<void> {
    const hooks: string[] = [];
    const agent = new Agent({
      baseUrl: 'http://holdpoint.test',
      apiKey: SEEDS.agentKey,
      hooks: { onSuspensionExpired: ({ id }) => void hooks.push(id) },
      fetch: () =>
        Promise.resolve(new Response(JSON.stringify(world.activities.suspensionOf(suspensionId)))),
    });
    await assert.rejects(
      agent.requestInput('intent', { question: 'Sign off?' }),
      InputTimeoutError,
    );
    assert.deepEqual(hooks, [suspensionId]);
  }
});
