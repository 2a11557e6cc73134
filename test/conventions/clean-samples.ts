import { handler, schema } from './lint-samples.js';
import type { LintSample } from './sample-linter.js';

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
    'workflows/suspension/named-validator.ts',
    `const validator = (): void => {\n  if (Date.now() < 0) throw new Error('no');\n};\n${handler('validator')}`,
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
  ['test/api/long.ts', `export const x = 1;\n${'\n'.repeat(399)}`],
  ['service/long.ts', `export const x = 1;\n${'\n'.repeat(299)}`],
  [
    'test/domain/clock.ts',
    `export const f = (): unknown => [Date.now(), new Date().getHours(), Math.random(), process.pid, 'a'.localeCompare('b')];\n`,
  ],
  ['test/contracts/text.ts', schema('z.url()')],
  [
    'test/workflows/shared.ts',
    `const seen = new Map<string, string>();\nexport const f = () => seen;\n`,
  ],
  [
    'service/many-tests.ts',
    `export const f = (it: { only: (a: string) => void }) => {\n  it.only('a');\n};\n`,
  ],
  [
    'service/excepted.ts',
    `// eslint-disable-next-line eqeqeq, no-self-compare -- as an example\nexport const f = (x: number) => x == x;\n`,
  ],
  [
    'domain/excepted.ts',
    `/* eslint-disable holdpoint/syntax, regexp/no-super-linear-move -- as an example */\nexport const f = (x: string) => [1, ...[/\\s+$/.test(x)]];\n`,
  ],
  [
    'web/excepted.ts',
    `// eslint-disable-next-line holdpoint/no-default-export, ts-eslint/no-namespace -- as an example\nexport default 1; export namespace A {}\n`,
  ],
  [
    'contracts/excepted.ts',
    `// eslint-disable-next-line @typescript-eslint/no-explicit-any, holdpoint/layers -- as an example\nexport { x } from '../domain/x.js'; export type X = any;\n`,
  ],
].map(([file, code]) => ({ file: String(file), code: String(code) }));
