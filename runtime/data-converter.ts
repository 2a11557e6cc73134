import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { StartupError, type Environment } from './program.js';

const VARIABLE = 'HOLDPOINT_DATA_CONVERTER';
const ACCEPTED = 'a module that exports payloadCodecs, a list of {encode, decode}';

function isCodec(value: unknown): value is PayloadCodec {
  if (typeof value !== 'object' || value === null) return false;
  const { encode, decode } = value as Partial<Record<keyof PayloadCodec, unknown>>;
  return typeof encode === 'function' && typeof decode === 'function';
}

async function load(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it threw';
    throw new StartupError(`${VARIABLE} ${file} cannot be loaded (${code}).`, { cause: error });
  }
}

/**
 * Loads the payload codecs from the module that `HOLDPOINT_DATA_CONVERTER` names, if set. All processes that share a
 * history need the same ones.
 * @param cwd - the folder of a relative path
 * @throws StartupError if the module cannot be loaded or exports something else
 */
export async function loadDataConverter(
  env: Environment,
  cwd: string,
): Promise<DataConverter | undefined> {
  const named = env[VARIABLE] ?? '';
  if (named === '') return undefined;
  const file = path.resolve(cwd, named);
  const { payloadCodecs } = (await load(file)) as { readonly payloadCodecs?: unknown };
  if (Array.isArray(payloadCodecs) && payloadCodecs.length > 0 && payloadCodecs.every(isCodec)) {
    return { payloadCodecs };
  }
  throw new StartupError(`${VARIABLE} ${file}: it must be ${ACCEPTED}.`);
}
