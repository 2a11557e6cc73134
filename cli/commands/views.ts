import type { SavedView } from '../../client/index.js';
import { nearestName } from '../../contracts/constants/command-name.js';
import { INBOX_VIEWS } from '../../contracts/constants/statuses.js';
import { EXIT, usage, type CliError, type ExitCode } from '../failures.js';
import { COMMAND } from '../own-name.js';
import { oneLine, tabbed, tableOf, type Column } from '../text.js';
import { defined } from '../../contracts/constants/defined.js';
import type { AddCommand } from '../command.js';
import { signedIn, type Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { quotedForShell } from '../values.js';

type SavedFilter = SavedView['filter'];

export function readSavedViews({ operator, interrupted }: Api): Promise<readonly SavedView[]> {
  return operator.savedViews({ signal: interrupted });
}

function viewIn(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => view.name === name || view.id === name);
}

/**
 * Returns the saved view with a name or an id.
 * @throws CliError that suggests a name if there is none
 */
function savedViewIn(views: readonly SavedView[], name: string): SavedView {
  const found = viewIn(views, name);
  if (found !== undefined) return found;
  if (views.length > 0) throw unknownView(name, namesOf(views));
  throw usage(`You have saved no view: \`${COMMAND} inbox --save <name>\` saves one.`);
}

/**
 * Returns the filter of a view: one of the service by its name, else one that the caller has saved.
 * @throws CliError that suggests a name if it is neither
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

/** How many names an error lists at most. */
const NAMED = 20;

function unknownView(typed: string, known: readonly string[]): CliError {
  const lower = known.map((name) => name.toLowerCase());
  const nearest = known[lower.indexOf(nearestName(typed.toLowerCase(), lower) ?? '')];
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const rest = known.length > NAMED ? ' and more' : '';
  const all = known.slice(0, NAMED).join(', ') + rest;
  return usage(oneLine(`No view is called "${typed}". There is: ${all}.${meant}`));
}

interface Options {
  readonly rename?: string;
  readonly delete?: boolean;
  readonly json?: boolean;
}

/** Returns the options of `holdpoint inbox` that show the same list. */
function optionsOf({ state, ...filter }: SavedFilter): string {
  const given = Object.entries(defined(filter)).map(
    ([name, value]) => `--${name} ${quotedForShell(value)}`,
  );
  return [...(state === 'settled' ? ['--settled'] : []), ...given].join(' ');
}

const COLUMNS: readonly Column<SavedView>[] = [
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'SHOWS', cell: ({ filter }) => optionsOf(filter), isFlexible: true },
];

function list(terminal: Terminal, views: readonly SavedView[]): void {
  if (!terminal.isShown) {
    for (const line of tabbed(views, COLUMNS)) terminal.out(line);
    return;
  }
  const [head = '', ...rows] = tableOf(views, COLUMNS, terminal.columns);
  terminal.heading(head);
  for (const row of rows) terminal.out(row);
}

async function views(
  terminal: Terminal,
  name: string | undefined,
  { rename, delete: isDeleted, json }: Options,
): Promise<ExitCode> {
  const isChanged = rename !== undefined || isDeleted === true;
  if (isChanged && name === undefined) throw usage('Name the view to rename or to delete.');
  if (rename !== undefined && isDeleted === true) throw usage('Give --rename or --delete.');
  const api = await signedIn(terminal);
  const all = await readSavedViews(api);
  if (name === undefined) {
    if (json === true) terminal.json({ views: all });
    else if (all.length === 0) terminal.note('You have saved no view.');
    else list(terminal, all);
    return EXIT.done;
  }
  const view = savedViewIn(all, name);
  api.interrupted.throwIfAborted();
  if (rename !== undefined) {
    const renamed = await api.operator.saveView(view.id, { name: rename, filter: view.filter });
    if (json === true) terminal.json(renamed);
    else terminal.out(`Renamed: ${oneLine(renamed.name)}`);
    return EXIT.done;
  }
  if (isDeleted === true) await api.operator.deleteSavedView(view.id);
  if (json === true) terminal.json(view);
  else if (isDeleted === true) terminal.out(`Deleted: ${oneLine(view.name)}`);
  else list(terminal, [view]);
  return EXIT.done;
}

const MORE = `
holdpoint inbox --view <name> shows the questions of a view, and holdpoint inbox --save <name> saves one. The inbox in the
browser has the same views. Nobody else sees them.`;

export const addViews: AddCommand = (command, terminal, end) => {
  command
    .argument('[name]', 'only this view, by its name or its id')
    .option('--rename <name>', 'give it another name')
    .option('--delete', 'delete it; its questions stay')
    .option('--json', 'print {"views": […]}, or the named view')
    .addHelpText('after', MORE)
    .action(end((name: string | undefined, options: Options) => views(terminal, name, options)));
};
