import type { LintSample } from './sample-linter.js';

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
const SYNTAX = 'no-restricted-syntax';
const BACKTRACKING = 'regexp/no-super-linear-backtracking';
const MOVE = 'regexp/no-super-linear-move';
const value = (from: string): string => `import { x } from '${from}';\nexport const y = [x];\n`;
const type = (from: string): string => `import type { X } from '${from}';\nexport type Y = X[];\n`;
const body = (statement: string): string => `export const f = () => ${statement};\n`;
const handler = (validator: string): string =>
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
  ...at('api/gateway', [
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
    ['no-restricted-globals', 'crypto', body(`crypto.randomUUID()`)],
    ['no-restricted-globals', 'structuredClone', body(`structuredClone([])`)],
    ['no-restricted-properties', 'localeCompare', body(`'a'.localeCompare('b')`)],
    [SYNTAX, 'toLocaleString', body(`(1).toLocaleString()`)],
    [SYNTAX, 'the local hour', body(`new Date(0).getHours()`)],
    [SYNTAX, 'Date as a function', body(`Date()`)],
  ]);

const spreads: readonly BrokenSample[] = [
  ...at('service/spread', [
    [SYNTAX, 'an object literal spread into another', body('({ a: 1, ...{ b: 2, c: 3 } })')],
    [SYNTAX, 'a list literal spread into another', body('[1, ...[2, 3]]')],
    [SYNTAX, 'a constant list spread into another', body('[1, ...([2, 3] as const)]')],
  ]),
  ...at('domain/spread', [[SYNTAX, 'the same in the domain', body('[1, ...[2, 3]]')]]),
  ...at('test/spread', [[SYNTAX, 'the same in tests', body('[1, ...[2, 3]]')]]),
];

