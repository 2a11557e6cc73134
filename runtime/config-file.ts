import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { serverConfigSchema } from '../contracts/config.js';
import type { ServerConfig } from '../contracts/config.js';
import { describeIssues } from '../contracts/field-issues.js';
import { StartupError } from './startup-error.js';

const DEFAULT_FILE = 'openintent.yaml';

type Environment = Readonly<Record<string, string | undefined>>;

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1).join('').replace(/:$/, '');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Reads the file; undefined where it is absent and nobody asked for it. */
function readConfig(file: string, named: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error) && !named) return undefined;
    const reason = isMissing(error) ? 'there is no such file' : firstLine(error);
    throw new StartupError(`HOLDPOINT_CONFIG ${file}: ${reason}.`, { cause: error });
  }
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' }) ?? {};
  } catch (error) {
    throw new StartupError(`${file}: not YAML: ${firstLine(error)}.`, { cause: error });
  }
}

/**
 * Loads the configuration file (R26-69, AM-25): `HOLDPOINT_CONFIG`, else `openintent.yaml` in the
 * working folder, which may be absent.
 *
 * @throws StartupError with file, field and what is accepted
 */
export function loadConfig(env: Environment, cwd: string): ServerConfig {
  const named = env['HOLDPOINT_CONFIG'] ?? '';
  const file = path.resolve(cwd, named === '' ? DEFAULT_FILE : named);
  const text = readConfig(file, named !== '');
  const content = text === undefined ? {} : parseYaml(file, text);
  const result = serverConfigSchema.safeParse(content);
  if (result.success) return result.data;
  const [first] = describeIssues(result.error, content);
  throw new StartupError(`${file}: ${first?.detail ?? 'not a configuration.'}`);
}
