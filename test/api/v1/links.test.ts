import assert from 'node:assert/strict';
import type { LinkContent, LinkView } from '../../../contracts/channel/links.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { linkMaker, linkOpener, type LinkKeys } from '../../../runtime/link-tokens.js';
import { createRig } from '../support/harness.js';
import { answersSent, type Questions } from '../support/questions.js';
import { ANSWERED, INTENT_ID, SUSPENSION_ID, VIEW } from '../support/records.js';

const KEYS: LinkKeys = [new Uint8Array(32).fill(3)];
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const CONFIG = {
  directory: {
    people: { ana: { name: 'Ana Ruiz' }, bo: { answers_by_link: false }, kim: { space: 'team-b' } },
    groups: { finance: ['ana'] },
  },
  notifications: { context_keys: ['order', 'who'], personal_data_keys: ['who'] },
};
const OPEN: SuspensionView = {
  ...VIEW,
  record: {
    ...VIEW.record,
    context: { order: 'A-7', who: 'Ada', card: '4111' },
    expires_at: '2026-11-20T12:00:00.000Z',
  },
};
const SETTLED: SuspensionView = {
  ...OPEN,
  state: 'settled',
  record: {
    ...OPEN.record,
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: '2026-11-20T10:01:00.000Z',
    response: 'yes',
    responded_by: 'alice',
    responded_at: '2026-11-20T10:01:00.000Z',
    metadata: { via: 'inbox' },
  },
};
const seen = (view: SuspensionView) => ({
  getSuspension: () => Promise.resolve({ value: view, stale: false }),
});

async function tokenFor(changes: Partial<LinkContent> = {}, now = NOW): Promise<string> {
  const content = {
    space: 'default',
    person: 'ana',
    suspension_id: SUSPENSION_ID,
    question_version: 1,
    ...changes,
  };
  const link = await linkMaker(
    'https://hold.example.com',
    KEYS,
    () => now,
  )(content, '2026-11-20T12:00:00.000Z');
  return link.split('#')[1] ?? '';
}

function rigWith(overrides: Questions = seen(OPEN), now = NOW, config: object = CONFIG) {
  const openLink = linkOpener(KEYS, () => now);
  const rig = createRig(overrides, config, undefined, undefined, undefined, { openLink });
  const post = async (path: 'read' | 'answer', body: object) =>
    rig.send(undefined, 'post', `/v1/links/${path}`).send(body);
  return { ...rig, post };
}

describe('a link', () => {
  it('shows its question as messages do, to one who has no key', async () => {
    const reply = await rigWith().post('read', { token: await tokenFor() });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, {
      person: { principal: 'ana', name: 'Ana Ruiz' },
      question: {
        text: 'Approve?',
        response_type: 'confirm',
        context: { order: 'A-7', who: '•••' },
        withheld: 1,
        question_version: 1,
        asked_by: 'refund-agent',
        expires_at: '2026-11-20T12:00:00.000Z',
        approvals: 0,
        required: 1,
        claim: null,
      },
      state: 'pending',
      needs_sign_in: false,
      link_expires_at: '2026-11-20T12:00:00.000Z',
    });
    assert.doesNotMatch(JSON.stringify(reply.body), new RegExp(SUSPENSION_ID));
  });

  it('is not used up by whoever reads it, and has no GET', async () => {
    const rig = rigWith();
    const token = await tokenFor();
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await rig.post('read', { token })).status, 200);
      assert.equal((await rig.send(undefined, 'get', '/v1/links/read')).status, 405);
      assert.equal((await rig.send(undefined, 'get', '/v1/links/answer')).status, 405);
    }
    const names = new Set(rig.sent.map(({ name }) => name));
    assert.deepEqual([...names], ['record']);
  });

  it('answers as its person, as an operator and nothing more', async () => {
    const rig = rigWith();
    const token = await tokenFor();
    const reply = await rig.post('answer', {
      token,
      value: 'yes',
      metadata: { via: 'inbox', note: 'ok' },
    });
    assert.equal(reply.status, 200);
    const { intent_id: _intent, suspension_id: _suspension, ...result } = ANSWERED;
    assert.deepEqual(reply.body, result);
    const [{ caller, intentId, request } = {}] = answersSent(rig);
    assert.deepEqual(
      [caller, intentId],
      [{ space: 'default', principal: 'ana', roles: ['operator'], groups: ['finance'] }, undefined],
    );
    assert.deepEqual(request, {
      value: 'yes',
      metadata: { note: 'ok', via: 'link' },
      suspension_id: SUSPENSION_ID,
      question_version: 1,
    });
  });

  it('says 202 where no worker has judged the answer yet', async () => {
    const respond = () =>
      Promise.resolve({ accepted: false as const, suspension_id: SUSPENSION_ID });
    const rig = rigWith({ ...seen(OPEN), respond });
    const reply = await rig.post('answer', { token: await tokenFor(), value: 'yes' });
    assert.deepEqual([reply.status, reply.body.status], [202, 'handed_over']);
  });

  it('shows the fields of a form, which nobody could fill in otherwise', async () => {
    const fields = [{ name: 'amount', type: 'number' }];
    const form = { ...OPEN.record, response_type: 'form', context: { fields, note: 1 } } as const;
    const read = async (changes = {}, who = {}, config: object = CONFIG) => {
      const rig = rigWith(seen({ ...OPEN, record: { ...form, ...changes } }), NOW, config);
      const { body } = await rig.post('read', { token: await tokenFor(who) });
      const shown = body.question as LinkView['question'];
      return [shown.fields, shown.context, shown.withheld];
    };
    assert.deepEqual(await read(), [fields, {}, 1]);
    const listed = { ...CONFIG, notifications: { context_keys: ['fields'] } };
    assert.deepEqual(await read({}, {}, listed), [fields, { fields }, 1]);
    assert.deepEqual(await read({ response_schema: { type: 'object' } }), [undefined, {}, 2]);
    assert.deepEqual(await read({}, { person: 'bo' }), [undefined, {}, 2]);
  });

  it('asks for a sign-in where the directory does, and changes nothing', async () => {
    const rig = rigWith();
    const token = await tokenFor({ person: 'bo' });
    const read = await rig.post('read', { token });
    assert.deepEqual([read.body.needs_sign_in, read.body.suspension_id], [true, SUSPENSION_ID]);
    const reply = await rig.post('answer', { token, value: 'yes' });
    assert.deepEqual([reply.status, reply.body.code], [403, 'sign_in_needed']);
    assert.deepEqual(answersSent(rig), []);
  });
});

