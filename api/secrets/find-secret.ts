import { setImmediate as othersFirst } from 'node:timers/promises';
import { fieldPath } from '../../contracts/field-issues.js';
import { detectSecrets } from './detector.js';

type Path = readonly PropertyKey[];

/** Where in a request something has the form of a credential. */
export interface FoundSecret {
  /** e.g. `context.db.password` or `choices[0].label`. */
  readonly field: string;
  /** The detector's name of its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
}

interface Leaf {
  readonly path: Path;
  /** `name=value`, for some credentials are known by their name; an entry of a list is bare. */
  readonly text: string;
}

/** Characters searched in one go; in between, other requests have their turn. */
const PAGE = 65_536;

function* leavesOf(value: unknown, path: Path = []): Generator<Leaf> {
  const name = path.at(-1);
  const prefix = typeof name === 'string' ? `${name}=` : '';
  if (typeof value !== 'object' || value === null) {
    yield { path, text: `${prefix}${String(value)}\n` };
    return;
  }
  if (prefix !== '') yield { path, text: `${prefix}\n` };
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    yield* leavesOf(child, [...path, isList ? Number(key) : key]);
  }
}

function* pagesOf(value: unknown): Generator<readonly Leaf[]> {
  let page: Leaf[] = [];
  let length = 0;
  for (const leaf of leavesOf(value)) {
    if (length + leaf.text.length > PAGE && page.length > 0) {
      yield page;
      page = [];
      length = 0;
    }
    page.push(leaf);
    length += leaf.text.length;
  }
  yield page;
}

/** The leaf that holds the place `start` of all texts in a row. */
function leafAt(page: readonly Leaf[], start: number): Leaf | undefined {
  let end = 0;
  return page.find(({ text }) => {
    end += text.length;
    return start < end;
  });
}

/** A name may itself be the secret: the path then ends before it. */
async function tellablePath(path: Path): Promise<Path> {
  const found = await detectSecrets(path.map(String).join('\n'));
  return found.length === 0 ? path : tellablePath(path.slice(0, -1));
}

/**
 * Searches every name and value of a JSON value for what has the form of a credential. What it returns
 * holds nothing of the secret.
 *
 * @returns the first place, or undefined where there is none
 */
export async function findSecret(value: unknown): Promise<FoundSecret | undefined> {
  let pages = 0;
  for (const page of pagesOf(value)) {
    if (pages++ > 0) await othersFirst();
    const [first] = await detectSecrets(page.map(({ text }) => text).join(''));
    if (first !== undefined) {
      const path = leafAt(page, first.start)?.path ?? [];
      return { field: fieldPath(await tellablePath(path)), kind: first.kind };
    }
  }
  return undefined;
}
