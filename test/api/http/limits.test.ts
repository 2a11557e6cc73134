import assert from 'node:assert/strict';
import type { Response } from 'express';
import { RefusalError } from '../../../api/errors.js';
import { createLongPolls } from '../../../api/http/long-polls.js';
import { createSubscription } from '../../../api/usecases/subscription/subscriptions.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { caller } from '../../support/callers.js';
import { settledView } from '../support/fakes.js';
import { createRig, KEYS } from '../support/harness.js';
import { fakeParts } from '../support/parts.js';
import { endedAs } from '../support/questions.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PATH = `/v1/intents/${INTENT_ID}`;

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RefusalError);
    return error.refusal.code;
  }
}

describe('the limit of requests', () => {
  it('is told with every reply, and refuses what goes over it', async () => {
    const rig = createRig({}, { limits: { requests_per_minute: 2 } });
    const first = await rig.send('agent', 'get', PATH);
    assert.match(String(first.headers['ratelimit-policy']), /^"requests"; q=2; w=60; pk=:/);
    assert.match(String(first.headers['ratelimit']), /^"requests"; r=1; t=\d+$/);
    await rig.send('agent', 'get', PATH);
    const third = await rig.send('agent', 'get', PATH);
    assert.deepEqual([third.status, third.body.code], [429, 'too_many_requests']);
    assert.match(String(third.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/);
    assert.equal(rig.sent.length, 2);
  });

  it('is one for both APIs, and one for each principal', async () => {
    const rig = createRig({}, { limits: { requests_per_minute: 1 } });
    await rig.send('agent', 'get', PATH);
    const other = await rig.send('agent', 'get', `/api${PATH}`);
    assert.deepEqual([other.status, other.body.code], [429, 'too_many_requests']);
    assert.ok(other.headers['retry-after']);
    assert.equal((await rig.send('operator', 'get', PATH)).status, 200);
  });

  it('does not count what needs no key, and what nobody proves to have sent', async () => {
    const rig = createRig({}, { limits: { requests_per_minute: 1 } });
    const reply = await rig.send(undefined, 'get', '/v1/health');
    assert.equal(reply.headers['ratelimit'], undefined);
    await rig.send(undefined, 'get', PATH);
    assert.equal((await rig.send('agent', 'get', PATH)).status, 200);
  });
});

describe('the limits of what is held open', () => {
  /** A reply that closes when the test says so. */
  function reply() {
    let close = (): void => undefined;
    const once = (_event: string, listener: () => void) => void (close = listener);
    const res = { req: {}, closed: false, once } as unknown as Response;
    return { res, close: () => close() };
  }
  const pollsWith = (limits: object) =>
    createLongPolls(serverConfigSchema.parse({ limits }).limits);

  it('count streams and long polls apart, until they close', () => {
    const polls = pollsWith({ streams: { per_principal: 1 }, long_polls: { per_principal: 1 } });
    const first = reply();
    polls.signalFor(first.res, 'streams');
    assert.equal(
      codeOf(() => polls.signalFor(reply().res, 'streams')),
      'too_many_streams',
    );
    polls.signalFor(reply().res, 'long_polls');
    assert.equal(
      codeOf(() => polls.signalFor(reply().res, 'long_polls')),
      'too_many_long_polls',
    );
    first.close();
    assert.equal(
      codeOf(() => polls.signalFor(reply().res, 'streams')),
      undefined,
    );
    polls.endAll();
  });

  it('hold for all principals together', () => {
    const polls = pollsWith({ streams: { per_principal: 5, total: 2 } });
    polls.signalFor(reply().res, 'streams');
    polls.signalFor(reply().res, 'streams');
    assert.equal(
      codeOf(() => polls.signalFor(reply().res, 'streams')),
      'too_many_streams',
    );
    polls.endAll();
  });

  it('are a 429 that says when to come back', async () => {
    let [begin, end] = [(): void => undefined, (): void => undefined];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const outcome = async () => {
      begin();
      await ended;
      return endedAs(settledView());
    };
    const rig = createRig({ outcome }, { limits: { long_polls: { per_principal: 1 } } });
    const path = `/v1/suspensions/${SUSPENSION_ID}/wait`;
    const first = rig.send('agent', 'get', path).then(({ status }) => status);
    await begun;
    const refused = await rig.send('agent', 'get', path);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
    end();
    assert.equal(await first, 200);
  });
});

describe('the limit of subscriptions', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;

  async function subscribe(own: number, all: number): Promise<string | undefined> {
    const enough = new Error('passed');
    const { parts } = fakeParts({
      config: {
        subscriptions: { secrets: [SECRET] },
        limits: { subscriptions: { per_principal: 2, total: 4 } },
      },
      store: { countSubscriptions: async () => ({ own, all }) },
      temporal: { start: () => Promise.reject(enough) },
    });
    const request = { webhook_url: 'https://example.com', event_types: [] };
    try {
      await createSubscription.run({ caller: caller('a', 'agent'), parts }, request);
    } catch (error) {
      if (error instanceof RefusalError) return `${error.refusal.code}: ${error.refusal.accepted}`;
      assert.equal(error, enough);
    }
    return undefined;
  }

  it('holds for one principal, and for all', async () => {
    assert.equal(await subscribe(1, 3), undefined);
    assert.match((await subscribe(2, 2)) ?? '', /^too_many_subscriptions: at most 2 for one/);
    assert.match((await subscribe(0, 4)) ?? '', /^too_many_subscriptions: at most 4 in all/);
  });
});

describe('a failed login', () => {
  it('is logged with route and address, and without the key', async () => {
    const rig = createRig();
    const wrong = `${KEYS.agent}x`;
    const sent = rig.send(undefined, 'get', `${PATH}?key=${wrong}`).set('X-API-Key', wrong);
    await sent.set('Authorization', `Bearer ${wrong}`).set('X-Forwarded-For', '203.0.113.7');
    const lines = rig.logged().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const failed = entries.find(({ msg }) => msg === 'login failed');
    assert.ok(failed);
    assert.equal(failed['route'], '/v1/intents/:intentId');
    assert.match(String(failed['address']), /127\.0\.0\.1/);
    assert.equal(failed['forwarded_for'], '203.0.113.7');
    assert.ok(!rig.logged().includes(wrong));
  });

  it('is logged for a path that there is not', async () => {
    const rig = createRig();
    await rig.send(undefined, 'get', '/api/v1/%E0%A4%A');
    assert.match(rig.logged(), /"route":null.*login failed/);
  });
});
