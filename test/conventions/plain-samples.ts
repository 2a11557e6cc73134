import type { LintSample } from './sample-linter.js';

/** For each rule that needs no types and holds in all folders: a text that breaks it, and a near one that does not. */
interface PlainCase {
  readonly rule: string;
  readonly broken: string;
  readonly sound: string;
}

const plain = (rule: string, broken: string, sound: string): PlainCase => ({ rule, broken, sound });
const ts = (rule: string, broken: string, sound: string): PlainCase =>
  plain(`@typescript-eslint/${rule}`, broken, sound);
/** Those that oxlint asks typescript-eslint itself for: its own would accept the broken text. */
const asked = (rule: string, broken: string, sound: string): PlainCase =>
  plain(`ts-eslint/${rule}`, broken, sound);

const paths = (count: number): string =>
  `export const f = (n: number): number => {\n${Array.from({ length: count - 1 }, (_, i) => `  if (n === ${String(i)}) return 1;\n`).join('')}  return 2;\n};`;

const CORE: readonly PlainCase[] = [
  plain('complexity', paths(16), paths(15)),
  plain(
    'eqeqeq',
    'export const f = (a?: number) => a == null;',
    'export const f = (a?: number) => a === undefined;',
  ),
  plain(
    'no-duplicate-imports',
    `import type { Stats } from 'node:fs';\nimport { statSync } from 'node:fs';\nexport const f = (): Stats => statSync('.');\n`,
    `import { statSync, type Stats } from 'node:fs';\nexport const f = (): Stats => statSync('.');\n`,
  ),
  plain('no-debugger', 'debugger;', 'export const debuggers = 1;'),
  plain(
    'no-empty',
    'export const f = (a: boolean) => {\n  if (a) {\n  }\n};',
    'export const f = (a: boolean) => {\n  if (a) {\n    // Nothing.\n  }\n};',
  ),
  plain(
    'no-fallthrough',
    'export const f = (a: number) => {\n  switch (a) {\n    case 1:\n      f(2);\n    default:\n      f(3);\n  }\n};',
    'export const f = (a: number) => {\n  switch (a) {\n    case 1:\n    case 2:\n      f(2);\n      break;\n    default:\n      f(3);\n  }\n};',
  ),
  plain(
    'no-self-compare',
    'export const f = (a: string) => a === a;',
    'export const f = (a: string, b: string) => a === b;',
  ),
  plain(
    'no-template-curly-in-string',
    `export const a = 'of \${name}';`,
    "export const a = 'of {name}';",
  ),
  plain(
    'no-unreachable-loop',
    'export const f = (list: string[]) => {\n  for (const one of list) return one;\n  return undefined;\n};',
    "export const f = (list: string[]) => {\n  for (const one of list) if (one > 'a') return one;\n  return undefined;\n};",
  ),
  plain(
    'no-unsafe-finally',
    'export const f = (g: () => void) => {\n  try {\n    g();\n  } finally {\n    return 1;\n  }\n};',
    'export const f = (g: () => void) => {\n  try {\n    g();\n  } finally {\n    g();\n  }\n};',
  ),
  plain(
    'no-useless-catch',
    'export const f = (g: () => void) => {\n  try {\n    g();\n  } catch (error) {\n    throw error;\n  }\n};',
    "export const f = (g: () => void) => {\n  try {\n    g();\n  } catch (cause) {\n    throw new Error('no', { cause });\n  }\n};",
  ),
  plain('no-var', 'export var a = 1;', 'export const a = 1;'),
  plain(
    'prefer-const',
    'export const f = () => {\n  let a = 1;\n  return a + 1;\n};',
    'export const f = () => {\n  let a = 1;\n  a += 1;\n  return a;\n};',
  ),
  plain(
    'prefer-rest-params',
    'export function f() {\n  return [arguments];\n}',
    'export function f(...all: number[]) {\n  return [all];\n}',
  ),
  plain(
    'prefer-spread',
    'export const f = (g: (...all: number[]) => void, all: [number]) => {\n  g.apply(undefined, all);\n};',
    'export const f = (g: (...all: number[]) => void, all: [number]) => {\n  g(...all);\n};',
  ),
  plain('holdpoint/syntax', "export * from 'node:fs';", "export { readFile } from 'node:fs';"),
  plain(
    'holdpoint/no-default-export',
    'const a = 1;\nexport { a as default };',
    'const a = 1;\nexport { a as b };',
  ),
  plain(
    'holdpoint/sync-validator',
    'export const a = { validator: async () => Promise.resolve() };',
    'export const a = { validator() {} };',
  ),
  plain(
    'regexp/no-super-linear-backtracking',
    'export const f = (a: string) => /^a+a+$/.test(a);',
    'export const f = (a: string) => /^a+b+$/.test(a);',
  ),
  plain(
    'regexp/no-super-linear-move',
    String.raw`export const f = (a: string) => /\s+$/.test(a);`,
    String.raw`export const f = (a: string) => /^\s+/.test(a);`,
  ),
];

