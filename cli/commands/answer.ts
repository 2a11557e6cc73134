import type { Answer, AnswerReceipt, JsonValue, SuspensionView } from '../../client/index.js';
import { asksOnceMore } from '../../domain/suspension/once-more.js';
import { ID_ARGUMENT, collected } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { CliError, usage } from '../failures.js';
import { fieldsIn } from '../fields.js';
import { wholeId } from '../ids.js';
import { answerLines, editedLines } from '../answer-text.js';
import type { Besides } from '../answer-text.js';
import { claimOf } from '../question-text.js';
import { readView, signedIn } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { hanging, shownValue, valueText } from '../text.js';
import { answerValue } from '../typed-value.js';
import { contentsOf, objectIn, refuseBlank, splitAt } from '../values.js';

interface Options {
  readonly comment?: string;
  readonly data?: string;
  readonly yes?: boolean;
  readonly hash?: string;
  readonly json?: boolean;
  readonly edit?: readonly string[];
  readonly field?: readonly string[];
  readonly valueFile?: string;
  readonly despiteClaim?: boolean;
  readonly versionOfQuestion?: string;
}

/** What the sender of an answer says besides; and where it came from, so that others see it. */
async function notesOf(terminal: Terminal, { comment, data }: Options) {
  return {
    metadata: { via: 'cli' },
    ...(comment !== undefined && { comment }),
    ...(data !== undefined && { data: await objectIn(data, '--data', () => terminal.input()) }),
  };
}

async function editsOf(terminal: Terminal, edits: readonly string[] = []) {
  if (edits.length === 0) return {};
  const all: { call_id: string; arguments: Awaited<ReturnType<typeof objectIn>> }[] = [];
  for (const edit of edits) {
    const [call_id, json] = splitAt(edit, '--edit');
    const args = await objectIn(json, '--edit', () => terminal.input());
    all.push({ call_id, arguments: args });
  }
  return { edits: all };
}

/**
 * The hash to send for an approval: of what this terminal has shown, or the one that was given, which has to be of what is
 * proposed now.
 */
function hashFor({ record: { approval } }: SuspensionView, { yes, hash }: Options) {
  if (approval === undefined) {
    if (hash !== undefined) throw usage('This question has no proposal, so there is no --hash.');
    return {};
  }
  const { proposal_hash } = approval;
  if (hash === undefined) {
    if (yes === true) throw usage('An approval by --yes names what was seen: add its --hash.');
    return { proposal_hash };
  }
  if (hash.toLowerCase() === proposal_hash) return { proposal_hash };
  throw new CliError(
    EXIT.refused,
    'The --hash is not of what is proposed now: `holdpoint show` has the proposal and its hash. (proposal_hash_mismatch)',
  );
}

/** Whether the question is another than was asked at first; the hash of an approval says which proposal is meant. */
function isAmended({ record, question_version }: SuspensionView): boolean {
  return question_version > 1 && record.approval === undefined;
}

/**
 * The version that the answer is for: the one that was seen, as `--version-of-question` says, or the one that was read now and
 * is shown before the answer goes.
 */
function versionFor(view: SuspensionView, { versionOfQuestion }: Options): number {
  const { question_version: current } = view;
  if (versionOfQuestion === undefined || versionOfQuestion === String(current)) return current;
  if (!/^[1-9]\d{0,8}$/.test(versionOfQuestion)) {
    throw usage('--version-of-question is a number from 1 on.');
  }
  throw new CliError(
    EXIT.refused,
    `The question has version ${current} now: \`holdpoint show\` shows it. (question_version_mismatch)`,
  );
}

/** Whether a person has to see the question and say yes before the answer goes. */
function isToBeShown(view: SuspensionView, value: JsonValue, options: Options): boolean {
  const isUnseen = isAmended(view) && options.versionOfQuestion === undefined;
  if (isUnseen && options.yes === true) {
    throw usage('An amended question needs what was seen: add its --version-of-question to --yes.');
  }
  return isUnseen || asksOnceMore(view.record, value);
}

/** Lets a person see the question and say yes to this answer; scripts say --yes. */
async function agreeTo(
  terminal: Terminal,
  view: SuspensionView,
  value: JsonValue,
  { yes, versionOfQuestion }: Options,
  besides: Besides,
): Promise<boolean> {
  if (yes === true) return true;
  if (!terminal.isInteractive) {
    const missing = isAmended(view) && versionOfQuestion === undefined;
    const option = missing ? '--version-of-question, the version that was seen' : '--yes';
    throw usage(`This answer is asked about once more, and there is no terminal: add ${option}.`);
  }
  const lines = answerLines(view, terminal.shell.now(), value, besides);
  for (const line of lines) terminal.note(line);
  const isEdited = (besides.edits ?? []).length > 0;
  return terminal.confirm(`Answer ${shownValue(value)}${isEdited ? ', with your edits' : ''}?`);
}

function report(
  terminal: Terminal,
  receipt: AnswerReceipt,
  isJson: boolean,
  edited: readonly string[],
): ExitCode {
  if (isJson) terminal.json(receipt);
  if (!receipt.accepted) {
    terminal.note(
      'No worker has taken the answer yet. It is kept, and judged later: `holdpoint show` tells.',
    );
    return EXIT.handedOver;
  }
  const { value, choice_label, approvals, required, resolution } = receipt.result;
  if (isJson) return EXIT.done;
  const said = choice_label ?? valueText(value);
  const isOpen = resolution === undefined;
  const sentence = isOpen
    ? `Counted: ${said}, ${approvals ?? 1} of ${required ?? 1}. Others have to agree.`
    : `Answered: ${said}.`;
  for (const line of [...hanging(sentence), ...edited]) terminal.out(line);
  return EXIT.done;
}

