import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Response } from 'express';
import { createLongPolls } from '../../../api/http/long-polls.js';
import { authenticate } from '../../../api/http/keys-and-roles.js';
import { KeyFile } from '../../../api/sign-in/start.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { hashedKey } from '../../../runtime/api-keys.js';
import { SEEDS } from '../../support/secrets.js';

const ALICE: ApiKey = { key: SEEDS.operatorKey, principal: 'alice', roles: ['operator'] };
const AGENT: ApiKey = { key: SEEDS.agentKey, principal: 'agent-1', roles: ['agent'] };

const namesIn = ({ valid }: KeyRing) => valid.map(({ caller }) => caller.principal);

describe('the key ring', () => {
  it('knows a key by its digest, with space, roles and groups', () => {
    const ring = new KeyRing([
      {
        ...ALICE,
        key: hashedKey(ALICE.key),
        roles: ['operator', 'auditor'],
        groups: ['finance'],
        space: 'eu',
        label: 'her laptop',
      },
    ]);
    assert.deepEqual(ring.find(ALICE.key)?.caller, {
      space: 'eu',
      principal: 'alice',
      roles: ['operator', 'auditor'],
      groups: ['finance'],
    });
  });

  it('knows for which users a key acts', () => {
    const ring = new KeyRing([{ ...AGENT, acts_for: ['ursula'] }]);
    assert.deepEqual(ring.find(AGENT.key)?.caller.acts_for, ['ursula']);
    const before = ring.find(AGENT.key);
    ring.replace([{ ...AGENT, acts_for: ['ursula', 'vera'] }]);
    assert.equal(before?.holds(), false);
  });

  it('takes no digest for a key', () => {
    const ring = new KeyRing([{ ...ALICE, key: hashedKey(ALICE.key) }]);
    assert.equal(ring.find(hashedKey(ALICE.key)), undefined);
    assert.equal(ring.find(''), undefined);
  });

  it('knows a key until it expires, and its principal as long', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const ring = new KeyRing([{ ...ALICE, expires_at: '2026-01-01T01:00:00Z' }], () => now);
    const found = ring.find(ALICE.key);
    assert.equal(found?.holds(), true);
    assert.deepEqual(namesIn(ring), ['alice']);
    now += 3_600_000;
    assert.equal(found.holds(), false);
    assert.equal(ring.find(ALICE.key), undefined);
    assert.deepEqual(namesIn(ring), []);
  });

  it('no longer holds for a key that was removed or stands for something else', () => {
    const ring = new KeyRing([ALICE, AGENT]);
    const [alice, agent] = [ring.find(ALICE.key), ring.find(AGENT.key)];
    ring.replace([{ ...ALICE, key: hashedKey(ALICE.key), label: 'the same' }, AGENT]);
    assert.deepEqual([alice?.holds(), agent?.holds()], [true, true]);
    ring.replace([{ ...ALICE, roles: ['auditor'] }]);
    assert.deepEqual([alice?.holds(), agent?.holds()], [false, false]);
  });

  it('tells whose keys let nobody answer', () => {
    const ring = new KeyRing([ALICE, AGENT, { ...AGENT, key: SEEDS.bothKey, principal: 'alice' }]);
    const agents = ring.agentsIn('default');
    assert.deepEqual(
      [agents.has('alice'), agents.has('agent-1'), agents.has('bob')],
      [false, true, false],
    );
    ring.replace([{ ...AGENT, roles: ['operator'] }]);
    assert.equal(agents.has('agent-1'), false);
  });

  it('tells whose keys let them answer only what is asked for themselves', () => {
    const user = { ...AGENT, roles: ['user' as const] };
    const ring = new KeyRing([ALICE, user]);
    const isMute = (of?: 'others') => {
      const mute = ring.agentsIn('default', of);
      return [mute.has('alice'), mute.has('agent-1'), mute.has('bob')];
    };
    assert.deepEqual(isMute(), [false, false, false]);
    assert.deepEqual(isMute('others'), [false, true, false]);
  });

  it('takes the same name in another space for somebody else', () => {
    const elsewhere = { ...AGENT, key: SEEDS.bothKey, roles: ['operator' as const], space: 'b' };
    const ring = new KeyRing([AGENT, elsewhere]);
    const isAgent = ['default', 'b', 'c'].map((space) => ring.agentsIn(space).has('agent-1'));
    assert.deepEqual(isAgent, [true, false, false]);
    assert.deepEqual(
      ring.valid.map(({ caller }) => caller.space),
      ['default', 'b'],
    );
  });
});

