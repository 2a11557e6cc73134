import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import type {
  ApprovalNote,
  DecidedIn,
  FoundMutation,
  StoredProposal,
} from '../contracts/approval/log.js';
import { mutationEvent } from '../domain/approval/proposal/mutation.js';
import { isBehind } from '../domain/approval/proposal/stored-proposal.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';

const SALT_BYTES = 32;

/** Appends to the log of a run what its agent on Temporal found right before its calls were to run. */
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
 * Appends an event of an approval, once under its key, to the log of its intent or of its run. If the intent is closed, the event
 * goes to the log of the run, and names the intent.
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

/**
 * Returns the stored proposal of an approval, with its copies in the questions that have ended; null if the store has none.
 * Throws the retryable ApplicationFailure `not_stored_yet` while the store does not know yet how one of them was edited.
 */
export async function readProposal(
  store: Pick<ActivityDependencies['store'], 'storedProposal'>,
  approvalId: string,
  decidedIn: readonly DecidedIn[],
): Promise<StoredProposal | null> {
  const questions = decidedIn.map(({ suspension_id }) => suspension_id);
  const stored = await store.storedProposal(approvalId, questions);
  if (stored === undefined) return null;
  if (!isBehind(stored, decidedIn)) return stored;
  throw ApplicationFailure.create({
    type: 'not_stored_yet',
    message: 'The store has a question in another version than was decided on, and as open.',
  });
}
