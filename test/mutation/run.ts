import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { REQUIRED_SCORE, strykerOptions } from './config.js';
import { judge, survivorsIn, type Listed, type Survivor } from './survivors.js';

/*
 * Changes the code of the domain in one spot at a time and looks whether a test notices. Fails if too few are
 * noticed, if one survives that is not listed in `survivors/`, or if a listed one does not survive.
 * Usage: npm run test:mutation [-- <file or folder>…]
 */

const LISTS = path.join(import.meta.dirname, 'survivors');

function listed(): Survivor[] {
  return readdirSync(LISTS).flatMap((name) =>
    survivorsIn(JSON.parse(readFileSync(path.join(LISTS, name), 'utf8')) as Listed),
  );
}

function patternOf(name: string): string {
  if (!existsSync(name)) throw new Error(`There is no ${name}.`);
  return name.endsWith('.ts') ? name : path.posix.join(name, '**/*.ts');
}

const named = process.argv.slice(2);
/** The sources as the run finds them, whatever somebody changes meanwhile. */
const sources = new Map(
  readdirSync('domain', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join('domain', name.split(path.sep).join('/')))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const results = await new Stryker(
  strykerOptions((named.length === 0 ? ['domain'] : named).map(patternOf)),
).runMutationTest();

const mutants = results.map((mutant) => ({
  ...mutant,
  fileName: path.relative('', mutant.fileName).split(path.sep).join('/'),
}));
const verdict = judge(mutants, listed(), (file) => sources.get(file) ?? '');
const score = (100 * verdict.noticed) / Math.max(verdict.tried, 1);
const isEnough = score >= REQUIRED_SCORE;

function list(title: string, entries: readonly object[]): void {
  if (entries.length === 0) return;
  process.stdout.write(`\n${title}\n${JSON.stringify(entries, null, 2)}\n`);
}
list('No test notices these, and no list explains them:', verdict.unlisted);
list('These are listed, but a test notices them or the code is gone:', verdict.obsolete);
process.stdout.write(
  `\nThe tests notice ${verdict.noticed} of ${verdict.tried} mutants: ${score.toFixed(2)} %, ` +
    `${isEnough ? 'enough' : `less than ${REQUIRED_SCORE} %`}.\n`,
);
process.exitCode = isEnough && verdict.unlisted.length + verdict.obsolete.length === 0 ? 0 : 1;
