import type { InboxEntry } from '../client/index.js';
import { SHORT_ID } from '../contracts/constants/names.js';
import { CliError, EXIT, usage } from './failures.js';
import type { Api } from './session.js';
import { fitted, oneLine } from './text.js';
import { COMMAND } from './own-name.js';

const PREFIX = /^[\da-f-]{8,36}$/i;
const WHOLE = 36;
/** How many questions an error names at most. */
const NAMED = 5;
const SHOWN_COLUMNS = 40;

/**
 * Finds the whole id of a question by at least its first 8 characters.
 *
 * @throws CliError if no visible question has such an id, or several have
 */
export async function wholeId({ operator, interrupted }: Api, given: string): Promise<string> {
  if (!PREFIX.test(given)) {
    throw usage(
      `"${oneLine(given)}" is no id: give the id of a question, or its first ${SHORT_ID} characters or more.`,
    );
  }
  const prefix = given.toLowerCase();
  if (prefix.length === WHOLE) return prefix;
  for (const state of ['pending', 'settled'] as const) {
    const query = { state, sort: 'newest', limit: NAMED, id_prefix: prefix } as const;
    const { suspensions } = await operator.list(query, { signal: interrupted });
    const found = suspensions.filter(({ id }) => id.startsWith(prefix));
    const [first, ...others] = found;
    if (others.length > 0) throw ambiguous(given, found);
    if (first !== undefined) return first.id;
  }
  throw new CliError(
    EXIT.refused,
    `No question that you see has an id that begins with ${given}: \`${COMMAND} inbox\` lists the open ones.`,
  );
}

/** Names each question with its text, because people know it by that. */
function ambiguous(given: string, found: readonly InboxEntry[]): CliError {
  const each = found
    .map(({ id, record }) => `${id} (${shortQuestion(record.question)})`)
    .join(', ');
  return usage(`${given} is the beginning of several ids: ${each}. Give more of it.`);
}

function shortQuestion(question: string): string {
  return fitted(oneLine(question), SHOWN_COLUMNS);
}
