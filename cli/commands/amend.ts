import type { SuspensionChoice, TextFormat } from '../../contracts/suspension/suspension.js';
import { ID_ARGUMENT, collected, textFormatOption, type AddCommand } from '../command.js';
import { EXIT, usage, type ExitCode } from '../failures.js';
import { wholeId } from '../ids.js';
import { questionLine } from '../question-text.js';
import { readView, signedIn } from '../session.js';
import type { Terminal } from '../shell.js';
import { choicesIn, countIn, objectGiven } from '../values.js';
import { defined } from '../../contracts/constants/defined.js';

type Choices = readonly SuspensionChoice[] | undefined;

interface Options {
  readonly question?: string;
  readonly textFormat?: TextFormat;
  readonly choice?: readonly string[];
  readonly context?: string;
  readonly responseSchema?: string;
  readonly reason?: string;
  readonly versionOfQuestion?: number;
  readonly json?: boolean;
}

function refuseNoChange({ question, textFormat, choice, context, responseSchema }: Options): void {
  if ([question, textFormat, choice, context, responseSchema].some((one) => one !== undefined))
    return;
  throw usage(
    'Give what changes: --question, --text-format, --choice, --context or --response-schema.',
  );
}

async function amendmentOf(terminal: Terminal, options: Options, choices: Choices) {
  const { question, textFormat, choice, context, responseSchema } = options;
  return defined({
    question,
    text_format: textFormat,
    choices: choice && choicesIn(choice, choices),
    context: await objectGiven(context, '--context', terminal),
    response_schema: await objectGiven(responseSchema, '--response-schema', terminal),
  });
}

async function amend(terminal: Terminal, given: string, options: Options): Promise<ExitCode> {
  refuseNoChange(options);
  const api = await signedIn(terminal, 'admin');
  const id = await wholeId(api, given);
  const { record, question_version: current } = await readView(api, id);
  const { reason, versionOfQuestion: question_version = current } = options;
  const amendment = await amendmentOf(terminal, options, record.choices);
  api.interrupted.throwIfAborted();
  const view = await api.agent.amend(id, {
    ...amendment,
    question_version,
    ...defined({ reason }),
  });
  if (options.json === true) terminal.json(view);
  else terminal.out(`Amended, version ${view.question_version}: ${questionLine(view)}`);
  return EXIT.done;
}

export const addAmend: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--question <text>', 'the corrected question')
    .addOption(textFormatOption())
    .option('--choice <value[=label]>', 'a choice; repeat it for each; its style stays', collected)
    .option('--context <json>', 'what people need to know, as JSON or @file')
    .option('--response-schema <json>', 'the JSON Schema of the data, as JSON or @file')
    .option('--reason <text>', 'why, for the log')
    .option('--version-of-question <n>', 'correct only this version', countIn)
    .option('--json', 'print the question as JSON')
    .action(end((id: string, options: Options) => amend(terminal, id, options)));
};
