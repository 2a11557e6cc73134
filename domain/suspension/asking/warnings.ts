import { isNames } from '../../kernel/message-form.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';

/** Returns the warnings when a question was asked or last amended, and since. Only the timeline keeps them. */
export function warningsIn(timeline: readonly TimelineEntry[]): readonly string[] {
  let all: readonly string[] = [];
  for (const { kind, detail } of timeline) {
    const { warnings } = detail;
    const more = isNames(warnings) ? warnings : [];
    if (kind === 'opened' || kind === 'amended') all = more;
    else if (kind === 'eligibility_changed' || kind === 'delegated') all = [...all, ...more];
  }
  return [...new Set(all)];
}
