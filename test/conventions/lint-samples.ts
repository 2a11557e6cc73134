import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { LintSample } from './sample-linter.js';

/** A text that breaks a rule. */
export interface BrokenSample extends LintSample {
  readonly rule: string;
}

/** Texts that are made here, for they are long. */
const LONG: readonly (readonly [folder: string, rule: string, code: string])[] = [
  ['service', 'max-lines', `export const x = 1;\n${'\n'.repeat(450)}`],
  ['test/domain', 'max-lines', `export const x = 1;\n${'\n'.repeat(400)}`],
  [
    'service',
    'max-lines-per-function',
    `export const f = (): void => {\n${'  f();\n'.repeat(69)}};`,
  ],
  [
    'service',
    'complexity',
    `export const f = (n: number): number => {\n${Array.from({ length: 15 }, (_, i) => `  if (n === ${String(i)}) return 1;\n`).join('')}  return 2;\n};`,
  ],
];

/** The others, one a line: the folder in which it stands, the rule, and the text, in which `\n` is a line's end. */
const SHORT = readFileSync(path.join(import.meta.dirname, 'rule-samples.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [folder = '', rule = '', ...words] = line.split(' ');
    return [folder, rule, words.join(' ').replaceAll('\\n', '\n')] as const;
  });

/** Texts that lint must refuse. */
export const BROKEN: readonly BrokenSample[] = [...LONG, ...SHORT].map(
  ([folder, rule, code], i) => ({
    file: `${folder}/sample-${String(i)}.ts`,
    rule,
    code: `${code}\n`,
  }),
);
