import type { InboxEntry } from '../client/index.js';
import { EXIT } from './exit-codes.js';
import { CliError, usage } from './failures.js';
import type { Api } from './session.js';
import { oneLine } from './text.js';

/** So many characters of an id are shown in lists, and are enough to name a question. */
export const SHORT_ID = 8;
const PREFIX = /^[\da-f-]{8,36}$/i;
const WHOLE = 36;
const PAGE = 200;
/** Of settled questions only the latest are looked through: the open ones are what people name. */
const SETTLED_PAGES = 5;

/** The beginning of an id, as people see it. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}

/**
 * Finds the whole id of a question, of which at least the first 8 characters are given.
 *
 * @throws CliError if none of the questions that the key sees has such an id, or several
 */
export async function wholeId({ operator, interrupted }: Api, given: string): Promise<string> {
  if (!PREFIX.test(given)) {
    throw usage(
      `"${oneLine(given)}" is no id: give the id of a question, or its first ${SHORT_ID} characters or more.`,
    );
  }
  const prefix = given.toLowerCase();
  if (prefix.length === WHOLE) return prefix;
  for (const [state, pages] of [
    ['pending', Infinity],
    ['settled', SETTLED_PAGES],
  ] as const) {
    const found: InboxEntry[] = [];
    let cursor: string | undefined;
    for (let read = 0; read < pages; read += 1) {
      const query = { state, sort: 'newest', limit: PAGE, cursor } as const;
      const page = await operator.list(query, { signal: interrupted });
      found.push(...page.suspensions.filter(({ id }) => id.startsWith(prefix)));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    const [first, ...others] = found;
    if (others.length > 0) throw ambiguous(given, found);
    if (first !== undefined) return first.id;
  }
  throw new CliError(
    EXIT.refused,
    `No question that you see has an id that begins with ${given}: \`holdpoint inbox\` lists the open ones.`,
  );
}

function ambiguous(given: string, found: readonly InboxEntry[]): CliError {
  const ids = found.map(({ id }) => id).join(', ');
  return usage(`${given} is the beginning of several ids: ${ids}. Give more of it.`);
}
