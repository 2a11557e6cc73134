import type { SuspensionChoice, TextFormat } from '../../contracts/suspension.js';
import { ID_ARGUMENT, collected, textFormatOption } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { usage } from '../failures.js';
import { wholeId } from '../ids.js';
import { questionLine } from '../question-text.js';
import { readView, signedIn } from '../session.js';
import type { Terminal } from '../shell.js';
import { choicesIn, countIn, objectIn } from '../values.js';

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

/** What takes the place of what was asked. */
async function amendmentOf(terminal: Terminal, options: Options, choices: Choices) {
  const { question, textFormat, choice, context, responseSchema } = options;
  const input = (): Promise<string> => terminal.input();
  return {
    ...(question !== undefined && { question }),
    ...(textFormat && { text_format: textFormat }),
    ...(choice && { choices: choicesIn(choice, choices) }),
    ...(context !== undefined && { context: await objectIn(context, '--context', input) }),
    ...(responseSchema !== undefined && {
      response_schema: await objectIn(responseSchema, '--response-schema', input),
    }),
  };
}

async function amend(terminal: Terminal, given: string, options: Options): Promise<ExitCode> {
  refuseNoChange(options);
  const api = await signedIn(terminal);
  const id = await wholeId(api, given);
  const { record, question_version: current } = await readView(api, id);
  const { reason, versionOfQuestion: question_version = current } = options;
  const amendment = await amendmentOf(terminal, options, record.choices);
  const why = reason === undefined ? {} : { reason };
  api.interrupted.throwIfAborted();
  const view = await api.agent.amend(id, { ...amendment, question_version, ...why });
  if (options.json === true) terminal.json(view);
  else terminal.out(`Amended, version ${view.question_version}: ${questionLine(view)}`);
  return EXIT.done;
}

export const addAmend: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--question <text>', 'the question as it should be')
    .addOption(textFormatOption())
    .option(
      '--choice <value[=label]>',
      'offer this choice; repeat it for each; its style stays',
      collected,
    )
    .option('--context <json>', 'what to know to answer it, as JSON or @file')
    .option('--response-schema <json>', 'the JSON Schema of the data, as JSON or @file')
    .option('--reason <text>', 'why, for the log')
    .option('--version-of-question <n>', 'correct this version only', countIn)
    .option('--json', 'print the question as it stands as JSON')
    .action(end((id: string, options: Options) => amend(terminal, id, options)));
};
