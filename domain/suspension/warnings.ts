import { isNames } from '../kernel/message-form.js';
import type { TimelineEntry } from '../../contracts/suspension.js';

/**
 * What its asker was told of a question, and who changed it since: as it was asked, or amended last, and by each change of who may
 * answer after that. The timeline alone has it, so that it is hashed, and erased, with everything else that happened.
 */
export function warningsIn(timeline: readonly TimelineEntry[]): readonly string[] {
  let told: readonly string[] = [];
  for (const { kind, detail } of timeline) {
    const { warnings } = detail;
    const more = isNames(warnings) ? warnings : [];
    if (kind === 'opened' || kind === 'amended') told = more;
    else if (kind === 'eligibility_changed' || kind === 'delegated') told = [...told, ...more];
  }
  return [...new Set(told)];
}
