import type { InstrumenterContext, MutantCoverage } from '@stryker-mutator/api/core';
import { PluginKind, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
  type DryRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/*
 * Runs the tests of the domain for StrykerJS. The runner that StrykerJS offers for mocha 12 needs Node 22, and
 * the one for Node 20 cannot load mocha 12.
 */

const TESTS = 'test/domain';
/** StrykerJS allows a hundred times the hits of a good run; twice is enough where a loop runs this often. */
const ENDLESS_HITS = 1_000_000;

function testFiles(): string[] {
  const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
  const tests = names.filter((name) => name.endsWith('.test.ts'));
  return tests.sort().map((name) => path.resolve(TESTS, name));
}

function exactly(titles: readonly string[]): RegExp {
  const escaped = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^(?:${escaped.join('|')})$`);
}

function runOnce(mocha: Mocha): Promise<TestResult[]> {
  const results: TestResult[] = [];
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      resolve(results);
    });
    const resultOf = (test: Mocha.Test) => {
      const [id, timeSpentMs] = [test.fullTitle(), test.duration ?? 0];
      return { id, name: id, timeSpentMs, ...(test.file && { fileName: test.file }) };
    };
    runner.on('pass', (test) => {
      results.push({ ...resultOf(test), status: TestStatus.Success });
    });
    runner.on('fail', (test, error: unknown) => {
      const failureMessage = error instanceof Error ? error.message : String(error);
      results.push({ ...resultOf(test), status: TestStatus.Failed, failureMessage });
    });
  });
}

/**
 * A mutant that is reached while files load needs a process of its own and all tests. If tests reach it too,
 * they alone must notice it: that is stricter, and many times faster.
 */
function withoutHybrids({ static: loading, perTest }: MutantCoverage): MutantCoverage {
  const tested = new Set(Object.values(perTest).flatMap((hits) => Object.keys(hits)));
  const only = Object.entries(loading).filter(([mutant]) => !tested.has(mutant));
  return { static: Object.fromEntries(only), perTest };
}

/** Says nothing: StrykerJS reports. */
class SilentReporter extends Mocha.reporters.Base {
  override epilogue(): void {}
}

/** Makes the runner. `context` is what the instrumented code shares with it. */
function createRunner(context: InstrumenterContext): TestRunner {
  const mocha = new Mocha({ reporter: SilentReporter, timeout: 0, bail: true });
  mocha.cleanReferencesAfterRun(false);
  let isLoaded = false;

  async function run(mutant?: string, isStatic = false): Promise<DryRunResult> {
    if (!isLoaded) {
      if (mutant !== undefined && isStatic) context.activeMutant = mutant;
      await mocha.loadFilesAsync();
      isLoaded = true;
    }
    if (mutant === undefined) delete context.activeMutant;
    else context.activeMutant = mutant;
    const tests = await runOnce(mocha);
    const endless = determineHitLimitReached(context.hitCount, context.hitLimit);
    return endless ?? { status: DryRunStatus.Complete, tests };
  }

  return {
    // Modules that were imported once cannot be imported anew, so a process of its own must do it.
    capabilities: () => ({ reloadEnvironment: false }),

    async init() {
      // The same values in every run: a mutant is noticed always or never.
      fc.configureGlobal({ seed: 20_261_122, endOnFailure: true });
      testFiles().forEach((file) => mocha.addFile(file));
    },

    async dryRun() {
      mocha.suite.beforeEach(function () {
        const title = this.currentTest?.fullTitle();
        if (title !== undefined) context.currentTestId = title;
      });
      const result = await run();
      if (result.status !== DryRunStatus.Complete || !context.mutantCoverage) return result;
      return { ...result, mutantCoverage: withoutHybrids(context.mutantCoverage) };
    },

    async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
      if (hitLimit === undefined) delete context.hitLimit;
      else context.hitLimit = Math.min(hitLimit, Math.max(ENDLESS_HITS, hitLimit / 50));
      context.hitCount = 0;
      mocha.grep(testFilter === undefined ? /^/ : exactly(testFilter));
      return toMutantRunResult(await run(activeMutant.id, mutantActivation === 'static'));
    },
  };
}

function createTestRunner(): TestRunner {
  // Instrumented code keeps its state under this name.
  const holder = globalThis as unknown as { __stryker__?: InstrumenterContext };
  return createRunner((holder.__stryker__ ??= {}));
}
createTestRunner.inject = [] as [];

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'domain', createTestRunner),
];