describe('the key file', () => {
  let folder: string;
  let file: string;
  let ring: KeyRing;
  let followed: KeyFile;
  let logged: { readonly level: string; readonly reason?: unknown }[];
  const write = (keys: readonly ApiKey[], to = file) => writeFile(to, JSON.stringify(keys));
  const lookTwice = async () => {
    await followed.look();
    await followed.look();
  };
  const principals = () => namesIn(ring).join();

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-keys-'));
    file = path.join(folder, 'keys.json');
    ring = new KeyRing([ALICE]);
    logged = [];
    const note = (level: string) => (fields: object) => void logged.push({ level, ...fields });
    const log = { info: note('info'), error: note('error') } as never;
    followed = new KeyFile({ file, isLoopback: false, ring, log });
    await write([{ ...ALICE, key: hashedKey(ALICE.key) }]);
    await lookTwice();
    logged.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('replaces the keys once two looks saw the same', async () => {
    await write([{ ...AGENT, key: hashedKey(AGENT.key) }]);
    await followed.look();
    assert.equal(principals(), 'alice');
    await followed.look();
    assert.equal(principals(), 'agent-1');
    await lookTwice();
    assert.deepEqual(
      logged.map(({ level }) => level),
      ['info'],
    );
  });

  it('follows editors that replace the file, and links that lead elsewhere', async () => {
    const beside = path.join(folder, 'beside.json');
    await write([{ ...AGENT, key: hashedKey(AGENT.key) }], beside);
    await rename(beside, file);
    await lookTwice();
    assert.equal(principals(), 'agent-1');
    await write([{ ...ALICE, key: hashedKey(ALICE.key) }], beside);
    await unlink(file);
    await symlink(beside, file);
    await lookTwice();
    assert.equal(principals(), 'alice');
  });

  const BAD = {
    'half-written content': '[{"key": "sha2',
    nothing: '',
    'no key at all': '[]',
    'a key in clear text': JSON.stringify([AGENT]),
  };
  for (const [name, content] of Object.entries(BAD)) {
    it(`keeps the old keys over ${name}, and says so once, without a key`, async () => {
      await writeFile(file, content);
      await lookTwice();
      await lookTwice();
      assert.equal(principals(), 'alice');
      assert.deepEqual(
        logged.map(({ level }) => level),
        ['error'],
      );
      assert.ok(!JSON.stringify(logged).includes(AGENT.key));
    });
  }

  it('keeps the old keys while the file is away', async () => {
    await unlink(file);
    await lookTwice();
    await lookTwice();
    assert.equal(principals(), 'alice');
    assert.match(String(logged[0]?.reason), /ENOENT/);
    assert.equal(logged.length, 1);
  });
});

describe('what is held open', () => {
  /** A reply to a request that was signed in. */
  async function held(ring: KeyRing, key: string): Promise<Response> {
    const req = { get: () => key };
    const next: { done: boolean } = { done: false };
    const guard = authenticate(createSignIn(ring)) as (...args: unknown[]) => Promise<void>;
    await guard(req, {}, () => (next.done = true));
    assert.ok(next.done);
    return { req, once: () => undefined, closed: false } as unknown as Response;
  }

  it('ends when its key is removed, and no other', async () => {
    const ring = new KeyRing([ALICE, AGENT]);
    const polls = createLongPolls(serverConfigSchema.parse({}).limits);
    const [alice, agent] = [
      polls.signalFor(await held(ring, ALICE.key), 'streams'),
      polls.signalFor(await held(ring, AGENT.key), 'long_polls'),
    ];
    ring.replace([AGENT]);
    const ended = once(alice, 'abort');
    polls.endRevoked();
    await ended;
    assert.match(String(alice.reason), /unauthenticated/);
    assert.equal(agent.aborted, false);
    polls.endAll();
    assert.equal(agent.aborted, true);
  });
});
