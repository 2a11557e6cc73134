import type { Guarded } from '../../contracts/intent/access.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { olderThan } from '../../domain/intent/lease.js';
import { accessOf, readerOf } from '../../domain/policy/access-list.js';
import { authorize, type Related, type Resource } from '../../domain/policy/authorize.js';
import type { Action, CaseOf } from '../../domain/policy/rules.js';
import { now } from '../engine/clock.js';
import type { IntentEntity } from './entity.js';

function relatedTo({ intent, leases, waiting }: IntentEntity): Related {
  const { since, asker } = waiting;
  const held = since === undefined ? leases : olderThan(leases, since);
  return { owner: intent.owner, asker, holder: held.map(({ holder }) => holder) };
}

export function guardOf({ intent: { owner, access }, waiting: { askers } }: IntentEntity): Guarded {
  return { owner, access, askers };
}

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
