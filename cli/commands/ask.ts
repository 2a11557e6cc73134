import { randomKey } from '../../client/connection.js';
import type { JsonValue, RequestInputOptions, SuspensionView } from '../../client/index.js';
import { SYSTEM_TIMERS, mayRepeat, withRetries } from '../../client/retry.js';
import type { Terminal } from '../shell.js';
import { isDenial, isUsualDenial } from '../../contracts/constants/denial.js';
import { fallbackCounts } from '../../contracts/constants/fallback.js';
import { EXIT, endingOf, usage, type ExitCode } from '../failures.js';
import { hanging } from '../text.js';
import { commandElsewhere } from '../../contracts/constants/command-name.js';
import { collected, textFormatOption, type AddCommand } from '../command.js';
import { shortId } from '../../contracts/constants/names.js';
import { KeptWrites, apiOf, settingsOf, type Api } from '../session.js';
import { timeLeft } from '../question-text.js';
import type { TextFormat } from '../../contracts/suspension/suspension.js';
import { answerValue } from '../typed-value.js';
import { choicesIn, countIn, objectGiven, objectIn, secondsIn } from '../values.js';
import { defined } from '../../contracts/constants/defined.js';

/** All tries take about a minute, as long as a restart of the service. */
const TRIES = 10;

/**
 * Asks a question, once under its key however many tries it takes. After Ctrl-C it only waits for the current reply,
 * because a question without an id cannot be withdrawn. Prints the key if the result is unknown.
 * @param api - makes each call once
 */
export async function openForSure(
  terminal: Terminal,
  { agent, connection }: Pick<Api, 'agent' | 'connection'>,
  question: RequestInputOptions,
  timers = SYSTEM_TIMERS,
): Promise<SuspensionView> {
  const request_key = question.request_key ?? randomKey();
  const asked = { isInDoubt: false };
  const rules = {
    repeatable: 'always',
    tries: TRIES,
    withinMs: Infinity,
    signal: terminal.shell.interrupted,
    onRetry: (error: unknown) => connection.sayAway(error),
  } as const;
  try {
    return await withRetries(timers, rules, async () => {
      try {
        return await agent.openQuestion({ ...question, request_key });
      } catch (error) {
        if (!mayRepeat(error, 'always')) asked.isInDoubt = false;
        else if (!mayRepeat(error, 'undelivered')) asked.isInDoubt = true;
        throw error;
      }
    });
  } catch (error) {
    if (asked.isInDoubt) {
      terminal.note(
        `The question may have been asked: the same command with --request-key ${request_key} finds it.`,
      );
    }
    throw error;
  }
}

interface Outcome {
  readonly id: string;
  readonly outcome: 'answered' | 'denied' | 'fallback' | 'nobody' | 'withdrawn';
  readonly value: JsonValue;
  /** Whether the value says no; null if nothing says so, and without a value. */
  readonly is_denial: boolean | null;
  readonly by: string | null;
  readonly at: string | null;
  readonly comment: string | null;
}

interface Saying {
  readonly isJson: boolean;
  /** Whether the asker accepts any answer as a yes. */
  readonly isAnyGo: boolean;
}

function outcomeOf(view: SuspensionView, isAnyGo: boolean): Outcome {
  const { id, record } = view;
  const { resolution, response = null, fallback_value = null } = record;
  const by = record.responded_by ?? null;
  const at = record.settled_at ?? null;
  const none = { id, value: null, is_denial: null, at, comment: null };
  const judged = (value: JsonValue) => (isAnyGo ? false : isDenial(view, value));
  switch (resolution) {
    case 'responded': {
      const is_denial = judged(response);
      const outcome = is_denial === true ? 'denied' : 'answered';
      return { id, outcome, value: response, is_denial, by, at, comment: record.comment ?? null };
    }
    case 'expired': {
      if (!fallbackCounts(record)) return { ...none, outcome: 'nobody', by };
      const is_denial = judged(fallback_value);
      return { ...none, outcome: 'fallback', value: fallback_value, is_denial, by: null };
    }
    case 'cancelled':
    case undefined:
      return { ...none, outcome: 'withdrawn', by: null };
  }
}

