import type { AddMemberRequest } from '../../contracts/portfolio.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { announcementOf } from '../../domain/announcement.js';
import type { NewMember } from '../../workflows/portfolio/messages.js';
import { named } from './named.js';
import type { Reads } from './reads.js';

/**
 * An intent that is to be a member, with what it is now; what it announces is newer in any case.
 *
 * @param field - where the request names it
 * @throws RefusalError `intent_not_found`, or what else `getIntent` throws
 */
export async function memberFrom(
  reads: Pick<Reads, 'getIntent'>,
  request: AddMemberRequest,
  field: string,
): Promise<NewMember> {
  const { value: intent } = await named(field, reads.getIntent(request.intent_id));
  const record = intent.state['_suspension'] as unknown as SuspensionRecord | null | undefined;
  const question = record ? { suspension_id: record.id, attempt: 1 } : undefined;
  const place = { last_sequence: 0, question, held_upstream: false, holds: 0 };
  return { ...request, snapshot: announcementOf(intent, place) };
}
