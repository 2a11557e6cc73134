import assert from 'node:assert/strict';
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import { RefusalError } from '../../../api/errors.js';
import { Tokens, callerOfClaims } from '../../../api/sign-in/tokens.js';
import { signInConfigSchema } from '../../../contracts/people/sign-in.js';
import { AUDIENCE, Issuer } from '../../support/issuer.js';
import { KEYS, createRig } from '../support/harness.js';

const names = (count: number, characters = 4) =>
  Array.from({ length: count }, (_, i) => `${i}`.padStart(characters, 'g'));

const CLIENTS = {
  alice: { roles: ['operator'], groups: ['finance', 'eu'] },
  worker: { roles: ['agent', 'pilot'], space: 'eu' },
  crowd: { roles: ['operator'], groups: names(201) },
  nobody: {},
};

describe('bearer tokens of an issuer', () => {
  let issuer: Issuer;
  let now = Date.now();
  const warned: string[] = [];
  const tokens = (more: object = {}) =>
    new Tokens({
      config: issuer.config(more),
      log: { warn: (fields) => void warned.push(JSON.stringify(fields)) },
      now: () => now,
    });

  beforeEach(async () => {
    issuer = await Issuer.start(CLIENTS);
    now = Date.now();
    warned.length = 0;
  });
  afterEach(() => issuer.close());

  it('prove a principal with its roles and groups', async () => {
    const found = await tokens().find(await issuer.token('alice'));
    assert.deepEqual(found?.caller, {
      space: 'default',
      principal: 'alice',
      roles: ['operator'],
      groups: ['finance', 'eu'],
    });
  });

  it('belong to the space of the claim that is configured, and to none without it', async () => {
    const judge = tokens({ claims: { space: 'space' } });
    const worker = await judge.find(await issuer.token('worker'));
    assert.deepEqual(worker?.caller, {
      space: 'eu',
      principal: 'worker',
      roles: ['agent'],
      groups: [],
    });
    assert.equal(await judge.find(await issuer.token('alice')), undefined);
  });

  it('hold until they expire, by as much as clocks may differ', async () => {
    const judge = tokens({ clock_skew_seconds: 60 });
    const token = await issuer.token('alice');
    const found = await judge.find(token);
    now += 330_000;
    assert.ok(found);
    assert.equal(found.holds(), true);
    assert.ok(await judge.find(token));
    now += 60_000;
    assert.equal(found.holds(), false);
    assert.equal(await judge.find(token), undefined);
  });

  it('are told apart by those that were accepted', async () => {
    const judge = tokens();
    await judge.find(await issuer.token('alice'));
    await judge.find('nonsense');
    const accepted = judge.takeAccepted();
    assert.deepEqual(
      accepted.map(({ caller }) => [caller.space, caller.principal]),
      [['default', 'alice']],
    );
    assert.ok(accepted.every(({ until }) => until > now));
    assert.deepEqual(judge.takeAccepted(), []);
  });

  it('are refused for another audience', async () => {
    assert.equal(
      await tokens().find(await issuer.token('alice', 'https://other.example')),
      undefined,
    );
  });

  it('are refused if somebody else signed them, or nobody', async () => {
    const judge = tokens();
    const { privateKey } = await generateKeyPair('RS256');
    const claims = { sub: 'mallory', roles: ['admin'] };
    const signed = (header: { alg: string; kid?: string }) =>
      new SignJWT(claims)
        .setIssuer(issuer.url)
        .setAudience(AUDIENCE)
        .setExpirationTime('1h')
        .setProtectedHeader(header);
    const unsigned = new UnsecuredJWT(claims).setIssuer(issuer.url).setAudience(AUDIENCE);
    const all = [
      await signed({ alg: 'RS256', kid: 'first' }).sign(privateKey),
      await signed({ alg: 'RS256', kid: 'unknown' }).sign(privateKey),
      await signed({ alg: 'HS256' }).sign(Buffer.alloc(32)),
      unsigned.setExpirationTime('1h').encode(),
      'a.b.c',
    ];
    for (const token of all) assert.equal(await judge.find(token), undefined);
  });

  it('have the keys read once, and again for a new key after a pause', async () => {
    const judge = tokens();
    const first = await issuer.token('alice');
    await Promise.all([judge.find(first), judge.find(first)]);
    await judge.find(first);
    assert.deepEqual(issuer.asked, ['/.well-known/openid-configuration', '/jwks']);
    await issuer.rotate('second');
    assert.equal(await judge.find(await issuer.token('alice')), undefined);
    assert.equal(issuer.asked.length, 2);
  });

  it('are not judged while the issuer is away, and asked for seldom', async () => {
    const judge = tokens();
    const token = await issuer.token('alice');
    issuer.setAway(true);
    for (let i = 0; i < 3; i += 1) {
      await assert.rejects(judge.find(token), (error: unknown) => {
        assert.ok(error instanceof RefusalError);
        assert.equal(error.refusal.code, 'issuer_unavailable');
        return true;
      });
    }
    assert.equal(issuer.asked.length, 1);
    assert.match(warned[0] ?? '', /openid-configuration cannot be read/);
    issuer.setAway(false);
    now += 6_000;
    assert.ok(await judge.find(token));
  });

  it('are judged with the keys at hand while the issuer is away', async () => {
    const judge = tokens();
    const token = await issuer.token('alice');
    await judge.find(token);
    issuer.setAway(true);
    assert.ok(await judge.find(token));
    assert.equal(await judge.find('nonsense'), undefined);
  });

  it('sign in wherever a key does', async () => {
    const rig = createRig({}, {}, undefined, tokens());
    const ask = async (token: string, path = '/v1/suspensions') => {
      const reply = await rig.send(undefined, 'get', path).set('Authorization', `Bearer ${token}`);
      return [reply.status, reply.headers['www-authenticate']];
    };
    const token = await issuer.token('alice');
    assert.deepEqual(await ask(token), [200, undefined]);
    assert.deepEqual(await ask(token, '/api/v1/agents'), [200, undefined]);
    assert.deepEqual(await ask(await issuer.token('nobody')), [403, undefined]);
    assert.deepEqual(await ask('nonsense'), [401, 'ApiKey header="X-API-Key", Bearer']);
    assert.ok(!rig.logged().includes(token) && !rig.logged().includes('nonsense'));
  });

  it('are told apart from API keys in the same header, by their form alone', async () => {
    const rig = createRig({}, {}, undefined, tokens());
    const said = async (authorization: string) => {
      const test = rig.send(undefined, 'get', '/v1/intents').set('Authorization', authorization);
      const { status, body } = await test;
      assert.deepEqual([status, body.code, body.field], [401, 'unauthenticated', 'Authorization']);
      return body.detail as string;
    };
    assert.match(await said(`Bearer ${KEYS.agent}`), /If it is an API key, send it as X-API-Key/);
    assert.match(await said('Bearer no-such-key'), /If it is an API key, send it as X-API-Key/);
    const other = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new Uint8Array(32));
    assert.equal(await said(`Bearer ${other}`), 'The token in Authorization is not valid here.');
    const { body } = await rig.send(undefined, 'get', '/v1/intents');
    assert.match(body.accepted, /^X-API-Key: <your key>, or Authorization: Bearer /);
  });

  it('are refused with the reason if they name too many groups', async () => {
    const rig = createRig({}, {}, undefined, tokens());
    const token = await issuer.token('crowd');
    for (const path of ['/v1/suspensions', '/api/v1/agents']) {
      const reply = await rig.send(undefined, 'get', path).set('Authorization', `Bearer ${token}`);
      assert.deepEqual([reply.status, reply.body.code], [403, 'too_many_groups']);
      assert.match(reply.body.detail, /"groups"/);
    }
    assert.match(rig.logged(), /login failed/);
    assert.ok(!rig.logged().includes(token));
  });

  it('are a 503 while nobody can judge them, and keys go on', async () => {
    const rig = createRig({}, {}, undefined, tokens());
    const token = await issuer.token('alice');
    issuer.setAway(true);
    const path = '/v1/suspensions';
    const reply = await rig.send(undefined, 'get', path).set('Authorization', `Bearer ${token}`);
    assert.deepEqual([reply.status, reply.body.code], [503, 'issuer_unavailable']);
    assert.equal(reply.headers['retry-after'], '1');
    assert.equal((await rig.send('operator', 'get', path)).status, 200);
    const both = await rig.send('operator', 'get', path).set('Authorization', `Bearer ${token}`);
    assert.equal(both.status, 200);
  });
});

