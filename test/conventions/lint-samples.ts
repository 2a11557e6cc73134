import { UNUSED, type LintSample } from './sample-linter.js';

/** A text that breaks a rule, and what it does wrong. */
export interface BrokenSample extends LintSample {
  readonly rule: string;
  readonly title: string;
}

const at = (
  folder: string,
  cases: readonly (readonly [rule: string, title: string, code: string])[],
): readonly BrokenSample[] =>
  cases.map(([rule, title, code], i) => ({
    file: `${folder}/sample-${String(i)}.ts`,
    rule,
    title,
    code,
  }));

const LAYERS = 'holdpoint/layers';
const SYNTAX = 'holdpoint/syntax';
const DETERMINISTIC = 'holdpoint/deterministic-syntax';
const SHARED = 'holdpoint/shared-syntax';
const SCHEMA = 'holdpoint/schema-syntax';
const TEST = 'holdpoint/test-syntax';
const BACKTRACKING = 'regexp/no-super-linear-backtracking';
const MOVE = 'regexp/no-super-linear-move';
const value = (from: string): string => `import { x } from '${from}';\nexport const y = [x];\n`;
const type = (from: string): string => `import type { X } from '${from}';\nexport type Y = X[];\n`;
const body = (statement: string): string => `export const f = () => ${statement};\n`;
/** A text that registers the handler of an Update, with this validator. */
export const handler = (validator: string): string =>
  `declare function setHandler(name: string, run: () => void, options: object): void;\n` +
  `export declare function check(): Promise<void>;\nsetHandler('respond', () => undefined, { ${validator} });\n`;

const imports: readonly BrokenSample[] = [
  ...at('domain', [
    [LAYERS, 'a value of contracts', value('../contracts/sample.js')],
    [LAYERS, 'a type of the store', type('../store/sample.js')],
    [
      LAYERS,
      'an inline type of contracts',
      `import { type X } from '../contracts/s.js';\nexport type Y = X[];\n`,
    ],
    [LAYERS, 'a value passed on', `export { x } from '../contracts/sample.js';\n`],
    [LAYERS, 'zod', value('zod')],
    [LAYERS, 'a built-in', value('node:crypto')],
    [LAYERS, 'a built-in loaded later', body(`import('node:fs')`)],
    [LAYERS, 'Temporal', value('@temporalio/common')],
  ]),
  ...at('contracts/constants', [
    [LAYERS, 'zod', value('zod')],
    [LAYERS, 'a value of contracts', value('../sample.js')],
  ]),
  ...at('contracts', [
    [LAYERS, 'a type of domain', type('../domain/sample.js')],
    [LAYERS, 'a built-in', value('node:path')],
  ]),
  ...at('workflows/suspension', [
    [LAYERS, 'zod', value('zod')],
    [LAYERS, 'a value of contracts', value('../../contracts/sample.js')],
    [LAYERS, 'a value of activities', value('../../activities/sample.js')],
    [LAYERS, 'a type of the store', type('../../store/sample.js')],
    [LAYERS, 'a value of the API', value('../../api/sample.js')],
    [LAYERS, 'a type of the client', type('../../client/sample.js')],
    [LAYERS, 'a built-in', value('node:crypto')],
    [LAYERS, 'the Temporal client', value('@temporalio/client')],
  ]),
  ...at('workflows/suspension/messages', [
    [LAYERS, 'a value of domain', value('../../../domain/sample.js')],
    [LAYERS, 'a value of common', value('@temporalio/common')],
  ]),
  ...at('activities', [
    [LAYERS, 'a value of the store', value('../store/sample.js')],
    [LAYERS, 'a type of the store', type('../store/sample.js')],
    [LAYERS, 'a type of workflows', type('../workflows/suspension/messages.js')],
  ]),
  ...at('store', [
    [LAYERS, 'a type of activities', type('../activities/sample.js')],
    [LAYERS, 'a value of the API', value('../api/sample.js')],
  ]),
  ...at('api', [
    [LAYERS, 'a workflow', value('../workflows/suspension/workflow.js')],
    [LAYERS, 'an activity', value('../activities/sample.js')],
    [LAYERS, 'the way to Temporal', value('../temporal-config/sample.js')],
    [LAYERS, 'the client', type('../client/sample.js')],
    [LAYERS, 'the OpenIntent API', type('./openintent/sample.js')],
  ]),
  ...at('api/usecases', [
    [LAYERS, 'HTTP', type('../http/sample.js')],
    [LAYERS, 'a dialect', value('../v1/sample.js')],
    [LAYERS, 'the other dialect', type('../openintent/sample.js')],
    [LAYERS, 'the feed', type('../feed/sample.js')],
  ]),
  ...at('api/openintent', [[LAYERS, 'a workflow', value('../../workflows/intent/workflow.js')]]),
  ...at('client', [
    [LAYERS, 'a value of contracts', value('../contracts/sample.js')],
    [LAYERS, 'a built-in', value('node:timers')],
    [LAYERS, 'zod', type('zod')],
    [LAYERS, 'the API', type('../api/sample.js')],
  ]),
  ...at('web/src/parts', [
    [LAYERS, 'a rule', value('../../../domain/policy/authorize.js')],
    [LAYERS, 'a schema of contracts', value('../../../contracts/sample.js')],
    [LAYERS, 'a validator that compiles', value('ajv')],
  ]),
  ...at('cli', [
    [LAYERS, 'a value of contracts', value('../contracts/sample.js')],
    [LAYERS, 'the API', type('../api/sample.js')],
    [LAYERS, 'a rule', value('../domain/sample.js')],
    [LAYERS, 'settings of the service', value('../runtime/sample.js')],
  ]),
  ...at('mcp', [
    [LAYERS, 'the client', value('../client/index.js')],
    [LAYERS, 'the API', type('../api/sample.js')],
    [LAYERS, 'a built-in', value('node:timers')],
  ]),
  ...at('examples', [
    [LAYERS, 'the client by its path', value('../client/index.js')],
    [LAYERS, 'the service', value('../service/sample.js')],
    [LAYERS, 'a value of contracts', value('../contracts/sample.js')],
  ]),
];

