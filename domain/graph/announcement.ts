import type { Guarded } from '../../contracts/intent/access.js';
import type {
  AnnouncedSuspension,
  Announcement,
  IntentVersion,
  PortfolioAnnouncement,
} from '../../contracts/graph/announcement.js';
import { typeOfWorkflow } from '../../contracts/constants/names.js';
import { INTENT_STATUSES, RESOLUTIONS } from '../../contracts/constants/statuses.js';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import { slotOf } from '../intent/state-patch.js';
import { isInstant, isObject, isOneOf } from '../kernel/message-form.js';
import { readInstant } from '../kernel/time.js';
import { isGuard } from '../policy/access-list.js';
import { defined } from '../../contracts/constants/defined.js';

export interface LatestQuestion {
  readonly suspension_id: string;
  readonly attempt: number;
  /** When the intent was suspended, in server time. If absent, the record's instant is used. */
  readonly suspended_at?: string;
  /** The end of its schedule, null if it never expires. If absent, the record's instant is used. */
  readonly expires_at?: string | null;
}

interface Circumstances {
  readonly last_sequence: number;
  /** The latest question. The record in `_suspension` is used only if it has the same id. */
  readonly question?: LatestQuestion | undefined;
  /** Whether the intent is blocked because one of its dependencies is held. */
  readonly held_upstream: boolean;
  readonly holds: number;
  readonly suspended_since?: string | undefined;
  readonly dependents_held_by?: string;
  /** The principals that may write to the intent; see `guardFor`. */
  readonly guard?: Guarded | undefined;
}

export function announcementOf(
  intent: Intent,
  { last_sequence, question, held_upstream, holds, ...optional }: Circumstances,
): Announcement {
  const { id, version, status, abandonment_reason } = intent;
  const { suspended_since, dependents_held_by, guard } = optional;
  return {
    intent_id: id,
    version,
    last_sequence,
    status,
    held: isHeld(status, held_upstream),
    holds,
    suspension: suspensionOf(intent, question),
    ...defined({ suspended_since, abandonment_reason, dependents_held_by, guard }),
  };
}

/** Whether an observer is a task or a plan, by its id. Only these get the access list, which may be large. */
export function isGuardedBy(observer: string): boolean {
  const type = typeOfWorkflow(observer);
  return type === 'task' || type === 'plan';
}

/** Whether an observer is an approval, by its id. It ends with its intent, and is informed only of that end. */
export function isApproval(observer: string): boolean {
  return typeOfWorkflow(observer) === 'approval';
}

/** Returns the announcement for observers that do not get the access list. */
export function unguarded({ guard: _guard, ...rest }: Announcement): Announcement {
  return rest;
}

/** Whether an intent blocks its dependents: it is suspended, or blocked because a dependency is held. */
export function isHeld(status: IntentStatus, heldUpstream: boolean): boolean {
  return status === 'suspended_awaiting_input' || (status === 'blocked' && heldUpstream);
}

/** Returns the open question of an announced intent, or null; also null while the next question is not recorded yet. */
export function openQuestionOf<Asked extends Pick<AnnouncedSuspension, 'resolution'>>({
  status,
  suspension,
}: {
  readonly status: IntentStatus;
  readonly suspension: Asked | null;
}): Asked | null {
  if (status !== 'suspended_awaiting_input') return null;
  return suspension?.resolution === null ? suspension : null;
}

/** Returns when the question in the state was asked, or the last change if the agent omitted that. */
export function askedAt({ state, updated_at }: Pick<Intent, 'state' | 'updated_at'>): string {
  const record = slotOf({ state });
  return (isObject(record) ? readInstant(record['suspended_at']) : undefined) ?? updated_at;
}

function suspensionOf(
  intent: Intent,
  question: LatestQuestion | undefined,
): AnnouncedSuspension | null {
  if (question === undefined) return null;
  const record = slotOf(intent);
  const { suspension_id, attempt, suspended_at, expires_at } = question;
  if (!isObject(record) || record['id'] !== suspension_id) return null;
  const ends = expires_at === undefined ? readInstant(record['expires_at']) : expires_at;
  return {
    suspension_id,
    attempt,
    suspended_at: suspended_at ?? askedAt(intent),
    expires_at: ends ?? null,
    resolution: RESOLUTIONS.find((name) => name === record['resolution']) ?? null,
    settled_at: readInstant(record['settled_at']) ?? null,
  };
}

export function isAnnouncement(message: unknown): message is Announcement {
  if (!isObject(message)) return false;
  const { intent_id, version, last_sequence, status, held, holds, suspension } = message;
  return (
    typeof intent_id === 'string' &&
    Number.isInteger(version) &&
    Number.isInteger(last_sequence) &&
    isOneOf(status, INTENT_STATUSES) &&
    typeof held === 'boolean' &&
    Number.isInteger(holds) &&
    (suspension === null || isSuspension(suspension)) &&
    (message['suspended_since'] === undefined || isInstant(message['suspended_since'])) &&
    isOptionalText(message['abandonment_reason']) &&
    isOptionalText(message['dependents_held_by']) &&
    (message['guard'] === undefined || isGuard(message['guard']))
  );
}

export function isPortfolioAnnouncement(message: unknown): message is PortfolioAnnouncement {
  if (!isObject(message)) return false;
  const { portfolio_id, version, last_sequence } = message;
  return (
    typeof portfolio_id === 'string' && Number.isInteger(version) && Number.isInteger(last_sequence)
  );
}

function isSuspension(value: unknown): boolean {
  if (!isObject(value)) return false;
  return (
    typeof value['suspension_id'] === 'string' &&
    isInstant(value['suspended_at']) &&
    isInstantOrNull(value['expires_at']) &&
    Number.isInteger(value['attempt']) &&
    (value['resolution'] === null || isOneOf(value['resolution'], RESOLUTIONS)) &&
    isInstantOrNull(value['settled_at'])
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isInstantOrNull(value: unknown): boolean {
  return value === null || isInstant(value);
}

/** Whether `next` is newer than what is known, and not repeated or late. */
export function isNewer(known: IntentVersion | undefined, next: IntentVersion): boolean {
  if (known === undefined) return true;
  const versions = next.version - known.version;
  return (versions === 0 ? next.last_sequence - known.last_sequence : versions) > 0;
}
