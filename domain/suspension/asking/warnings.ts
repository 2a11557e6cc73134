import { textIn } from '../../kernel/json.js';
import { isNames } from '../../kernel/message-form.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';

/**
 * Returns the warnings since a question was asked or last amended, and whether its last attempt reached nobody who
 * may answer. Only the timeline contains them.
 */
export function warningsIn(timeline: readonly TimelineEntry[]): readonly string[] {
  let all: readonly string[] = [];
  for (const { kind, detail } of timeline) {
    const { warnings } = detail;
    const more = isNames(warnings) ? warnings : [];
    if (kind === 'opened' || kind === 'amended') all = more;
    else if (kind === 'eligibility_changed' || kind === 'delegated') all = [...all, ...more];
  }
  return [...new Set([...all, ...unreachedIn(timeline)])];
}

/** Warns if no delivery of the last attempt has reached the people who may answer since they became eligible. */
function unreachedIn(timeline: readonly TimelineEntry[]): readonly string[] {
  const changed = timeline.findLastIndex(({ kind }) => kind === 'eligibility_changed');
  const since = timeline.slice(changed + 1);
  const ended = since.filter(({ kind }) => kind === 'delivered' || kind === 'delivery_failed');
  const attemptOf = ({ detail }: TimelineEntry) => Number(detail['attempt']);
  const last = ended.filter((one) => attemptOf(one) === attemptOf(ended.at(-1) ?? one));
  const [failed] = last;
  if (failed === undefined || last.some(({ kind }) => kind === 'delivered')) return [];
  const why = textIn(failed.detail, 'error') ?? 'gave_up';
  return [`Attempt ${attemptOf(failed)} told nobody who may answer: ${why}.`];
}
