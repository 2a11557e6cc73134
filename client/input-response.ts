import type { SuspensionChoice } from '../contracts/suspension.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { InputResponse } from './hooks.js';
import { unexpected } from './reply.js';

/** What `confirm` offers where the question names no choices (R25-33). */
const YES_NO: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** The answer of a settled suspension (R25-97), with label and description of its choice. */
export function inputResponse({ record }: SuspensionView): InputResponse {
  const { response: value = null, responded_by, responded_at, metadata } = record;
  if (responded_by === undefined || responded_at === undefined) {
    throw unexpected('who answered, and when');
  }
  const offered = record.choices ?? (record.response_type === 'confirm' ? YES_NO : []);
  const choice = offered.find((entry) => entry.value === value);
  return {
    suspension_id: record.id,
    value,
    ...(choice === undefined ? {} : { choice_label: choice.label }),
    ...(choice?.description === undefined ? {} : { choice_description: choice.description }),
    responded_by,
    responded_at,
    ...(metadata === undefined ? {} : { metadata }),
  };
}
