import assert from 'node:assert/strict';
import type { Questions } from '../support/questions.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { startSlack, type FakeSlack } from '../../support/slack.js';
import { buttonOf, slackRig, viewWith } from './support.js';

interface View {
  readonly private_metadata: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly label?: { readonly text: string };
    readonly element?: {
      readonly type: string;
      readonly options?: readonly { readonly text: { readonly text: string } }[];
    };
  }[];
}
type Record_ = Parameters<typeof viewWith>[0];

describe('what a form in Slack offers and sends', () => {
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
  const TEXT: Record_ = { response_type: 'text', question: 'Why?' };

  it('has a list with titles for values that are listed by branches', async () => {
    const response_schema: JsonObject = {
      type: 'object',
      properties: {
        scope: { $ref: '#/$defs/scope' },
        prio: {
          anyOf: [{ const: 1, title: 'High' }, { const: 2, title: 'Low' }, { type: 'null' }],
        },
        ship: {
          type: 'boolean',
          oneOf: [
            { const: true, title: 'Ship it' },
            { const: false, title: 'Hold it back' },
          ],
        },
        tags: { type: 'array', items: { oneOf: [{ const: 'a', title: 'First' }] } },
        why: { type: ['string', 'null'] },
      },
      $defs: { scope: { title: 'Scope', oneOf: [{ const: 'all', title: 'All' }] } },
    };
    const rig = slackRig(slack, asking({ response_type: 'form', response_schema }));
    await rig.press(await buttonOf());
    assert.deepEqual(
      fieldsOf(opened()).map(({ label, element }) => [
        label?.text,
        element?.type,
        element?.options?.map(({ text }) => text.text),
      ]),
      [
        ['Scope', 'static_select', ['All']],
        ['prio', 'static_select', ['High', 'Low', 'None (null)']],
        ['ship', 'static_select', ['Ship it', 'Hold it back']],
        ['tags', 'multi_static_select', ['First']],
        ['why', 'plain_text_input', undefined],
      ],
    );
    await rig.submit(opened().private_metadata, [
      {},
      { selected_option: { value: '2' } },
      { selected_option: { value: '1' } },
      { selected_options: [{ value: '0' }] },
      { value: ' \u200b' },
    ]);
    const { value } = rig.answers[0]?.request as JsonObject;
    assert.deepEqual(value, { prio: null, ship: false, tags: ['a'] });
  });

  it('takes line breaks in a text, unless its format has none', async () => {
    const properties = {
      why: { type: 'string' },
      listed: { $ref: '#/$defs/note' },
      code: { type: 'string', format: 'uuid' },
      mail: { type: 'string', format: 'email' },
    };
    const response_schema = { properties, $defs: { note: { type: ['string', 'null'] } } };
    const rig = slackRig(slack, asking({ response_type: 'form', response_schema }));
    await rig.press(await buttonOf());
    const elements = fieldsOf(opened()).map(({ element }) => element as unknown as JsonObject);
    assert.deepEqual(
      elements.map(({ type, multiline = false }) => [type, multiline]),
      [
        ['plain_text_input', true],
        ['plain_text_input', true],
        ['plain_text_input', false],
        ['email_text_input', false],
      ],
    );
    await rig.submit(opened().private_metadata, [{ value: 'a\n b ' }, {}, {}, {}]);
    assert.deepEqual(rig.answers[0]?.request.value, { why: 'a\n b ' });
  });

  it('sends no blank text', async () => {
    const rig = slackRig(slack, asking(TEXT));
    await rig.press(await buttonOf());
    await rig.submit(opened().private_metadata, [{ value: ' \u2800 ' }]);
    assert.deepEqual(
      rig.answers.map(({ request }) => request.value),
      [''],
    );
  });
});
