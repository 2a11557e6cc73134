import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Checkpoint } from '../../../contracts/log/checkpoint.js';
import { UPKEEP } from '../../../contracts/constants/names.js';
import { checkCheckpoints, checkWholeExport } from '../../../store/checked-export.js';
import { ensureCheckpoints } from '../../../workers/ensure-upkeep.js';
import { lookUntil } from '../../support/looks.js';
import { exportedLines } from '../../support/exported-lines.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import { CHECKPOINT_KEY } from '../../support/stack-activities.js';
import { onServer } from '../../support/stack-temporal.js';

const ROUTE = '/v1/log/checkpoints';

describe('checkpoints over all logs', () => {
  let stack: RealStack;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-checkpoints-'));
    stack = await RealStack.start({ checkpoints: { file: path.join(folder, 'log') } }, onServer());
  });
  after(async () => {
    await stack.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function sign(): Promise<Checkpoint> {
    const signed = await stack.post(ROUTE, 'admin', {});
    assert.equal(signed.status, 201, JSON.stringify(signed.body));
    return signed.body as Checkpoint;
  }

  /** The file of checkpoints, once it has the newest. */
  async function delivered({ number }: Checkpoint): Promise<string> {
    return lookUntil(async () => {
      const text = await readFile(path.join(folder, 'log'), 'utf8').catch(() => '');
      return text.includes(`"number":${number},`) && text;
    }, 'the checkpoint is not delivered');
  }

  const exported = () => exportedLines(stack, '/v1/log/export', 'admin');

  it('are signed, delivered and chained, and prove an export without the service', async () => {
    const none = await stack.get(`${ROUTE}/latest`, 'admin');
    assert.deepEqual([none.status, none.body.code], [404, 'checkpoint_not_found']);
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    const portfolio = await stack.post('/v1/portfolios', 'agent', { name: 'Refunds' });
    assert.equal(portfolio.status, 201);
    await stack.get(`${intent}/events/verify`);
    await delivered(await sign());
    await stack.post(`${intent}/suspend/respond`, 'operator', {
      suspension_id: id,
      value: 'approve',
    });
    const timeline = `/v1/suspensions/${id}/timeline/verify`;
    await lookUntil(
      async () => (await stack.get(timeline)).body.event_count > 3,
      'the timeline is not stored',
    );
    const second = await sign();
    const text = await delivered(second);
    const { checkpoint, count } = checkCheckpoints(text, [CHECKPOINT_KEY.public_key]);
    assert.deepEqual([checkpoint, count], [second, 2]);
    const listed = await stack.get(ROUTE, 'admin');
    assert.deepEqual(listed.body.checkpoints[0], second);
    assert.deepEqual(listed.body.public_keys, [CHECKPOINT_KEY.public_key]);
    const report = await checkWholeExport(Readable.from(await exported()), second);
    assert.deepEqual([report.proven, report.faults], [3, []]);
    await stack.store.db
      .deleteFrom('suspension_timeline')
      .where('suspension_id', '=', id)
      .where('sequence', '>', 2)
      .execute();
    const cut = await checkWholeExport(Readable.from(await exported()), second);
    assert.deepEqual(
      cut.faults.map(({ kind }) => kind),
      ['truncated'],
    );
    // A later checkpoint is not signed over what is left, either.
    const third = await sign();
    const still = await checkWholeExport(Readable.from(await exported()), third);
    assert.equal(still.faults[0]?.kind, 'truncated');
  });

  it('are signed by a schedule, which every worker creates and one keeps', async () => {
    const warned: string[] = [];
    const log = { warn: (_fields: object, message: string) => warned.push(message) };
    await ensureCheckpoints(stack.client, CHECKPOINT_KEY, log);
    await ensureCheckpoints(stack.client, CHECKPOINT_KEY, log);
    assert.deepEqual(warned, []);
    const schedule = stack.client.schedule.getHandle(UPKEEP.schedule);
    try {
      const { spec } = await schedule.describe();
      assert.equal(spec.intervals?.[0]?.every, 3_600_000);
      const before = (await stack.get(`${ROUTE}/latest`, 'admin')).body.number as number;
      await schedule.trigger();
      await lookUntil(
        async () => (await stack.get(`${ROUTE}/latest`, 'admin')).body.number > before,
        'the schedule signs nothing',
      );
    } finally {
      await schedule.delete();
    }
    await ensureCheckpoints(stack.client, undefined, log);
    assert.match(warned.join(), /HOLDPOINT_CHECKPOINT_KEY is not set/);
  });
});
