import type { SavedView } from '../client/index.js';
import { nearestName } from '../contracts/constants/nearest-name.js';
import { INBOX_VIEWS } from '../contracts/constants/statuses.js';
import { usage } from './failures.js';
import type { CliError } from './failures.js';
import { COMMAND } from './own-name.js';
import type { Api } from './session.js';
import { oneLine } from './text.js';

/** What a saved view shows. */
export type SavedFilter = SavedView['filter'];

/** Reads the saved views of the caller, by name. */
export function readSavedViews({ operator, interrupted }: Api): Promise<readonly SavedView[]> {
  return operator.savedViews({ signal: interrupted });
}

/** Finds a view by its name or its id. */
function viewIn(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => view.name === name || view.id === name);
}

/**
 * Returns the saved view with a name or an id.
 *
 * @throws CliError if there is none; it says which was meant
 */
export function savedViewIn(views: readonly SavedView[], name: string): SavedView {
  const found = viewIn(views, name);
  if (found !== undefined) return found;
  if (views.length > 0) throw unknownView(name, namesOf(views));
  throw usage(`You have saved no view: \`${COMMAND} inbox --save <name>\` saves one.`);
}

/**
 * Returns what a view shows: one of the service by its name, or else one that the caller has saved.
 *
 * @throws CliError if it is neither; it says which was meant
 */
export async function filterNamed(api: Api, name: string): Promise<SavedFilter> {
  const view = INBOX_VIEWS.find((one) => one === name);
  if (view !== undefined) return { view };
  const saved = await readSavedViews(api);
  const found = viewIn(saved, name);
  if (found !== undefined) return found.filter;
  throw unknownView(name, [...INBOX_VIEWS, ...namesOf(saved)]);
}

const namesOf = (views: readonly SavedView[]): readonly string[] => views.map(({ name }) => name);

/** The longest list of names that an error has. */
const NAMED = 20;

function unknownView(typed: string, known: readonly string[]): CliError {
  const lower = known.map((name) => name.toLowerCase());
  const nearest = known[lower.indexOf(nearestName(typed.toLowerCase(), lower) ?? '')];
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const rest = known.length > NAMED ? ' and more' : '';
  const all = known.slice(0, NAMED).join(', ') + rest;
  return usage(oneLine(`No view is called "${typed}". There is: ${all}.${meant}`));
}
