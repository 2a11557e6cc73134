import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { olderThan } from '../../domain/intent/lease.js';
import { accessOf, readerOf } from '../../domain/policy/access-list.js';
import { authorize } from '../../domain/policy/authorize.js';
import type { Related, Resource } from '../../domain/policy/authorize.js';
import type { Action, CaseOf } from '../../domain/policy/rules.js';
import { now } from '../engine/clock.js';
import type { IntentEntity } from './entity.js';

/** The principals that are related to an intent, as it stands now. */
function relatedTo({ intent, leases, waiting }: IntentEntity): Related {
  const { since, asker } = waiting;
  const held = since === undefined ? leases : olderThan(leases, since);
  return { owner: intent.owner, asker, holder: held.map(({ holder }) => holder) };
}

/** What decides who may read and write an intent. */
export function guardOf({ intent: { owner, access }, waiting: { askers } }: IntentEntity): Guarded {
  return { owner, access, askers };
}

/** Whether a caller may do something to an intent, as it stands now. */
export function mayDo<A extends Action>(
  entity: IntentEntity,
  by: Caller,
  action: A,
  when?: CaseOf<A>,
): Ruling<true> {
  const access = accessOf(readerOf(by), guardOf(entity), now());
  const resource: Resource<A> = { ...relatedTo(entity), when, access };
  return authorize(by, action, resource);
}
