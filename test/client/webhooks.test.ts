import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import {
  ApprovalClient,
  WebhookError,
  type DecidedOptions,
  type DecidedWatch,
  type OnDecided,
} from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer } from './support/harness.js';

const LIST = 'GET /v1/approvals';
const CLAIM = 'POST /v1/approvals/a1/checkpoint/claim';
const FINISH = 'POST /v1/approvals/a1/checkpoint/finish';
const SECRET = `whsec_${Buffer.from('of-the-subscription-32-bytes-long').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('of-another-subscription-32-bytes-').toString('base64')}`;
const BODY = bodyOf('approval_resolved');
const APPROVAL = {
  approval_id: 'a1',
  status: 'approved',
  created_at: '2026-03-24T10:00:00.000Z',
  proposal: { run_id: 'r' },
};

function bodyOf(event_type: string): string {
  return JSON.stringify({ subscription_id: 's', event: { event_type, payload: { name: 'Zoë' } } });
}

/** What a subscription posts, signed as the worker signs it. */
function signed(body = BODY, secrets: readonly string[] = [SECRET], at = new Date(), id = 'evt') {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

/** A server on which one run is decided from some moment on, until it is finished. */
class DecidedServer {
  isDecided = false;
  private readonly server: FakeServer;

  constructor(server: FakeServer) {
    this.server = server;
    let isFinished = false;
    const claim = {
      approval_id: 'a1',
      status: 'resuming',
      token: 1,
      approval: APPROVAL,
      checkpoint: { schema_version: 'composer_v1', state: 7 },
    };
    server.on(LIST, ({ query }) => {
      const isOpen = this.isDecided && !isFinished && query.get('checkpoint') === 'open';
      return { body: { approvals: isOpen ? [APPROVAL] : [] } };
    });
    server.on(CLAIM, { body: claim }).on(FINISH, () => {
      isFinished = true;
      return { body: {} };
    });
  }

  get finishes(): number {
    return this.server.requests(FINISH).length;
  }
}

/** A pause before the lease of a run is renewed: no run here takes that long. */
async function renewal(signal: AbortSignal | undefined): Promise<void> {
  if (signal) await once(signal, 'abort');
  signal?.throwIfAborted();
}

/** A watch whose pauses end only by a wake, or when the test says that the time is over. */
class Watching {
  readonly watch: DecidedWatch;
  readonly runs: unknown[] = [];
  private readonly pauses = new EventTarget();
  private readonly clock = new EventTarget();

  constructor(server: FakeServer, options: DecidedOptions = {}, fn?: OnDecided) {
    const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
      if (ms !== 5_000) return renewal(signal);
      const woken = signal ? once(signal, 'abort') : undefined;
      const over = once(this.clock, 'over');
      this.pauses.dispatchEvent(new Event('begun'));
      if (signal?.aborted !== true) await Promise.race([woken, over]);
      signal?.throwIfAborted();
    };
    const client = new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers: { pause } });
    const work: OnDecided = fn ?? (async ({ run, state }) => this.runs.push([run, state]));
    this.watch = client.onDecided(work, { webhookSecrets: [OTHER, SECRET], ...options });
  }

  /** Does something that begins a look, and resolves once that is over. */
  async looked(start: () => unknown): Promise<void> {
    const paused = once(this.pauses, 'begun');
    await start();
    await paused;
  }

  /** The time between two looks is over. */
  async poll(): Promise<void> {
    await this.looked(() => this.clock.dispatchEvent(new Event('over')));
  }
}

async function watching(
  run: (decided: DecidedServer, watched: Watching, server: FakeServer) => Promise<void>,
): Promise<void> {
  await withServer(async (server) => {
    const decided = new DecidedServer(server);
    const watched = new Watching(server);
    await watched.looked(() => undefined);
    await run(decided, watched, server);
    await watched.watch.stop();
  });
}

