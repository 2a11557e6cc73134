import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { Response } from 'supertest';
import { V1_ROUTES } from '../../../api/v1/index.js';
import { RealStack } from '../../support/real-stack.js';
import { OTHER_WRITES } from '../support/keyed-intent-writes.js';
import { QUESTION_WRITES } from '../support/keyed-question-writes.js';
import { Made, type Scene, type Write } from '../support/keyed-writes.js';

/*
 * Every write of /v1 is sent twice under one Idempotency-Key, and once more with another body. The replies are the same, it
 * has one effect, and the other body is refused.
 */

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const SCENES: Readonly<Record<string, Scene>> = { ...QUESTION_WRITES, ...OTHER_WRITES };

/** Writes that need no key: they have another, no effect, or the same effect again. They refuse the header. */
const WITHOUT = [
  'post /links/read',
  'post /links/answer',
  'post /webhooks/answers',
  'post /approvals/by-key',
  'post /log/checkpoints',
  'post /codec/encode',
  'post /codec/decode',
  'post /suspensions/:suspensionId/snooze',
  'delete /suspensions/:suspensionId/snooze',
  'put /me/views/:viewId',
  'delete /me/views/:viewId',
  'put /me/push',
  'delete /me/push',
  'put /me/quiet-hours',
  'delete /me/quiet-hours',
];

const WRITES = V1_ROUTES.filter(({ method }) => method !== 'get');
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('an Idempotency-Key', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ subscriptions: { secrets: [SECRET] } });
  });
  after(() => stack.close());

  function send(route: (typeof WRITES)[number], write: Write, key: string, body = write.body) {
    const { path, as = 'agent', headers } = write;
    const sent = { ...headers, 'Idempotency-Key': key };
    if (route.method === 'put') return stack.put(path, as, body ?? {}).set(sent);
    if (route.method === 'patch') return stack.patch(path, as, body ?? {}, sent);
    if (route.method === 'delete') return stack.delete(path, as, sent);
    return stack.post(path, as, body ?? {}, sent);
  }

  it('is taken by every write but those that have another key, or no effect', () => {
    const taken = WRITES.filter(({ headers }) => headers.includes('Idempotency-Key')).map(nameOf);
    assert.deepEqual(taken.toSorted(), Object.keys(SCENES).toSorted());
    const others = WRITES.filter(({ headers }) => !headers.includes('Idempotency-Key'));
    assert.deepEqual(others.map(nameOf).toSorted(), WITHOUT.toSorted());
  });

  for (const route of WRITES) {
    const scene = SCENES[nameOf(route)];
    if (scene === undefined) {
      it(`is refused by ${nameOf(route)}`, async () => {
        const write: Write = { path: `/v1${route.path}`, as: 'admin', body: {} };
        const reply: Response = await send(route, write, 'k');
        assert.deepEqual([reply.status, reply.body.field], [422, 'Idempotency-Key']);
      });
      continue;
    }
    it(`makes ${nameOf(route)} safe to repeat`, async () => {
      const write = await scene(new Made(stack));
      const key = randomUUID();
      const first = await send(route, write, key);
      assert.ok(first.status < 300, first.text);
      const before = await write.effect?.();
      const again = await send(route, write, key);
      assert.deepEqual([again.status, again.body.id], [first.status, first.body.id]);
      if (!write.moves) assert.deepEqual(again.body, first.body);
      if (write.other !== undefined) {
        const refused = await send(route, write, key, write.other);
        assert.deepEqual([refused.status, refused.body.code], [422, 'idempotency_key_reused']);
      }
      assert.deepEqual(await write.effect?.(), before);
    });
  }
});
