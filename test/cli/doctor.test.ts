import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import type { RunsSetAside } from '../../contracts/log/set-aside.js';
import { knownPeople } from '../../domain/directory/known-people.js';
import { rpcError, type FakeCall } from '../api/support/fakes.js';
import type { Fakes } from '../api/support/parts.js';
import { withShell, type ShellRig } from './support.js';

const WRONG = 'wrong-key-of-16-characters';
/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:4';

const since = '2026-03-24T10:00:00.000Z';
const RUN = { workflow_id: 'intent-7', run_id: 'run-7', since, tries: 5 };

/** A store that has these runs noted, and a Temporal that says how often their tasks were tried, if it answers. */
function fakesOf({ workflows, more }: RunsSetAside): Fakes {
  // Where more are noted than are looked up, there may be more that are set aside.
  const noted = more ? Array.from({ length: 50 }, () => workflows).flat() : workflows;
  const describe = ({ workflowId }: FakeCall) => {
    const attempt = workflows.find(({ workflow_id }) => workflow_id === workflowId)?.tries;
    if (attempt === null) throw rpcError('UNAVAILABLE');
    return { status: { name: 'RUNNING' }, raw: { pendingWorkflowTask: { attempt } } };
  };
  return { store: { notedSetAside: async () => noted }, temporal: { describe } };
}

describe('holdpoint doctor', () => {
  it('finds nothing where all is well', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor', '--json']);
      const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { name: string }[] };
      assert.deepEqual([code, ok], [EXIT.done, true]);
      assert.deepEqual(
        checks.map(({ name }) => name),
        ['api', 'temporal', 'worker', 'store', 'channel'],
      );
    }));

  it('says of each part that it is missing', () =>
    withShell(
      {},
      async (shell) => {
        const { code, out, err } = await shell.run(['doctor']);
        assert.equal(code, EXIT.no);
        assert.match(out, /^BAD {2}temporal +failed, or not answered within/m);
        assert.match(out, /^BAD {2}worker +0 polling "holdpoint"/m);
        assert.match(out, /^BAD {2}store +not migrated/m);
        assert.match(err, /What is marked BAD is wrong/);
      },
      {},
      {
        temporal: { service: { describeTaskQueue: async () => ({ pollers: [] }) } },
        store: { storeState: async () => ({ missing: ['0001-baseline'], refused_rows: 0 }) },
      },
    ));

  it('says that the key is not accepted', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { env: { HOLDPOINT_API_KEY: WRONG } });
      assert.equal(code, EXIT.no);
      assert.match(
        out,
        /^BAD {2}channel .*Sign in with `npm run -s holdpoint -- login`.*\(unauthenticated\)$/m,
      );
    }));

  const EARLY = { at: '2026-03-24T10:00:00.000Z', status_code: 200 };
  const LATE = { at: '2026-03-24T11:00:00.000Z', status_code: 535 };
  for (const [last_delivered, outcome, line] of [
    [
      EARLY,
      'mail_login_refused',
      /^BAD {2}channel +console channel console: delivered \S+10:00:00\.000Z, failed \S+11:00:00\.000Z: mail_login_refused \(535\)$/m,
    ],
    [
      null,
      'channel_failed',
      /^BAD {2}channel +console channel console: failed \S+: channel_failed \(535\)$/m,
    ],
    [null, undefined, /^ok {3}channel +console channel console: nothing sent yet$/m],
  ] as const) {
    const before = last_delivered === null ? 'nothing' : 'a delivery';
    it(`says of a channel after ${before} that it is ${outcome ?? 'well'}`, () => {
      const last_failed = outcome === undefined ? null : { ...LATE, outcome };
      const tries = { last_delivered, last_failed };
      const store = { newestTries: async () => tries };
      return withShell(
        {},
        async (shell) => {
          const { code, out } = await shell.run(['doctor']);
          assert.match(out, line);
          assert.equal(code, outcome === undefined ? EXIT.done : EXIT.no);
        },
        {},
        { store },
      );
    });
  }

  const CHAT = { type: 'slack', bot_token: '$BOT' };
  const WITH_CHAT = {
    directory: {},
    notifications: { default_channel: 'chat', channels: { chat: CHAT } },
  };
  const ASKED = { at: EARLY.at, outcome: null, reason: null };
  const REFUSED = { outcome: 'slack_login_refused', reason: 'Slack answered invalid_auth' };
  for (const [check, line] of [
    [
      { ...ASKED, state: 'ok' },
      /^ok {3}channel +slack channel chat: check ok, 2026-03-24T10:00:00\.000Z$/m,
    ],
    [
      { ...ASKED, ...REFUSED, state: 'failed' },
      /^BAD {2}channel +slack channel chat: check failed, \S+10:00:00\.000Z, Slack answered invalid_auth$/m,
    ],
    [undefined, /^BAD {2}channel .*: check unknown$/m],
  ] as const) {
    it(`says of a service that a worker ${check ? 'asked' : 'never asked'}: ${check?.state ?? 'unknown'}`, () => {
      const checks = new Map(check === undefined ? [] : [['chat', check]]);
      return withShell(
        {},
        async (shell) => {
          const { code, out } = await shell.run(['doctor']);
          assert.match(out, line);
          assert.equal(code, check?.state === 'ok' ? EXIT.done : EXIT.no);
        },
        WITH_CHAT,
        { store: { channelChecks: async () => checks } },
      );
    });
  }

  it('says nothing of channels with a key that may not see them', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { key: 'agent' });
      assert.equal(code, EXIT.done);
      assert.doesNotMatch(out, /channel/);
    }));

  it('looks at the service even without a key', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.bare(['doctor'], { env: { HOLDPOINT_URL: shell.url } });
      assert.equal(code, EXIT.no);
      assert.match(out, /^BAD {2}settings +No key/m);
      assert.match(out, /^ok {3}worker/m);
    }));

  it('says that the address is none', () =>
    withShell({}, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { env: { HOLDPOINT_URL: 'here:4000' } });
      assert.equal(code, EXIT.no);
      assert.match(out, /^BAD {2}settings +The address here:4000 must begin with http:\/\//m);
    }));

  it('says that nothing answers, or something else', () =>
    withShell({}, async (shell) => {
      const away = await shell.run(['doctor'], { env: { HOLDPOINT_URL: AWAY } });
      assert.equal(away.code, EXIT.no);
      assert.match(away.out, /^BAD {2}address +Holdpoint cannot be reached/m);
      const other = await shell.run(['doctor'], { env: { HOLDPOINT_URL: `${shell.url}/docs` } });
      assert.match(other.out, /^BAD {2}address +What answers at \S+ is no Holdpoint/m);
    }));
});

