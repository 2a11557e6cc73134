import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import type { Questions } from '../support/questions.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { judgeBySchema } from '../../../domain/schema/judge.js';
import { startSlack, type FakeSlack } from '../../support/slack.js';
import { ANSWERED } from '../support/records.js';
import { buttonOf, slackRig, tokens, viewWith } from './support.js';

interface View {
  readonly private_metadata: string;
  readonly submit?: { readonly text: string };
  readonly blocks: readonly {
    readonly type: string;
    readonly block_id?: string;
    readonly optional?: boolean;
    readonly label?: { readonly text: string };
    readonly hint?: { readonly text: string };
    readonly text?: { readonly text: string };
    readonly element?: {
      readonly type: string;
      readonly initial_value?: string;
      readonly options?: readonly { readonly text: { readonly text: string } }[];
    };
    readonly elements?: readonly { readonly url?: string }[];
  }[];
}
interface Acknowledged {
  readonly response_action: string;
  readonly view: View;
  readonly errors: Record<string, string>;
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'number', title: 'Amount', description: 'In EUR', maximum: 100 },
    count: { type: 'integer' },
    currency: { enum: ['EUR', 'USD'] },
    express: { type: 'boolean' },
    mail: { type: 'string', format: 'email' },
    due: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
  },
  required: ['amount', 'currency'],
};

type Record_ = Parameters<typeof viewWith>[0];

