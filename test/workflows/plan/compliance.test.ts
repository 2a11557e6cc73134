import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { coordinatorQuery } from '../../../workflows/coordinator/messages.js';
import { AT, ComplianceRows } from '../support/compliance-rows.js';
import { Compliance, type PhaseName } from '../support/compliance.js';
import { typesOf, writeStatus } from '../support/intents.js';
import { claimTask, idOf, patchTask } from '../support/plans.js';
import { LADDER } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
const FAR_DEADLINE = 14_400;
const REVIEW = 'compliance_review';
const REPORT = 'generate_report';

describe('the compliance timeline', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
    await world.respond(view, 'approve');
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

  /** The events of phase 2 that are its intent's own, and not its task's. */
  function ownEvents(story: Compliance): readonly string[] {
    return typesOf(story.log(REVIEW)).filter((type) => !type.startsWith('task.'));
  }
});
