import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { untilSaid } from '../../support/processes.js';
import { startCollector } from '../../support/traces.js';
import { scriptOf } from '../../support/scripts.js';

/** Nothing listens at port 1: neither Temporal nor the store is there. */
const AWAY = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
  HOLDPOINT_STOP_NOTICE_SECONDS: '0',
  // There has to be such a file; nobody reads it without Temporal, and a real one takes long to make.
  HOLDPOINT_WORKFLOW_BUNDLE: import.meta.filename,
  PORT: '0',
};

/** Writes which packages of OpenTelemetry the process has loaded when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { Module } from 'node:module';
  process.on('exit', () => {
    const found = Object.keys(Module._cache).flatMap((file) => file.match(/@opentelemetry\\/[\\w-]+/) ?? []);
    process.stdout.write('loaded: ' + [...new Set(found)].sort().join() + '\\n');
  });
`)}`;

const PROGRAMS = [
  ['api', /^Holdpoint API ready/, 'stdout'],
  ['workers', /is away, trying again/, 'stderr'],
] as const;

/** What a program has loaded, from its start to its end. */
async function loadedBy(
  [folder, ready, stream]: (typeof PROGRAMS)[number],
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const child = fork(scriptOf(`${folder}/main.ts`), {
    execArgv: ['--import', REPORT],
    env: { PATH: process.env['PATH'], ...AWAY, ...env },
    silent: true,
  });
  const { stdout, stderr } = child;
  assert.ok(stdout && stderr);
  const exited = once(child, 'exit');
  const output: string[] = [];
  stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  await untilSaid(stream === 'stdout' ? stdout : stderr, ready);
  stdout.resume();
  stderr.resume();
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null], output.join(''));
  const [, names] = /^loaded: (.*)$/m.exec(output.join('')) ?? assert.fail(output.join(''));
  // The client of Prometheus loads the API of OpenTelemetry for itself; without the SDK it does nothing.
  return (names ?? '').split(',').filter((name) => name !== '' && name !== '@opentelemetry/api');
}

describe('OpenTelemetry', () => {
  for (const program of PROGRAMS) {
    it(`is loaded by ${program[0]} only with an endpoint`, async () => {
      assert.deepEqual(await loadedBy(program, {}), []);
      const collector = await startCollector();
      const loaded = await loadedBy(program, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
      assert.ok(loaded.includes('@opentelemetry/exporter-trace-otlp-http'), loaded.join());
      await collector.close();
    });
  }
});
