import type { BulkAnswers, JsonValue, SuspensionView } from '../../client/index.js';
import { ConnectionError, HoldpointError } from '../../client/errors.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { checkSameShape } from '../../domain/suspension/form/shape.js';
import {
  CliError,
  EXIT,
  endingOf,
  exitOfRefusal,
  refusalText,
  usage,
  type ExitCode,
} from '../failures.js';
import { ID_ARGUMENT, type AddCommand } from '../command.js';
import { shortId } from '../../contracts/constants/names.js';
import { wholeId } from '../ids.js';
import { questionLine, questionLines } from '../question-text.js';
import { readView, signedIn, type Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { shownValue } from '../text.js';
import { answerValue } from '../typed-value.js';
import { instantIn, refuseBlank } from '../values.js';

type Result = BulkAnswers['results'][number];

type SharedAnswer = Omit<Parameters<Api['operator']['answerAll']>[0], 'answers'>;

interface Break {
  readonly error: unknown;
  /** Sent without a reply: they may be answered. */
  readonly unknown: readonly SuspensionView[];
  readonly notAnswered: readonly SuspensionView[];
}

/**
 * Gives one answer to any number of questions, in order, and stops at the first failed request. The service compares
 * the questions of one request; this function compares those of several.
 * @throws CliError `mixed_shapes` if they do not take the same answers; then nothing was sent
 */
async function answerInBatches(
  { operator, interrupted }: Api,
  views: readonly SuspensionView[],
  answer: SharedAnswer,
): Promise<{ readonly results: readonly Result[]; readonly broken?: Break }> {
  if (views.length > LIMITS.bulkAnswers) demandSameShape(views);
  interrupted.throwIfAborted();
  const results: Result[] = [];
  for (let at = 0; at < views.length; at += LIMITS.bulkAnswers) {
    if (interrupted.aborted) {
      const error: unknown = interrupted.reason;
      return { results, broken: { error, unknown: [], notAnswered: views.slice(at) } };
    }
    const batch = views.slice(at, at + LIMITS.bulkAnswers);
    try {
      results.push(...(await operator.answerAll({ ...answer, answers: batch.map(answerTo) })));
    } catch (error) {
      const rest = views.slice(at + LIMITS.bulkAnswers);
      const broken = isRefused(error)
        ? { error, unknown: [], notAnswered: [...batch, ...rest] }
        : { error, unknown: batch, notAnswered: rest };
      return { results, broken };
    }
  }
  return { results };
}

/** Names the version that was seen, so that no other is answered. */
function answerTo({ id, question_version, record: { approval } }: SuspensionView) {
  return {
    suspension_id: id,
    question_version,
    ...defined({ proposal_hash: approval?.proposal_hash }),
  };
}

function demandSameShape(views: readonly SuspensionView[]): void {
  const ruling = checkSameShape(views.map(({ record }) => record));
  if (ruling.ok) return;
  const { code, detail } = ruling.refusal;
  throw new CliError(EXIT.refused, `${detail} Nothing was sent. (${code})`);
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof HoldpointError) || error instanceof ConnectionError) return false;
  const { status = 500, code } = error;
  return status < 500 && !code.startsWith('http_');
}

interface Options {
  readonly all?: boolean;
  /** Milliseconds since the epoch. */
  readonly askedBefore?: number;
  readonly comment?: string;
  readonly yes?: boolean;
  readonly despiteClaim?: boolean;
  readonly json?: boolean;
}

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

/** Demands a version or hash for a question that may have changed: scripts answer what they have read before. */
function refuseUnseen(views: readonly SuspensionView[]): void {
  const unseen = views.find(
    ({ record, question_version }) => record.approval !== undefined || question_version > 1,
  );
  if (unseen === undefined) return;
  throw usage(
    `By --yes only questions as they were first asked are answered together: answer ${shortId(unseen.id)} by itself.`,
  );
}

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
