import { fallbackCounts } from '../../../contracts/constants/fallback.js';
import type { AskReply } from '../../../contracts/suspension/by-name.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { respondResult } from '../answering/response.js';

const NOTHING = {
  choice_label: null,
  choice_description: null,
  responded_by: null,
  responded_at: null,
  comment: null,
  data: null,
  metadata: null,
  approvals: null,
} as const;

/** How a settled question is told to a workflow in any language; undefined if nobody answered and no fallback counts. */
export function askReply(record: SettledRecord): AskReply | undefined {
  const { id: suspension_id, resolution, settled_at, response_type, fallback_value } = record;
  const approvedBy = (value: AskReply['value']) =>
    response_type === 'confirm' ? value === 'yes' : null;
  if (fallbackCounts(record)) {
    const value = fallback_value ?? null;
    const approved = approvedBy(value);
    return { ...NOTHING, suspension_id, resolution: 'expired', value, approved, settled_at };
  }
  if (resolution !== 'responded') return undefined;
  const { intent_id: _none, required: _all, ...answer } = respondResult(null, record);
  const approved = approvedBy(answer.value);
  return { ...NOTHING, ...answer, resolution, approved, settled_at };
}
