import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import { suspensionReportSignal, type ReportBody } from '../../../workflows/suspension/messages.js';
import { logOf, snapshotOf, typesOf } from '../support/intents.js';
import { IdleSuspension } from '../support/idle-suspension.js';
import { perSuite, World } from '../support/world.js';

const OTHER_ID = '0e2a54f5-6a52-4a6c-8b0e-14a4c0b6f0aa';

const ATTEMPT: ScheduledAttempt = {
  attempt: 2,
  at: '2026-03-24T11:00:00.000Z',
  next_attempt_at: null,
  channel_hint: 'email',
  notify_to: null,
  ladder: [{ attempt: 2, channel_hint: 'email' }],
};
const REMINDER: ReportBody = {
  kind: 'attempt',
  attempt: ATTEMPT,
  max_attempts: 3,
  skipped: false,
};
const REMINDED = ['intent.suspension_renotified', 'intent.suspension_escalated'];

describe('intent reports', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function storyOf({ handle }: IdleSuspension): Promise<string[]> {
    return typesOf(await logOf(world, handle));
  }

  it('takes a repeated reminder in once', async () => {
    const puppet = await IdleSuspension.open(world);
    for (const sequence of [1, 1, 1]) await puppet.report(sequence, REMINDER);
    assert.deepEqual(await storyOf(puppet), REMINDED);
    await puppet.discard();
  });

  it('logs nothing under a time before that of the report', async () => {
    const puppet = await IdleSuspension.open(world);
    const at = new Date((await world.now()) + 3_600_000).toISOString();
    await puppet.report(1, { ...REMINDER, attempt: { ...ATTEMPT, at } });
    const instants = (await logOf(world, puppet.handle)).map(({ created_at }) => created_at);
    assert.deepEqual(instants, [at, at]);
    await puppet.discard();
  });

  it('takes a repeated answer in once [R25-19]', async () => {
    const puppet = await IdleSuspension.open(world);
    const first = await puppet.answered('approve');
    await puppet.report(1, first);
    const before = await snapshotOf(puppet.handle);
    await puppet.report(1, first);
    await puppet.report(2, await puppet.answered('deny'));
    assert.deepEqual(await snapshotOf(puppet.handle), before);
    assert.deepEqual(await storyOf(puppet), ['intent.resumed']);
    await puppet.discard();
  });

  it('ignores reports of another suspension', async () => {
    const puppet = await IdleSuspension.open(world);
    const before = await snapshotOf(puppet.handle);
    const settled = await puppet.answered();
    assert.equal(settled.kind, 'settled');
    const record = { ...puppet.record, ...(settled as { record: object }).record, id: OTHER_ID };
    const report = { suspension_id: OTHER_ID, report_sequence: 1, ...settled, record };
    await puppet.handle.signal(suspensionReportSignal, report as never);
    await puppet.handle.signal(suspensionReportSignal, {
      ...REMINDER,
      suspension_id: OTHER_ID,
      report_sequence: 1,
    });
    assert.deepEqual(await snapshotOf(puppet.handle), before);
    await puppet.discard();
  });
});
