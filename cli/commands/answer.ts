import type { Answer, AnswerReceipt, JsonValue, SuspensionView } from '../../client/index.js';
import { CliError, EXIT, usage, type ExitCode } from '../failures.js';
import { claimOf, json, questionLines } from '../question-text.js';
import { hanging, oneLine, shownValue, valueText } from '../text.js';
import { asksOnceMore } from '../../domain/suspension/form/once-more.js';
import { ID_ARGUMENT, collected, type AddCommand } from '../command.js';
import { answerValue, fieldsIn } from '../typed-value.js';
import { wholeId } from '../ids.js';
import { readView, signedIn, type Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { contentsOf, objectGiven, objectIn, refuseBlank, splitAt } from '../values.js';
import { defined } from '../../contracts/constants/defined.js';
import { COMMAND } from '../own-name.js';

type Besides = Pick<Answer, 'comment' | 'data' | 'edits'>;

/** Returns a value as a person knows it: the label of a choice, or the entered text. */
function saidOf({ record }: SuspensionView, value: JsonValue): string {
  const choice = record.choices?.find((one) => one.value === value);
  if (choice === undefined || choice.label === value) return valueText(value);
  return `${choice.value} (${choice.label})`;
}

/**
 * Returns the question with the answer to be sent. The proposal shows the edited arguments beside the original ones.
 * @throws CliError if an edit names no call of the proposal, or names one twice, and so would not be shown
 */
function answerLines(
  view: SuspensionView,
  now: number,
  value: JsonValue,
  { edits = [], comment, data }: Besides,
): readonly string[] {
  demandCalls(view, edits);
  return [
    ...questionLines(view, now, edits),
    '',
    ...hanging(`Your answer: ${saidOf(view, value)}`),
    ...(comment === undefined ? [] : hanging(`Your comment: ${comment}`)),
    ...(data === undefined ? [] : ['Your data:', ...json(data, '  ')]),
  ];
}

function demandCalls({ record }: SuspensionView, edits: NonNullable<Besides['edits']>): void {
  const calls = record.approval?.proposal.calls ?? [];
  const ids = edits.map(({ call_id }) => call_id);
  const wrong = ids.find(
    (id, index) => ids.indexOf(id) !== index || !calls.some((call) => call.id === id),
  );
  if (wrong === undefined) return;
  const known = calls.length === 0 ? 'there is none' : calls.map(({ id }) => id).join(', ');
  throw usage(`--edit ${oneLine(wrong)}: name calls of the proposal, each once: ${known}.`);
}

function editedLines({ record }: SuspensionView, edits: Besides['edits'] = []): readonly string[] {
  return edits.flatMap(({ call_id, arguments: args }) => {
    const call = record.approval?.proposal.calls.find(({ id }) => id === call_id);
    return [...hanging(`Edited: ${call_id} ${call?.tool ?? ''}`.trimEnd()), ...json(args, '  ')];
  });
}

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

async function notesOf(terminal: Terminal, { comment, data }: Options) {
  const also = defined({ comment, data: await objectGiven(data, '--data', terminal) });
  return { metadata: { via: 'cli' }, ...also };
}

async function editsOf(terminal: Terminal, edits: readonly string[] = []) {
  if (edits.length === 0) return {};
  const all: { call_id: string; arguments: Awaited<ReturnType<typeof objectIn>> }[] = [];
  for (const edit of edits) {
    const [call_id, json] = splitAt(edit, '--edit');
    const args = await objectIn(json, '--edit', terminal);
    all.push({ call_id, arguments: args });
  }
  return { edits: all };
}

/** Returns the hash to send for an approval: that of the shown proposal; a given hash must be the same. */
function hashFor({ record: { approval } }: SuspensionView, { yes, hash }: Options) {
  if (approval === undefined) {
    if (hash !== undefined) throw usage('This question has no proposal, so there is no --hash.');
    return {};
  }
  const { proposal_hash } = approval;
  if (hash === undefined) {
    if (yes === true)
      throw usage('An approval by --yes names the proposal that was seen: add its --hash.');
    return { proposal_hash };
  }
  if (hash.toLowerCase() === proposal_hash) return { proposal_hash };
  throw new CliError(
    EXIT.refused,
    `The --hash is not that of the current proposal: \`${COMMAND} show\` has the proposal and its hash. (proposal_hash_mismatch)`,
  );
}

function isAmended({ record, question_version }: SuspensionView): boolean {
  return question_version > 1 && record.approval === undefined;
}

/** Returns the version that the answer is for: the one of `--version-of-question`, or the current one, which is shown first. */
function versionFor(view: SuspensionView, { versionOfQuestion }: Options): number {
  const { question_version: current } = view;
  if (versionOfQuestion === undefined || versionOfQuestion === String(current)) return current;
  if (!/^[1-9]\d{0,8}$/.test(versionOfQuestion)) {
    throw usage('--version-of-question is a number from 1 on.');
  }
  throw new CliError(
    EXIT.refused,
    `The question has version ${current} now: \`${COMMAND} show\` shows it. (question_version_mismatch)`,
  );
}

function isToBeShown(view: SuspensionView, value: JsonValue, options: Options): boolean {
  const isUnseen = isAmended(view) && options.versionOfQuestion === undefined;
  if (isUnseen && options.yes === true) {
    throw usage(
      'The question was amended: add its --version-of-question, as it was seen, to --yes.',
    );
  }
  return isUnseen || asksOnceMore(view.record, value);
}

/** Shows the question, and asks a person to confirm the answer; scripts pass --yes. */
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
    throw usage(`This answer needs a confirmation, and there is no terminal: add ${option}.`);
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
      `No worker has taken the answer yet. It is kept, and judged later: see \`${COMMAND} show\`.`,
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
 * Returns `despite_claim` if this answer should count although somebody else has claimed the question: scripts pass
 * the option, a person is asked. Without it, the service refuses the answer.
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
      : (await contentsOf(options.valueFile, terminal)).replace(/\r?\n$/, '');
  const fields = options.field?.map((pair) => splitAt(pair, '--field'));
  const api = await signedIn(terminal);
  const view = await readView(api, await wholeId(api, given));
  const value = fields ? fieldsIn(fields, view.record) : answerValue(view, text ?? '');
  return decide(terminal, api, view, value, options);
}

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
    throw usage(`This question takes ${takes}: use \`${COMMAND} answer\`.`);
  }
  return decide(terminal, api, view, approval === undefined ? plain : ofApproval, options);
}

function withOptions(command: Parameters<AddCommand>[0]): Parameters<AddCommand>[0] {
  return command
    .option('--comment <text>', 'the reason, for readers of the answer')
    .option('--data <json>', 'further data that the question asks for, as JSON or @file')
    .option('--hash <hash>', 'for an approval: the whole hash of the proposal that was seen')
    .option('--despite-claim', 'answer although somebody else has claimed the question')
    .option('--version-of-question <n>', 'for an amended question: the version that was seen')
    .option('-y, --yes', 'do not ask for confirmation')
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
