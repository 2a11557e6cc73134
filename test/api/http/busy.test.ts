import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createApp } from '../../../api/app.js';
import { createPartsOf } from '../../../api/parts/index.js';
import { startServer, type RunningServer } from '../../../api/server.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { emptyFeed } from '../../support/events.js';
import { lookUntil } from '../../support/looks.js';
import { withCheckedReplies } from '../../support/openapi.js';
import { ManualClock, fakeClient, fakeStore, idle, intentOf, silent } from '../support/fakes.js';
import { INTENT_ID } from '../support/records.js';
import { createAgentStates } from '../../../runtime/agent-state.js';

const KEY = 'a key of an agent in the tests';

/** The API over a Temporal that has started a workflow only when the test says so. */
class Bench {
  readonly clock = new ManualClock();
  private readonly started: (() => void)[] = [];
  private readonly fake = fakeClient({
    start: () => new Promise<void>((resolve) => this.started.push(resolve)),
    query: () => ({ intent: intentOf(), last_sequence: 1 }),
  });
  private arrived = 0;
  private server: RunningServer | undefined;

  /** Runs a test with one write at once, behind which two wait for at most 8 s. */
  static async with(test: (bench: Bench) => Promise<void>): Promise<void> {
    const bench = new Bench();
    bench.server = await startServer({ app: bench.app(), host: '127.0.0.1', port: 0, drainMs: 0 });
    try {
      await test(bench);
    } finally {
      await bench.server.close();
    }
  }

  private app() {
    const { clock } = this;
    const store = fakeStore();
    const config = serverConfigSchema.parse({
      suspension: { refuse_secrets: false },
      limits: { writes: { at_once: 1, longest_wait_seconds: 8, waiting: 2 } },
    });
    const partsOf = createPartsOf({
      agentStates: createAgentStates([]),
      client: this.fake.client,
      clock,
      now: () => clock.now(),
      config,
      store,
      storeIn: () => store,
      feed: emptyFeed(),
      agentsIn: () => new Set(),
      idSecrets: ['a secret for the ids of the tests'],
      log: silent,
    });
    const count = (space: string) => {
      this.arrived += 1;
      return partsOf(space);
    };
    const keys = new KeyRing([{ key: KEY, principal: 'agent-1', roles: ['agent', 'operator'] }]);
    const log = pino({ level: 'silent' });
    const signIn = createSignIn(keys);
    return withCheckedReplies(
      createApp({ partsOf: count, feed: emptyFeed(), signIn, config, log }),
    );
  }

  /** Sends a request, and waits for its reply. */
  async send(method: string, path: string, body?: object, signal?: AbortSignal) {
    const reply = await fetch(`${this.server?.url ?? ''}${path}`, {
      method,
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const { code, detail } = (await reply.json()) as Record<string, unknown>;
    const { headers } = reply;
    const waited = headers.get('server-timing');
    return { status: reply.status, retryAfter: headers.get('retry-after'), waited, code, detail };
  }

  /** Asks a question, waits until it has come as far as it may, and returns what its reply will be. */
  async ask(question: string, signal?: AbortSignal) {
    const before = this.arrived;
    const body = { question, response_type: 'confirm' };
    const reply = this.send('POST', '/v1/suspensions', body, signal);
    reply.catch(() => undefined);
    await lookUntil(async () => this.arrived > before, `${question} does not arrive`);
    await idle();
    return { reply };
  }

  /** Temporal has started the workflow that waits longest. */
  async start(): Promise<void> {
    this.started.shift()?.();
    await idle();
  }

  /** The questions that Temporal has got. */
  get given(): readonly unknown[] {
    return this.fake.calls
      .flatMap(({ args }) => args)
      .map((options) => (options as { staticSummary?: string }).staticSummary);
  }
}

describe('the API while Temporal cannot keep up', () => {
  it('refuses what waits in vain with 429 and Retry-After, in the form of each API', () =>
    Bench.with(async (bench) => {
      for (const question of ['a', 'b', 'c']) await bench.ask(question);

      const ours = await bench.send('POST', '/v1/intents', { title: 'Refund' });
      const theirs = await bench.send('POST', '/api/v1/intents', {
        title: 'Refund',
        created_by: 'agent-1',
      });

      assert.deepEqual([ours.status, ours.code, ours.retryAfter], [429, 'busy', '1']);
      assert.deepEqual(theirs, ours);
      assert.deepEqual(bench.given, ['a']);
    }));

  it('tells with each reply how long its write has waited for its turn', () =>
    Bench.with(async (bench) => {
      const [a, b] = [await bench.ask('a'), await bench.ask('b')];
      await bench.clock.advance(3_000);
      await bench.start();
      await bench.start();
      const replies = [(await a.reply).waited, (await b.reply).waited];
      assert.deepEqual(replies, ['place;dur=0', 'place;dur=3000']);
    }));

  it('holds up no read and no look at its health', () =>
    Bench.with(async (bench) => {
      for (const question of ['a', 'b', 'c']) await bench.ask(question);
      const paths = ['/health', `/v1/intents/${INTENT_ID}`, '/v1/intents', '/v1/server/config'];
      for (const path of paths) assert.equal((await bench.send('GET', path)).status, 200, path);
    }));
});
