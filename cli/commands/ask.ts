import type { JsonValue, RequestInputOptions, SuspensionView } from '../../client/index.js';
import { collected } from '../command.js';
import type { AddCommand } from '../command.js';
import { isDenial } from '../../contracts/constants/denial.js';
import { fallbackCounts } from '../../contracts/constants/fallback.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { endingOf, usage } from '../failures.js';
import { shortId } from '../ids.js';
import { timeLeft } from '../question-text.js';
import { apiOf, settingsOf } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { oneLine, shownValue } from '../text.js';
import { answerValue, choicesIn, countIn, objectIn, secondsIn } from '../values.js';
import { openForSure } from './ask-opening.js';

interface Options {
  readonly confirm?: boolean;
  readonly choice?: readonly string[];
  readonly text?: boolean;
  readonly form?: string;
  readonly context?: string;
  readonly timeout?: number;
  readonly attempts?: number;
  readonly fallback?: string;
  readonly channel?: string;
  readonly group?: string;
  readonly quorum?: number;
  readonly onBehalfOf?: string;
  readonly requestKey?: string;
  readonly keepOpen?: boolean;
  readonly wait: boolean;
  readonly json?: boolean;
}

/** The kind of answer that is asked for: a yes or no, unless it says otherwise. */
async function kindOf(terminal: Terminal, options: Options) {
  const { confirm, choice, text, form } = options;
  const kinds = [confirm, choice, text, form].filter((kind) => kind !== undefined);
  if (kinds.length > 1) throw usage('Give one of --confirm, --choice, --text and --form.');
  if (text === true) return { response_type: 'text' } as const;
  if (form !== undefined) {
    const response_schema = await objectIn(form, '--form', () => terminal.input());
    return { response_type: 'form', response_schema } as const;
  }
  if (choice === undefined) return { response_type: 'confirm' } as const;
  return { response_type: 'choice', choices: choicesIn(choice) } as const;
}

type Kind = Awaited<ReturnType<typeof kindOf>>;

/** The values that people choose from, if they do. */
function offeredBy(kind: Kind): readonly string[] | undefined {
  if (kind.response_type === 'confirm') return ['yes', 'no'];
  return kind.response_type === 'choice' ? kind.choices.map(({ value }) => value) : undefined;
}

/** What comes of silence. With choices, only one of them is a fallback: a script goes on with what is printed. */
function fallbackOf(kind: Kind, typed: string | undefined) {
  if (typed === undefined) return { fallback_policy: 'fail' } as const;
  const value = answerValue({ record: kind }, typed);
  const values = offeredBy(kind);
  if (values?.every((one) => one !== value)) {
    throw usage(`--fallback is none of the choices: ${values.map(oneLine).join(', ')}.`);
  }
  return { fallback_policy: 'complete_with_fallback', fallback_value: value } as const;
}

async function questionOf(
  terminal: Terminal,
  question: string,
  options: Options,
): Promise<RequestInputOptions> {
  const { timeout, attempts, fallback, channel, group, quorum, onBehalfOf, requestKey } = options;
  const kind = await kindOf(terminal, options);
  const context =
    options.context === undefined
      ? undefined
      : await objectIn(options.context, '--context', () => terminal.input());
  const rule = {
    ...(group !== undefined && { eligible: { groups: [group] } }),
    ...(quorum !== undefined && { quorum }),
  };
  return {
    question,
    ...kind,
    ...(context !== undefined && { context }),
    ...(timeout !== undefined && { timeout_seconds: timeout }),
    ...(attempts !== undefined && { retry_policy: { max_attempts: attempts } }),
    ...fallbackOf(kind, fallback),
    ...(channel !== undefined && { channel_hint: channel }),
    ...(Object.keys(rule).length > 0 && { decision_rule: rule }),
    ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }),
    ...(requestKey !== undefined && { request_key: requestKey }),
  };
}

/** What became of a question, as scripts read it. */
interface Outcome {
  readonly id: string;
  readonly outcome: 'answered' | 'denied' | 'fallback' | 'nobody' | 'withdrawn';
  readonly value: JsonValue;
  readonly by: string | null;
  readonly at: string | null;
}

function outcomeOf(view: SuspensionView): Outcome {
  const { id, record } = view;
  const { resolution, response = null, fallback_value = null } = record;
  const by = record.responded_by ?? null;
  const at = record.settled_at ?? null;
  const isDenied = isDenial(view, response);
  switch (resolution) {
    case 'responded':
      return { id, outcome: isDenied ? 'denied' : 'answered', value: response, by, at };
    case 'expired':
      return fallbackCounts(record)
        ? { id, outcome: 'fallback', value: fallback_value, by: null, at }
        : { id, outcome: 'nobody', value: null, by: null, at };
    case 'cancelled':
    case undefined:
      return { id, outcome: 'withdrawn', value: null, by: null, at };
  }
}

/** A fallback that denies stops what waits, as an answer that denies does. */
function codeOf({ outcome, value }: Outcome, view: SuspensionView): ExitCode {
  switch (outcome) {
    case 'answered':
      return EXIT.done;
    case 'denied':
      return EXIT.no;
    case 'fallback':
      return isDenial(view, value) ? EXIT.no : EXIT.done;
    case 'nobody':
      return EXIT.nobody;
    case 'withdrawn':
      return EXIT.withdrawn;
  }
}