const determinism: readonly BrokenSample[] = [
  ...deterministic('domain'),
  ...deterministic('workflows/suspension'),
  ...at('domain/instant', [
    ['no-restricted-properties', 'Date.now', body(`Date.now()`)],
    ['no-restricted-properties', 'Math.random', body(`Math.random()`)],
    [SYNTAX, 'the present instant', body(`new Date()`)],
  ]),
  ...at('workflows/intent/shared', [
    [SYNTAX, 'a variable of a module', `let count = 0;\nexport const f = () => (count += 1);\n`],
    [
      SYNTAX,
      'an exported variable',
      `export let count = 0;\nexport const f = () => (count += 1);\n`,
    ],
    [
      SYNTAX,
      'a map of a module',
      `const seen = new Map<string, string>();\nexport const f = () => seen;\n`,
    ],
  ]),
  ...at('workflows/intent/local', [
    [
      SYNTAX,
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
  ]),
];

const schema = (text: string): string => `import { z } from 'zod';\nexport const s = ${text};\n`;
const texts: readonly BrokenSample[] = [
  ...at('domain/pattern', [
    [BACKTRACKING, 'two quantifiers that share a character', body('/^a+a+$/.test(String(f))')],
    [MOVE, 'a search that starts anew at each place', body(`/T(?!.*Z$)/.test(String(f))`)],
  ]),
  ...at('test/pattern', [[MOVE, 'the same in tests', body(String.raw`/\s+$/.test(String(f))`)]]),
  ...at('contracts/text', [
    [SYNTAX, 'a pattern before the length', schema('z.string().regex(/^a$/)')],
    [SYNTAX, 'a rule before the length', schema('z.string().refine((text) => text !== "")')],
    [SYNTAX, 'an instant of any length', schema('z.iso.datetime({ offset: true })')],
    [SYNTAX, 'an address of any length', schema('z.url()')],
  ]),
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
  ['import-x/no-default-export', 'a default export', `export default 1;\n`],
  [SYNTAX, 'an export of everything', `export * from 'node:fs';\n`],
  ['max-lines', '301 lines', `export const x = 1;\n${'\n'.repeat(300)}`],
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
  [SYNTAX, 'an exclusive test', `it.only('is alone', () => undefined);\n`],
  [SYNTAX, 'a skipped suite', `describe.skip('left out', () => undefined);\n`],
  [SYNTAX, 'a crossed-out test', `xit('is crossed out', () => undefined);\n`],
  [SYNTAX, 'a pending test', `it('is pending');\n`],
  [SYNTAX, 'a test that skips itself', `it('gives up', function () {\n  this.skip();\n});\n`],
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

/** One text for each folder that lint must accept. */
export const CLEAN: readonly LintSample[] = [
  [
    'domain/clean.ts',
    `import { sha256 } from '@noble/hashes/sha2.js';\nimport type { X } from '../contracts/x.js';\nimport { y } from './y.js';\nexport type Y = X[];\nexport const f = (now: string): unknown => [new Date(now), y, sha256];\n`,
  ],
  [
    'contracts/constants/clean.ts',
    `import { x } from './x.js';\nexport const Y = ['a', x] as const;\n`,
  ],
  [
    'contracts/clean.ts',
    `import { z } from 'zod';\nimport { X } from './constants/x.js';\nexport const schema = z.literal(X);\n`,
  ],
  [
    'workflows/suspension/clean.ts',
    `import { proxyActivities } from '@temporalio/workflow';\nimport { X } from '../../contracts/constants/x.js';\nimport type { Y } from '../../contracts/y.js';\nimport type { A } from '../../activities/a.js';\nimport { d } from '../../domain/d.js';\nexport type Z = [Y, A];\nexport const f = (): unknown => [Date.now(), new Date(), proxyActivities, X, d];\n`,
  ],
  [
    'workflows/suspension/table.ts',
    `const KINDS: ReadonlySet<string> = new Set(['a']);\nexport const f = (): unknown => [KINDS, new Map<string, string>()];\n`,
  ],
  [
    'workflows/human/state.ts',
    `const seen = new Map<string, string>();\nexport const f = () => seen;\n`,
  ],
  [
    'workflows/suspension/validator.ts',
    handler('validator: () => { if (Date.now() < 0) throw new Error("no"); }'),
  ],
  [
    'workflows/suspension/messages.ts',
    `import { defineSignal } from '@temporalio/workflow';\nimport type { X } from '../../contracts/x.js';\nexport const x = defineSignal<[X]>('x');\n`,
  ],
  [
    'activities/clean.ts',
    `import fs from 'node:fs';\nimport type { X } from '../domain/x.js';\nimport { y } from '../contracts/y.js';\nexport type Z = X[];\nexport const f = (): unknown => [fs, y];\n`,
  ],
  [
    'store/clean.ts',
    `import { sql } from 'kysely';\nimport { x } from '../domain/x.js';\nexport const f = (): unknown => [sql, x];\n`,
  ],
  [
    'api/clean.ts',
    `import { x } from '../workflows/suspension/messages.js';\nimport { y } from '../store/y.js';\nexport const f = (): unknown => [x, y];\n`,
  ],
  [
    'api/main.ts',
    `import { x } from '../temporal-config/x.js';\nexport const f = (): unknown => [x];\n`,
  ],
  [
    'client/clean.ts',
    `import { X } from '../contracts/constants/x.js';\nimport type { Y } from '../contracts/y.js';\nexport type Z = Y[];\nexport const f = (): unknown => [X];\n`,
  ],
  [
    'cli/clean.ts',
    `import fs from 'node:fs';\nimport { x } from '../client/x.js';\nimport type { Y } from '../contracts/y.js';\nexport type Z = Y[];\nexport const f = (): unknown => [fs, x];\n`,
  ],
  [
    'mcp/clean.ts',
    `import { z } from 'zod';\nimport { x } from '../contracts/x.js';\nexport const f = (): unknown => [z, x];\n`,
  ],
  [
    'workers/clean.ts',
    `import { x } from '../activities/x.js';\nimport { y } from '../store/y.js';\nexport const f = (): unknown => [x, y];\n`,
  ],
  [
    'service/clean.ts',
    `import { x } from '../temporal-config/x.js';\nexport const f = (): unknown => [x];\n`,
  ],
  [
    'examples/clean.ts',
    `import { x } from 'holdpoint-client';\nimport type { Y } from '../contracts/y.js';\nexport type Z = Y[];\nexport const f = (): unknown => [x];\n`,
  ],
  [
    'examples/demo/clean.ts',
    `import { x } from '../../service/x.js';\nexport const f = (): unknown => [x];\n`,
  ],
  [
    'test/domain/clean.ts',
    `import { x } from '../../domain/x.js';\nit('works', () => {\n  String(x);\n});\n`,
  ],
].map(([file, code]) => ({ file: String(file), code: String(code) }));
