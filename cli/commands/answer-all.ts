import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonValue, SuspensionView } from '../../client/index.js';
import { HoldpointError } from '../../client/errors.js';
import { ID_ARGUMENT } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { CliError, endingOf, exitOfRefusal, usage } from '../failures.js';
import { shortId } from '../../contracts/constants/names.js';
import { wholeId } from '../ids.js';
import { questionLine, questionLines } from '../question-text.js';
import { refusalText } from '../refusals.js';
import { readView, signedIn } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { shownValue } from '../text.js';
import { answerValue } from '../typed-value.js';
import { instantIn, refuseBlank } from '../values.js';
import { answerInBatches } from './answer-batches.js';
import type { Break, Result } from './answer-batches.js';
import { defined } from '../../contracts/constants/defined.js';

interface Options {
  readonly all?: boolean;
  /** ms */
  readonly askedBefore?: number;
  readonly comment?: string;
  readonly yes?: boolean;
  readonly despiteClaim?: boolean;
  readonly json?: boolean;
}

/** Returns the ids of the questions that wait for the caller and were asked before an instant. */
async function waiting(api: Api, askedBefore = Infinity): Promise<readonly string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { view: 'for_me', limit: LIMITS.bulkAnswers, cursor } as const;
    const page = await api.operator.list(query, { signal: api.interrupted });
    for (const { id, record } of page.suspensions) {
      if (Date.parse(record.suspended_at) < askedBefore) found.push(id);
    }
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

/** Returns the named questions, or all that wait for the caller. */
async function meantBy(api: Api, given: readonly string[], { all, askedBefore, yes }: Options) {
  if ((all === true) === given.length > 0) {
    throw usage('Give the ids of questions, or --all for those that wait for you.');
  }
  if (all !== true && askedBefore !== undefined) throw usage('--asked-before goes with --all.');
  if (all === true && yes === true && askedBefore === undefined) {
    throw usage('Nobody has read the newest questions: add --asked-before, or leave out --yes.');
  }
  const ids = all === true ? [...(await waiting(api, askedBefore))] : [];
  for (const one of given) ids.push(await wholeId(api, one));
  const views: SuspensionView[] = [];
  for (const id of new Set(ids)) views.push(await readView(api, id));
  return views;
}

/** Scripts answer questions that they have read before. One that may have changed needs its version or hash. */
function refuseUnseen(views: readonly SuspensionView[]): void {
  const unseen = views.find(
    ({ record, question_version }) => record.approval !== undefined || question_version > 1,
  );
  if (unseen === undefined) return;
  throw usage(
    `By --yes only questions as they were first asked are answered together: answer ${shortId(unseen.id)} by itself.`,
  );
}

/** Shows all questions, and asks once about all of them. */
async function agreeTo(
  terminal: Terminal,
  views: readonly SuspensionView[],
  value: JsonValue,
): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw usage('Many answers need a confirmation, and there is no terminal: add --yes.');
  }
  for (const view of views) {
    for (const line of questionLines(view, terminal.shell.now())) terminal.note(line);
    terminal.note('');
  }
  return terminal.confirm(`Answer ${shownValue(value)} to ${counted(views.length)}?`);
}

function counted(questions: number): string {
  return questions === 1 ? '1 question' : `${questions} questions`;
}

const SAID = {
  settled: 'Answered',
  counted: 'Counted, others have to agree',
  handed_over: 'Kept, no worker has taken it yet',
  refused: 'Refused',
} as const satisfies Readonly<Record<Result['outcome'], string>>;

function report(
  terminal: Terminal,
  views: readonly SuspensionView[],
  results: readonly Result[],
  broken?: Break,
): void {
  for (const { suspension_id, outcome, problem } of results) {
    const view = views.find(({ id }) => id === suspension_id);
    const what = view ? questionLine(view) : shortId(suspension_id);
    const why =
      problem === undefined ? '' : ` (${problem.code}: ${shownValue(refusalText(problem))})`;
    terminal.out(`${SAID[outcome]}: ${what}${why}`);
  }
  for (const view of broken?.unknown ?? []) {
    terminal.out(`Not known whether answered: ${questionLine(view)}`);
  }
  for (const view of broken?.notAnswered ?? []) {
    terminal.out(`Not answered: ${questionLine(view)}`);
  }
}

const idsOf = (views: readonly SuspensionView[]): string[] => views.map(({ id }) => id);

/** Returns the exit code of an answer to one question. */
function exitOfOne({ outcome, problem }: Result): ExitCode {
  if (outcome === 'refused') return problem === undefined ? EXIT.refused : exitOfRefusal(problem);
  return outcome === 'handed_over' ? EXIT.handedOver : EXIT.done;
}

/** The most important first: scripts must see a refusal before what may yet succeed, or is judged later. */
const WORST = [EXIT.notAllowed, EXIT.refused, EXIT.unavailable, EXIT.handedOver] as const;

function exitOf(results: readonly Result[], more: readonly ExitCode[] = []): ExitCode {
  const exits = [...results.map(exitOfOne), ...more];
  return WORST.find((exit) => exits.includes(exit)) ?? EXIT.done;
}

/** Returns the error that stopped the answers, with a worse exit code if an earlier answer was refused. */
function stoppedBy(error: unknown, results: readonly Result[]): unknown {
  if (!(error instanceof HoldpointError)) return error;
  const { line, exitCode } = endingOf(error);
  return new CliError(exitOf(results, [exitCode]), line, error);
}

async function answerAll(
  terminal: Terminal,
  typed: string,
  given: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const views = await meantBy(api, given, options);
  const [first] = views;
  if (first === undefined) {
    terminal.note('Nothing waits for you.');
    return EXIT.done;
  }
  const value = answerValue(first, typed);
  for (const view of views) refuseBlank(view, value);
  if (options.yes === true) refuseUnseen(views);
  else if (!(await agreeTo(terminal, views, value))) {
    terminal.note('Nothing was sent.');
    return EXIT.no;
  }
  const { comment, despiteClaim } = options;
  const { results, broken } = await answerInBatches(api, views, {
    value,
    metadata: { via: 'cli' },
    ...defined({ comment, despite_claim: despiteClaim === true ? true : undefined }),
  });
  // The error says everything about a single failed request.
  if (broken !== undefined && views.length <= LIMITS.bulkAnswers) throw broken.error;
  if (options.json === true) {
    const rest = broken && {
      unknown: idsOf(broken.unknown),
      not_answered: idsOf(broken.notAnswered),
    };
    terminal.json({ results, ...rest });
  } else report(terminal, views, results, broken);
  if (broken !== undefined) throw stoppedBy(broken.error, results);
  return exitOf(results);
}

export const addAnswerAll: AddCommand = (command, terminal, end) => {
  command
    .argument('<value>', 'the value of a choice, yes, no, or text')
    .argument('[ids...]', ID_ARGUMENT[1])
    .option('--all', 'all open questions that wait for you')
    .option('--asked-before <instant>', 'with --all: only those asked before', instantIn)
    .option('--comment <text>', 'the reason, for readers of the answers')
    .option('--despite-claim', 'also answer questions that somebody else has claimed')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'print {"results": […]}')
    .action(
      end((value: string, ids: readonly string[], options: Options) =>
        answerAll(terminal, value, ids, options),
      ),
    );
};
