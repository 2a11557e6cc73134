import type { LintSample } from './sample-linter.js';

/** Texts that break a rule which needs types, and nearly the same texts that do not; one for each rule at least. */
interface TypedCase {
  readonly rule: string;
  readonly broken: string;
  readonly sound: string;
}

const CASES: readonly TypedCase[] = [
  {
    rule: 'await-thenable',
    broken: 'export const f = async (n: number) => await n;',
    sound: 'export const f = async (n: Promise<number>) => await n;',
  },
  {
    rule: 'no-array-delete',
    broken: 'export const f = (list: number[]) => {\n  delete list[0];\n};',
    sound: 'export const f = (bag: { a?: number }) => {\n  delete bag.a;\n};',
  },
  {
    rule: 'no-base-to-string',
    broken: 'export const f = (bag: { a: number }) => String(bag);',
    sound: 'export const f = (bag: Date) => String(bag);',
  },
  {
    rule: 'no-confusing-void-expression',
    broken: 'export const f = (g: () => void) => {\n  const x = g();\n  return [x];\n};',
    sound: 'export const f = (g: () => void) => g();',
  },
  {
    rule: 'no-deprecated',
    broken: '/** @deprecated */\nconst old = () => 1;\nexport const f = () => old();',
    sound: '/** Lasts. */\nconst old = () => 1;\nexport const f = () => old();',
  },
  {
    rule: 'no-duplicate-type-constituents',
    broken: "type A = 'a';\nexport type X = A | 'a';",
    sound: "type A = 'a';\nexport type X = A | 'b';",
  },
  {
    rule: 'no-floating-promises',
    broken: 'export const f = (p: Promise<void>) => {\n  p.then(() => undefined);\n};',
    sound: 'export const f = (p: Promise<void>) => {\n  void p;\n};',
  },
  {
    rule: 'no-for-in-array',
    broken: 'export const f = (list: string[]) => {\n  for (const i in list) f([i]);\n};',
    sound: 'export const f = (list: string[]) => {\n  for (const one of list) f([one]);\n};',
  },
  {
    rule: 'no-generated-empty-object-type',
    broken: "interface A {\n  a: number;\n}\nexport type X = Omit<A, 'a'>;",
    sound: "interface A {\n  a: number;\n  b: number;\n}\nexport type X = Omit<A, 'a'>;",
  },
  {
    rule: 'no-implied-eval',
    broken: "export const f = () => setTimeout('f()', 1);",
    sound: 'export const f = () => setTimeout(() => undefined, 1);',
  },
  {
    rule: 'no-meaningless-void-operator',
    broken: 'export const f = (g: () => void) => {\n  void g();\n};',
    sound: 'export const f = (g: () => number) => {\n  void g();\n};',
  },
  {
    rule: 'no-misused-promises',
    broken:
      'export const f = (list: number[]) => {\n  list.forEach(async (n) => {\n    await f([n]);\n  });\n};',
    sound: 'export const f = (list: number[]) => list.map(async (n) => Promise.resolve(n));',
  },
  {
    rule: 'no-misused-spread',
    broken: 'export const f = (p: Promise<number>) => ({ ...p });',
    sound: 'export const f = async (p: Promise<{ a: number }>) => ({ ...(await p) });',
  },
  {
    rule: 'no-mixed-enums',
    broken: "enum A {\n  One = 1,\n  Two = 'two',\n}\nexport const f = () => A;",
    sound: 'export const f = () => 1;',
  },
  {
    rule: 'no-redundant-type-constituents',
    broken: "export type X = 'a' | string;",
    sound: "export type X = 'a' | number;",
  },
  {
    rule: 'no-unnecessary-boolean-literal-compare',
    broken: 'export const f = (x: boolean) => (x === true ? 1 : 2);',
    sound: 'export const f = (x?: boolean) => (x === true ? 1 : 2);',
  },
  {
    rule: 'no-unnecessary-condition',
    broken: 'export const f = (x: { a: number }) => x?.a;',
    sound:
      'export const f = (x?: { a: number }) => {\n  while (true) if (x?.a === 1) return 1;\n};',
  },
  {
    rule: 'no-unnecessary-template-expression',
    broken: `export const f = () => \`\${'a'}b\`;`,
    sound: `export const f = (a: string) => \`\${a}b\`;`,
  },
  {
    rule: 'no-unnecessary-type-arguments',
    broken: 'const g = <T = number>(x?: T) => [x];\nexport const f = () => g<number>();',
    sound: 'const g = <T = number>(x?: T) => [x];\nexport const f = () => g<string>();',
  },
  {
    rule: 'no-unnecessary-type-assertion',
    broken: 'export const f = (x: string) => x as string;',
    sound: 'export const f = (x: unknown) => x as string;',
  },
  {
    rule: 'no-unnecessary-type-conversion',
    broken: 'export const f = (x: string) => String(x);',
    sound: 'export const f = (x: number) => String(x);',
  },
  {
    rule: 'no-unnecessary-type-parameters',
    broken: 'export const f = <T>(x: T): void => {\n  f([x]);\n};',
    sound: 'export const f = <T>(x: T): T => x;',
  },
  {
    rule: 'no-unsafe-argument',
    broken: "export const f = (n: number) => n;\nf(JSON.parse('1'));",
    sound: "export const f = (n: unknown) => n;\nf(JSON.parse('1'));",
  },
  {
    rule: 'no-unsafe-assignment',
    broken: "export const x = JSON.parse('1');",
    sound: "export const x: unknown = JSON.parse('1');",
  },
  {
    rule: 'no-unsafe-call',
    broken: "export const f = () => void JSON.parse('1')();",
    sound: 'export const f = (g: () => number) => void g();',
  },
  {
    rule: 'no-unsafe-enum-assignment',
    broken:
      'enum A {\n  One = 1,\n}\nexport const f = (n: number) => {\n  const a: A = n;\n  return [a, A];\n};',
    sound: 'export const f = () => 1;',
  },
  {
    rule: 'no-unsafe-enum-comparison',
    broken: 'enum A {\n  One = 1,\n}\nexport const f = (a: A, n: number) => a === n;',
    sound: 'export const f = (a: number, n: number) => a === n;',
  },
  {
    rule: 'no-unsafe-member-access',
    broken: "export const f = () => String(JSON.parse('1').a);",
    sound: "export const f = () => String((JSON.parse('1') as { a: number }).a);",
  },
  {
    rule: 'no-unsafe-return',
    broken: "export const f = (): number => JSON.parse('1');",
    sound: "export const f = (): unknown => JSON.parse('1');",
  },
  {
    rule: 'no-unsafe-unary-minus',
    broken: 'export const f = (x: string) => -x;',
    sound: 'export const f = (x: number) => -x;',
  },
  {
    rule: 'no-useless-default-assignment',
    broken: 'export const f = (list: { a: number }[]) => list.map(({ a = 1 }) => a);',
    sound: 'export const f = (list: { a?: number }[]) => list.map(({ a = 1 }) => a);',
  },
  {
    rule: 'only-throw-error',
    broken: "export const f = () => {\n  throw 'no';\n};",
    sound: "export const f = () => {\n  throw new Error('no');\n};",
  },
  {
    rule: 'prefer-promise-reject-errors',
    broken: "export const f = () => Promise.reject('no');",
    sound: "export const f = () => Promise.reject(new Error('no'));",
  },
  {
    rule: 'prefer-reduce-type-parameter',
    broken:
      'export const f = (list: string[]) => list.reduce((all, one) => [...all, one], [] as string[]);',
    sound:
      'export const f = (list: string[]) => list.reduce<string[]>((all, one) => [...all, one], []);',
  },
  {
    rule: 'prefer-return-this-type',
    broken: 'export class A {\n  f(): A {\n    return this;\n  }\n}',
    sound: 'export class A {\n  f(): this {\n    return this;\n  }\n}',
  },
  {
    rule: 'related-getter-setter-pairs',
    broken: 'export interface A {\n  get a(): string;\n  set a(value: number);\n}',
    sound: 'export interface A {\n  get a(): string;\n  set a(value: string | number);\n}',
  },
  {
    rule: 'restrict-plus-operands',
    broken: "export const f = (n: number) => n + 'a';",
    sound: "export const f = (n: string) => n + 'a';",
  },
  {
    rule: 'restrict-template-expressions',
    broken: `export const f = (list: number[]) => \`\${list}\`;`,
    sound: `export const f = (n: number, is: boolean) => \`\${n} \${is}\`;`,
  },
  {
    rule: 'return-await',
    broken:
      'export const f = async (p: Promise<number>) => {\n  try {\n    return p;\n  } finally {\n    await f(p);\n  }\n};',
    sound:
      'export const f = async (p: Promise<number>) => {\n  try {\n    return await p;\n  } finally {\n    await f(p);\n  }\n};',
  },
  {
    rule: 'switch-exhaustiveness-check',
    broken:
      "export const f = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};",
    sound:
      "export const f = (x: 'a' | 'b') => {\n  switch (x) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n};",
  },
  {
    rule: 'unbound-method',
    broken: 'export const f = (a: Date) => {\n  const { getTime } = a;\n  return getTime;\n};',
    sound: 'export const f = (a: Date) => a.getTime();',
  },
  {
    rule: 'use-unknown-in-catch-callback-variable',
    broken: 'export const f = (p: Promise<void>) => p.catch((reason) => [reason]);',
    sound: 'export const f = (p: Promise<void>) => p.catch((reason: unknown) => [reason]);',
  },
];

const file = (kind: string, rule: string): string => `service/typed/${kind}-${rule}.ts`;

/** Texts that the rule must refuse. */
export const TYPED_BROKEN: readonly (LintSample & { readonly rule: string })[] = CASES.map(
  ({ rule, broken }) => ({
    file: file('broken', rule),
    code: `${broken}\n`,
    rule: `@typescript-eslint/${rule}`,
  }),
);

/** Texts that it must accept. */
export const TYPED_SOUND: readonly (LintSample & { readonly rule: string })[] = CASES.map(
  ({ rule, sound }) => ({
    file: file('sound', rule),
    code: `${sound}\n`,
    rule: `@typescript-eslint/${rule}`,
  }),
);
