import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  AddMemberRequest,
  CreatePortfolioRequest,
  Portfolio,
  PortfolioView,
} from '../../../contracts/portfolio.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { countStatuses } from '../../../domain/graph/aggregate.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { newPortfolio } from '../../../domain/portfolio/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { statusAttributes } from '../../../workflows/engine/search-attributes.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { NewMember, PortfolioInput } from '../../../workflows/portfolio/messages.js';
import { RefusalError, demand } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce, logStartOf } from '../calls/once.js';
import type { CreationOf } from '../calls/once.js';
import type { OwnReach } from '../intent/access.js';
import { nameFor } from '../caller.js';
import type { Caller, Naming } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { referenced, refused } from '../refusals.js';
import type { GetPortfolio } from './reads.js';

/**
 * An intent that is to be a member, with what it is now; what it announces is newer in any case.
 *
 * @param field - where the request has its id
 * @throws RefusalError `intent_not_found`, or what else `readNamed` throws
 */
export async function memberFrom(
  read: (intentId: string) => ReturnType<OwnReach['readNamed']>,
  request: AddMemberRequest,
  field: string,
): Promise<NewMember> {
  const { value: intent } = await referenced(field, read(request.intent_id));
  const record = intent.state['_suspension'] as unknown as SuspensionRecord | null | undefined;
  const question = record ? { suspension_id: record.id, attempt: 1 } : undefined;
  const progress = { last_sequence: 0, question, held_upstream: false, holds: 0 };
  const { owner } = intent;
  return {
    ...request,
    ...(owner !== undefined && { owner }),
    snapshot: announcementOf(intent, progress),
  };
}

interface Deps {
  readonly temporal: Pick<Temporal, 'start' | 'query'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly readNamed: OwnReach['readNamed'];
  readonly getPortfolio: GetPortfolio;
  readonly consistency: Pick<Consistency, 'touch' | 'hold'>;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
}

/** Throws `forbidden` if the deadline of a new portfolio would reach intents of others. */
function demandReach(
  caller: Caller,
  { governance_policy }: Portfolio,
  members: readonly NewMember[],
): void {
  if (typeof governance_policy.deadline !== 'string' || members.length === 0) return;
  const owners = members.map(({ owner }) => owner);
  const allowed = authorize(caller, 'addMember', { when: 'withDeadline', owners });
  if (!allowed.ok) throw new RefusalError({ ...allowed.refusal, field: 'intents' });
}

/** Throws `member_exists` and `intent_not_found` with the field at fault. */
async function membersOf(
  read: (intentId: string) => ReturnType<OwnReach['readNamed']>,
  requests: readonly AddMemberRequest[],
): Promise<NewMember[]> {
  const ids = requests.map(({ intent_id }) => intent_id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice >= 0) {
    throw refused('member_exists', 'An intent is named twice.', {
      field: `intents[${twice}].intent_id`,
      accepted: 'each intent once',
    });
  }
  return Promise.all(
    requests.map((request, index) => memberFrom(read, request, `intents[${index}].intent_id`)),
  );
}

/**
 * Starts portfolios. An Idempotency-Key works as for intents. Throws `forbidden` if a foreign
 * `created_by` needs an admin, `deadline_in_past`, `intent_not_found` and `member_exists` with the field at
 * fault, and `workflow_unavailable` after 10 s; the portfolio may then exist all the same. Waits up to 2 s for
 * the store to hold the members, which are followed with the portfolio from then on.
 */
export function createPortfolioCreation(deps: Deps) {
  const { temporal, clock, readNamed, getPortfolio, consistency, creationOf } = deps;

  return {
    async createPortfolio(
      caller: Caller,
      request: CreatePortfolioRequest,
      key?: string,
      naming: Naming = {},
    ): Promise<PortfolioView> {
      const refusal = 'Only an admin key may create a portfolio in the name of somebody else.';
      const sent = { field: 'created_by', name: request.created_by, refusal };
      const created_by = nameFor(caller, 'createPortfolio', sent, naming);
      const creation = creationOf('portfolio', caller, key, request);
      const { id, workflowId } = creation;
      const { principal: owner } = caller;
      const identity = { id, created_by, owner, created_at: toInstant(clock.now()) };
      const create = async (): Promise<PortfolioView | 'exists'> => {
        const made = demand(newPortfolio(request, identity, LIMITS));
        const read = (intentId: string) => readNamed(caller, intentId);
        const members = await membersOf(read, request.intents);
        demandReach(caller, made, members);
        const input: PortfolioInput = {
          portfolio: made,
          members,
          ...logStartOf(creation),
        };
        const outcome = await temporal.start('portfolio', {
          workflowId,
          input,
          summary: made.name,
          attributes: statusAttributes(made.status),
        });
        if (outcome === 'exists') return 'exists';
        if (members.length === 0) consistency.touch(id, 1);
        else await consistency.hold(id, 1 + members.length);
        const counts = countStatuses(members.map(({ snapshot }) => snapshot.status));
        return viewOfPortfolio(made, counts);
      };
      return createOnce(deps, creation, {
        table: 'portfolios',
        definition: portfolioQuery,
        create,
        viewOf: async (made) => {
          await consistency.hold(id, made.last_sequence);
          return made.portfolio;
        },
        read: getPortfolio,
      });
    },
  };
}
