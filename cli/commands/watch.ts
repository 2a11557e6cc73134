import type { InboxNews } from '../../client/index.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { endingOf } from '../failures.js';
import { outcomeOf, questionLine } from '../question-text.js';
import { readView, signedIn } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';

interface Options {
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

/** Follows the stream until Ctrl-C. Lost connections are made again. */
async function watch(terminal: Terminal, { since, json }: Options): Promise<ExitCode> {
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
    .action(end((options: Options) => watch(terminal, options)));
};
