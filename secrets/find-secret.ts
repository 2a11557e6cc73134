import { setImmediate as othersFirst } from 'node:timers/promises';
import { fieldPath } from '../contracts/field-issues.js';
import { pathOf, visitsOf } from '../domain/json-visits.js';
import type { Visit } from '../domain/json-visits.js';
import { detectSecrets } from './detector.js';

type Path = readonly PropertyKey[];

/** Where in a request something has the form of a credential. */
export interface FoundSecret {
  /** e.g. `context.db.password` or `choices[0].label`. */
  readonly field: string;
  /** The detector's name of its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
}

/** Some lines of text that stand for a part of the value. */
interface Part {
  readonly visit: Visit;
  readonly text: string;
}

/** Characters searched in one go; in between, other requests have their turn. */
const PAGE = 65_536;

/** `name=value`, for some credentials are known by their name; an entry of a list is bare. */
function textOf({ value, name, parent }: Visit): string {
  const label = parent === undefined || typeof name === 'number' ? '' : `${name}=`;
  return `${label}${typeof value === 'object' && value !== null ? '' : String(value)}\n`;
}

function* pagesOf(value: unknown): Generator<readonly Part[]> {
  let page: Part[] = [];
  let length = 0;
  for (const visit of visitsOf(value)) {
    const text = textOf(visit);
    if (length + text.length > PAGE && page.length > 0) {
      yield page;
      page = [];
      length = 0;
    }
    page.push({ visit, text });
    length += text.length;
  }
  yield page;
}

/** The path of the part that holds the place `start` of all texts in a row. */
function pathAt(page: readonly Part[], start: number): Path {
  let end = 0;
  const part = page.find(({ text }) => {
    end += text.length;
    return start < end;
  });
  return part === undefined ? [] : pathOf(part.visit);
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
      const path = await tellablePath(pathAt(page, first.start));
      return { field: fieldPath(path), kind: first.kind };
    }
  }
  return undefined;
}
