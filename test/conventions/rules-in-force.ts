import { readFile } from 'node:fs/promises';
import path from 'node:path';
import tseslint from 'typescript-eslint';

/** A rule of the configuration, with its options if it has some. */
export type Entry = string | number | readonly [string | number, ...unknown[]];

/** Rules for some files, or for all. */
interface Block {
  readonly files?: readonly string[];
  readonly rules: Readonly<Record<string, Entry>>;
}

const CONFIG = path.resolve(import.meta.dirname, '../../.oxlintrc.json');
const TYPESCRIPT = '@typescript-eslint/';

/** The blocks of .oxlintrc.json; the first is for all files. */
export async function ruleBlocks(): Promise<readonly Block[]> {
  const text = await readFile(CONFIG, 'utf8');
  const { rules, overrides } = JSON.parse(text.replace(/^ *\/\/.*$/gm, '')) as Block & {
    readonly overrides: readonly Block[];
  };
  return [{ rules }, ...overrides];
}

/** The ids of all rules, by their last part, which is what oxlint says. */
export async function ruleNames(): Promise<ReadonlyMap<string, string>> {
  const ids = (await ruleBlocks()).flatMap(({ rules }) => Object.keys(rules));
  return new Map(ids.map((id) => [id.slice(id.lastIndexOf('/') + 1), id]));
}

/** What typescript-eslint says of its rules. */
interface Plugin {
  readonly rules: Readonly<
    Record<
      string,
      { readonly meta: { readonly docs?: { readonly requiresTypeChecking?: boolean } } }
    >
  >;
}

/** Whether the rule looks at types, so that ESLint judges it at night only. */
export function needsTypes(id: string): boolean {
  if (!id.startsWith(TYPESCRIPT)) return false;
  const { rules } = tseslint.plugin as unknown as Plugin;
  return rules[id.slice(TYPESCRIPT.length)]?.meta.docs?.requiresTypeChecking === true;
}
