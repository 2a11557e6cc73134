import assert from 'node:assert/strict';
import {
  ApprovalClient,
  type DecidedOptions,
  type HoldpointError,
  type OnDecided,
} from '../../client/index.js';
import type { FakeServer, Step } from './support/fake-server.js';
import { withServer } from './support/harness.js';
import { problem } from './support/samples.js';

const LIST = 'GET /v1/approvals';
const CLAIM = 'POST /v1/approvals/a1/checkpoint/claim';
const FINISH = 'POST /v1/approvals/a1/checkpoint/finish';
const APPROVAL = {
  approval_id: 'a1',
  status: 'approved',
  created_at: '2026-03-24T10:00:00.000Z',
  proposal: { run_id: 'r' },
};
const claimed = (token = 2) => ({
  body: {
    approval_id: 'a1',
    status: 'resuming',
    token,
    approval: APPROVAL,
    checkpoint: { schema_version: 'composer_v1', state: 'left' },
  },
});

/** Pauses that end when the test says so, each of them by the number of milliseconds that it was to take. */
class HeldPauses {
  private readonly waiting: { readonly ms: number; readonly end: () => void }[] = [];
  private news = (): void => undefined;

  readonly pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve();
      this.waiting.push({ ms, end });
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.news();
    });

  /** Resolves once a pause has begun that nobody has ended. */
  async begun(): Promise<void> {
    while (this.waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.news = resolve;
      });
    }
  }

  /** Ends the next pause once it has begun; resolves with its length. */
  async end(): Promise<number> {
    await this.begun();
    const next = this.waiting.shift();
    next?.end();
    return next?.ms ?? 0;
  }
}

function deliver(
  server: FakeServer,
  pauses: HeldPauses,
  fn: OnDecided,
  options: DecidedOptions = {},
): Promise<number> {
  const client = new ApprovalClient({
    baseUrl: server.url,
    apiKey: 'k',
    holder: 'p1',
    leaseSeconds: 40,
    timers: { pause: pauses.pause },
    logger: { warn: () => undefined },
  });
  return client.deliverDecided(fn, options);
}

/** One decided run, whose checkpoint is claimed by these replies in turn. */
function withRun(
  claims: [Step, ...Step[]],
  run: (server: FakeServer, pauses: HeldPauses) => Promise<void>,
): Promise<void> {
  return withServer(async (server) => {
    server.on(LIST, ({ query }) => ({
      body: { approvals: query.get('checkpoint') === 'open' ? [APPROVAL] : [] },
    }));
    server.on(CLAIM, ...claims).on(FINISH, { body: {} });
    await run(server, new HeldPauses());
  });
}

const untilAborted = (signal: AbortSignal): Promise<HoldpointError> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason as HoldpointError));
  });

describe('the lease of a run that is brought back', () => {
  it('is renewed under its token while the work goes on, and no longer', () =>
    withRun([claimed()], async (server, pauses) => {
      let finish = (): void => undefined;
      const working = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const delivered = deliver(server, pauses, () => working);

      assert.equal(await pauses.end(), 10_000);
      assert.equal(await pauses.end(), 10_000);
      await pauses.begun();
      finish();

      assert.equal(await delivered, 1);
      const claims = server.requests(CLAIM);
      assert.equal(claims.length, 3);
      for (const { body } of claims) assert.deepEqual(body, { holder: 'p1', lease_seconds: 40 });
      assert.deepEqual(
        server.requests(FINISH).map(({ body }) => body),
        [{ token: 2 }],
      );
    }));

  for (const [what, refusal] of [
    ['another process has it', problem(409, 'approval_in_use')],
    ['it was over in between', claimed(3)],
    ['another process has brought the run back', problem(409, 'invalid_transition')],
  ] as const) {
    it(`is lost if ${what}: the work is told, and an older token is refused`, () =>
      withRun([claimed(), refusal], async (server, pauses) => {
        server.on(FINISH, problem(409, 'stale_token'));
        const reasons: string[] = [];
        const errors: unknown[] = [];
        const delivered = deliver(
          server,
          pauses,
          async (_run, { signal }) => reasons.push((await untilAborted(signal)).code),
          { onError: (error, run) => errors.push([(error as HoldpointError).code, run]) },
        );

        await pauses.end();

        assert.equal(await delivered, 0);
        assert.deepEqual(reasons, ['lease_lost']);
        assert.deepEqual(errors, [['stale_token', 'r']]);
      }));
  }

  it('is lost once the server is away for too long, which the work is told', () =>
    withRun([claimed(), 'cut'], async (server, pauses) => {
      const told: string[] = [];
      const delivered = deliver(server, pauses, async (_run, { signal }) =>
        told.push((await untilAborted(signal)).code),
      );

      await pauses.end();
      await pauses.end();

      assert.equal(await delivered, 1);
      assert.deepEqual(told, ['lease_lost']);
    }));

  it('outlives a failure that passes', () =>
    withRun([claimed(), 'cut', claimed(), 'cut', claimed()], async (server, pauses) => {
      let finish = (): void => undefined;
      const working = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let lost = false;
      const delivered = deliver(server, pauses, async (_run, { signal }) => {
        signal.addEventListener('abort', () => {
          lost = true;
        });
        await working;
      });

      for (let pause = 0; pause < 5; pause += 1) await pauses.end();
      finish();

      assert.equal(await delivered, 1);
      assert.equal(lost, false);
    }));
});
