import type { RequestInputOptions, SuspensionView } from '../../client/index.js';
import { commandElsewhere } from '../../contracts/constants/command-name.js';
import { collected, textFormatOption } from '../command.js';
import type { AddCommand } from '../command.js';
import { isUsualDenial } from '../../contracts/constants/denial.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { endingOf, usage } from '../failures.js';
import { shortId } from '../../contracts/constants/names.js';
import { KeptWrites } from '../kept-writes.js';
import { timeLeft } from '../question-text.js';
import { apiOf, settingsOf } from '../session.js';
import type { TextFormat } from '../../contracts/suspension/suspension.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { hanging } from '../text.js';
import { answerValue } from '../typed-value.js';
import { choicesIn, countIn, objectGiven, objectIn, secondsIn } from '../values.js';
import { openForSure } from './ask-opening.js';
import { reportOutcome } from './ask-outcome.js';
import { defined } from '../../contracts/constants/defined.js';

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

/** Returns the kind of answer; by default a yes or no. */
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
 * Returns the answers that deny; an empty list means that none does. A script has to name them among its choices, unless one of
 * them is a usual no.
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

/** Returns the fallback if nobody answers. */
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
