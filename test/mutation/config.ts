import path from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** The share of mutants that the tests of the domain must notice, in percent. */
export const REQUIRED_SCORE = 95;

/** Only what the tests of the domain import is copied and run. */
export const COPIED = [
  'package.json',
  'tsconfig.json',
  'contracts/**',
  'domain/**',
  'docs/authorization.md',
  'test/conventions/authorization-doc.ts',
  'test/domain/**',
  'test/store/rows.ts',
  'test/support/callers.ts',
  'test/support/cpu-time.ts',
  'test/support/verified-chain.ts',
];

/** What StrykerJS does here. `mutate` are the files to change, as patterns. */
export function strykerOptions(mutate: readonly string[]): PartialStrykerOptions {
  return {
    mutate: [...mutate],
    ignorePatterns: ['**', ...COPIED.map((pattern) => `!${pattern}`)],
    plugins: ['runner', 'wording'].map((name) => path.resolve(import.meta.dirname, `${name}.ts`)),
    testRunner: 'domain',
    testRunnerNodeArgs: ['--import=tsx'],
    checkerNodeArgs: ['--import=tsx'],
    // Each mutant meets only the tests that reach it.
    coverageAnalysis: 'perTest',
    ignorers: ['wording'],
    // tsx strips types without a look at them, so what a mutant does to them is no matter.
    disableTypeChecks: false,
    packageManager: 'npm',
    concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 2),
    // On a busy machine a slow test must not pass for an endless loop, which counts as noticed.
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    timeoutFactor: 4,
    thresholds: { high: 98, low: REQUIRED_SCORE, break: null },
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, reportTests: false, reportMutants: false },
    htmlReporter: { fileName: '.cache/mutation/report.html' },
    jsonReporter: { fileName: '.cache/mutation/report.json' },
    tempDirName: '.cache/mutation/sandbox',
    allowConsoleColors: false,
    incremental: false,
  };
}
