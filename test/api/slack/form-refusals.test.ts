import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import { initialOf } from '../../../api/slack/form.js';
import type { Questions } from '../support/questions.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { slackForm, startSlack, type FakeSlack } from '../../support/slack.js';
import { TWIN_TOKEN, buttonOf, slackRig, viewWith } from './support.js';

interface Acknowledged {
  readonly response_action: string;
  readonly view: JsonObject;
  readonly errors?: Readonly<Record<string, string>>;
}

const TEXT = { response_type: 'text', question: 'Why?' } as const;
const FORM: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, note: { type: 'string' } },
};

/** What holds something up until it may go on. */
function hold(): { readonly held: Promise<void>; readonly go: () => void } {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  return { held, go };
}

describe('a form in Slack that is refused', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  const asking = (record: Parameters<typeof viewWith>[0]): Pick<Questions, 'getSuspension'> => ({
    getSuspension: () => Promise.resolve({ value: viewWith(record), stale: false }),
  });
  const refusing = (code: ErrorCode): Questions => ({
    ...asking(TEXT),
    respond: () => Promise.reject(new RefusalError({ code, detail: 'No.' })),
  });
  const refusingLate = () => {
    const { held, go } = hold();
    const respond: NonNullable<Questions['respond']> = async () => {
      await held;
      throw new RefusalError({ code: 'busy', detail: 'No.' });
    };
    return { respond, go };
  };
  const said = () => JSON.stringify(slack.of('actions/T1/1/one').at(-1)?.body['blocks']);

  for (const code of ['answer_too_large', 'busy', 'moving', 'store_unavailable'] as const) {
    it(`stays open with what was entered (${code})`, async () => {
      const rig = slackRig(slack, refusing(code));
      const { body } = await rig.submit(await buttonOf(), [{ value: 'Because' }]);
      const { response_action, errors } = body as Acknowledged;
      assert.equal(response_action, 'errors');
      assert.deepEqual(Object.keys(errors ?? {}), ['field-0']);
    });
  }

  const store = () =>
    Promise.reject(new RefusalError({ code: 'store_unavailable', detail: 'No.' }));
  const broken = () => Promise.reject(new Error('a secret of ours'));
  for (const [what, questions, text] of [
    ['is answered', { ...asking(TEXT), respond: broken }, /Something went wrong/],
    ['is looked for', { getSuspension: broken }, /Something went wrong/],
    ['is looked for in a store that is away', { getSuspension: store }, /cannot take your answer/],
  ] as const satisfies readonly (readonly [string, Questions, RegExp])[]) {
    it(`stays open with what was entered, if it fails while its question ${what}`, async () => {
      const rig = slackRig(slack, questions);
      const { body } = await rig.submit(await buttonOf(), [{ value: 'Because' }]);
      const { response_action, errors, view } = body as Acknowledged;
      assert.deepEqual([response_action, view], ['errors', undefined]);
      assert.match(errors?.['field-0'] ?? '', text);
      assert.doesNotMatch(JSON.stringify(body), /secret/);
      const isLogged = rig.slackLogged().includes('slack_form_failed');
      assert.equal(isLogged, text.test('Something went wrong'));
    });

    it(`still shows what was entered, if it fails late while its question ${what}`, async () => {
      const { held, go } = hold();
      const getSuspension: NonNullable<Questions['getSuspension']> = async (...args) => {
        await held;
        return questions.getSuspension?.(...args) ?? assert.fail();
      };
      const rig = slackRig(slack, { ...questions, getSuspension }, { patienceMs: 20 });
      const { body } = await rig.submit(await buttonOf(), [{ value: 'Because' }]);
      assert.match(JSON.stringify((body as Acknowledged).view), /being taken.*You wrote:.*Because/);
      go();
      await rig.interactions.idle();
      const shown = JSON.stringify(slack.of('views.update')[0]?.body['view']);
      assert.match(shown, text);
      assert.match(shown, /"Because"/);
    });
  }

  it('shows what was written where it cannot be sent any more', async () => {
    const at = '2026-11-20T10:00:00.000Z';
    const ending = { response: 'No.', responded_by: 'bo', responded_at: at, settled_at: at };
    const settled = { ...TEXT, ...ending, resolution: 'responded' } as const;
    const over = viewWith(settled, { state: 'settled' });
    const views = [viewWith(TEXT)];
    const rig = slackRig(slack, {
      ...refusing('suspension_settled'),
      getSuspension: () => Promise.resolve({ value: views.shift() ?? over, stale: false }),
    });
    const { body } = await rig.submit(await buttonOf(), [{ value: 'Because' }]);
    const { response_action, view } = body as Acknowledged;
    assert.equal(response_action, 'update');
    assert.match(JSON.stringify(view), /Already answered by bo.*You wrote:.*Because/);
  });

  it('has its token opened once, however it ends', async () => {
    const { respond, go } = refusingLate();
    const rig = slackRig(slack, { ...asking(TEXT), respond }, { patienceMs: 20 });
    const token = await buttonOf();
    await rig.submit(token, [{ value: 'Because' }]);
    go();
    await rig.interactions.idle();
    assert.equal(slack.of('views.update').length, 1);
    assert.deepEqual(rig.opened, [token]);
    await rig.press(token);
    assert.deepEqual(rig.opened, [token, token]);
  });

  it('is shown again with what was entered, if that takes longer than Slack waits', async () => {
    const { respond, go } = refusingLate();
    const rig = slackRig(slack, { ...asking(TEXT), respond }, { patienceMs: 20 });
    await rig.submit(await buttonOf(), [{ value: 'Because' }]);
    go();
    await rig.interactions.idle();
    const view = JSON.stringify(slack.of('views.update')[0]?.body['view']);
    assert.match(view, /cannot take your answer at the moment/);
    assert.match(view, /"initial_value":"Because"/);
    assert.match(view, /"text":"Send"/);
  });

  for (const text of ['a\u0000b', 'a\uD800']) {
    it(`holds what cannot be kept, and changes nothing (${JSON.stringify(text)})`, async () => {
      const rig = slackRig(slack, asking({ response_type: 'form', response_schema: FORM }));
      const { body } = await rig.submit(await buttonOf(), [{ value: 'Ana' }, { value: text }]);
      const { errors } = body as Acknowledged;
      assert.deepEqual(Object.keys(errors ?? {}), ['field-1']);
      assert.deepEqual(rig.answers, []);
    });
  }

  for (const typed of ['9007199254740993', '1e-400', '0.1234567890123456789']) {
    it(`says that a number would become another one, and changes nothing (${typed})`, async () => {
      const response_schema: JsonObject = {
        type: 'object',
        properties: { name: { type: 'string' }, n: { type: 'number' } },
      };
      const rig = slackRig(slack, asking({ response_type: 'form', response_schema }));
      const { body } = await rig.submit(await buttonOf(), [{ value: 'Ana' }, { value: typed }]);
      const { errors } = body as Acknowledged;
      assert.deepEqual(Object.keys(errors ?? {}), ['field-1']);
      assert.match(errors?.['field-1'] ?? '', /would be kept as another number/);
      assert.deepEqual(rig.answers, []);
    });
  }

  it('is opened with the bot of the channel whose message has the button', async () => {
    const rig = slackRig(slack, asking(TEXT), { twinTeam: 'T1' });
    await rig.press(await buttonOf({ channel: 'twin' }), { team_id: 'T1' });
    assert.equal(slack.of('views.open')[0]?.authorization, `Bearer ${TWIN_TOKEN}`);
  });

  it('of somebody unknown, or that was not made here, is refused in its place', async () => {
    const rig = slackRig(slack, asking(TEXT));
    const stranger = (await rig.submit(await buttonOf(), [{ value: 'x' }], 'U9'))
      .body as Acknowledged;
    assert.match(JSON.stringify(stranger.view), /does not know you.*U9/);
    const forged = (await rig.submit('eyJ.a.b.c.d', [{ value: 'x' }])).body as Acknowledged;
    assert.match(JSON.stringify(forged.view), /no longer works/);
    assert.deepEqual(rig.answers, []);
  });

  it('stays open in a form of Slack that nobody expects, which is logged', async () => {
    const rig = slackRig(slack);
    const reply = await rig.post(slackForm({ type: 'view_submission', user: { id: 'U1' } }));
    assert.equal(reply.body.response_action, 'errors');
    assert.match(reply.body.errors['field-0'], /went wrong/);
    assert.match(rig.slackLogged(), /slack_form_failed/);
  });

  it('begins with what was entered, in each kind of field', () => {
    const options = ['0', '1', '2'].map((value) => ({ text: { text: value }, value }));
    const one = { value: '1', text: { text: 'as Slack sends it' } };
    const list = { type: 'static_select', options };
    assert.deepEqual(initialOf(list, { selected_option: one }), { initial_option: options[1] });
    assert.deepEqual(initialOf(list, { selected_option: { value: '9' } }), {});
    const several = initialOf(
      { type: 'multi_static_select', options },
      { selected_options: [one, { value: '0' }] },
    );
    assert.deepEqual(several, { initial_options: [options[0], options[1]] });
    const date = initialOf({ type: 'datepicker' }, { selected_date: '2026-12-24' });
    assert.deepEqual(date, { initial_date: '2026-12-24' });
    assert.deepEqual(initialOf({ type: 'number_input' }, { value: '3' }), { initial_value: '3' });
    assert.deepEqual(initialOf({ type: 'plain_text_input' }, { value: null }), {});
  });

  for (const [error, text] of [
    ['expired_trigger_id', /press the button again/],
    ['invalid_arguments', /went wrong/],
  ] as const) {
    it(`says why Slack does not open it, and logs it (${error})`, async () => {
      slack.answer = ({ method }) =>
        method === 'views.open' ? { body: { ok: false, error } } : undefined;
      const rig = slackRig(slack, asking(TEXT));
      await rig.press(await buttonOf());
      assert.match(said(), text);
      assert.match(rig.slackLogged(), /slack_reply_failed/);
    });
  }
});
