import type { Intent, IntentSummary } from '../../../contracts/intent/intent.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { ListedForm, Page, Read } from '../../parts/caller.js';
import { FIRST, READ, useCase, type Call } from '../usecase.js';
import { intentFor, intentsFor, readerFor } from '../visibility.js';

export const getIntent = useCase({
  name: 'getIntent',
  resource: 'intent',
  refusals: READ,
  async run(call: Call, intentId: string): Promise<Read<Intent>> {
    const { caller, parts } = call;
    const { value, stale } = await parts.reads.getIntent(intentId);
    if (readerFor(call)) await parts.access.judgeAccess(caller, 'getIntent', value);
    return { value: intentFor(caller, value), stale };
  },
});

export const listIntents = useCase({
  name: 'listIntents',
  resource: 'intent',
  refusals: ['store_unavailable'],
  async run(
    call: Call,
    page: Page & { readonly status?: string },
  ): Promise<ListedForm<Intent, IntentSummary>> {
    const reader = readerFor(call);
    return intentsFor(
      call,
      await call.parts.lists.listIntents({ ...page, ...(reader && { reader }) }),
    );
  },
});

export const getGovernance = useCase({
  name: 'getGovernance',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: async ({ parts }: Call, intentId: string): Promise<JsonObject | undefined> =>
    (await parts.reads.getIntent(intentId)).value.governance_policy,
});
