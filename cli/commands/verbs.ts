import type { SuspensionView } from '../../client/index.js';
import type { Role } from '../../contracts/people/api-key.js';
import type { ReleaseRequest } from '../../contracts/suspension/verbs.js';
import { defined } from '../../contracts/constants/defined.js';
import { shortId } from '../../contracts/constants/names.js';
import { NEXT_REMINDER } from '../../contracts/constants/duration.js';
import { ID_ARGUMENT, type AddCommand } from '../command.js';
import { EXIT, usage, type ExitCode } from '../failures.js';
import { wholeId } from '../ids.js';
import { claimOf, questionLine } from '../question-text.js';
import { signedIn, type Api } from '../session.js';
import type { Terminal } from '../shell.js';
import { localTime, oneLine } from '../text.js';
import { instantIn, secondsIn } from '../values.js';

interface Options {
  readonly json?: boolean;
}

/** The result of a verb: its JSON, and a line for people. */
interface Done {
  readonly shown: unknown;
  readonly line: string;
}

async function attend(
  terminal: Terminal,
  given: string,
  { json }: Options,
  act: (api: Api, id: string) => Promise<Done>,
  role?: Role,
): Promise<ExitCode> {
  const api = await signedIn(terminal, role);
  const id = await wholeId(api, given);
  api.interrupted.throwIfAborted();
  const { shown, line } = await act(api, id);
  if (json === true) terminal.json(shown);
  else terminal.out(line);
  return EXIT.done;
}

function done(view: SuspensionView, what: string): Done {
  return { shown: view, line: `${what}: ${questionLine(view)}` };
}

const JSON_OPTION = ['--json', 'print the question as JSON'] as const;

export const addClaim: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option(...JSON_OPTION)
    .action(
      end((id: string, options: Options) =>
        attend(terminal, id, options, async ({ operator }, whole) => {
          const view = await operator.claim(whole);
          return done(view, oneLine(`Claimed${claimOf(view, terminal.shell.now())}`));
        }),
      ),
    );
};

/** Returns what a release has ended: a claim or a delegation. */
function releasedOf({ timeline }: SuspensionView): string {
  const { holder, to_group, taken_back } =
    timeline.findLast(({ kind }) => kind === 'released')?.detail ?? {};
  if (typeof to_group === 'string') return `Taken back from the group ${oneLine(to_group)}`;
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
        attend(terminal, id, options, async ({ operator }, whole) => {
          const view = await operator.release(whole, defined({ what }));
          return done(view, releasedOf(view));
        }),
      ),
    );
};

interface DelegateOptions extends Options {
  readonly group?: string;
  readonly reason: string;
}

export const addDelegate: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .argument('[principal]', 'the person who should answer')
    .option('--group <name>', 'instead of a person: the group of which somebody should answer')
    .requiredOption('--reason <text>', 'the reason, for that person')
    .option(...JSON_OPTION)
    .action(
      end((id: string, to: string | undefined, options: DelegateOptions) => {
        const { group, reason } = options;
        const target = group === undefined ? to : { group };
        if (target === undefined || (group !== undefined && to !== undefined)) {
          throw usage('Name either a person, or a group with --group.');
        }
        const whom = group === undefined ? to : `the group ${group}`;
        return attend(terminal, id, options, async ({ operator }, whole) => {
          const view = await operator.delegate(whole, target, reason);
          return done(view, `Passed on to ${oneLine(whom ?? '')}`);
        });
      }),
    );
};

/** Returns the end of a snooze for the API: after a duration, at an instant, or with the next reminder. */
function snoozeEnd(until: string | undefined, isEnd: boolean, now: number): string | undefined {
  if (isEnd && until === undefined) return undefined;
  if (isEnd || until === undefined) throw usage(`Write how long, such as 2h, or --end.`);
  if (until === 'reminder') return NEXT_REMINDER;
  const ms = until.includes('-') ? instantIn(until) : now + secondsIn(until) * 1_000;
  return new Date(ms).toISOString();
}

export const addSnooze: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .argument('[until]', '15m, 4h or 2d, an instant, or "reminder" for until the next reminder')
    .option('--end', 'show it in your lists again')
    .option('--json', 'print the snooze as JSON')
    .action(
      end((id: string, given: string | undefined, options: Options & { readonly end?: true }) => {
        const until = snoozeEnd(given, options.end === true, terminal.shell.now());
        return attend(terminal, id, options, async ({ operator }, whole) => {
          if (until === undefined) {
            await operator.endSnooze(whole);
            return { shown: {}, line: `In your lists again: ${shortId(whole)}` };
          }
          const snooze = await operator.snooze(whole, until);
          const when = localTime(snooze.until);
          return { shown: snooze, line: `Snoozed until ${when}: ${shortId(whole)}` };
        });
      }),
    );
};

export const addComment: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .argument('<text>', 'the remark')
    .option(...JSON_OPTION)
    .action(
      end((id: string, text: string, options: Options) =>
        attend(terminal, id, options, async ({ operator }, whole) =>
          done(await operator.comment(whole, text), 'Commented'),
        ),
      ),
    );
};

export const addWithdraw: AddCommand = (command, terminal, end) => {
  command
    .argument(...ID_ARGUMENT)
    .option('--reason <text>', 'the reason, for waiting agents and the log')
    .option('--json', 'print the settled record as JSON')
    .action(
      end((given: string, { reason, ...options }: Options & { readonly reason?: string }) =>
        attend(
          terminal,
          given,
          options,
          async ({ operator }, id) => {
            const record = await operator.withdraw(id, reason);
            return { shown: record, line: `Withdrawn: ${questionLine({ id, record })}` };
          },
          // An operator withdraws nothing that others have asked.
          'admin',
        ),
      ),
    );
};
