import assert from 'node:assert/strict';
import { ApprovalClient, type DecidedRun, type HoldpointError } from '../../client/index.js';
import type { FakeServer, Seen } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

const LIST = 'GET /v1/approvals';
const claimOf = (id: string) => `POST /v1/approvals/${id}/checkpoint/claim`;
const finishOf = (id: string) => `POST /v1/approvals/${id}/checkpoint/finish`;

function approval(approval_id: string, run_id: string, status = 'approved', minute = 0) {
  const created_at = `2026-03-24T10:0${minute}:00.000Z`;
  return { approval_id, status, created_at, proposal: { run_id } };
}

function claimed(one: ReturnType<typeof approval>, state: unknown, schema_version = 'composer_v1') {
  const { approval_id } = one;
  const checkpoint = { schema_version, state };
  return { body: { approval_id, status: 'resuming', token: 2, approval: one, checkpoint } };
}

/** What is open, and what of a run is pending, as the list gives it. */
function listing(open: readonly object[], pending: readonly object[] = []) {
  return ({ query }: Seen) => ({
    body: { approvals: query.get('checkpoint') === 'open' ? open : pending },
  });
}

function clientOf(server: FakeServer, pauses: InstantPauses): ApprovalClient {
  const timers = { pause: pauses.pause };
  return new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers, holder: 'p1' });
}

/** No run is delivered. */
async function nobody(): Promise<never> {
  throw new assert.AssertionError({ message: 'a run was delivered' });
}

/** The routes that were called, without the list. */
const steps = (server: FakeServer) =>
  server.seen.map(({ route }) => route).filter((route) => route !== LIST);

describe('a run whose calls are all decided', () => {
  it('is delivered once to one process, with the state that its agent left last', () =>
    withServer(async (server, pauses) => {
      const [first, second] = [approval('a1', 'r'), approval('a2', 'r', 'rejected', 1)];
      server.on(LIST, listing([second, first]));
      server.on(claimOf('a1'), claimed(first, 'early')).on(claimOf('a2'), claimed(second, 'late'));
      server.on(finishOf('a1'), { body: {} }).on(finishOf('a2'), { body: {} });
      const runs: DecidedRun[] = [];

      const count = await clientOf(server, pauses).deliverDecided(async (run) => runs.push(run));

      assert.equal(count, 1);
      assert.deepEqual(runs, [{ run: 'r', approvals: [first, second], state: 'late' }]);
      assert.deepEqual(steps(server), [
        claimOf('a1'),
        claimOf('a2'),
        finishOf('a1'),
        finishOf('a2'),
      ]);
      assert.deepEqual(server.requests(claimOf('a1'))[0]?.body, {
        holder: 'p1',
        lease_seconds: 60,
      });
      assert.deepEqual(server.requests(finishOf('a1'))[0]?.body, { token: 2 });
    }));

  it('waits for all its calls, those without a checkpoint too', () =>
    withServer(async (server, pauses) => {
      const done = approval('a1', 'r');
      const client = clientOf(server, pauses);
      server.on(LIST, listing([done, approval('a2', 'r', 'pending')]));
      assert.equal(await client.deliverDecided(nobody), 0);
      server.on(LIST, listing([done], [approval('a3', 'r', 'pending')]));
      assert.equal(await client.deliverDecided(nobody), 0);
      assert.deepEqual(steps(server), []);
    }));

  it('is left to the process that has it', () =>
    withServer(async (server, pauses) => {
      for (const code of ['approval_in_use', 'invalid_transition']) {
        server.on(LIST, listing([approval('a1', 'r')])).on(claimOf('a1'), problem(409, code));
        assert.equal(await clientOf(server, pauses).deliverDecided(nobody), 0);
      }
      assert.deepEqual(steps(server), [claimOf('a1'), claimOf('a1')]);
    }));

  it('is delivered without what can no longer be claimed', () =>
    withServer(async (server, pauses) => {
      const [dead, good] = [approval('a1', 'r'), approval('a2', 'r', 'approved', 1)];
      server.on(LIST, listing([good, dead])).on(claimOf('a1'), problem(409, 'approval_decided'));
      server.on(claimOf('a2'), claimed(good, 'late')).on(finishOf('a2'), { body: {} });
      const runs: DecidedRun[] = [];
      const failures: unknown[] = [];
      const onError = (error: unknown) => failures.push(error);
      const client = clientOf(server, pauses);

      assert.equal(await client.deliverDecided(async (run) => runs.push(run), { onError }), 1);
      assert.deepEqual(runs, [{ run: 'r', approvals: [good], state: 'late' }]);
      server.on(LIST, listing([dead]));
      assert.equal(await client.deliverDecided(nobody, { onError }), 0);

      assert.deepEqual(failures, []);
      assert.deepEqual(server.requests(finishOf('a1')), []);
    }));

  it('is found behind a thousand that wait', () =>
    withServer(async (server, pauses) => {
      const old = approval('old', 'r');
      const waiting = Array.from({ length: 1_000 }, (_, n) =>
        approval(`a${n}`, `r${n}`, 'pending', 1),
      );
      server.on(LIST, ({ query }) => {
        if (query.get('checkpoint') !== 'open') return { body: { approvals: [] } };
        const isFirst = (query.get('offset') ?? '0') === '0';
        // A new one has pushed the last one of the first page to the second.
        const approvals = isFirst ? waiting : [...waiting.slice(-1), old];
        return { body: { approvals, next_offset: isFirst ? 1_000 : null } };
      });
      server.on(claimOf('old'), claimed(old, 's')).on(finishOf('old'), { body: {} });
      const runs: string[] = [];

      await clientOf(server, pauses).deliverDecided(async ({ run }) => runs.push(run));

      assert.deepEqual(runs, ['r']);
    }));

  it('comes again with its newest state if its process dies while it finishes', () =>
    withServer(async (server, pauses) => {
      const [first, second] = [approval('a1', 'r'), approval('a2', 'r', 'approved', 1)];
      const finished = new Set<string>();
      server.on(LIST, (seen) =>
        listing([second, first].filter(({ approval_id }) => !finished.has(approval_id)))(seen),
      );
      for (const [one, state] of [
        [first, 'early'],
        [second, 'late'],
      ] as const) {
        server.on(claimOf(one.approval_id), claimed(one, state));
        server.on(finishOf(one.approval_id), () => {
          // The first one goes through, and then the process is gone.
          if (finished.size > 0) return problem(422, 'invalid_request');
          finished.add(one.approval_id);
          return { body: {} };
        });
      }
      const states: unknown[] = [];
      const client = clientOf(server, pauses);
      const look = () =>
        client.deliverDecided(async ({ state }) => states.push(state), {
          onError: () => undefined,
        });

      await look();
      await look();

      assert.deepEqual(states, ['late', 'late']);
    }));

  it('is not finished if its agent fails, and holds up no other run', () =>
    withServer(async (server, pauses) => {
      const [bad, good] = [approval('a1', 'bad'), approval('a2', 'good')];
      server.on(LIST, listing([bad, good]));
      server.on(claimOf('a1'), claimed(bad, 1)).on(claimOf('a2'), claimed(good, 2));
      server.on(finishOf('a2'), { body: {} });
      const failures: unknown[] = [];

      const count = await clientOf(server, pauses).deliverDecided(
        async ({ run }) => {
          if (run === 'bad') throw new Error('no');
        },
        { onError: (error, run) => failures.push([(error as Error).message, run]) },
      );

      assert.equal(count, 1);
      assert.deepEqual(failures, [['no', 'bad']]);
      assert.deepEqual(server.requests(finishOf('a1')), []);
    }));
});

