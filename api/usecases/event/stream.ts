import type { SpaceScope } from '../../../contracts/subscription/feed.js';
import { mayAll } from '../../../domain/policy/authorize.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/*
 * Streams of events as they come, for every key, as long as the caller has not too many open. Each results in what of the feed
 * is sent.
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

/** Changes of the questions that the list of them shows the caller. */
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

/** Events of the portfolio and of its intents. */
export const subscribeToPortfolio = useCase({
  name: 'subscribeToPortfolio',
  resource: 'portfolio',
  refusals: ['too_many_streams', ...READ],
  async run({ caller: { space }, parts }: Call, id: string): Promise<SpaceScope> {
    await parts.portfolios.read(id);
    return { kind: 'portfolio', id, space };
  },
});