/** Returns 0 only if the answer, or the fallback, is known to be a yes: then the command after `&&` runs. */
function codeOf({ outcome, is_denial }: Outcome): ExitCode {
  if (outcome === 'nobody') return EXIT.nobody;
  if (outcome === 'withdrawn') return EXIT.withdrawn;
  if (is_denial === null) return EXIT.unclear;
  return is_denial ? EXIT.no : EXIT.done;
}

function notes({ outcome, by, is_denial }: Outcome, { record }: SuspensionView): readonly string[] {
  const { comment, reason } = record;
  const why = comment === undefined ? [] : hanging(`Comment: ${comment}`);
  const unclear = is_denial === null ? [UNCLEAR] : [];
  switch (outcome) {
    case 'answered':
      return [`Answered by ${by ?? 'somebody'}.`, ...why, ...unclear];
    case 'denied':
      return [`Denied by ${by ?? 'somebody'}.`, ...why];
    case 'fallback':
      return ['Nobody answered: this is the fallback.', ...unclear];
    case 'nobody':
      return ['Nobody answered in time.'];
    case 'withdrawn':
      return reason === undefined
        ? ['The question was withdrawn.']
        : hanging(`The question was withdrawn: ${reason}`);
  }
}

const UNCLEAR =
  'Nothing says whether this is a go: ask with --denial for each value that denies, or with --any-answer.';

/** Prints only the answer to the output; everything else goes to stderr. */
function reportOutcome(
  terminal: Terminal,
  view: SuspensionView,
  { isJson, isAnyGo }: Saying,
): ExitCode {
  const outcome = outcomeOf(view, isAnyGo);
  for (const note of notes(outcome, view)) terminal.note(note);
  const { value } = outcome;
  if (isJson) terminal.json(outcome);
  else if (outcome.outcome !== 'nobody' && outcome.outcome !== 'withdrawn') {
    if (typeof value === 'string') terminal.out(value);
    else terminal.jsonLine(value);
  }
  return codeOf(outcome);
}