const TYPESCRIPT: readonly PlainCase[] = [
  asked(
    'ban-ts-comment',
    '/** @ts-expect-error 👨‍👩‍👧‍👦 */',
    '// @ts-expect-error is explained at length\nexport {};',
  ),
  asked(
    'ban-ts-comment',
    '// @ts-ignore -- for no reason at all',
    'export const a = 1; // ts-ignore',
  ),
  asked(
    'no-array-constructor',
    'export const a = Array?.(1, 2);',
    'export const a = new Array<number>(1);',
  ),
  asked(
    'no-duplicate-enum-values',
    'enum A {\n  B = -1,\n  C = -1,\n}\nexport type D = A;',
    'export type D = 1;',
  ),
  asked(
    'no-extraneous-class',
    'export class A {\n  static {\n    String(1);\n  }\n}',
    'export class A {\n  readonly b = 1;\n}',
  ),
  asked(
    'no-misused-new',
    'export interface A {\n  new (): A;\n}',
    'export interface A {\n  new (): string;\n}',
  ),
  asked(
    'no-namespace',
    'export namespace A {\n  export const b = 1;\n}',
    'declare global {}\nexport {};',
  ),
  asked('no-unused-vars', 'let list = [1];\nlist = list.concat(list);', 'export const list = [1];'),
  asked(
    'no-unused-vars',
    'const a = 1;\nexport type A = typeof a;',
    'export const a = 1;\nexport type A = typeof a;',
  ),
  asked('no-unused-vars', "import { a } from './a.js';", "import './a.js';"),
  asked(
    'no-unused-vars',
    'export const f = (a: number) => 1;',
    'export const f = (_a: number) => 1;',
  ),
  asked(
    'no-unused-vars',
    'try {\n  String(1);\n} catch (error) {\n  String(2);\n}',
    'try {\n  String(1);\n} catch {\n  String(2);\n}',
  ),
  asked('prefer-as-const', "export const a = <'b'>'b';", "export const a = 'b' as const;"),
  asked('prefer-namespace-keyword', 'declare module A {}', 'export {};'),
  asked(
    'unified-signatures',
    'export declare class A {\n  b(c: string): void;\n  b(c: number): void;\n}',
    'export declare class A {\n  b(c: string): void;\n  b(c: number): string;\n}',
  ),
  ts(
    'no-dynamic-delete',
    'export const f = (a: Record<string, number>, b: string) => {\n  delete a[b];\n};',
    "export const f = (a: Record<string, number>) => {\n  delete a['b'];\n};",
  ),
  ts('no-empty-object-type', 'export type A = {};', 'export type A = object;'),
  ts('no-explicit-any', 'export type A = any[];', 'export type A = unknown[];'),
  ts(
    'no-extra-non-null-assertion',
    'export const f = (a?: { b: number }) => a!?.b;',
    'export const f = (a?: { b: number }) => a?.b;',
  ),
  ts('no-invalid-void-type', 'export type A = string | void;', 'export type A = () => void;'),
  ts(
    'no-non-null-asserted-nullish-coalescing',
    'export const f = (a: { b?: number }) => a.b! ?? 1;',
    'export const f = (a: { b?: number }) => a.b ?? 1;',
  ),
  ts(
    'no-non-null-asserted-optional-chain',
    'export const f = (a?: { b: number }) => a?.b!;',
    'export const f = (a?: { b: number }) => a?.b;',
  ),
  ts(
    'no-non-null-assertion',
    'export const f = (a?: number) => a!;',
    'export const f = (a?: number) => a;',
  ),
  ts(
    'no-require-imports',
    "export const f = () => [require('node:fs') as unknown];",
    "export const f = async () => import('node:fs');",
  ),
  ts(
    'no-this-alias',
    'export function f(this: Date) {\n  const self = this;\n  return () => self;\n}',
    'export function f(this: Date) {\n  return () => this;\n}',
  ),
  ts(
    'no-unnecessary-type-constraint',
    'export type A<B extends unknown> = B[];',
    'export type A<B extends string> = B[];',
  ),
  ts(
    'no-unsafe-declaration-merging',
    'export interface A {\n  b: string;\n}\nexport class A {\n  c = 1;\n}',
    'export interface A {\n  b: string;\n}\nexport class C {\n  c = 1;\n}',
  ),
  ts('no-unsafe-function-type', 'export type A = Function;', 'export type A = () => void;'),
  ts(
    'no-unused-expressions',
    'export const f = (a: number) => {\n  a + 1;\n};',
    'export const f = (a: number) => {\n  String(a);\n};',
  ),
  ts(
    'no-useless-constructor',
    'export class A {\n  b = 1;\n  constructor() {}\n}',
    'export class A {\n  b: number;\n  constructor() {\n    this.b = 1;\n  }\n}',
  ),
  ts('no-wrapper-object-types', 'export type A = String;', 'export type A = string;'),
  ts(
    'prefer-literal-enum-member',
    "enum A {\n  B = 'b'.length,\n}\nexport type C = A;",
    'export type C = 1;',
  ),
  ts(
    'triple-slash-reference',
    '/// <reference path="a.d.ts" />\nexport {};',
    '// <reference path="a.d.ts" />\nexport {};',
  ),
  ts(
    'consistent-type-imports',
    "import { Stats } from 'node:fs';\nexport type A = Stats;",
    "import type { Stats } from 'node:fs';\nexport type A = Stats;",
  ),
  ts(
    'no-import-type-side-effects',
    "import { type Stats } from 'node:fs';\nexport type A = Stats;",
    "import type { Stats } from 'node:fs';\nexport type A = Stats;",
  ),
];

/** Texts that the rule must refuse. */
export const PLAIN_BROKEN: readonly (LintSample & { readonly rule: string })[] = [
  ...CORE,
  ...TYPESCRIPT,
].map(({ rule, broken }, i) => ({
  file: `bench/plain/broken-${String(i)}.ts`,
  code: `${broken}\n`,
  rule,
}));

/** Texts that it must accept. */
export const PLAIN_SOUND: typeof PLAIN_BROKEN = [...CORE, ...TYPESCRIPT].map(
  ({ rule, sound }, i) => ({ file: `bench/plain/sound-${String(i)}.ts`, code: `${sound}\n`, rule }),
);