const deterministic = (folder: string): readonly BrokenSample[] =>
  at(`${folder}/clock`, [
    ['no-restricted-globals', 'Intl', body(`new Intl.Collator('de')`)],
    ['no-restricted-globals', 'Temporal', body(`Temporal.Now.instant()`)],
    ['no-restricted-globals', 'setTimeout', body(`setTimeout(() => undefined, 1)`)],
    ['no-restricted-globals', 'setInterval', body(`setInterval(() => undefined, 1)`)],
    ['no-restricted-globals', 'setImmediate', body(`setImmediate(() => undefined)`)],
    ['no-restricted-globals', 'the global object', body(`globalThis`)],
    ['no-restricted-globals', 'performance', body(`performance.now()`)],
    ['no-restricted-globals', 'process', body(`process.pid`)],
    ['no-restricted-globals', 'fetch', body(`fetch('http://localhost')`)],
    ['no-restricted-globals', 'crypto', body(`crypto.randomUUID()`)],
    ['no-restricted-globals', 'structuredClone', body(`structuredClone([])`)],
    ['no-restricted-properties', 'localeCompare', body(`'a'.localeCompare('b')`)],
    [DETERMINISTIC, 'toLocaleString', body(`(1).toLocaleString()`)],
    [DETERMINISTIC, 'the local hour', body(`new Date(0).getHours()`)],
    [DETERMINISTIC, 'Date as a function', body(`Date()`)],
  ]);

const spreads: readonly BrokenSample[] = [
  ...at('service/spread', [
    [SYNTAX, 'an enum', `export enum A {\n  B = 'b',\n}\n`],
    [SYNTAX, 'an object literal spread into another', body('({ a: 1, ...{ b: 2, c: 3 } })')],
    [SYNTAX, 'a list literal spread into another', body('[1, ...[2, 3]]')],
    [SYNTAX, 'a constant list spread into another', body('[1, ...([2, 3] as const)]')],
  ]),
  ...at('domain/spread', [[SYNTAX, 'the same in the domain', body('[1, ...[2, 3]]')]]),
  ...at('workflows/human/spread', [[SYNTAX, 'the same for agents', body('[1, ...[2, 3]]')]]),
  ...at('api/spread', [[SYNTAX, 'the same in the API', body('[1, ...[2, 3]]')]]),
  ...at('test/spread', [[SYNTAX, 'the same in tests', body('[1, ...[2, 3]]')]]),
];