interface Options {
  readonly confirm?: boolean;
  readonly choice?: readonly string[];
  readonly text?: boolean;
  readonly form?: string;
  readonly denial?: readonly string[];
  readonly anyAnswer?: boolean;
  readonly textFormat?: TextFormat;
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

async function kindOf(terminal: Terminal, options: Options) {
  const { confirm, choice, text, form } = options;
  const kinds = [confirm, choice, text, form].filter((kind) => kind !== undefined);
  if (kinds.length > 1) throw usage('Give one of --confirm, --choice, --text and --form.');
  if (text === true) return { response_type: 'text' } as const;
  if (form !== undefined) {
    const response_schema = await objectIn(form, '--form', terminal);
    return { response_type: 'form', response_schema } as const;
  }
  if (choice === undefined) return { response_type: 'confirm' } as const;
  return { response_type: 'choice', choices: choicesIn(choice) } as const;
}

type Kind = Awaited<ReturnType<typeof kindOf>>;

/**
 * Returns the answers that deny; an empty list means that none does. A script has to name them among its choices,
 * unless one is a usual no.
 */
function denialsOf(kind: Kind, { denial, anyAnswer }: Options) {
  if (anyAnswer === true) {
    if (denial !== undefined) throw usage('Give --denial or --any-answer, not both.');
    return { denials: [] };
  }
  if (denial !== undefined) return { denials: [...denial] };
  if (kind.response_type !== 'choice') return {};
  if (kind.choices.some(({ value }) => isUsualDenial(value))) return {};
  const detail = 'None of the choices says no: name each that does with --denial <value>';
  throw usage(`${detail}, or say with --any-answer that every answer is a go.`);
}

function fallbackOf(kind: Kind, typed: string | undefined) {
  if (typed === undefined) return { fallback_policy: 'fail' } as const;
  const fallback_value = answerValue({ record: kind }, typed);
  return { fallback_policy: 'complete_with_fallback', fallback_value } as const;
}

/** Warns, before anybody is asked, that an answer may be unclear, so that the command does not end with 0. */
function noteUnclear(terminal: Terminal, { response_type, denials }: RequestInputOptions): void {
  if (denials !== undefined || response_type === 'confirm') return;
  const known = response_type === 'choice' ? 'a usual word for no is taken for a no' : 'it says no';
  terminal.note(
    `Without --denial or --any-answer this ends with ${EXIT.no} where ${known}, and with ${EXIT.unclear} after any other answer.`,
  );
}

async function questionOf(
  terminal: Terminal,
  question: string,
  options: Options,
): Promise<RequestInputOptions> {
  const { timeout, attempts, fallback, channel, group, quorum, onBehalfOf, requestKey } = options;
  const kind = await kindOf(terminal, options);
  const context = await objectGiven(options.context, '--context', terminal);
  const eligible = group === undefined ? undefined : { groups: [group] };
  const rule = defined({ eligible, quorum });
  return {
    question,
    ...defined({ text_format: options.textFormat }),
    ...kind,
    ...denialsOf(kind, options),
    ...defined({ context, timeout_seconds: timeout }),
    ...defined({ retry_policy: attempts === undefined ? undefined : { max_attempts: attempts } }),
    ...fallbackOf(kind, fallback),
    ...defined({ channel_hint: channel }),
    ...(Object.keys(rule).length > 0 && { decision_rule: rule }),
    ...defined({ on_behalf_of: onBehalfOf, request_key: requestKey }),
  };
}

/** After Ctrl-C nobody waits for the answer, so the question is withdrawn. */
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

async function ask(terminal: Terminal, question: string, options: Options): Promise<ExitCode> {
  const { env, interrupted, now } = terminal.shell;
  const asked = await questionOf(terminal, question, options);
  const settings = await settingsOf(terminal.shell, 'agent');
  const writes = new KeptWrites(env, settings.url);
  const once = apiOf(settings, terminal, { tries: 1, writes });
  const opened = await openForSure(terminal, once, asked);
  const api = apiOf(settings, terminal, { writes });
  const { id, record } = opened;
  if (interrupted.aborted && opened.state === 'pending') {
    return giveUp(terminal, api, opened, options);
  }
  if (!options.wait) {
    if (options.json === true) terminal.json(opened);
    else terminal.out(id);
    return EXIT.done;
  }
  if (opened.state === 'pending') {
    const most = record.expires_at === undefined ? '' : `, for ${timeLeft(opened, now())} at most`;
    for (const line of hanging(`Asked: ${record.question}`)) terminal.note(line);
    const answer = `${commandElsewhere(import.meta.url, env)} answer ${shortId(id)} <value>`;
    terminal.note(`Waiting${most}. A person answers with: ${answer}`);
  }
  const saying = { isJson: options.json === true, isAnyGo: options.anyAnswer === true };
  if (opened.state === 'pending') noteUnclear(terminal, asked);
  try {
    const settled = await api.agent.waitForQuestion(opened, {
      signal: interrupted,
      onAttempt: async ({ attempt, max_attempts }) => {
        if (attempt > 1) terminal.note(`Attempt ${attempt} of ${max_attempts}.`);
        return true;
      },
    });
    return reportOutcome(terminal, settled, saying);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    return giveUp(terminal, api, opened, options);
  }
}

export const addAsk: AddCommand = (command, terminal, end) => {
  command
    .argument('<question>', 'what to ask')
    .option('--confirm', 'ask for a yes or a no, which is the default')
    .option('--choice <value[=label]>', 'offer a choice; repeat it for each', collected)
    .option('--text', 'ask for a text')
    .option('--form <schema>', 'ask for a form, by its JSON Schema or @file')
    .option('--denial <value>', 'an answer that says no; repeat it for each', collected)
    .option('--any-answer', 'accept every answer as a go')
    .addOption(textFormatOption())
    .option('--context <json>', 'what people need to know, as a JSON object or @file')
    .option('--timeout <duration>', 'how long an attempt takes: 90s, 15m, 1h30m or 2d', secondsIn)
    .option('--attempts <count>', 'how often people are asked', countIn)
    .option('--fallback <value>', 'the answer if nobody answers in time')
    .option('--channel <name>', 'the channel that notifies people')
    .option('--group <name>', 'only this group may answer')
    .option('--quorum <count>', 'how many people have to agree', countIn)
    .option('--on-behalf-of <name>', 'the user for whom it is asked')
    .option('--request-key <key>', 'a repeat with this key finds the same question')
    .option('--keep-open', 'do not withdraw the question after Ctrl-C')
    .option('--no-wait', 'print the id of the question, and do not wait')
    .option('--json', 'print {"id", "outcome", "value", "is_denial", "by", "at"}')
    .action(end((question: string, options: Options) => ask(terminal, question, options)));
};
