import { randomBytes } from 'node:crypto';
import type { ApprovalNote } from '../contracts/approval-log.js';
import type { ActivityDependencies } from './dependencies.js';

const SALT_BYTES = 32;

/**
 * Appends an event of an approval, once under its key: to the log of its intent, which takes no more once it is closed, or to
 * that of its run.
 */
export async function noteApproval(
  { store, workflows }: Pick<ActivityDependencies, 'store' | 'workflows'>,
  note: ApprovalNote,
): Promise<void> {
  const { key, intent_id, event_type, actor, payload } = note;
  if (intent_id !== null) {
    await workflows.appendEvent({ key, intent_id, event_type, actor, payload });
    return;
  }
  await store.appendToRun(note, randomBytes(SALT_BYTES).toString('base64url'));
}