describe('a form in Slack', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  const asking = (record: Record_): Questions => ({
    getSuspension: () => Promise.resolve({ value: viewWith(record), stale: false }),
  });
  const opened = () => slack.of('views.open').at(-1)?.body['view'] as View;
  const fieldsOf = ({ blocks }: View) => blocks.filter(({ type }) => type === 'input');
  const said = () => JSON.stringify(slack.of('actions/T1/1/one').at(-1)?.body['blocks']);
  const ackOf = ({ body }: { readonly body: unknown }) => body as Acknowledged;
  const TEXT: Record_ = { response_type: 'text', question: 'Why <!here>?' };

  it('asks for a text, and answers with it', async () => {
    const rig = slackRig(slack, asking(TEXT));
    await rig.press(await buttonOf());
    const view = opened();
    assert.equal(slack.of('views.open')[0]?.body['trigger_id'], 't-1');
    assert.equal(view.blocks[0]?.text?.text, 'Why <!here>?');
    assert.deepEqual(
      fieldsOf(view).map(({ label, optional, element }) => [label?.text, optional, element?.type]),
      [['Your answer', false, 'plain_text_input']],
    );
    const ack = ackOf(await rig.submit(view.private_metadata, [{ value: 'Because' }]));
    assert.equal(ack.response_action, 'update');
    assert.match(JSON.stringify(ack.view), /Your answer counts/);
    assert.equal(rig.answers[0]?.request.value, 'Because');
  });

  it('has a field for each part of a schema, and answers with their values', async () => {
    const rig = slackRig(slack, asking({ response_type: 'form', response_schema: SCHEMA }));
    await rig.press(await buttonOf());
    const view = opened();
    assert.deepEqual(
      fieldsOf(view).map(({ label, optional, element }) => [
        label?.text,
        optional,
        element?.type,
        element?.options?.map(({ text }) => text.text),
      ]),
      [
        ['Amount', false, 'number_input', undefined],
        ['count', true, 'number_input', undefined],
        ['currency', false, 'static_select', ['EUR', 'USD']],
        ['express', true, 'static_select', ['Yes', 'No']],
        ['mail', true, 'email_text_input', undefined],
        ['due', true, 'datepicker', undefined],
        ['tags', true, 'multi_static_select', ['a', 'b', 'c']],
      ],
    );
    assert.equal(fieldsOf(view)[0]?.hint?.text, 'In EUR');
    await rig.submit(view.private_metadata, [
      { value: '12.50' },
      { value: '3' },
      { selected_option: { value: '1' } },
      { selected_option: { value: '1' } },
      { value: 'ana@example.com' },
      { selected_date: '2026-12-24' },
      { selected_options: [{ value: '2' }, { value: '0' }] },
    ]);
    assert.deepEqual(rig.answers[0]?.request.value, {
      amount: 12.5,
      count: 3,
      currency: 'USD',
      express: false,
      mail: 'ana@example.com',
      due: '2026-12-24',
      tags: ['c', 'a'],
    });
  });

  it('has the fields that a context lists', async () => {
    const fields = [
      { name: 'why', label: 'Why?', type: 'text', required: true },
      { name: 'how_many', type: 'number' },
      { name: 'size', options: ['S', 'L'] },
      { name: 'site', type: 'url', description: 'With https://' },
    ];
    const rig = slackRig(slack, asking({ response_type: 'form', context: { fields } }));
    await rig.press(await buttonOf());
    assert.deepEqual(
      fieldsOf(opened()).map(({ label, optional, element }) => [
        label?.text,
        optional,
        element?.type,
      ]),
      [
        ['Why?', false, 'plain_text_input'],
        ['how_many', true, 'number_input'],
        ['size', true, 'static_select'],
        ['site', true, 'url_text_input'],
      ],
    );
  });

  it('offers what is too much for buttons as a list', async () => {
    const choices = Array.from({ length: 12 }, (_, i) => ({ value: `v${i}`, label: `L${i}` }));
    const rig = slackRig(slack, asking({ response_type: 'choice', choices }));
    await rig.press(await buttonOf());
    assert.equal(fieldsOf(opened())[0]?.element?.options?.length, 12);
    await rig.submit(opened().private_metadata, [{ selected_option: { value: '11' } }]);
    assert.equal(rig.answers[0]?.request.value, 'v11');
  });

  it('numbers options that cut a label, and says above them what it is in full', async () => {
    const alike = 'Pay the invoice of November '.repeat(4);
    const choices = Array.from({ length: 12 }, (_, i) => {
      return { value: `v${i}`, label: i < 2 ? `${alike}to ${i}` : `L${i}` };
    });
    const rig = slackRig(slack, asking({ response_type: 'choice', choices }));
    await rig.press(await buttonOf());
    const { blocks } = opened();
    assert.equal(blocks[1]?.text?.text, `1. ${alike}to 0\n2. ${alike}to 1`);
    const [field] = fieldsOf(opened());
    assert.equal(field?.block_id, 'field-0');
    const labels = field.element?.options?.map(({ text }) => text.text) ?? [];
    assert.match(labels.slice(0, 3).join('|'), /^1\. Pay[^|]+…\|2\. Pay[^|]+…\|L2$/);
    assert.ok(labels.every((label) => label.length <= 75));
    await rig.submit(opened().private_metadata, [{ selected_option: { value: '1' } }]);
    assert.equal(rig.answers[0]?.request.value, 'v1');
  });

  it('leads to the inbox where options cannot be said in full', async () => {
    const choices = Array.from({ length: 12 }, (_, i) => ({
      value: `v${i}`,
      label: `${'x'.repeat(300)}${i}`,
    }));
    const rig = slackRig(slack, asking({ response_type: 'choice', choices }));
    await rig.press(await buttonOf());
    await slack.called('actions/T1/1/one', 1);
    assert.deepEqual(slack.of('views.open'), []);
    assert.match(said(), /no fields for this answer/);
  });

  it('asks for the data that a choice takes', async () => {
    const rig = slackRig(slack, asking({ response_schema: SCHEMA }));
    await rig.press(await buttonOf({ choice: 1 }));
    assert.equal(rig.answers.length, 0);
    assert.equal(opened().blocks[1]?.text?.text, 'Your choice: No');
    await rig.submit(opened().private_metadata, [
      { value: '5' },
      {},
      { selected_option: { value: '0' } },
    ]);
    const { value, data, metadata } = rig.answers[0]?.request as JsonObject;
    assert.equal(value, 'no');
    assert.deepEqual(data, { amount: 5, currency: 'EUR' });
    assert.deepEqual(metadata, { via: 'chat' });
  });

  it('leads to the inbox where it cannot have the fields', async () => {
    const properties = { a: { type: 'object' } };
    const nested = {
      response_type: 'form',
      response_schema: { type: 'object', properties },
    } as const;
    const rig = slackRig(slack, asking(nested));
    await rig.press(await buttonOf());
    assert.deepEqual(slack.of('views.open'), []);
    assert.match(said(), /give it in the inbox.*https:\/\/hold\.example\.com\/inbox\/link#/);
    const bare = slackRig(slack, asking(nested), { public_url: null });
    await bare.press(await buttonOf());
    assert.doesNotMatch(said(), /https/);
  });

  it('marks the field that does not fit, and changes nothing', async () => {
    const rig = slackRig(slack, {
      ...asking({ response_type: 'form', response_schema: SCHEMA }),
      respond(_caller, _intent, { value }) {
        const ruling = judgeBySchema(SCHEMA, value, 'value');
        return ruling.ok
          ? Promise.resolve({ accepted: true, result: ANSWERED })
          : Promise.reject(new RefusalError(ruling.refusal));
      },
    });
    const values = [{ value: '5' }, { value: '1.5' }, { selected_option: { value: '0' } }];
    const ack = ackOf(await rig.submit(await buttonOf(), values));
    assert.equal(ack.response_action, 'errors');
    assert.deepEqual(Object.keys(ack.errors), ['field-1']);
    assert.match(ack.errors['field-1'] ?? '', /value\.count does not fit/);
    const large = [{ value: '500' }, {}, { selected_option: { value: '0' } }];
    const other = ackOf(await rig.submit(await buttonOf(), large));
    assert.deepEqual(Object.keys(other.errors), ['field-0']);
    const mended = [{ value: '5' }, {}, { selected_option: { value: '0' } }];
    assert.match(JSON.stringify((await rig.submit(await buttonOf(), mended)).body), /counts/);
    const keys = rig.answers.map(({ updateId }) => updateId);
    assert.equal(new Set(keys).size, 3);
  });

  it('keeps what was entered into a claimed question, and sends it anyway when asked to', async () => {
    const refusal = { code: 'claimed_by_other', detail: 'No.', state: { holder: 'kim' } } as const;
    const rig = slackRig(slack, {
      ...asking(TEXT),
      respond: (_caller, _intent, { despite_claim }) =>
        despite_claim === true
          ? Promise.resolve({ accepted: true, result: ANSWERED })
          : Promise.reject(new RefusalError(refusal)),
    });
    const token = await buttonOf();
    const { response_action, view } = ackOf(await rig.submit(token, [{ value: 'Because' }]));
    assert.equal(response_action, 'update');
    assert.equal(view.blocks[0]?.text?.text, 'kim has claimed this question.');
    assert.equal(view.submit?.text, 'Send anyway');
    assert.equal(fieldsOf(view)[0]?.block_id, 'field-0');
    assert.equal(fieldsOf(view)[0]?.element?.initial_value, 'Because');
    assert.equal((await tokens.open(view.private_metadata))?.despite_claim, true);
    const again = await rig.submit(view.private_metadata, [{ value: 'Because' }]);
    assert.match(JSON.stringify(again.body), /Your answer counts/);
  });

  it('that takes longer than Slack waits is told in the same place once it counts', async () => {
    let count: (() => void) | undefined;
    const counted = new Promise<void>((resolve) => (count = resolve));
    const respond: NonNullable<Questions['respond']> = async () => {
      await counted;
      return { accepted: true, result: ANSWERED };
    };
    const rig = slackRig(slack, { ...asking(TEXT), respond }, { patienceMs: 20 });
    const ack = ackOf(await rig.submit(await buttonOf(), [{ value: 'Because' }]));
    assert.equal(ack.response_action, 'update');
    assert.match(JSON.stringify(ack.view), /is being taken/);
    count?.();
    await rig.interactions.idle();
    const [update] = slack.of('views.update');
    assert.equal(update?.body['view_id'], 'V1');
    assert.match(JSON.stringify(update.body['view']), /Your answer counts: Yes/);
  });
});