describe('holdpoint doctor, of workflows that are set aside', () => {
  const says = (found: RunsSetAside, key: 'admin' | 'operator' = 'admin') => {
    const ended = { code: -1, out: '' };
    return withShell(
      {},
      async (shell) => {
        Object.assign(ended, await shell.run(['doctor'], { key }));
      },
      {},
      fakesOf(found),
    ).then(() => ended);
  };

  it('names each with its run', async () => {
    const unheard = { ...RUN, workflow_id: 'team-b/intent-8', tries: null };
    const { code, out } = await says({ workflows: [RUN, unheard], more: false });
    assert.equal(code, EXIT.no);
    assert.match(
      out,
      /^BAD {2}workflow +intent-7 \(run run-7\) is set aside since 2026-03-24T10:00:00\.000Z, its task was tried 5 times$/m,
    );
    assert.match(out, /^BAD {2}workflow +team-b\/intent-8 \(run run-7\) is set aside since \S+Z$/m);
    assert.doesNotMatch(out, /there may be more/);
  });

  it('says that there may be more', async () => {
    const { code, out } = await says({ workflows: [RUN], more: true });
    assert.equal(code, EXIT.no);
    assert.match(out, /^BAD {2}workflow +there may be more that are set aside$/m);
  });

  it('says that there is none', async () => {
    const { code, out } = await says({ workflows: [], more: false });
    assert.equal(code, EXIT.done);
    assert.match(out, /^ok {3}workflow +none is set aside$/m);
  });

  it('does not ask with a key that may not see them', async () => {
    const { code, out } = await says({ workflows: [RUN], more: false }, 'operator');
    assert.equal(code, EXIT.done);
    assert.doesNotMatch(out, /workflow/);
  });
});

describe('holdpoint doctor, of approvers in the configuration', () => {
  it('names whom nobody can be, with the path', () => {
    const told =
      'approvals.packs.pay.stages[0]: No key and no entry of the directory lets the group financ answer.';
    const stages = [{ approvers: { groups: ['financ'] } }];
    const config = { approvals: { packs: { pay: { stages } } } };
    const peopleIn = () => knownPeople('default', []);
    const run = async (shell: ShellRig) => {
      const { code, out } = await shell.run(['doctor'], { key: 'admin' });
      assert.equal(code, EXIT.no);
      assert.ok(out.includes(`BAD  approvers ${told}\n`), out);
    };
    return withShell({}, run, config, { deps: { peopleIn } });
  });
});
