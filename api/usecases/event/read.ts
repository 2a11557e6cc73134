import type { IntentEvent } from '../../../contracts/intent/event.js';
import { COORDINATOR_DECISION } from '../../../domain/coordinator/coordinator.js';
import { mayAll } from '../../../domain/policy/authorize.js';
import type { EventListOptions } from '../../../store/queries/event-log.js';
import type { Listed, Page } from '../../parts/caller.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { eventsFor, readerFor, seesQuestionsOf } from '../visibility.js';

export const listEvents = useCase({
  name: 'listEvents',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(call: Call, intentId: string, page: EventListOptions) {
    const log = await call.parts.lists.listEvents(intentId, page);
    return eventsFor(await seesQuestionsOf(call, intentId), log);
  },
});

export const listPortfolioEvents = useCase({
  name: 'listPortfolioEvents',
  resource: 'portfolio',
  refusals: READ,
  async run(call: Call, portfolioId: string, page: EventListOptions) {
    const { caller, parts } = call;
    const log = await parts.lists.listPortfolioEvents(portfolioId, page, readerFor(call));
    return eventsFor(mayAll(caller, 'seeQuestionIds'), log);
  },
});

export const listCoordinatorDecisions = useCase({
  name: 'listCoordinatorDecisions',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: ({ parts }: Call, intentId: string, page: Page): Promise<Listed<IntentEvent>> =>
    parts.lists.listEvents(intentId, { ...page, event_types: [COORDINATOR_DECISION] }),
});
