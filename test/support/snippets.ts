import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = path.join(ROOT, 'node_modules/.cache/holdpoint-tests');

/** The blocks of code in one language that a page shows, in their order. */
export function snippetsOf(page: string, language: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, code = '']) => code);
}

/** The one snippet that has a mark in it. */
export function snippetWith(snippets: readonly string[], mark: string): string {
  const [found, ...others] = snippets.filter((code) => code.includes(mark));
  if (found === undefined || others.length > 0) throw new Error(`not one snippet with ${mark}`);
  return found;
}

/** A folder with modules that a test runs. */
export interface Modules {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Writes TypeScript as JavaScript modules into a folder below `node_modules`, from where packages are found.
 *
 * @param modules - code by the name of the module, without its ending
 */
export async function writeModules(modules: Readonly<Record<string, string>>): Promise<Modules> {
  await mkdir(FOLDERS, { recursive: true });
  const folder = await mkdtemp(path.join(FOLDERS, 'snippets-'));
  await writeFile(path.join(folder, 'package.json'), '{"type": "module"}');
  for (const [name, code] of Object.entries(modules)) {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    await writeFile(path.join(folder, `${name}.js`), outputText);
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** A request as a page shows it: a line with method and path, headers, an empty line, and the body. */
export interface ShownRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Reads a request that a page shows; `values` take the place of `{name}`. */
export function requestIn(snippet: string, values: Readonly<Record<string, string>>): ShownRequest {
  const filled = snippet.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  const [head = '', body = ''] = filled.split(/\n\n(.*)/s);
  const [line = '', ...lines] = head.split('\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = lines.map((one) => one.split(': ') as [string, string]);
  const parsed = JSON.parse(body) as object;
  return { method, path: target, headers: Object.fromEntries(headers), body: parsed };
}
