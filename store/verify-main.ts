import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { ChainReport } from '../contracts/intent/event.js';
import { StartupError, runMain } from '../runtime/program.js';
import { UsageError, meantOption } from '../runtime/usage.js';
import {
  CheckpointError,
  NoLogError,
  checkCheckpoints,
  checkExport,
  checkWholeExport,
  isPublicKey,
} from './checked-export.js';

const USAGE =
  'Usage: npm run verify-log -- <file.ndjson> [--head sha256:<hash you kept>], or ' +
  'npm run verify-log -- [--export <all logs.ndjson>] --checkpoint <checkpoints.ndjson> ' +
  '--key ed25519:<public key> …; installed: holdpoint verify-log …';
/** Longer than any event; a file with a longer line is not a log. */
const LONGEST_LINE = 16 * 1_024 * 1_024;

type Options =
  | { readonly file: string; readonly head: string | undefined }
  | {
      readonly checkpoints: string;
      readonly keys: readonly string[];
      readonly wholeExport: string | undefined;
    };

/**
 * `npm run verify-log`: checks exports without the service: one log, or all logs against a checkpoint. Prints in one
 * line what is proven, or fails with the first difference.
 */
async function main(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  await ('file' in options ? verifyLog(options) : verifyAll(options));
}

async function verifyAll({ checkpoints, keys, wholeExport }: AllOptions): Promise<void> {
  const { checkpoint, count, first } = await checkedCheckpoints(checkpoints, keys);
  const chain = `${count} checkpoints from ${first} to ${checkpoint.number}`;
  const signed = `the last signed at ${checkpoint.signed_at} over ${checkpoint.tree_size} logs`;
  if (wholeExport === undefined) {
    process.stdout.write(`ok: ${chain}, ${signed}\n`);
    return;
  }
  const lines = () => checkWholeExport(linesOf(wholeExport), checkpoint);
  const { proven, retired, events, faults } = await reading(wholeExport, lines);
  const [fault] = faults;
  if (fault) throw new StartupError(`${fault.kind}: ${fault.detail}`);
  const gone = retired === 0 ? '' : `, ${retired} removed by retention`;
  process.stdout.write(`ok: ${proven} logs, ${events} events${gone}; ${chain}, ${signed}\n`);
}

type AllOptions = Extract<Options, { readonly keys: unknown }>;

async function checkedCheckpoints(file: string, keys: readonly string[]) {
  try {
    return checkCheckpoints(await reading(file, () => readFile(file, 'utf8')), keys);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new StartupError(`${file} proves nothing: ${error.message}.`);
  }
}

async function verifyLog({ file, head }: Exclude<Options, AllOptions>): Promise<void> {
  const read = () => checkExport(linesOf(file), head);
  const { breaks, ...log } = await reading(file, read);
  const [first] = breaks;
  if (first) throw new StartupError(`${first.kind} at event ${first.sequence}: ${first.detail}`);
  const owner = log.intent_id === null ? '' : ` of ${log.kind} ${log.intent_id}`;
  const erased = log.erased_count === 0 ? '' : `, ${erasedOf(log)}`;
  const end = log.head_hash ?? 'none';
  process.stdout.write(`ok: ${log.event_count} events${owner}, head ${end}${erased}\n`);
}

function erasedOf({ erased_count, erased }: Pick<ChainReport, 'erased_count' | 'erased'>): string {
  const more = erased_count > erased.length ? ', …' : '';
  return `${erased_count} without their erased payload (${erased.join(', ')}${more})`;
}

function optionsOf(args: readonly string[]): Options {
  let meant = '';
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: {
        head: { type: 'string' },
        export: { type: 'string' },
        checkpoint: { type: 'string' },
        key: { type: 'string', multiple: true },
      },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    const { head, checkpoint, key = [], export: wholeExport } = values;
    if (checkpoint === undefined && wholeExport === undefined && key.length === 0) {
      if (file !== undefined && more.length === 0) return { file, head };
    } else if (checkpoint !== undefined && file === undefined && head === undefined) {
      const areKeys = key.length > 0 && key.every(isPublicKey);
      if (areKeys) return { checkpoints: checkpoint, keys: key, wholeExport };
    }
  } catch (error) {
    meant = meantOption(error, ['head', 'export', 'checkpoint', 'key']);
  }
  throw new UsageError(`${meant} ${USAGE}`.trim());
}

async function reading<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
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
