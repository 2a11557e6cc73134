import type { JsonValue, SuspensionView } from '../../client/index.js';
import { isDenial } from '../../contracts/constants/denial.js';
import { fallbackCounts } from '../../contracts/constants/fallback.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import type { Terminal } from '../shell.js';
import { hanging } from '../text.js';

/** The outcome of a question, for scripts. */
interface Outcome {
  readonly id: string;
  readonly outcome: 'answered' | 'denied' | 'fallback' | 'nobody' | 'withdrawn';
  readonly value: JsonValue;
  /** Whether the value says no; null if nothing says so, and without a value. */
  readonly is_denial: boolean | null;
  readonly by: string | null;
  readonly at: string | null;
  /** What came with the answer. */
  readonly comment: string | null;
}

/** How the outcome is reported. */
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
export function reportOutcome(
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
