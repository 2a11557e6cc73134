import type { InboxEntry, InboxQuery } from '../../client/index.js';
import { ID_ARGUMENT } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { shortId, wholeId } from '../ids.js';
import { openColumns, questionLines, settledColumns } from '../question-text.js';
import { readView, signedIn } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { tableOf, tabbed } from '../table.js';
import { countIn } from '../values.js';

const LARGEST_PAGE = 200;

interface Options {
  readonly view?: InboxQuery['view'];
  readonly group?: string;
  readonly settled?: boolean;
  readonly sort?: InboxQuery['sort'];
  readonly type?: InboxEntry['record']['response_type'];
  readonly channel?: string;
  readonly recipient?: string;
  readonly askedBy?: string;
  readonly intent?: string;
  readonly text?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

function queryOf(options: Options): InboxQuery {
  return {
    state: options.settled === true ? 'settled' : 'pending',
    view: options.view,
    group: options.group,
    sort: options.sort,
    response_type: options.type,
    channel: options.channel,
    recipient: options.recipient,
    asked_by: options.askedBy,
    intent_id: options.intent,
    text: options.text,
    cursor: options.cursor,
  };
}

/** So many questions as are wanted, over as many pages as it takes. */
async function questionsOf({ operator, interrupted }: Api, options: Options) {
  const suspensions: InboxEntry[] = [];
  const most = options.all === true ? Infinity : options.limit;
  let query = queryOf(options);
  for (;;) {
    const limit = Math.min(LARGEST_PAGE, most - suspensions.length);
    const page = await operator.list({ ...query, limit }, { signal: interrupted });
    suspensions.push(...page.suspensions);
    const { next_cursor } = page;
    if (next_cursor === null || suspensions.length >= most) return { suspensions, next_cursor };
    query = { ...query, cursor: next_cursor };
  }
}

async function inbox(terminal: Terminal, options: Options): Promise<ExitCode> {
  const page = await questionsOf(await signedIn(terminal), options);
  if (options.json === true) {
    terminal.json(page);
    return EXIT.done;
  }
  const { suspensions, next_cursor } = page;
  const now = terminal.shell.now();
  const columnsOf = options.settled === true ? settledColumns : openColumns;
  if (!terminal.isShown) {
    for (const line of tabbed(
      suspensions,
      columnsOf(now, (id) => id),
    ))
      terminal.out(line);
  } else if (suspensions.length === 0) {
    terminal.note(options.settled === true ? 'Nothing is settled yet.' : 'Nothing waits.');
  } else {
    const [head = '', ...rows] = tableOf(suspensions, columnsOf(now, shortId), terminal.columns);
    terminal.heading(head);
    for (const row of rows) terminal.out(row);
  }
  if (next_cursor !== null) terminal.note(`There are more: --all, or --cursor ${next_cursor}`);
  return EXIT.done;
}

export const addInbox: AddCommand = (command, terminal, end) => {
  command
    .option('--view <name>', 'for_me, claimed, groups or all')
    .option('--group <name>', 'those whose rule names this group')
    .option('--settled', 'those that are settled, the newest first')
    .option('--sort <order>', 'urgency, oldest, newest or settled')
    .option('--type <type>', 'choice, confirm, text or form')
    .option('--channel <name>', 'those sent over this channel')
    .option('--recipient <name>', 'those sent to this recipient')
    .option('--asked-by <principal>', 'those that this one asked')
    .option('--intent <id>', 'those of this intent')
    .option('--text <words>', 'those with these words')
    .option('--limit <count>', 'at most so many', countIn, 50)
    .option('--cursor <cursor>', 'go on after an earlier list')
    .option('--all', 'all of them')
    .option('--json', 'print {"suspensions": […], "next_cursor": …}')
    .action(end((options: Options) => inbox(terminal, options)));
};

async function show(
  terminal: Terminal,
  given: string,
  { json }: { readonly json?: boolean },
): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const view = await readView(api, await wholeId(api, given));
  if (json === true) {
    terminal.json(view);
    return EXIT.done;
  }
  const [question = '', ...lines] = questionLines(view, terminal.shell.now());
  terminal.heading(question);
  for (const line of lines) terminal.out(line);
  return EXIT.done;
}

export const addShow: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--json', 'print the question as JSON')
    .action(end((id: string, options: { json?: boolean }) => show(terminal, id, options)));
};
