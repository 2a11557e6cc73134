import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from '../../service/stack.js';
import { untiedEnv } from '../../service/untied-env.js';
import { stackLines } from './messages.js';
import { jsonPrinter, textPrinter } from './printing.js';
import type { Printer } from './printing.js';
import { playStory } from './scenario.js';
import { CONFIG, HEADER, QUESTIONS, TOLERANCE_MS } from './story.js';

/** The story takes about 20 s; a stack that needs this long has lost something. */
const STORY_MS = 90_000;

/**
 * `npm run demo`: starts a whole Holdpoint in a temporary folder, plays the story and checks it; exits
 * with 1 at the first difference. `-- --json` prints JSON lines.
 */
async function demo(printer: Printer, signal: AbortSignal): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-demo-'));
  const configPath = path.join(folder, 'openintent.yaml');
  const env = untiedEnv(process.env);
  const log = stackLines((text) => printer.note(text));
  try {
    await writeFile(configPath, CONFIG);
    const dataDir = path.join(folder, 'data');
    printer.note('starting Temporal, the store, a worker and the API');
    const stack = await startStack({ dataDir, env, configPath, log, signal });
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(STORY_MS)]);
      return await playStory(stack, printer, limit);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const printer = process.argv.includes('--json') ? jsonPrinter(write) : textPrinter(write);
const told = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => told.abort(new Error(`The demo was ended by ${name}.`)));
}
printer.header(HEADER);
try {
  const difference = await demo(printer, told.signal);
  const good = `As planned: every line is in the event log, in order, none early, none over ${TOLERANCE_MS / 1_000} s late, for ${QUESTIONS.length} questions.`;
  printer.verdict(difference, difference === undefined ? good : `Not as planned: ${difference}`);
  process.exit(difference === undefined ? 0 : 1);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  printer.verdict(reason, `The demo failed: ${reason}`);
  process.exit(1);
}
