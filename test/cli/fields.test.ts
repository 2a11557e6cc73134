import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../client/index.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const TYPES = {
  version: { type: 'string' },
  note: { type: ['string', 'null'] },
  amount: { type: 'number' },
  count: { type: 'integer' },
  either: { type: ['string', 'number'] },
  code: { enum: ['5', '6'] },
  digit: { enum: [5, 6] },
  exactly: { const: '5' },
  both: { enum: ['5', 5] },
  referred: { $ref: '#/$defs/amount' },
  maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  spelled: { anyOf: [{ type: 'string', pattern: '^[0-9]+$' }, { type: 'boolean' }] },
  'of all': { allOf: [{ type: ['string', 'number'] }, { $ref: '#/$defs/text' }] },
} as const;
const BY_SCHEMA = questionWith({
  response_type: 'form',
  response_schema: {
    type: 'object',
    properties: TYPES,
    $defs: { amount: { type: 'number' }, text: { type: 'string' } },
    allOf: [{ properties: { whole: { $ref: '#/$defs/text' } } }],
    oneOf: [{ properties: { branched: { type: 'string' } } }, false],
  },
});
const BY_CONTEXT = questionWith({
  response_type: 'form',
  context: { fields: [{ name: 'version' }, { name: 'amount', type: 'number' }] },
});

const LARGE = '12345678901234567890';

describe('holdpoint answer --field', () => {
  for (const [form, name, typed, sent] of [
    ['schema', 'version', '1.10', '1.10'],
    ['schema', 'version', '7', '7'],
    ['schema', 'version', 'true', 'true'],
    ['schema', 'version', '"1"', '"1"'],
    ['schema', 'note', '1e5', '1e5'],
    ['schema', 'note', 'null', null],
    ['schema', 'amount', '10.50', 10.5],
    ['schema', 'amount', '1e5', 100_000],
    ['schema', 'amount', '0.00', 0],
    ['schema', 'amount', '0.30000000000000004', 0.30000000000000004],
    ['schema', 'amount', '1.7976931348623157e+308', 1.7976931348623157e308],
    ['schema', 'count', '9007199254740994', 9007199254740994],
    ['schema', 'either', 'five', 'five'],
    ['schema', 'either', '"5"', '"5"'],
    ['schema', 'either', LARGE, LARGE],
    ['schema', 'either', '[5]', '[5]'],
    ['schema', 'code', '5', '5'],
    ['schema', 'digit', '5', 5],
    ['schema', 'exactly', '5', '5'],
    ['schema', 'referred', '5', 5],
    ['schema', 'referred', '1.50', 1.5],
    ['schema', 'whole', '5', '5'],
    ['schema', 'maybe', '5', 5],
    ['schema', 'maybe', 'null', null],
    ['schema', 'spelled', '10', '10'],
    ['schema', 'of all', '5', '5'],
    ['schema', 'branched', '5', '5'],
    ['schema', 'toString', '5', 5],
    ['schema', 'other', '12', 12],
    ['schema', 'other', '-0.5', -0.5],
    ['schema', 'other', '1.10', '1.10'],
    ['schema', 'other', LARGE, LARGE],
    ['schema', 'other', '1e5', '1e5'],
    ['schema', 'other', ' 5', ' 5'],
    ['schema', 'other', '[1, "a"]', [1, 'a']],
    ['schema', 'other', 'false', false],
    ['fields', 'version', '1.10', '1.10'],
    ['fields', 'amount', '10.50', 10.5],
    ['fields', 'other', '1.10', '1.10'],
  ] as const satisfies readonly (readonly [string, string, string, JsonValue])[]) {
    it(`by ${form} sends ${name}=${typed} as ${JSON.stringify(sent)}`, () =>
      withShell(showing(form === 'schema' ? BY_SCHEMA : BY_CONTEXT), async (shell) => {
        await shell.run(['answer', SUSPENSION_ID, '--field', `${name}=${typed}`]);
        const call = shell.rig.calls.find(({ method }) => method === 'respond');
        assert.deepEqual((call?.args[2] as { value: JsonValue }).value, { [name]: sent });
      }));
  }

  for (const typed of ['either=5', 'either=1.10', 'both=5']) {
    it(`refuses ${typed}, which may be meant as text and as a number`, () =>
      withShell(showing(BY_SCHEMA), async (shell) => {
        const { code, err } = await shell.run(['answer', SUSPENSION_ID, '--field', typed]);
        assert.equal(code, 2);
        const [name = '', text] = typed.split('=');
        assert.match(err, /takes --field .* as text and as JSON: write the whole answer as JSON/);
        assert.ok(err.replaceAll(/\s+/g, ' ').includes(JSON.stringify({ [name]: text })), err);
      }));
  }

  it('refuses a name that is given twice', () =>
    withShell(showing(BY_SCHEMA), async (shell) => {
      const given = ['--field', 'version=1', '--field', 'version=2'];
      const { code, err } = await shell.run(['answer', SUSPENSION_ID, ...given]);
      assert.deepEqual([code, /--field version is given twice/.test(err)], [2, true], err);
    }));

  for (const [typed, where] of [
    ['amount=1e400', '--field amount: The number'],
    ['amount=1e-400', '--field amount: The number'],
    ['amount=0.1234567890123456789', '--field amount: The number'],
    [`count=${LARGE}`, '--field count: The number'],
    ['other=[{"id":9007199254740993}]', '--field other: [0].id'],
    ['other={"a":1,"\\u0061":2}', '--field other: a stands twice'],
  ] as const) {
    it(`refuses ${typed}, which would be sent as something else`, () =>
      withShell(showing(BY_SCHEMA), async (shell) => {
        const { code, err } = await shell.run(['answer', SUSPENSION_ID, '--field', typed]);
        assert.equal(code, 2);
        assert.ok(err.includes(where), err);
        assert.deepEqual(
          shell.rig.calls.filter(({ method }) => method === 'respond'),
          [],
        );
      }));
  }
});

describe('holdpoint answer, of a form that is one value', () => {
  const asked = (response_schema: JsonObject) =>
    showing(questionWith({ response_type: 'form', response_schema }));

  for (const [type, typed, sent] of [
    ['string', '5', '5'],
    ['string', '1.10', '1.10'],
    ['string', 'true', 'true'],
    ['string', '"5"', '"5"'],
    ['string', 'null', 'null'],
    ['number', '1.50', 1.5],
    ['boolean', 'true', true],
    [['string', 'number'], 'five', 'five'],
    [['string', 'number'], '"5"', '5'],
    ['object', '{"a":[1]}', { a: [1] }],
  ] as const satisfies readonly (readonly [JsonValue, string, JsonValue])[]) {
    it(`sends ${typed} to ${String(type)} as ${JSON.stringify(sent)}`, () =>
      withShell(asked({ type }), async (shell) => {
        await shell.run(['answer', SUSPENSION_ID, typed]);
        const call = shell.rig.calls.find(({ method }) => method === 'respond');
        assert.deepEqual((call?.args[2] as { value: JsonValue }).value, sent);
      }));
  }

  it('refuses 5 where it may be a text and a number, and says how to write the text', () =>
    withShell(asked({ type: ['string', 'number'] }), async (shell) => {
      const { code, err } = await shell.run(['answer', SUSPENSION_ID, '5']);
      assert.equal(code, 2);
      assert.match(err.replaceAll(/\s+/g, ' '), /takes the value 5 as text and as JSON: .*'"5"'/);
    }));
});
