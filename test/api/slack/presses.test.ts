import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import { refusalText } from '../../../api/slack/words.js';
import type { Questions } from '../support/questions.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { startSlack, type FakeSlack } from '../../support/slack.js';
import { ANSWERED, SUSPENSION_ID } from '../support/records.js';
import { HASH, buttonOf, linkToken, slackRig, tokens, viewWith } from './support.js';

interface Reply {
  readonly response_type: string;
  readonly replace_original: boolean;
  readonly thread_ts?: string;
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly type: string; readonly text: string };
    readonly elements?: readonly {
      readonly url?: string;
      readonly value?: string;
      readonly text?: { readonly text: string };
      readonly confirm?: object;
    }[];
  }[];
}

const AT = '2026-11-20T10:00:00.000Z';

describe('a press of a button in Slack', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  const said = () => slack.of('actions/T1/1/one').map(({ body }) => body as unknown as Reply);
  const textOf = (reply: Reply | undefined) => reply?.blocks[0]?.text?.text;
  const buttonIn = (reply: Reply | undefined) => reply?.blocks[1]?.elements?.[0];
  const refusing = (code: ErrorCode, state?: JsonObject, detail = 'No.'): Questions => ({
    respond: () => Promise.reject(new RefusalError({ code, detail, ...(state && { state }) })),
  });
  const seeing = (...[record, changes]: Parameters<typeof viewWith>): Questions => ({
    getSuspension: () => Promise.resolve({ value: viewWith(record, changes), stale: false }),
  });

  it('answers as the person of the directory, with what was shown [AM-45] [R25-100]', async () => {
    const rig = slackRig(slack);
    const reply = await rig.press(await buttonOf({ choice: 1 }));
    assert.deepEqual([reply.status, reply.text], [200, '']);
    const { caller, intentId: intent, request } = rig.answers[0] ?? {};
    assert.deepEqual(caller, {
      space: 'default',
      principal: 'ana',
      roles: ['operator'],
      groups: ['finance'],
    });
    assert.equal(intent, undefined);
    assert.deepEqual(request, {
      suspension_id: SUSPENSION_ID,
      question_version: 1,
      value: 'no',
      metadata: { via: 'chat' },
    });
    const [told] = said();
    assert.equal(told?.response_type, 'ephemeral');
    assert.equal(told.replace_original, false);
    assert.equal(textOf(told), 'Your answer counts: Yes.');
    assert.ok(!JSON.stringify(slack.calls).includes(SUSPENSION_ID));
  });

  it('decides an approval by the hash that the message showed', async () => {
    const rig = slackRig(slack);
    await rig.press(await buttonOf({ choice: 0, proposal_hash: HASH }));
    assert.equal(rig.answers[0]?.request.proposal_hash, HASH);
  });

  it('has one key however often it comes, and another one the next time', async () => {
    const rig = slackRig(slack);
    const token = await buttonOf({ choice: 0 });
    for (const trigger_id of ['t-1', 't-1', 't-2']) await rig.press(token, { trigger_id });
    const keys = rig.answers.map(({ updateId }) => updateId);
    assert.match(String(keys[0]), /^r:[\da-f]{64}$/);
    assert.equal(keys[0], keys[1]);
    assert.notEqual(keys[0], keys[2]);
  });

  it('says how many agree so far', async () => {
    const { resolution: _open, ...vote } = ANSWERED;
    const result = { ...vote, approvals: 1, required: 2 };
    const rig = slackRig(slack, { respond: () => Promise.resolve({ accepted: true, result }) });
    await rig.press(await buttonOf({ choice: 0 }));
    assert.equal(textOf(said()[0]), 'Your answer counts: Yes. 1 of 2 agree.');
  });

  it('says so if the answer is handed over and not judged yet', async () => {
    const rig = slackRig(slack, {
      respond: () => Promise.resolve({ accepted: false, suspension_id: SUSPENSION_ID }),
    });
    await rig.press(await buttonOf({ choice: 0 }));
    assert.match(textOf(said()[0]) ?? '', /on its way/);
  });

  it('is acknowledged in time if the answer is not, which is said once it counts', async () => {
    let count: (() => void) | undefined;
    const counted = new Promise<void>((resolve) => (count = resolve));
    const respond: NonNullable<Questions['respond']> = async () => {
      await counted;
      return { accepted: true, result: ANSWERED };
    };
    const rig = slackRig(slack, { respond }, { patienceMs: 20 });
    const pressed = rig.pressed(await buttonOf({ choice: 0 }));
    assert.equal((await pressed).status, 200);
    assert.deepEqual(said(), []);
    count?.();
    await rig.interactions.idle();
    assert.equal(textOf(said()[0]), 'Your answer counts: Yes.');
  });

  it('of somebody whom the directory does not know is refused privately', async () => {
    const rig = slackRig(slack);
    // Unknown; known in another space alone.
    for (const user of ['U9', 'U3']) await rig.press(await buttonOf({ choice: 0 }), { user });
    assert.deepEqual(rig.answers, []);
    assert.match(textOf(said()[0]) ?? '', /does not know you.*U9/);
    assert.match(textOf(said()[1]) ?? '', /does not know you.*U3/);
    assert.ok(said().every(({ response_type }) => response_type === 'ephemeral'));
  });

  it('hears what was answered also where that is no text', () => {
    const state = { outcome: 'answered', by: 'bo', value: { amount: 1.5, to: ['ACME'] } };
    const text = refusalText(
      { code: 'suspension_settled', detail: '', state },
      { user: { id: 'U1' } },
    );
    assert.equal(text, 'Already answered by bo: {"amount":1.5,"to":["ACME"]}.');
  });

  it('counts as the person only in the workspace of the bot', async () => {
    slack.answer = ({ method }) =>
      method === 'auth.test' ? { body: { ok: true, team_id: 'T1' } } : undefined;
    const rig = slackRig(slack);
    await rig.press(await buttonOf({ choice: 0 }), { team_id: 'T2' });
    await rig.press(await buttonOf({ choice: 0 }), {});
    assert.deepEqual(rig.answers, []);
    assert.match(textOf(said()[0]) ?? '', /does not know you.* T2\/U1,/);
    await rig.press(await buttonOf({ choice: 0 }), { team_id: 'T1' });
    assert.equal(rig.answers.length, 1);
  });

  it('counts as the person only in the workspace of the person where the bots are of several', async () => {
    const rig = slackRig(slack, {}, { twinTeam: 'T2' });
    for (const channel of ['chat', 'twin']) {
      await rig.press(await buttonOf({ choice: 0, channel }), { team_id: 'T2' });
    }
    assert.deepEqual(rig.answers, []);
    await rig.press(await buttonOf({ choice: 0 }), { team_id: 'T1' });
    assert.equal(rig.answers.length, 1);
  });

  it('of somebody who may not answer is refused privately, with the rule', async () => {
    const rig = slackRig(slack, refusing('not_eligible', {}, 'Only auditors <!here> answer.'));
    await rig.press(await buttonOf({ choice: 0 }));
    const [told] = said();
    assert.equal(textOf(told), 'Only auditors <!here> answer.');
    assert.equal(told?.blocks[0]?.text?.type, 'plain_text');
    assert.equal(told.text, 'Only auditors &lt;!here&gt; answer.');
  });

  for (const [what, questions, expected] of [
    [
      'answered by somebody else',
      seeing(
        {
          resolution: 'responded',
          response: 'yes',
          responded_by: 'bo',
          responded_at: AT,
          settled_at: AT,
        },
        { state: 'settled' },
      ),
      'Already answered by bo on 2026-11-20 10:00 UTC: Yes.',
    ],
    [
      'amended',
      seeing({}, { question_version: 2 }),
      'The question has changed since this message was sent. Answer its new version.',
    ],
  ] as const) {
    it(`says of a question that was ${what} what happened, and changes nothing`, async () => {
      const rig = slackRig(slack, questions);
      await rig.press(await buttonOf({ choice: 0 }));
      assert.deepEqual(rig.answers, []);
      assert.equal(textOf(said()[0]), expected);
    });
  }

  it('says who was faster, if that is so in the same moment', async () => {
    let looks = 0;
    const settled = {
      resolution: 'responded',
      response: 'no',
      responded_by: 'bo',
      responded_at: AT,
      settled_at: AT,
    } as const;
    const rig = slackRig(slack, {
      ...refusing('suspension_settled'),
      getSuspension() {
        looks += 1;
        const value = looks === 1 ? viewWith() : viewWith(settled, { state: 'settled' });
        return Promise.resolve({ value, stale: false });
      },
    });
    await rig.press(await buttonOf({ choice: 0 }));
    assert.match(textOf(said()[0]) ?? '', /^Already answered by bo .*: No\.$/);
  });

  it('of a claimed question says who has it, and answers all the same when asked to', async () => {
    const claimed = refusing('claimed_by_other', { holder: 'kim', expires_at: AT });
    const rig = slackRig(slack, claimed);
    await rig.press(await buttonOf({ choice: 0, proposal_hash: HASH }));
    const [told] = said();
    assert.equal(textOf(told), 'kim has claimed this question until 2026-11-20 10:00 UTC.');
    assert.equal(buttonIn(told)?.text?.text, 'Answer "Yes" anyway');
    const again = buttonIn(told)?.value ?? '';
    assert.equal((await tokens.open(again))?.despite_claim, true);
    const free = slackRig(slack);
    await free.press(again, { container: { is_ephemeral: true, thread_ts: '1.2' } });
    assert.deepEqual(free.answers[0]?.request, {
      suspension_id: SUSPENSION_ID,
      question_version: 1,
      proposal_hash: HASH,
      despite_claim: true,
      value: 'yes',
      metadata: { via: 'chat' },
    });
    assert.deepEqual([said()[1]?.replace_original, said()[1]?.thread_ts], [true, '1.2']);
  });

  for (const [what, record, asksOnce] of [
    ['an approval', { approval: { proposal_hash: HASH } as never }, true],
    [
      'a dangerous choice',
      {
        response_type: 'choice',
        choices: [{ value: 'wipe', label: 'Wipe', style: 'danger' }],
      },
      true,
    ],
    ['any other answer', {}, false],
  ] as const) {
    it(`asks ${asksOnce ? '' : 'not '}once more for ${what} to a claimed question`, async () => {
      const claimed = { ...seeing(record as never), ...refusing('claimed_by_other') };
      const rig = slackRig(slack, claimed);
      await rig.press(await buttonOf({ choice: 0, proposal_hash: HASH }));
      assert.equal(buttonIn(said()[0])?.confirm !== undefined, asksOnce);
    });
  }

  it('asks for a sign-in where a press does not suffice for an approval', async () => {
    const approval = { approval: { proposal_hash: HASH } as never };
    for (const [approvals, choice] of [
      [false, { choice: 0 }],
      // The message does not show all of it.
      [true, {}],
    ] as const) {
      const rig = slackRig(slack, seeing(approval), { approvals });
      await rig.press(await buttonOf({ ...choice, proposal_hash: HASH }));
      assert.deepEqual(rig.answers, []);
      assert.deepEqual(slack.of('views.open'), []);
      const told = said().at(-1);
      assert.match(textOf(told) ?? '', /sign in/);
      assert.match(buttonIn(told)?.url ?? '', /^https:\/\/hold\.example\.com\/inbox\/link#/);
    }
  });

  for (const code of ['busy', 'store_unavailable'] as const) {
    it(`says that the service takes no answer now (${code})`, async () => {
      const rig = slackRig(slack, refusing(code));
      await rig.press(await buttonOf({ choice: 0 }));
      assert.match(textOf(said()[0]) ?? '', /cannot take your answer at the moment/);
    });
  }

  it('says that something went wrong, and nothing of what', async () => {
    const respond = () => Promise.reject(new Error('connect postgres://secret'));
    const rig = slackRig(slack, { respond });
    await rig.press(await buttonOf({ choice: 0 }));
    assert.match(textOf(said()[0]) ?? '', /went wrong/);
    assert.doesNotMatch(JSON.stringify(said()), /postgres/);
  });

  it('of a button that was not made here, or is no button, is told so', async () => {
    const rig = slackRig(slack);
    const link = await linkToken();
    for (const token of ['', 'eyJ.a.b.c.d', link]) await rig.press(token);
    assert.deepEqual(rig.answers, []);
    assert.equal(said().filter((one) => /no longer works/.test(textOf(one) ?? '')).length, 3);
  });
});