/**
 * What is sent where somebody else looks after the question: that this answer is meant all the same. Scripts say so; a
 * person is asked. Without it the service refuses the answer, and says who has the question.
 */
async function despiteOf(
  terminal: Terminal,
  api: Api,
  { claim }: SuspensionView,
  { despiteClaim }: Options,
) {
  if (despiteClaim === true) return { despite_claim: true };
  if (claim === null || !terminal.isInteractive) return {};
  const { principal } = await api.operator.me({ signal: api.interrupted });
  if (claim.holder === principal) return {};
  const held = claimOf({ claim }, terminal.shell.now());
  return (await terminal.confirm(`It is claimed${held}. Answer all the same?`))
    ? { despite_claim: true }
    : undefined;
}

/** Reads the question, asks once more where that is due, and sends the answer for the version that was read. */
async function decide(
  terminal: Terminal,
  api: Api,
  view: SuspensionView,
  value: JsonValue,
  options: Options,
): Promise<ExitCode> {
  refuseBlank(view, value);
  const hash = hashFor(view, options);
  const question_version = versionFor(view, options);
  const notes = await notesOf(terminal, options);
  const edits = await editsOf(terminal, options.edit);
  const besides = { ...notes, ...edits };
  const isSeen = !isToBeShown(view, value, options);
  if (!isSeen && !(await agreeTo(terminal, view, value, options, besides))) {
    terminal.note('Nothing was sent.');
    return EXIT.no;
  }
  const despite = await despiteOf(terminal, api, view, options);
  if (despite === undefined) {
    terminal.note('Nothing was sent.');
    return EXIT.no;
  }
  const meant = { suspension_id: view.id, value, question_version, ...besides };
  const answer: Answer = { ...meant, ...hash, ...despite };
  api.interrupted.throwIfAborted();
  const receipt = await api.operator.respond(null, answer);
  return report(terminal, receipt, options.json === true, editedLines(view, edits.edits));
}

async function answer(
  terminal: Terminal,
  given: string,
  typed: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const ways = [typed, options.valueFile, options.field].filter((way) => way !== undefined);
  if (ways.length !== 1) throw usage('Give one of: a value, --value-file, or --field for a form.');
  const text =
    options.valueFile === undefined
      ? typed
      : (await contentsOf(options.valueFile, () => terminal.input())).replace(/\r?\n$/, '');
  const fields = options.field?.map((pair) => splitAt(pair, '--field'));
  const api = await signedIn(terminal);
  const view = await readView(api, await wholeId(api, given));
  const value = fields ? fieldsIn(fields, view.record) : answerValue(view, text ?? '');
  return decide(terminal, api, view, value, options);
}

/** The values that say yes, and no. */
const WORDS = { approve: ['yes', 'approved'], deny: ['no', 'rejected'] } as const;

async function say(
  terminal: Terminal,
  verb: keyof typeof WORDS,
  given: string,
  options: Options,
): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const view = await readView(api, await wholeId(api, given));
  const { approval, response_type, choices = [] } = view.record;
  const [plain, ofApproval] = WORDS[verb];
  if (approval === undefined && response_type !== 'confirm') {
    const values = choices.map(({ value }) => value).join(', ');
    const takes = values === '' ? `a ${response_type}` : `one of ${values}`;
    throw usage(`This question takes ${takes}: use \`holdpoint answer\`.`);
  }
  return decide(terminal, api, view, approval === undefined ? plain : ofApproval, options);
}

/** The options that every answer has. */
function withOptions(command: Parameters<AddCommand>[0]): Parameters<AddCommand>[0] {
  return command
    .option('--comment <text>', 'why, for whoever reads the answer')
    .option('--data <json>', 'what else the question wants, as JSON or @file')
    .option('--hash <hash>', 'of an approval: the whole hash of what was seen')
    .option('--despite-claim', 'answer what somebody else has claimed')
    .option('--version-of-question <n>', 'of an amended question: the version that was seen')
    .option('-y, --yes', 'do not ask once more')
    .option('--json', 'print {"accepted": …, "result": …}');
}

export const addAnswer: AddCommand = (command, terminal, end) => {
  withOptions(
    command.argument(...ID_ARGUMENT).argument('[value]', 'the value of a choice, yes, no, or text'),
  )
    .option('--value-file <file>', 'take the value from a file; - for the standard input')
    .option('--field <name=value>', 'a field of a form; repeat it for each', collected)
    .action(
      end((id: string, value: string | undefined, options: Options) =>
        answer(terminal, id, value, options),
      ),
    );
};

export const addApprove: AddCommand = (command, terminal, end) => {
  withOptions(command.argument(...ID_ARGUMENT))
    .option('--edit <call=json>', 'other arguments for a call, as JSON or @file', collected)
    .action(end((id: string, options: Options) => say(terminal, 'approve', id, options)));
};

export const addDeny: AddCommand = (command, terminal, end) => {
  withOptions(command.argument(...ID_ARGUMENT)).action(
    end((id: string, options: Options) => say(terminal, 'deny', id, options)),
  );
};
