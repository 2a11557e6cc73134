import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { COPIED } from './config.js';
import { judge, survivorsIn, type Mutant, type Survivor } from './survivors.js';
import { wording } from './wording.js';

const FILE = 'domain/kernel/sample.ts';
const SOURCE = 'function isOdd(n: number): boolean {\n  return n % 2 === 1;\n}\n';

function mutant(status: Mutant['status'], changes: Partial<Mutant> = {}): Mutant {
  const location = { start: { line: 2, column: 10 }, end: { line: 2, column: 21 } };
  const replacement = 'n % 2 !== 1';
  return {
    fileName: FILE,
    mutatorName: 'EqualityOperator',
    location,
    replacement,
    status,
    ...changes,
  };
}

const [ENTRY] = survivorsIn({
  [FILE]: { 'Nothing depends on it.': ['n % 2 === 1 -> n % 2 !== 1, in return n % 2 === 1;'] },
}) as [Survivor];

function judged(mutants: readonly Mutant[], listed: readonly Survivor[]) {
  return judge(mutants, listed, () => SOURCE);
}

/** The files of ours that a file imports, from the project's root. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, name]) =>
    path.posix.join(path.posix.dirname(file), `${name}.ts`),
  );
}

describe('what is copied for mutation tests', () => {
  it('is all that the tests of the domain import', () => {
    const files = readdirSync('test/domain', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.posix.join('test/domain', name));
    const known = new Set(files);
    for (const file of known) for (const one of importsOf(file)) known.add(one);
    const isCopied = (file: string) =>
      COPIED.some((one) => file === one || file.startsWith(one.replace(/\*\*$/, '')));
    const missing = [...known].filter((file) => !isCopied(file));
    assert.ok(known.size > files.length);
    assert.deepEqual(missing, []);
  });
});

describe('the outcome of mutation tests', () => {
  it('counts what is killed and what runs out of time as noticed', () => {
    const mutants = (['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'] as const).map(
      (one) => mutant(one),
    );
    const { noticed, tried } = judged(mutants, [ENTRY]);
    assert.deepEqual([noticed, tried], [2, 4]);
  });

  it('names a mutant that nobody noticed and nobody listed', () => {
    const { reason: _, ...found } = ENTRY;
    for (const status of ['Survived', 'NoCoverage'] as const) {
      const { unlisted, obsolete } = judged([mutant(status)], []);
      assert.deepEqual([unlisted, obsolete], [[found], []]);
    }
  });

  it('takes a listed mutant as explained', () => {
    const { unlisted, obsolete } = judged([mutant('Survived')], [ENTRY]);
    assert.deepEqual([unlisted, obsolete], [[], []]);
  });

  it('names an entry whose mutant a test notices, or whose code is gone, in files that the run tried', () => {
    const gone = { ...ENTRY, mutant: 'n % 2 > 0 -> true, in return n % 2 > 0;' };
    assert.deepEqual(judged([mutant('Killed')], [ENTRY, gone]).obsolete, [ENTRY, gone]);
    const elsewhere = mutant('Killed', { fileName: 'domain/other.ts' });
    assert.deepEqual(judged([elsewhere], [ENTRY]).obsolete, []);
  });

  it('describes a change of several lines by its first', () => {
    const location = { start: { line: 1, column: 35 }, end: { line: 3, column: 2 } };
    const [found] = judged([mutant('Survived', { location, replacement: '{}' })], []).unlisted;
    assert.match(found?.mutant ?? '', /^\{ -> \{\}, in /);
  });
});

describe('the wording of refusals and errors', () => {
  const literal = (value: string, parent: object) =>
    wording.shouldIgnore({
      node: { type: 'StringLiteral', value },
      parentPath: { parentPath: null, node: parent },
    });
  const field = (name: string) => ({ type: 'ObjectProperty', key: { name } });
  const argument = { type: 'CallExpression' };

  for (const [title, ignored, value, parent] of [
    ['a sentence', true, 'The lease is held by another.', argument],
    [
      'the text of an error',
      true,
      'No such thing',
      { type: 'NewExpression', callee: { name: 'RangeError' } },
    ],
    ['a phrase that says what is accepted', true, 'a positive number', field('accepted')],
    ['an accepted value', false, 'cancelled', field('accepted')],
    ['a code', false, 'lease_held', argument],
    ['a phrase elsewhere', false, 'delivered at try', argument],
    ['a rationale, which is a result', false, 'The risk is low.', field('rationale')],
  ] as const) {
    it(`${ignored ? 'includes' : 'does not include'} ${title}`, () => {
      assert.equal(literal(value, parent) !== undefined, ignored);
    });
  }

  it('includes a template with a sentence, and one that a constant holds', () => {
    const node = {
      type: 'TemplateLiteral',
      quasis: [{ value: { raw: 'At ' } }, { value: { raw: '.' } }],
    };
    assert.ok(wording.shouldIgnore({ node, parentPath: null }));
    const declared = { type: 'VariableDeclarator', id: { name: 'accepted' } };
    const either = {
      node: { type: 'LogicalExpression' },
      parentPath: { node: declared, parentPath: null },
    };
    const phrase = { node: { type: 'StringLiteral', value: 'any of them' }, parentPath: either };
    assert.ok(wording.shouldIgnore(phrase));
  });
});
