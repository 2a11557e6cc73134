import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findSecret } from '../../runtime/secrets.js';
import { fieldPath } from '../../contracts/constants/field-path.js';
import { CREDENTIALS, NAMED_SECRET, TOKEN } from '../support/secrets.js';

interface Row {
  readonly title: string;
  readonly value: unknown;
  readonly field: string;
}

const lines = (CREDENTIALS['PrivateKey'] ?? '').trimEnd().split('\n');

const FOUND: readonly Row[] = [
  { title: 'in the question', value: { question: `Use ${TOKEN}?` }, field: 'question' },
  {
    title: 'deep in the context',
    value: { question: 'Go?', context: { db: { password: TOKEN } } },
    field: 'context.db.password',
  },
  {
    title: 'in a list',
    value: { context: { rows: [{ a: 1 }, { a: 'b', token: TOKEN }] } },
    field: 'context.rows[1].token',
  },
  {
    title: 'in the label of a choice',
    value: { choices: [{ value: 'a', label: TOKEN }] },
    field: 'choices[0].label',
  },
  {
    title: 'in the metadata of a choice',
    value: { choices: [{ value: 'a' }, { value: 'b', metadata: { key: TOKEN } }] },
    field: 'choices[1].metadata.key',
  },
  {
    title: 'under a name that needs quotes',
    value: { context: { 'a/b': TOKEN } },
    field: 'context["a/b"]',
  },
  {
    title: 'by the name of its field',
    value: { context: { aws: { secret_access_key: NAMED_SECRET } } },
    field: 'context.aws.secret_access_key',
  },
  {
    title: 'by a name within the text',
    value: { question: `AWS_SECRET_ACCESS_KEY=${NAMED_SECRET}` },
    field: 'question',
  },
  {
    title: 'in JSON within the text',
    value: { context: { body: JSON.stringify({ secretAccessKey: NAMED_SECRET }) } },
    field: 'context.body',
  },
  {
    title: 'spread over the entries of a list',
    value: { context: { lines } },
    field: 'context.lines[0]',
  },
];

describe('finding a secret', () => {
  for (const { title, value, field } of FOUND) {
    it(`tells the path ${title} [R25-101]`, async () => {
      assert.equal((await findSecret(value))?.field, field);
    });
  }

  it('ends the path before a name that is itself the secret', async () => {
    const context = { tokens: { [TOKEN]: { valid: true } } };
    assert.deepEqual(await findSecret({ context }), {
      field: 'context.tokens',
      kind: 'GITHUB_TOKEN',
    });
    const named = { tokens: { [TOKEN]: { again: TOKEN } } };
    assert.equal((await findSecret({ context: named }))?.field, 'context.tokens');
  });

  it('finds nothing where a name says more than the value holds', async () => {
    const context = { password: 'reset', api_key: null, token: 12, secret: { rotate: true } };
    assert.equal(await findSecret({ question: 'Rotate the key?', context }), undefined);
  });

  it('finds it behind what is searched in one go', async () => {
    const rows = Array.from({ length: 10 }, () => 'word '.repeat(4_000));
    assert.equal((await findSecret({ rows, last: TOKEN }))?.field, 'last');
  });

  it('lets others have their turn between two goes', async () => {
    let turns = 0;
    const searched = findSecret(Array.from({ length: 10 }, () => 'word '.repeat(13_000)));
    const turn = setInterval(() => (turns += 1), 0);
    await searched;
    clearInterval(turn);
    assert.ok(turns > 0);
  });

  it('tells the right path wherever it is planted [R25-101]', async () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__');
    const json = fc.jsonValue({ maxDepth: 3 });
    const step = fc.oneof(name, fc.nat({ max: 4 }));
    const path = fc.array(step, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(path, json, json, name, async (steps, before, beside, sibling) => {
        const planted = steps.reduceRight<unknown>(
          (value, at) =>
            typeof at === 'number'
              ? [...Array<unknown>(at).fill(beside), value, beside]
              : { ...(sibling === at ? {} : { [sibling]: before }), [at]: value },
          `word ${TOKEN} word`,
        );
        const found = await findSecret({ question: 'Go?', context: planted });
        assert.equal(found?.field, fieldPath(['context', ...steps]));
      }),
      { numRuns: 300 },
    );
  });
});
