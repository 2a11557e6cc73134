import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  AddMemberRequest,
  CreatePortfolioRequest,
  PortfolioView,
} from '../../../contracts/portfolio.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { countStatuses } from '../../../domain/graph/aggregate.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { newPortfolio } from '../../../domain/portfolio/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { statusAttributes } from '../../../workflows/engine/search-attributes.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { NewMember, PortfolioInput } from '../../../workflows/portfolio/messages.js';
import { RefusalError } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce, hashOfBody } from '../calls/once.js';
import type { Reads } from '../intent/reads.js';
import { creatorOf } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import { referenced } from '../references.js';
import { refused } from '../refusals.js';

/**
 * An intent that is to be a member, with what it is now; what it announces is newer in any case.
 *
 * @param field - where the request has its id
 * @throws RefusalError `intent_not_found`, or what else `getIntent` throws
 */
export async function memberFrom(
  reads: Pick<Reads, 'getIntent'>,
  request: AddMemberRequest,
  field: string,
): Promise<NewMember> {
  const { value: intent } = await referenced(field, reads.getIntent(request.intent_id));
  const record = intent.state['_suspension'] as unknown as SuspensionRecord | null | undefined;
  const question = record ? { suspension_id: record.id, attempt: 1 } : undefined;
  const progress = { last_sequence: 0, question, held_upstream: false, holds: 0 };
  return { ...request, snapshot: announcementOf(intent, progress) };
}

interface Deps {
  readonly temporal: Pick<Temporal, 'start' | 'query'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'touch' | 'hold'>;
}

/** Throws `member_exists` and `intent_not_found` with the field at fault. */
async function membersOf(
  reads: Pick<Reads, 'getIntent'>,
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
    requests.map((request, index) => memberFrom(reads, request, `intents[${index}].intent_id`)),
  );
}

/**
 * Starts portfolios. An Idempotency-Key works as for intents. Throws `forbidden` where a foreign
 * `created_by` needs an admin, `deadline_in_past`, `intent_not_found` and `member_exists` with the field at
 * fault, and `workflow_unavailable` after 10 s; the portfolio may then exist all the same. Waits up to 2 s for
 * the store to hold the members, which are followed with the portfolio from then on.
 */
export function createPortfolioCreation(deps: Deps) {
  const { temporal, clock, reads, consistency } = deps;

  return {
    async createPortfolio(
      caller: Caller,
      request: CreatePortfolioRequest,
      key?: string,
    ): Promise<PortfolioView> {
      const created_by = creatorOf(caller, request, 'a portfolio');
      const id =
        key === undefined
          ? randomUUID()
          : uuidFrom(['portfolio', caller.principal, key].join('\0'));
      const identity = { id, created_by, created_at: toInstant(clock.now()) };
      const hash = key === undefined ? undefined : hashOfBody(request);
      const workflowId = workflowIdOf('portfolio', id);
      const create = async (): Promise<PortfolioView | 'exists'> => {
        const made = newPortfolio(request, identity, LIMITS);
        if (!made.ok) throw new RefusalError(made.refusal);
        const members = await membersOf(reads, request.intents);
        const input: PortfolioInput = {
          portfolio: made.value,
          members,
          ...(hash !== undefined && { creation_hash: hash }),
        };
        const outcome = await temporal.start('portfolio', {
          workflowId,
          input,
          summary: made.value.name,
          attributes: statusAttributes(made.value.status),
        });
        if (outcome === 'exists') return 'exists';
        if (members.length === 0) consistency.touch(id, 1);
        else await consistency.hold(id, 1 + members.length);
        const counts = countStatuses(members.map(({ snapshot }) => snapshot.status));
        return viewOfPortfolio(made.value, counts);
      };
      const earlier = { workflowId, definition: portfolioQuery, hash };
      return createOnce(temporal.query, earlier, create, async ({ portfolio, last_sequence }) => {
        await consistency.hold(id, last_sequence);
        return portfolio;
      });
    },
  };
}
