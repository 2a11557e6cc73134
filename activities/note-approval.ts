import { randomBytes } from 'node:crypto';
import type { ApprovalNote } from '../contracts/approval-log.js';
import type { ActivityDependencies } from './dependencies.js';

const SALT_BYTES = 32;

interface Dependencies {
  readonly store: Pick<ActivityDependencies['store'], 'appendToRun'>;
  readonly workflows: Pick<ActivityDependencies['workflows'], 'appendEvent'>;
}

/**
 * Appends an event of an approval, once under its key: to the log of its intent, or to that of its run. An intent that is closed
 * takes no more; what comes then is kept in the log of the run, and names the intent.
 */
export async function noteApproval(
  { store, workflows }: Dependencies,
  note: ApprovalNote,
): Promise<void> {
  const { key, intent_id, event_type, actor, payload } = note;
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  if (intent_id === null) return store.appendToRun(note, salt);
  if (await workflows.appendEvent({ key, intent_id, event_type, actor, payload })) return;
  await store.appendToRun({ ...note, payload: { ...payload, intent_id } }, salt);
}
