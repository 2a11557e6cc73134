import type { QuietHours } from '../../client/index.js';
import { nearestName } from '../../contracts/constants/command-name.js';
import { WEEK_DAYS } from '../../contracts/constants/duration.js';
import type { AddCommand } from '../command.js';
import { EXIT, usage, type ExitCode } from '../failures.js';
import { signedIn } from '../session.js';
import type { Terminal } from '../shell.js';
import { oneLine } from '../text.js';

type Day = (typeof WEEK_DAYS)[number];

interface Options {
  readonly wholeDay?: readonly Day[];
  readonly timeZone?: string;
  readonly end?: boolean;
  readonly json?: boolean;
}

function dayIn(typed: string, before: readonly Day[] = []): readonly Day[] {
  const day = WEEK_DAYS.find((one) => one === typed.toLowerCase());
  if (day !== undefined) return before.includes(day) ? before : [...before, day];
  const nearest = nearestName(typed.toLowerCase(), WEEK_DAYS);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw usage(`"${oneLine(typed)}" is no day: write ${WEEK_DAYS.join(', ')}.${meant}`);
}

/** Returns what the arguments set: undefined if they set nothing, null to end the quiet hours. */
function wanted(
  from: string | undefined,
  to: string | undefined,
  { wholeDay, timeZone, end }: Options,
): QuietHours | null | undefined {
  const isChanged = [from, wholeDay, timeZone].some((one) => one !== undefined);
  if (end === true) {
    if (isChanged) throw usage('Give new quiet hours or --end, not both.');
    return null;
  }
  if (!isChanged) return undefined;
  if ((from === undefined) !== (to === undefined)) {
    throw usage('Write when it becomes quiet and when that ends, such as 19:00 08:00.');
  }
  if (from === undefined && wholeDay === undefined) {
    throw usage('A time zone alone is not quiet: add times, such as 19:00 08:00, or --whole-day.');
  }
  return {
    time_zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    // The same time twice stands for no hours: only whole days are quiet.
    from: from ?? '00:00',
    to: to ?? '00:00',
    whole_days: [...(wholeDay ?? [])],
  };
}

function sentence(hours: QuietHours | null): string {
  if (hours === null) return 'No quiet hours.';
  const { from, to, whole_days, time_zone } = hours;
  const times = from === to ? [] : [`from ${from} to ${to}`];
  const days = whole_days.length === 0 ? [] : [`all day on ${whole_days.join(', ')}`];
  const when = [...times, ...days].join(', and ') || 'at no time';
  return `Quiet ${when} (${time_zone}).`;
}

async function quietHours(
  terminal: Terminal,
  from: string | undefined,
  to: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const change = wanted(from, to, options);
  const { operator, interrupted } = await signedIn(terminal);
  interrupted.throwIfAborted();
  if (change === null) await operator.endQuietHours();
  else if (change !== undefined) await operator.setQuietHours(change);
  const hours = change === undefined ? await operator.quietHours({ signal: interrupted }) : change;
  if (options.json === true) terminal.json({ quiet_hours: hours });
  else terminal.out(sentence(hours));
  return EXIT.done;
}

const MORE = `
Without times and days it shows what is set. New quiet hours replace the earlier ones. They hold back pushes,
notifications and sounds in every browser of yours; the list of questions stays what it is.`;

export const addQuietHours: AddCommand = (command, terminal, end) => {
  command
    .argument('[from]', 'when it becomes quiet each day, such as 19:00')
    .argument('[to]', 'when that ends, such as 08:00, on the next day if it is earlier')
    .option(
      '--whole-day <day>',
      `a day that is quiet all day; repeat it: ${WEEK_DAYS.join(', ')}`,
      dayIn,
    )
    .option('--time-zone <name>', 'such as Europe/Berlin; that of this machine by default')
    .option('--end', 'no quiet hours any more')
    .option('--json', 'print {"quiet_hours": …}')
    .addHelpText('after', MORE)
    .action(
      end((from: string | undefined, to: string | undefined, options: Options) =>
        quietHours(terminal, from, to, options),
      ),
    );
};
