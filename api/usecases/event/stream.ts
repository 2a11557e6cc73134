import type { SpaceScope } from '../../../contracts/subscription/feed.js';
import { mayAll } from '../../../domain/policy/authorize.js';
import { FIRST, READ, useCase, type Call } from '../usecase.js';

/*
 * Live streams of events, for every key, while the caller has not too many open. Each returns the scope of the feed
 * that is sent.
 */

const OF_STORE = ['too_many_streams', 'store_unavailable'] as const;

export const subscribeToIntent = useCase({
  name: 'subscribeToIntent',
  resource: 'intent',
  refusals: ['too_many_streams', ...READ],
  intentIn: FIRST,
  async run({ caller: { space }, parts }: Call, id: string): Promise<SpaceScope> {
    await parts.reads.getIntent(id);
    return { kind: 'intent', id, space };
  },
});

/** The events of a run whose approvals belong to no intent; for callers who may read its log. */
export const subscribeToRun = useCase({
  name: 'subscribeToRun',
  resource: 'approval',
  refusals: OF_STORE,
  run: async ({ caller: { space } }: Call, id: string): Promise<SpaceScope> => ({
    kind: 'run',
    id,
    space,
  }),
});

/** Events of all intents, and of all runs to whoever may read their logs. */
export const subscribeToAll = useCase({
  name: 'subscribeToAll',
  resource: 'server',
  refusals: OF_STORE,
  run: async ({ caller: { space } }: Call): Promise<SpaceScope> => ({ kind: 'all', space }),
});

/** Events of the intents that an agent created or is assigned to, and of runs in which it asked. */
export const subscribeToAgent = useCase({
  name: 'subscribeToAgent',
  resource: 'agent',
  refusals: OF_STORE,
  run: async ({ caller: { space } }: Call, id: string): Promise<SpaceScope> => ({
    kind: 'agent',
    id,
    space,
  }),
});

/** Changes of the questions that the caller can list. */
export const subscribeToSuspensions = useCase({
  name: 'subscribeToSuspensions',
  resource: 'suspension',
  refusals: OF_STORE,
  async run({ caller }: Pick<Call, 'caller'>): Promise<SpaceScope> {
    const { space, principal } = caller;
    if (mayAll(caller, 'subscribeToSuspensions')) return { kind: 'questions', space };
    return { kind: 'questions_of', id: principal, space };
  },
});

export const subscribeToPortfolio = useCase({
  name: 'subscribeToPortfolio',
  resource: 'portfolio',
  refusals: ['too_many_streams', ...READ],
  async run({ caller: { space }, parts }: Call, id: string): Promise<SpaceScope> {
    await parts.portfolios.read(id);
    return { kind: 'portfolio', id, space };
  },
});
