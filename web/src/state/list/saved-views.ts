import { useQuery } from '@tanstack/react-query';
import type { SavedView } from '../../../../contracts/suspension/personal.js';
import { api } from '../../api/calls.js';
import { useMay } from '../session.js';
import { addressOf, listQueryOf, type Filters, type View } from './views.js';

export const SAVED_VIEWS = ['saved-views'];

export interface Saved extends SavedView {
  readonly address: string;
}

/** Returns the views that this person has saved, by name; nothing until they are known. */
export function useSavedViews(): readonly Saved[] {
  const mayList = useMay()('listSavedViews');
  const { data } = useQuery({
    queryKey: SAVED_VIEWS,
    queryFn: ({ signal }) => api.savedViews(signal),
    enabled: mayList,
    select: withAddresses,
  });
  return data ?? [];
}

function withAddresses(views: readonly SavedView[]): readonly Saved[] {
  return views.map((view) => ({ ...view, address: addressOf(view.filter) }));
}

export function useSavedAs(view: View, filters: Filters): Saved | undefined {
  const here = addressOf(listQueryOf(view, filters));
  return useSavedViews().find(({ address }) => address === here);
}