describe('the claims of a token', () => {
  const config = (more: object) =>
    signInConfigSchema.parse({ issuer: 'https://id.example.com', audience: 'a', ...more });

  it('are found by name or by path, and translated', () => {
    const given = config({
      claims: {
        principal: 'email',
        roles: 'realm_access.roles',
        groups: 'https://x.example/groups',
      },
      roles: { 'hp-approvers': ['operator'], 'hp-all': ['operator', 'agent'] },
    });
    const claims = {
      email: 'alice@example.com',
      realm_access: { roles: ['hp-approvers', 'hp-all', 'admin', 7] },
      'https://x.example/groups': 'finance eu',
    };
    assert.deepEqual(callerOfClaims(claims, given), {
      space: 'default',
      principal: 'alice@example.com',
      roles: ['operator', 'agent'],
      groups: ['finance', 'eu'],
    });
  });

  it('name nobody without a principal, or with a name of the server', () => {
    for (const sub of [undefined, '', 7, 'holdpoint', 'x'.repeat(500)]) {
      assert.equal(callerOfClaims({ sub, roles: ['admin'] }, config({})), undefined);
    }
  });

  describe('that name groups', () => {
    const judge = (groups: unknown) => callerOfClaims({ sub: 'a', groups }, config({}))?.groups;
    const FITTING = {
      'as many as there may be': names(200),
      'of the greatest length': names(2, 200),
      'as a text': 'finance eu',
      'of which some are no texts': ['finance', 7, null, ' '],
    };
    const REFUSED = {
      'one too many': names(201),
      'one too many, as a text': names(201).join(' '),
      'one that is too long': ['finance', 'x'.repeat(201)],
      'more bytes than fit': names(200, 100),
      'more bytes than fit, in few characters': names(50, 100).map(
        (name) => `${name}${'€'.repeat(99)}`,
      ),
    };

    for (const [what, groups] of Object.entries(FITTING)) {
      it(`are taken: ${what}`, () => {
        assert.ok(judge(groups)?.includes(judge(groups)?.at(-1) ?? ''));
      });
    }
    for (const [what, groups] of Object.entries(REFUSED)) {
      it(`are refused as a whole: ${what}`, () => {
        assert.throws(
          () => judge(groups),
          (error: unknown) => {
            assert.ok(error instanceof RefusalError);
            const { code, field, accepted } = error.refusal;
            assert.deepEqual([code, field], ['too_many_groups', 'groups']);
            assert.equal(
              accepted,
              'at most 200 groups of at most 200 characters, of 16384 bytes together',
            );
            return true;
          },
        );
      });
    }
  });

  it('give each role once, however many values there are', () => {
    const roles = [...names(5_000, 300), ...Array.from({ length: 5_000 }, () => 'operator')];
    assert.deepEqual(callerOfClaims({ sub: 'a', roles }, config({}))?.roles, ['operator']);
  });

  it('give no role that only looks like one', () => {
    for (const roles of [undefined, 'system', ['system', 'toString'], { admin: true }, null]) {
      const found = callerOfClaims({ sub: 'a', roles }, config({ roles: { admins: ['admin'] } }));
      assert.deepEqual(found?.roles, []);
      assert.deepEqual(callerOfClaims({ sub: 'a', roles }, config({}))?.roles, []);
    }
  });

  it('need an issuer that nobody on the way can speak for', () => {
    const issuers = ['http://id.example.com', 'id.example.com', 'ftp://127.0.0.1'];
    for (const issuer of issuers) {
      assert.equal(signInConfigSchema.safeParse({ issuer, audience: 'a' }).success, false);
    }
  });
});