const determinism: readonly BrokenSample[] = [
  ...deterministic('domain'),
  ...deterministic('workflows/suspension'),
  ...at('domain/instant', [
    ['no-restricted-properties', 'Date.now', body(`Date.now()`)],
    ['no-restricted-properties', 'Math.random', body(`Math.random()`)],
    ['holdpoint/domain-syntax', 'the present instant', body(`new Date()`)],
  ]),
  ...at('workflows/intent/shared', [
    [SHARED, 'a variable of a module', `let count = 0;\nexport const f = () => (count += 1);\n`],
    [
      SHARED,
      'an exported variable',
      `export let count = 0;\nexport const f = () => (count += 1);\n`,
    ],
    [
      SHARED,
      'a map of a module',
      `const seen = new Map<string, string>();\nexport const f = () => seen;\n`,
    ],
  ]),
  ...at('workflows/intent/local', [
    [
      'holdpoint/workflow-syntax',
      'local activities',
      `import { proxyLocalActivities } from '@temporalio/workflow';\nexport const p = [proxyLocalActivities];\n`,
    ],
    [
      'holdpoint/sync-validator',
      'an async arrow',
      handler('validator: async () => { await check(); }'),
    ],
    [
      'holdpoint/sync-validator',
      'an async method',
      handler('async validator() { await check(); }'),
    ],
    [
      'holdpoint/sync-validator',
      'a function that returns a promise',
      handler('validator: () => check()'),
    ],
    ['holdpoint/sync-validator', 'a named asynchronous function', handler('validator: check')],
    [
      'holdpoint/sync-validator',
      'a function that returns a promise in one case',
      handler('validator: () => { if (Date.now() > 0) return check(); }'),
    ],
    [
      'holdpoint/sync-validator',
      'a function of another file',
      `import { refuse } from './refuse.js';\n${handler('validator: refuse')}`,
    ],
    [
      'holdpoint/sync-validator',
      'a variable that may change',
      `let refuse = () => {};\nexport const f = () => (refuse = () => {});\n${handler('validator: refuse')}`,
    ],
  ]),
];

/** A text with a schema. */
export const schema = (text: string): string =>
  `import { z } from 'zod';\nexport const s = ${text};\n`;
const texts: readonly BrokenSample[] = [
  ...at('domain/pattern', [
    [BACKTRACKING, 'two quantifiers that share a character', body('/^a+a+$/.test(String(f))')],
    [MOVE, 'a search that starts anew at each place', body(`/T(?!.*Z$)/.test(String(f))`)],
  ]),
  ...at('test/pattern', [[MOVE, 'the same in tests', body(String.raw`/\s+$/.test(String(f))`)]]),
  ...at('contracts/text', [
    [SCHEMA, 'a pattern before the length', schema('z.string().regex(/^a$/)')],
    [SCHEMA, 'a rule before the length', schema('z.string().refine((text) => text !== "")')],
    [SCHEMA, 'an instant of any length', schema('z.iso.datetime({ offset: true })')],
    [SCHEMA, 'an address of any length', schema('z.url()')],
    [SCHEMA, 'an address of mail of any length', schema('z.email()')],
    [SCHEMA, 'bytes of any length', schema('z.base64()')],
  ]),
  ...at('api/text', [[SCHEMA, 'an address of any length', schema('z.url()')]]),
];