describe('the state of an agent that comes back', () => {
  const one = approval('a1', 'r');
  const deliver = (server: FakeServer, pauses: InstantPauses, version: string, options = {}) => {
    server.on(LIST, listing([one])).on(finishOf('a1'), { body: {} });
    server.on(claimOf('a1'), claimed(one, { step: 1 }, version));
    const states: unknown[] = [];
    return clientOf(server, pauses)
      .deliverDecided(async ({ state }) => states.push(state), options)
      .then(() => states);
  };
  const migrate = (state: unknown, version: string) => ({ from: version, was: state }) as never;

  it('is migrated from an earlier form, and passes as it is in the present one [JC-68]', () =>
    withServer(async (server, pauses) => {
      assert.deepEqual(await deliver(server, pauses, 'composer_v0', { migrate }), [
        { from: 'composer_v0', was: { step: 1 } },
      ]);
      assert.deepEqual(await deliver(server, pauses, 'composer_v1', { migrate }), [{ step: 1 }]);
      const own = { migrate, schemaVersion: 'mine-2' };
      assert.deepEqual(await deliver(server, pauses, 'mine-2', own), [{ step: 1 }]);
    }));

  it('is not handed over in a form that nothing migrates [JC-67]', () =>
    withServer(async (server, pauses) => {
      const codes: unknown[] = [];
      const onError = (error: unknown) => codes.push((error as HoldpointError).code);
      assert.deepEqual(await deliver(server, pauses, 'other', { onError }), []);
      assert.deepEqual(codes, ['unknown_schema_version']);
      assert.deepEqual(server.requests(finishOf('a1')), []);
    }));
});

describe('watching for decided runs', () => {
  it('looks again every few seconds until its signal aborts, also after a failure', () =>
    withServer(async (server, pauses) => {
      server.on(LIST, problem(422, 'invalid_request'), { body: { approvals: [] } });
      const stop = new AbortController();
      pauses.during = (nth) => {
        if (nth === 3) stop.abort();
      };
      const failures: unknown[] = [];
      const options = {
        signal: stop.signal,
        everySeconds: 7,
        onError: (error: unknown) => failures.push(error),
      };

      await clientOf(server, pauses).onDecided(nobody, options).ended;

      assert.deepEqual(pauses.lengths, [7_000, 7_000, 7_000]);
      assert.equal(server.requests(LIST).length, 3);
      assert.equal(failures.length, 1);
    }));

  it('looks at once when it is woken', () =>
    withServer(async (server) => {
      server.on(LIST, { body: { approvals: [] } });
      const stop = new AbortController();
      let paused = 0;
      const timers = {
        pause: (_ms: number, signal: AbortSignal | undefined) =>
          new Promise<void>((_resolve, reject) => {
            paused += 1;
            signal?.addEventListener('abort', () => reject(new Error('woken')));
            if (paused === 1) watch.wake();
            else stop.abort();
          }),
      };
      const client = new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers });
      const watch = client.onDecided(nobody, { signal: stop.signal });

      await watch.ended;

      assert.equal(server.requests(LIST).length, 2);
    }));
});
