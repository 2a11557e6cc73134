import { randomUUID } from 'node:crypto';
import type { InboxEntry, InboxNews, InboxQuery } from '../../client/index.js';
import { defined } from '../../contracts/constants/defined.js';
import { shortId } from '../../contracts/constants/names.js';
import { INBOX_SORTS, INBOX_VIEWS } from '../../contracts/constants/statuses.js';
import { ID_ARGUMENT, type AddCommand } from '../command.js';
import { EXIT, endingOf, usage, type ExitCode } from '../failures.js';
import { wholeId } from '../ids.js';
import { COMMAND } from '../own-name.js';
import {
  openColumns,
  outcomeOf,
  questionLine,
  questionLines,
  settledColumns,
} from '../question-text.js';
import { filterNamed, readSavedViews } from './views.js';
import { readView, signedIn, type Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { tableOf, tabbed } from '../text.js';
import { countIn, quotedForShell } from '../values.js';

const LARGEST_PAGE = 200;

interface Options {
  /** The name of a view of the service, or of one that the caller has saved. */
  readonly view?: string;
  readonly group?: string;
  readonly settled?: boolean;
  readonly resolution?: InboxQuery['resolution'];
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
  readonly save?: string;
  readonly json?: boolean;
}

/** Returns the query of the options. Those beside `--view` override a saved view. */
async function queryOf(api: Api, options: Options): Promise<InboxQuery> {
  const { view } = options;
  const saved = view === undefined ? {} : await filterNamed(api, view);
  return {
    ...saved,
    ...defined({
      state: options.settled === true ? ('settled' as const) : undefined,
      group: options.group,
      resolution: options.resolution,
      sort: options.sort,
      response_type: options.type,
      channel: options.channel,
      recipient: options.recipient,
      asked_by: options.askedBy,
      intent_id: options.intent,
      text: options.text,
    }),
  };
}

function isOver({ state, resolution }: InboxQuery): boolean {
  return (state ?? (resolution === undefined ? 'pending' : 'settled')) === 'settled';
}

/** Saves what a query shows under a name, in place of the caller's view with that name. */
async function save(api: Api, name: string, query: InboxQuery): Promise<void> {
  const { response_type, recipient, asked_by, intent_id, ...filter } = query;
  const left = defined({
    '--type': response_type,
    '--recipient': recipient,
    '--asked-by': asked_by,
    '--intent': intent_id,
  });
  const [kept] = Object.keys(left);
  if (kept !== undefined) {
    throw usage(
      `A saved view has no ${kept}: it keeps --view, --group, --channel, --text, --settled, --resolution and --sort.`,
    );
  }
  const same = (await readSavedViews(api)).find((view) => view.name === name.trim());
  api.interrupted.throwIfAborted();
  await api.operator.saveView(same?.id ?? randomUUID(), { name, filter });
}

async function questionsOf(
  { operator, interrupted }: Api,
  shown: InboxQuery,
  { all, limit: wanted, cursor }: Options,
) {
  const suspensions: InboxEntry[] = [];
  const most = all === true ? Infinity : wanted;
  let query = { ...shown, cursor };
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
  const api = await signedIn(terminal);
  const query = await queryOf(api, options);
  if (options.save !== undefined) {
    await save(api, options.save, query);
    terminal.note(
      `Saved. \`${COMMAND} inbox --view ${quotedForShell(options.save)}\` shows it again.`,
    );
  }
  const page = await questionsOf(api, query, options);
  if (options.json === true) {
    terminal.json(page);
    return EXIT.done;
  }
  const { suspensions, next_cursor } = page;
  const now = terminal.shell.now();
  const columnsOf = isOver(query) ? settledColumns : openColumns;
  if (!terminal.isShown) {
    const whole = columnsOf(now, (id) => id);
    for (const line of tabbed(suspensions, whole)) terminal.out(line);
  } else if (suspensions.length === 0) {
    terminal.note(isOver(query) ? 'Nothing is settled yet.' : 'Nothing waits.');
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
    .option('--view <name>', `${INBOX_VIEWS.join(', ')}, or one that you have saved`)
    .option('--group <name>', 'questions whose rule names this group')
    .option('--settled', 'settled questions, newest first')
    .option('--resolution <how>', 'settled questions that were responded, expired or cancelled')
    .option('--sort <order>', INBOX_SORTS.join(', '))
    .option('--type <type>', 'choice, confirm, text or form')
    .option('--channel <name>', 'questions sent over this channel')
    .option('--recipient <name>', 'questions sent to this recipient')
    .option('--asked-by <principal>', 'questions that this principal asked')
    .option('--intent <id>', 'questions of this intent')
    .option('--text <words>', 'questions with these words')
    .option('--limit <count>', 'the most questions', countIn, 50)
    .option('--cursor <cursor>', 'continue after an earlier list')
    .option('--all', 'all questions')
    .option('--save <name>', 'save this view for yourself, in the browser too')
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

interface WatchOptions {
  readonly since?: string;
  readonly json?: boolean;
}

/** Returns the line of a change for people: its time, its kind, and the question. */
async function lineOf(api: Api, news: InboxNews, now: number): Promise<string> {
  const at = new Date(now).toISOString().slice(11, 19);
  if (news.kind === 'reset') return `${at}Z  Some changes were missed: look at the inbox.`;
  const change = news.change.padEnd(9);
  try {
    const view = await readView(api, news.id);
    const outcome = view.state === 'settled' ? `  → ${outcomeOf(view)}` : '';
    return `${at}Z  ${change} ${questionLine(view)}${outcome}`;
  } catch (error) {
    api.interrupted.throwIfAborted();
    return `${at}Z  ${change} ${news.id}  (${endingOf(error).line})`;
  }
}

/** Follows the stream until Ctrl-C, and reconnects after lost connections. */
async function watch(terminal: Terminal, { since, json }: WatchOptions): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const { interrupted, now } = terminal.shell;
  if (json !== true) terminal.note('Watching. Ctrl-C ends it.');
  try {
    for await (const news of api.operator.follow({ last_event_id: since, signal: interrupted })) {
      if (json === true) terminal.jsonLine(news);
      else terminal.out(await lineOf(api, news, now()));
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
  return EXIT.interrupted;
}

export const addWatch: AddCommand = (command, terminal, end) => {
  command
    .option('--since <id>', 'begin after this id, a `last_event_id` of an earlier line')
    .option('--json', 'print one JSON object a line: {"kind", "id", "state", "change", …}')
    .action(end((options: WatchOptions) => watch(terminal, options)));
};