describe('a link that does not count', () => {
  /** What both routes refuse with; neither changes anything. */
  async function refusals(rig: ReturnType<typeof rigWith>, token: string) {
    const replies = [
      await rig.post('read', { token }),
      await rig.post('answer', { token, value: 'yes' }),
    ];
    assert.deepEqual(answersSent(rig), []);
    const [read, answer] = replies.map(({ status, body }) => [
      status,
      body.code as unknown,
      body.state as unknown,
    ]);
    assert.deepEqual(read, answer);
    return read;
  }

  it('is refused if it is forged, or no keys are configured', async () => {
    for (const token of ['x', 'a.b.c.d.e', `${(await tokenFor()).slice(0, -4)}AAAA`]) {
      assert.deepEqual(await refusals(rigWith(), token), [400, 'link_invalid', undefined]);
    }
    const none = createRig({}, CONFIG);
    const reply = await none
      .send(undefined, 'post', '/v1/links/read')
      .send({ token: await tokenFor() });
    assert.deepEqual([reply.status, reply.body.code], [400, 'link_invalid']);
  });

  it('is refused once it has expired, unless the question says more', async () => {
    const late = Date.parse('2026-11-20T12:00:01.000Z');
    assert.deepEqual(await refusals(rigWith(seen(OPEN), late), await tokenFor()), [
      410,
      'link_expired',
      { expired_at: '2026-11-20T12:00:00.000Z' },
    ]);
    const over = await refusals(rigWith(seen(SETTLED), late), await tokenFor());
    assert.equal(over?.[1], 'link_stale');
  });
});

describe('the routes of links', () => {
  it('take so many requests a minute from one address', async () => {
    const rig = rigWith(seen(OPEN), NOW, { ...CONFIG, limits: { links_per_minute: 2 } });
    const token = await tokenFor();
    const replies = [
      await rig.post('read', { token }),
      await rig.post('answer', { token: 'x', value: 1 }),
      await rig.post('read', { token }),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 400, 429],
    );
    assert.equal((await rig.send('operator', 'get', '/v1/suspensions')).status, 200);
  });

  it('leave no token and no question in the log', async () => {
    const rig = rigWith();
    const token = await tokenFor();
    await rig.post('read', { token });
    await rig.post('answer', { token, value: 'yes' });
    assert.ok(rig.logged().includes('/v1/links/answer'));
    assert.ok(!rig.logged().includes(token));
    assert.ok(!rig.logged().includes('A-7'));
    assert.ok(!rig.logged().includes(INTENT_ID));
  });
});
