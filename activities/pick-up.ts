import type { PickUpRequest } from '../contracts/approval/by-name.js';
import type { ApprovalView } from '../contracts/approval/approval.js';
import type { Redeemed } from '../contracts/approval/requests.js';
import type { Caller } from '../contracts/people/caller.js';
import type { Ruling } from '../contracts/kernel/problem.js';
import { atStoredDesk, completeAt, redeemAt } from '../domain/approval/running/desk.js';
import { toInstant } from '../domain/kernel/time.js';
import { refusal } from './agent-calls.js';
import type { ActivityDependencies } from './dependencies.js';

const LEASE_SECONDS = 60;

type Dependencies = Pick<ActivityDependencies, 'now'> & {
  readonly store: Pick<ActivityDependencies['store'], 'findApproval'>;
  readonly workflows: Pick<ActivityDependencies['workflows'], 'redeemCall' | 'completeCall'>;
};

/**
 * Redeems the call of an approval for a workflow that opened it by name, and with a result completes it; once more is the same.
 * Its workflow judges; once that has ended, the same rules judge by the store. Throws refusals as non-retryable
 * ApplicationFailures whose type is an error code.
 */
export async function pickUpCall(
  { store, workflows, now }: Dependencies,
  { approval_id, space, holder, call_id, result }: PickUpRequest,
): Promise<Redeemed> {
  const view = await store.findApproval(approval_id, space);
  if (view === undefined) {
    const detail = 'No approval has this id.';
    throw refusal({ code: 'approval_not_found', detail });
  }
  const by: Caller = { space, principal: view.asked_by, roles: ['agent'], groups: [] };
  const at = toInstant(now().getTime());
  const named = call_id === undefined ? {} : { call_id };
  const lease = { holder, lease_seconds: LEASE_SECONDS, ...named };
  const redeemed =
    (await workflows.redeemCall(approval_id, space, { ...lease, by })) ??
    byStore(view, (desk) => redeemAt(desk, view, lease, at));
  if (result === undefined || redeemed.completed_at !== undefined) return redeemed;
  const done = { token: redeemed.token, result, ...named };
  return (
    (await workflows.completeCall(approval_id, space, { ...done, by })) ??
    byStore(view, (desk) => completeAt(desk, view, done, at))
  );
}

function byStore(
  view: ApprovalView,
  judge: (desk: Parameters<typeof redeemAt>[0]) => ReturnType<typeof redeemAt>,
): Redeemed {
  const ruling: Ruling<Redeemed> = atStoredDesk(view, judge);
  if (!ruling.ok) throw refusal(ruling.refusal);
  return ruling.value;
}