describe('a webhook that tells of a decision', () => {
  it('delivers the run at once, and a later poll does not again', () =>
    watching(async (decided, watched) => {
      decided.isDecided = true;
      await watched.looked(() => watched.watch.handleWebhook(signed(), BODY));
      await watched.poll();
      assert.deepEqual(watched.runs, [['r', 7]]);
      assert.equal(decided.finishes, 1);
    }));

  it('delivers nothing that a poll has delivered before', () =>
    watching(async (decided, watched) => {
      decided.isDecided = true;
      await watched.poll();
      await watched.looked(() => watched.watch.handleWebhook(signed(), BODY));
      assert.deepEqual(watched.runs, [['r', 7]]);
      assert.equal(decided.finishes, 1);
    }));

  it('does no harm if it comes twice, or before the list shows the decision', () =>
    watching(async (decided, watched) => {
      const headers = signed();
      await watched.looked(() => watched.watch.handleWebhook(headers, BODY));
      assert.deepEqual(watched.runs, []);
      decided.isDecided = true;
      await watched.looked(() => watched.watch.handleWebhook(headers, BODY));
      await watched.looked(() => watched.watch.handleWebhook(headers, BODY));
      assert.deepEqual(watched.runs, [['r', 7]]);
    }));

  it('is known by any form of its headers and body, and by one of several signatures', () =>
    watching(async (_decided, watched) => {
      const { watch } = watched;
      const plain = signed(BODY, [
        `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`,
        SECRET,
      ]);
      await watched.looked(() => watch.handleWebhook(new Headers(plain), BODY));
      const upper = Object.fromEntries(
        Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]),
      );
      await watched.looked(() => watch.handleWebhook(upper, new TextEncoder().encode(BODY)));
    }));

  it('begins no look if it tells of something else', () =>
    watching(async (_decided, watched, server) => {
      const before = server.requests(LIST).length;
      const body = bodyOf('intent.created');
      await watched.watch.handleWebhook(signed(body), body);
      await watched.poll();
      assert.equal(server.requests(LIST).length, before + 1);
    }));
});

describe('a request that is no webhook of Holdpoint', () => {
  const MINUTE = 60_000;
  const LOSSY = bodyOf('approval_resolved').replace('{', '{"paid":9007199254740993,');
  const TWICE = bodyOf('approval_resolved').replace('{', '{"type":"x","type":"y",');
  const aside = (ms: number) => signed(BODY, [SECRET], new Date(Date.now() + ms));
  /** Signed when they are sent, because a time that is refused now need not be later. */
  const REQUESTS: readonly (readonly [string, () => Record<string, string>, string])[] = [
    ['without a signature', () => ({ 'webhook-id': 'evt' }), BODY],
    ['with another body', () => signed(), bodyOf('approval_resolved').replace('Zoë', 'Zoe')],
    ['with another id', () => ({ ...signed(), 'webhook-id': 'evt2' }), BODY],
    ['signed with another secret', () => signed(BODY, [secretOf('unknown')]), BODY],
    ['signed in another version', () => ({ ...signed(), 'webhook-signature': 'v1a,AAAA' }), BODY],
    [
      'with a signature that is no base64',
      () => ({ ...signed(), 'webhook-signature': 'v1,%%%' }),
      BODY,
    ],
    ['that is six minutes old', () => aside(-6 * MINUTE), BODY],
    ['from the future', () => aside(6 * MINUTE), BODY],
    ['with a time that is no number', () => ({ ...signed(), 'webhook-timestamp': '1e3' }), BODY],
    ['whose body is no JSON', () => signed('{'), '{'],
    ['with a number that would be changed', () => signed(LOSSY), LOSSY],
    ['with a name that stands twice', () => signed(TWICE), TWICE],
  ];

  function secretOf(text: string): string {
    return `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
  }

  for (const [what, headers, body] of REQUESTS) {
    it(`is refused, and begins no look: ${what}`, () =>
      watching(async (_decided, watched, server) => {
        const before = server.requests(LIST).length;
        await assert.rejects(watched.watch.handleWebhook(headers(), body), (error: unknown) => {
          assert.ok(error instanceof WebhookError);
          assert.equal(error.code, 'webhook_refused');
          return true;
        });
        await watched.poll();
        assert.equal(server.requests(LIST).length, before + 1);
      }));
  }

  it('is every one if no secret is configured', () =>
    withServer(async (server) => {
      new DecidedServer(server);
      const { watch } = new Watching(server, { webhookSecrets: [] });
      await assert.rejects(watch.handleWebhook(signed(), BODY), WebhookError);
      await watch.stop();
    }));
});

describe('stopping to watch', () => {
  it('lets the run that is under way end, and begins no other', () =>
    withServer(async (server) => {
      const decided = new DecidedServer(server);
      decided.isDecided = true;
      let finish = (): void => undefined;
      let begun = (): void => undefined;
      const started = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const { watch } = new Watching(server, {}, () => {
        begun();
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
      await started;
      let isOver = false;
      const stopped = watch.stop().then(() => {
        isOver = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(isOver, false);
      finish();
      await stopped;
      assert.equal(decided.finishes, 1);
      const looks = server.requests(LIST).length;
      watch.wake();
      await watch.ended;
      assert.equal(server.requests(LIST).length, looks);
    }));
});
