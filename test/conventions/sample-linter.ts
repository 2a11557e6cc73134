import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import { ruleNames } from './rules-in-force.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OXLINT = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
/** The rules, and those that the project has of its own; these read their layers from where they lie. */
const CONFIG = ['.oxlintrc.json', 'test/conventions/lint-rules'];
const TYPES = JSON.stringify({ extends: '../../tsconfig.json', include: ['**/*.ts', '**/*.tsx'] });
/** What is found where a comment excepts from a rule that is not broken. */
const UNUSED = 'unused-directive';

/** A source text, and the path from the project's root under which it is linted. */
export interface LintSample {
  readonly file: string;
  readonly code: string;
}

/** The ids of the rules that each text breaks, by its file; ids are those of .oxlintrc.json. */
export type Findings = ReadonlyMap<string, readonly string[]>;

/** What oxlint says of one place. */
interface Diagnostic {
  /** For example `typescript(await-thenable)`. */
  readonly code?: string;
  readonly message: string;
  readonly filename: string;
}

/** Lints texts by the project's own rules, with oxlint; and with ESLint by those rules that need no types. */
export async function lintSamples(
  samples: readonly LintSample[],
): Promise<{ readonly oxlint: Findings; readonly eslint: Findings }> {
  return { oxlint: await byOxlint(samples), eslint: await byEslint(samples) };
}

async function byEslint(samples: readonly LintSample[]): Promise<Findings> {
  const eslint = new ESLint({
    cwd: ROOT,
    ignore: false,
    overrideConfig: { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  });
  const found = new Map<string, readonly string[]>();
  for (const { file, code } of samples) {
    const results = await eslint.lintText(code, { filePath: path.join(ROOT, file) });
    const messages = results.flatMap((result) => result.messages);
    found.set(
      file,
      messages.map(({ ruleId, message }) => ruleId ?? idOf(message)),
    );
  }
  return found;
}

/** Runs oxlint once over all texts, as files of a project beside this one's packages. */
async function byOxlint(samples: readonly LintSample[]): Promise<Findings> {
  await mkdir(path.join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(ROOT, '.cache/lint-'));
  try {
    // As a repository of its own it is not left out by this one's .gitignore.
    await mkdir(path.join(folder, '.git'));
    for (const name of CONFIG) {
      await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    }
    await writeFile(path.join(folder, 'tsconfig.json'), TYPES);
    for (const { file, code } of samples) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), code);
    }
    const names = await ruleNames();
    const found = new Map<string, readonly string[]>(samples.map(({ file }) => [file, []]));
    for (const { code, message, filename } of await oxlint(folder)) {
      const file = path.relative(folder, path.resolve(folder, filename)).split(path.sep).join('/');
      const bare = code?.replace(/^[^(]*\(([^)]*)\)$/, '$1');
      const id = bare === undefined ? idOf(message) : (names.get(bare) ?? bare);
      found.set(file, [...(found.get(file) ?? []), id]);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function idOf(message: string): string {
  return /^Unused (es|ox)lint-disable directive/.test(message) ? UNUSED : message;
}

function oxlint(folder: string): Promise<readonly Diagnostic[]> {
  const args = [OXLINT, '--format=json', '.'];
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: Infinity };
    execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      try {
        resolve((JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics);
      } catch (fault) {
        reject(new Error(`oxlint: ${stdout}${stderr}`, { cause: fault }));
      }
    });
  });
}
