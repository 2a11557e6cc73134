import { randomBytes } from 'node:crypto';
import type { ApprovalNote, FoundMutation } from '../contracts/approval-log.js';
import { mutationEvent } from '../domain/approval/mutation.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';

const SALT_BYTES = 32;

/** Appends what an agent on Temporal has found right before its calls were to run, to the log of its run in its space. */
export async function noteMutation(
  { store, now }: Pick<ActivityDependencies, 'now'> & Pick<Dependencies, 'store'>,
  found: FoundMutation,
  space: string,
): Promise<void> {
  const { key, draft } = mutationEvent(found);
  const { run_id, agent } = found;
  const at = toInstant(now().getTime());
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const note = { key, run_id, intent_id: null, principal: agent, ...draft, at };
  await store.appendToRun(note, salt, space);
}

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
