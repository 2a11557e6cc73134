import {
  DefaultLogger,
  Runtime,
  bundleWorkflowCode,
  type BundleOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { multistream, pino } from 'pino';
import { runtimeTelemetry } from '../../workers/log.js';
import { prepareWorkflowThreads } from '../../workers/workflow-threads.js';
import { BUNDLE_SOURCES, asNodeRunsIt, bundleSources, slim } from '../../workers/shipped-bundle.js';
import { cachedBuild } from './cached-builds.js';
import { runLog } from './secrets.js';
import { reuseWorkflowThreads } from './workflow-threads.js';

// As a worker logs in production, and errors to whoever watches the tests besides.
const streams = [
  { level: 'trace', stream: runLog('worker') },
  { level: 'error', stream: process.stderr },
] as const;
Runtime.install(runtimeTelemetry(pino({ level: 'trace' }, multistream([...streams]))));
prepareWorkflowThreads();
reuseWorkflowThreads();

const COMPANIONS = 'test/workflows/support';

/** A file with workflow code for `Worker.create`. */
export interface WorkflowBundle {
  readonly codePath: string;
}

/** The code of a worker's workflows. */
export interface WorkflowCode {
  readonly bundle: WorkflowBundleOption;
  /** The same, which tells what commands it issues, for replays. */
  readonly replayed: () => Promise<WorkflowBundleOption>;
}

/** Our workflows. */
export async function ourCode(): Promise<WorkflowCode> {
  return { bundle: await testBundle(), replayed: replayBundle };
}

/** The workflows of an example. */
export async function exampleCode(example: string): Promise<WorkflowCode> {
  const sources = [...BUNDLE_SOURCES, `examples/${example}`, RECORDER];
  const file = `examples/${example}/workflows.ts`;
  const made = await bundle(`${example}.js`, sources, () => recordingBundle(placeOf(file)));
  return { bundle: made, replayed: () => Promise.resolve(made) };
}

/** Workflows that are written down as a test runs. */
export async function writtenCode(
  workflowsPath: string,
  options: Partial<BundleOptions>,
): Promise<WorkflowCode> {
  const made = await recordingBundle(workflowsPath, options);
  return { bundle: made, replayed: () => Promise.resolve(made) };
}

/** Workflow code that tells what commands it issues. */
function recordingBundle(
  workflowsPath: string,
  options: Partial<BundleOptions> = {},
): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [placeOf(RECORDER)],
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: asNodeRunsIt,
    ...options,
  });
}

/** Workflows that tests bring along, in one module of their folder. */
export async function companionCode(module: string): Promise<WorkflowCode> {
  return {
    bundle: await companionBundle(module),
    replayed: () => companionReplayBundle(module),
  };
}

/** Our workflows as one file, made as for a release. */
export async function testBundle(): Promise<WorkflowBundle> {
  return bundle('workflows.js', BUNDLE_SOURCES, bundleSources);
}

const RECORDER = `${COMPANIONS}/issued-commands.ts`;
const placeOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Our workflows as one file that tells what commands they issue, for replays. */
export async function replayBundle(): Promise<WorkflowBundle> {
  const make = () => bundleSources([placeOf(RECORDER)]);
  return bundle('replay.js', [...BUNDLE_SOURCES, RECORDER], make);
}

/** Workflows that tests bring along, in one module of their folder, as one file. */
export async function companionBundle(module: string): Promise<WorkflowBundle> {
  return companions(`${module}.js`, module, []);
}

/** The same as one file that tells what commands they issue, for replays. */
export async function companionReplayBundle(module: string): Promise<WorkflowBundle> {
  return companions(`${module}-replay.js`, module, [RECORDER]);
}

async function companions(
  name: string,
  module: string,
  interceptors: readonly string[],
): Promise<WorkflowBundle> {
  const file = `${COMPANIONS}/${module}.ts`;
  return bundle(name, [...BUNDLE_SOURCES, file, ...interceptors], async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: placeOf(file),
      workflowInterceptorModules: interceptors.map(placeOf),
      logger: new DefaultLogger('ERROR'),
      webpackConfigHook: asNodeRunsIt,
    });
    return { code: slim(code) };
  });
}

const bundles = new Map<string, Promise<string>>();

async function bundle(
  name: string,
  sources: readonly string[],
  make: () => Promise<{ code: string }>,
): Promise<WorkflowBundle> {
  const made =
    bundles.get(name) ??
    cachedBuild(name, sources, async (target) => {
      const { code } = await make();
      assertMadeOf(code, sources);
      await writeFile(target, code);
    });
  bundles.set(name, made);
  return { codePath: await made };
}

/** A bundle that held more than its sources would not be made anew when that changes. */
function assertMadeOf(code: string, sources: readonly string[]): void {
  const modules = [...code.matchAll(/^\/\*\*\*\/ "\.\/([^"]+)"/gm)].map(([, name]) => name ?? '');
  const known = [...sources, 'node_modules'].map((source) => source.replace(/\.ts$/, ''));
  const others = modules.filter((name) => !known.some((prefix) => name.startsWith(prefix)));
  assert.ok(modules.length > 0);
  assert.deepEqual(others, [], 'modules whose content the cache does not look at');
}