function notes({ outcome, by }: Outcome, { record }: SuspensionView): string {
  switch (outcome) {
    case 'answered':
      return `Answered by ${by ?? 'somebody'}.`;
    case 'denied':
      return `Denied by ${by ?? 'somebody'}.`;
    case 'fallback':
      return 'Nobody answered: this is the fallback.';
    case 'nobody':
      return 'Nobody answered in time.';
    case 'withdrawn':
      return `The question was withdrawn${record.reason === undefined ? '.' : `: ${record.reason}`}`;
  }
}

/** The answer goes to the output, alone; everything else is said beside it. */
function report(terminal: Terminal, view: SuspensionView, isJson: boolean): ExitCode {
  const outcome = outcomeOf(view);
  terminal.note(notes(outcome, view));
  const { value } = outcome;
  if (isJson) terminal.json(outcome);
  else if (outcome.outcome !== 'nobody' && outcome.outcome !== 'withdrawn') {
    if (typeof value === 'string') terminal.out(value);
    else terminal.jsonLine(value);
  }
  return codeOf(outcome, view);
}

/** After Ctrl-C nobody waits for the answer, so nobody has to give it. */
async function giveUp(
  terminal: Terminal,
  { agent }: Api,
  { id }: SuspensionView,
  { keepOpen, requestKey }: Options,
): Promise<ExitCode> {
  if (keepOpen === true) {
    const again = requestKey === undefined ? '' : ', and the same command waits for it again';
    terminal.note(`Interrupted. The question ${shortId(id)} stays open${again}.`);
    return EXIT.interrupted;
  }
  try {
    await agent.withdrawQuestion(id, 'interrupted');
    terminal.note(`Interrupted. The question ${shortId(id)} is withdrawn.`);
  } catch (error) {
    terminal.note(
      `Interrupted. The question ${shortId(id)} is not withdrawn: ${endingOf(error).line}`,
    );
  }
  return EXIT.interrupted;
}

function isWithoutEnd({ state, record }: SuspensionView): boolean {
  return state === 'pending' && record.expires_at === undefined;
}

async function ask(terminal: Terminal, question: string, options: Options): Promise<ExitCode> {
  const { interrupted, now } = terminal.shell;
  const asked = await questionOf(terminal, question, options);
  const settings = await settingsOf(terminal.shell.env);
  const opened = await openForSure(terminal, apiOf(settings, terminal, { tries: 1 }), asked);
  const api = apiOf(settings, terminal);
  const { id, record } = opened;
  if (interrupted.aborted && opened.state === 'pending') {
    return giveUp(terminal, api, opened, options);
  }
  if (options.fallback !== undefined && isWithoutEnd(opened)) {
    terminal.note('Only an answer ends it, so the fallback is never used: give a --timeout.');
  }
  if (!options.wait) {
    if (options.json === true) terminal.json(opened);
    else terminal.out(id);
    return EXIT.done;
  }
  if (opened.state === 'pending') {
    const most = record.expires_at === undefined ? '' : `, for ${timeLeft(opened, now())} at most`;
    terminal.note(
      `Asked: ${shownValue(record.question)} Waiting${most}. A person answers with: holdpoint answer ${shortId(id)} <value>`,
    );
  }
  try {
    const settled = await api.agent.waitForQuestion(opened, {
      signal: interrupted,
      onAttempt: async ({ attempt, max_attempts }) => {
        if (attempt > 1) terminal.note(`Attempt ${attempt} of ${max_attempts}.`);
        return true;
      },
    });
    return report(terminal, settled, options.json === true);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    return giveUp(terminal, api, opened, options);
  }
}

export const addAsk: AddCommand = (command, terminal, end) => {
  command
    .argument('<question>', 'what to ask')
    .option('--confirm', 'ask for a yes or a no; so it is unless said otherwise')
    .option('--choice <value[=label]>', 'offer a choice; repeat it for each', collected)
    .option('--text', 'ask for a text')
    .option('--form <schema>', 'ask for a form, by its JSON Schema or @file')
    .option('--context <json>', 'what people need to know, as a JSON object or @file')
    .option('--timeout <span>', 'how long an attempt takes: 90s, 15m, 2h or 1d', secondsIn)
    .option('--attempts <count>', 'how often people are asked', countIn)
    .option('--fallback <value>', 'the answer if nobody answers in time')
    .option('--channel <name>', 'over which channel people hear of it')
    .option('--group <name>', 'who may answer: this group')
    .option('--quorum <count>', 'how many have to agree', countIn)
    .option('--on-behalf-of <name>', 'for whom it is asked')
    .option('--request-key <key>', 'run again, it finds the question of this key')
    .option('--keep-open', 'leave the question open after Ctrl-C, and do not withdraw it')
    .option('--no-wait', 'print the id of the question, and do not wait')
    .option('--json', 'print {"id", "outcome", "value", "by", "at"}')
    .action(end((question: string, options: Options) => ask(terminal, question, options)));
};
