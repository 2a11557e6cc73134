import assert from 'node:assert/strict';
import { openSuspension } from '../../../../api/usecases/suspension/open.js';
import { suspendRequestSchema } from '../../../../contracts/suspension/requests.js';
import { callerOf, closed, refusalFrom, viewOf, type FakeCall } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';
import type { SuspensionInput } from '../../../../workflows/suspension/messages.js';

const away = (): Promise<undefined> => Promise.reject(new Error('the store is away'));
const request_key = 'refund-1';
const ASKED = { ...viewOf().record, response_type: 'text' } as const;

function inputOf({ args: [options] }: FakeCall): SuspensionInput {
  return (options as { readonly args: readonly [SuspensionInput] }).args[0];
}

/** Asks without an intent while the store is away, over a Temporal that answers as given. */
function whileAway(query: () => unknown, look: () => Promise<undefined> = away) {
  const opened: string[] = [];
  const { parts, calls } = fakeParts({
    temporal: { query, start: () => undefined },
    store: {
      findSuspension: look,
      fateOfQuestion: look,
      findSettled: away,
      writeRows: async (rows) => {
        for (const row of rows)
          if (row.kind === 'suspension_opened') opened.push(row.record.question);
        return [];
      },
    },
  });
  const call = { caller: callerOf('agent-1', 'agent'), parts };
  const open = (body: object) =>
    openSuspension.run(
      call,
      suspendRequestSchema.parse({ question: 'Refund?', response_type: 'text', ...body }),
    );
  const inputs = () => calls.filter(({ name }) => name === 'suspension').map(inputOf);
  const started = () => inputs().length;
  return { open, started, inputs, opened };
}

describe('a question without an intent while the store is away', () => {
  it('is not asked under a key that may have been used', async () => {
    const { open, started } = whileAway(closed);
    assert.equal((await refusalFrom(open({ request_key }))).code, 'store_unavailable');
    assert.equal(started(), 0);
  });

  it('is found again under its key as long as Temporal has it', async () => {
    const { open, started } = whileAway(() => viewOf({ intent_id: null, record: ASKED }));
    const { created, view } = await open({ request_key });
    assert.deepEqual([created, view.id], [false, viewOf().id]);
    assert.equal(started(), 0);
  });

  it('is asked under a new key if the store comes back meanwhile', async () => {
    const looks = [away, async () => undefined];
    const { open, started } = whileAway(closed, () => (looks.shift() ?? away)());
    assert.equal((await open({ request_key })).created, true);
    assert.equal(started(), 1);
  });

  it('says whether its fallback could be an answer, so that no workflow has to judge it', async () => {
    const { open, inputs } = whileAway(closed);
    const form = { response_type: 'form', response_schema: { type: 'number' } };
    const fallback = { ...form, timeout_seconds: 60, fallback_policy: 'complete_with_fallback' };
    await open({ ...fallback, fallback_value: 1 });
    await open({ ...fallback, fallback_value: 'mars' });
    const found = inputs().map(({ findings }) => findings);
    assert.deepEqual(
      found.map((findings) => findings?.fallback_value_valid),
      [undefined, false],
    );
    assert.equal(found[1]?.warnings?.length, 1);
  });

  it('is asked without a key', async () => {
    const { open, started, opened } = whileAway(closed);
    assert.equal((await open({})).created, true);
    assert.equal(started(), 1);
    assert.deepEqual(opened, ['Refund?']);
  });
});
