import { LIMITS } from '../../../contracts/constants/limits.js';
import type { SavedView, SaveView } from '../../../contracts/suspension/saved-view.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  deleteSavedView as deleteStored,
  listSavedViews as storedViews,
  putSavedView,
} from '../../../store/queries/saved-view.js';
import { personOf } from '../../parts/caller.js';
import { refused } from '../../parts/refusals.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** The views of the inbox that the caller has saved. */
export const listSavedViews = useCase({
  name: 'listSavedViews',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: ({ caller, parts: { fromStore } }: Call): Promise<readonly SavedView[]> =>
    fromStore(storedViews, caller.principal),
});

/** Saves a view for the caller, or replaces the one with this id. */
export const saveView = useCase({
  name: 'saveView',
  resource: 'suspension',
  refusals: ['view_name_taken', 'too_many_views', 'store_unavailable'],
  async run(call: Call, id: string, { name, filter }: SaveView): Promise<SavedView> {
    const { clock, fromStore } = call.parts;
    const view = { id, name, filter, saved_at: toInstant(clock.now()) };
    const outcome = await fromStore(putSavedView, personOf(call.caller), view);
    if (outcome === 'name taken') {
      throw refused('view_name_taken', `Another of your views is called “${name}”.`, {
        field: 'name',
        accepted: 'a name that no other of your views has',
      });
    }
    if (outcome === 'too many') {
      throw refused('too_many_views', `You have saved ${LIMITS.savedViews} views.`, {
        accepted: 'delete one of them first',
      });
    }
    return view;
  },
});

/** Deletes a view of the caller; nothing happens if there is none. */
export const deleteSavedView = useCase({
  name: 'deleteSavedView',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: (call: Call, id: string): Promise<void> =>
    call.parts.fromStore(deleteStored, personOf(call.caller), id),
});
