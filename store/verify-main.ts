import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ChainReport } from '../contracts/event.js';
import { StartupError, runMain } from '../runtime/program.js';
import { NoLogError, checkExport } from './exported-log.js';

const USAGE =
  'Usage: npm run verify-log -- <file.ndjson> [--head sha256:<hash you kept>]; ' +
  'installed: holdpoint verify-log <file.ndjson> …';
/** Longer than any event; a file with a longer line is not a log. */
const LONGEST_LINE = 16 * 1_024 * 1_024;

/**
 * `npm run verify-log -- <file>`: checks an exported log without the service. Prints the length and the end
 * of the log, or fails with the first event that is not as it was recorded.
 */
async function main(args: readonly string[]): Promise<void> {
  const { file, head } = optionsOf(args);
  const { breaks, ...log } = await checked(file, head);
  const [first] = breaks;
  if (first) throw new StartupError(`${first.kind} at event ${first.sequence}: ${first.detail}`);
  const intent = log.intent_id === null ? '' : ` of intent ${log.intent_id}`;
  process.stdout.write(`ok: ${log.event_count} events${intent}, head ${log.head_hash ?? 'none'}\n`);
}

function optionsOf(args: readonly string[]): { file: string; head: string | undefined } {
  try {
    const options = { head: { type: 'string' } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) return { file, head: values.head };
  } catch {
    // An unknown option.
  }
  throw new StartupError(USAGE);
}

async function checked(file: string, head: string | undefined): Promise<ChainReport> {
  try {
    return await checkExport(linesOf(file), head);
  } catch (error) {
    if (error instanceof NoLogError) throw new StartupError(`${file} is no log: ${error.message}.`);
    if (error instanceof Error && 'syscall' in error) {
      throw new StartupError(`${file} cannot be read: ${error.message}`);
    }
    throw error;
  }
}

/** Only a line feed ends a line; `readline` would also split at U+2028, which JSON text may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LONGEST_LINE) throw new NoLogError('a line of it is too long');
  }
  if (rest !== '') yield rest;
}

await runMain(() => main(process.argv.slice(2)));
