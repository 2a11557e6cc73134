import { ID_ARGUMENT } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { wholeId } from '../ids.js';
import { questionLine } from '../question-text.js';
import { signedIn } from '../session.js';
import type { Terminal } from '../shell.js';

interface Options {
  readonly reason?: string;
  readonly json?: boolean;
}

async function withdraw(
  terminal: Terminal,
  given: string,
  { reason, json }: Options,
): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const id = await wholeId(api, given);
  api.interrupted.throwIfAborted();
  const record = await api.operator.withdraw(id, reason);
  if (json === true) terminal.json(record);
  else terminal.out(`Withdrawn: ${questionLine({ id, record })}`);
  return EXIT.done;
}

export const addWithdraw: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--reason <text>', 'why, for whoever waits and for the log')
    .option('--json', 'print the settled record as JSON')
    .action(end((id: string, options: Options) => withdraw(terminal, id, options)));
};