const ts = '@typescript-eslint';
const quality: readonly BrokenSample[] = at('service', [
  [
    `${ts}/no-floating-promises`,
    'a promise left alone',
    `export const f = (p: Promise<void>) => {\n  p;\n};\n`,
  ],
  [
    `${ts}/no-misused-promises`,
    'a promise as a condition',
    `export const f = (p: Promise<boolean>) => (p ? 1 : 2);\n`,
  ],
  [`${ts}/await-thenable`, 'await of a number', `export const f = async (n: number) => await n;\n`],
  [`${ts}/no-explicit-any`, 'any', `export type X = any;\n`],
  [`${ts}/no-unsafe-assignment`, 'an untyped assignment', `export const x = JSON.parse('1');\n`],
  [
    `${ts}/no-unsafe-return`,
    'an untyped return',
    `export const f = (): number => JSON.parse('1');\n`,
  ],
  [
    `${ts}/no-unsafe-argument`,
    'an untyped argument',
    `export const f = (n: number) => n;\nf(JSON.parse('1'));\n`,
  ],
  [
    `${ts}/no-unsafe-member-access`,
    'an untyped member',
    `export const f = () => String(JSON.parse('1').a);\n`,
  ],
  [`${ts}/no-unsafe-call`, 'an untyped call', `export const f = () => void JSON.parse('1')();\n`],
  [`${ts}/no-non-null-assertion`, 'a non-null assertion', `export const f = (n?: number) => n!;\n`],
  [
    `${ts}/consistent-type-imports`,
    'a type imported as a value',
    `import { Stats } from 'node:fs';\nexport type X = Stats[];\n`,
  ],
  [
    `${ts}/switch-exhaustiveness-check`,
    'a case left out',
    `export const f = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};\n`,
  ],
  [
    'no-empty',
    'a swallowed error',
    `export const f = (): void => {\n  try {\n    f();\n  } catch {}\n};\n`,
  ],
  ['holdpoint/no-default-export', 'a default export', `export default 1;\n`],
  [
    UNUSED,
    'an exception from a rule that is not broken',
    `export const x = 1; // eslint-disable-line eqeqeq -- as an example\n`,
  ],
  [
    UNUSED,
    'an exception from a rule about types that is not broken',
    `export const x = 1; // eslint-disable-line @typescript-eslint/no-deprecated -- as an example\n`,
  ],
  [
    UNUSED,
    'an exception from two rules of which one is not broken',
    `export const f = (x: number) => x == 1; // eslint-disable-line eqeqeq, no-empty -- as an example\n`,
  ],
  [
    UNUSED,
    'an exception from all rules where none is broken',
    `/* eslint-disable */\nexport const x = 1;\n`,
  ],
  [
    UNUSED,
    'an exception from a rule of this project that is not broken',
    `export const x = 1; // eslint-disable-line holdpoint/layers, regexp/no-super-linear-move -- as an example\n`,
  ],
  [SYNTAX, 'an export of everything', `export * from 'node:fs';\n`],
  ['max-lines', '451 lines', `export const x = 1;\n${'\n'.repeat(450)}`],
  [
    'max-lines-per-function',
    '71 lines',
    `export const f = (): void => {\n${'  f();\n'.repeat(69)}};\n`,
  ],
  [
    'complexity',
    '16 paths',
    `export const f = (n: number): number => {\n${Array.from({ length: 15 }, (_, i) => `  if (n === ${String(i)}) return 1;\n`).join('')}  return 2;\n};\n`,
  ],
]);

const tests: readonly BrokenSample[] = at('test/domain', [
  ['max-lines', '401 lines', `export const x = 1;\n${'\n'.repeat(400)}`],
  [TEST, 'an exclusive test', `it.only('is alone', () => undefined);\n`],
  [TEST, 'a skipped suite', `describe.skip('left out', () => undefined);\n`],
  [TEST, 'a crossed-out test', `xit('is crossed out', () => undefined);\n`],
  [TEST, 'a pending test', `it('is pending');\n`],
  [TEST, 'an error of any kind', `assert.throws(() => undefined);\n`],
  [TEST, 'a rejection of any kind', `await assert.rejects(Promise.resolve());\n`],
  [TEST, 'a test that skips itself', `it('gives up', function () {\n  this.skip();\n});\n`],
]);

/** Texts that lint must refuse. */
export const BROKEN: readonly BrokenSample[] = [
  ...imports,
  ...texts,
  ...spreads,
  ...determinism,
  ...quality,
  ...tests,
];
