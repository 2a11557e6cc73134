import type { SavedView } from '../../client/index.js';
import { defined } from '../../contracts/constants/defined.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { usage } from '../failures.js';
import { readSavedViews, savedViewIn } from '../saved-views.js';
import type { SavedFilter } from '../saved-views.js';
import { signedIn } from '../session.js';
import type { Terminal } from '../shell.js';
import { tabbed, tableOf } from '../table.js';
import type { Column } from '../table.js';
import { oneLine } from '../text.js';
import { quotedForShell } from '../values.js';

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
