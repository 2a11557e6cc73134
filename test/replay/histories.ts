import { readdirSync, readFileSync } from 'node:fs';

/** A folder for each version of Holdpoint, in it a file for each history. */
export const HISTORIES = new URL('histories/', import.meta.url);

export interface FrozenHistory {
  readonly version: string;
  /** Such as `intent-completed`. */
  readonly name: string;
  /** The workflow's id. */
  readonly workflowId: string;
  readonly content: { readonly events: readonly { readonly eventType: string }[] };
}

/** Every history that a version has left behind. */
export function frozenHistories(): readonly FrozenHistory[] {
  return readdirSync(HISTORIES).flatMap((version) => {
    const folder = new URL(`${version}/`, HISTORIES);
    return readdirSync(folder).map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const kept = JSON.parse(text) as Pick<FrozenHistory, 'workflowId' | 'content'>;
      return { version, name: file.replace(/\.json$/, ''), ...kept };
    });
  });
}
