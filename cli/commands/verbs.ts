import type { SuspensionView } from '../../client/index.js';
import type { ReleaseRequest } from '../../contracts/suspension-verbs.js';
import { ID_ARGUMENT } from '../command.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { wholeId } from '../ids.js';
import { claimOf, questionLine } from '../question-text.js';
import { signedIn } from '../session.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { oneLine } from '../text.js';

interface Options {
  readonly json?: boolean;
}

/** Does something to a question, and says in one line what has become of it. */
async function attend(
  terminal: Terminal,
  given: string,
  { json }: Options,
  act: (api: Api, id: string) => Promise<SuspensionView>,
  said: (view: SuspensionView) => string,
): Promise<ExitCode> {
  const api = await signedIn(terminal);
  const id = await wholeId(api, given);
  api.interrupted.throwIfAborted();
  const view = await act(api, id);
  if (json === true) terminal.json(view);
  else terminal.out(`${said(view)}: ${questionLine(view)}`);
  return EXIT.done;
}

const JSON_OPTION = ['--json', 'print the question as it stands as JSON'] as const;

export const addClaim: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option(...JSON_OPTION)
    .action(
      end((id: string, options: Options) =>
        attend(
          terminal,
          id,
          options,
          ({ operator }, whole) => operator.claim(whole),
          (view) => oneLine(`Claimed${claimOf(view, terminal.shell.now())}`),
        ),
      ),
    );
};

/** Which of the two a release has ended: a claim, or a delegation. */
function releasedOf({ timeline }: SuspensionView): string {
  const { holder, taken_back } = timeline.findLast(({ kind }) => kind === 'released')?.detail ?? {};
  if (typeof holder !== 'string') return 'Released';
  const who = oneLine(holder);
  return taken_back === true ? `Taken back from ${who}` : `Released the claim of ${who}`;
}

export const addRelease: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--what <thing>', 'end only this: claim or delegation')
    .option(...JSON_OPTION)
    .action(
      end((id: string, { what, ...options }: Options & ReleaseRequest) =>
        attend(
          terminal,
          id,
          options,
          ({ operator }, whole) => operator.release(whole, what === undefined ? {} : { what }),
          releasedOf,
        ),
      ),
    );
};

export const addDelegate: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .argument('<principal>', 'who is to answer')
    .requiredOption('--reason <text>', 'why, for whoever is to answer')
    .option(...JSON_OPTION)
    .action(
      end((id: string, to: string, options: Options & { readonly reason: string }) =>
        attend(
          terminal,
          id,
          options,
          ({ operator }, whole) => operator.delegate(whole, to, options.reason),
          () => `Passed on to ${oneLine(to)}`,
        ),
      ),
    );
};

export const addComment: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .argument('<text>', 'the remark')
    .option(...JSON_OPTION)
    .action(
      end((id: string, text: string, options: Options) =>
        attend(
          terminal,
          id,
          options,
          ({ operator }, whole) => operator.comment(whole, text),
          () => 'Commented',
        ),
      ),
    );
};
