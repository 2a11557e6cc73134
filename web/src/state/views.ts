import { useLocation, useSearch } from 'wouter';
import type { Query } from '../api/calls.js';

/** The views of the inbox, in the order in which they are shown. */
export const VIEWS = [
  { view: 'for_me', path: '/', label: 'For me' },
  { view: 'claimed', path: '/claimed', label: 'Claimed by me' },
  { view: 'groups', path: '/groups', label: 'My groups' },
  { view: 'all', path: '/all', label: 'All' },
  { view: 'settled', path: '/settled', label: 'Settled' },
] as const;
export type View = (typeof VIEWS)[number]['view'];

/** Views whose open questions are counted. */
export const COUNTED_VIEWS: readonly View[] = ['for_me', 'claimed', 'groups', 'all'];

/** What narrows a view. It stands in the address, so that it survives a reload and can be sent to others. */
export interface Filters {
  readonly text?: string | undefined;
  readonly channel?: string | undefined;
  readonly group?: string | undefined;
  readonly state?: string | undefined;
}
const FILTERS = ['text', 'channel', 'group', 'state'] as const;

/** The view that a path shows. */
export function viewOf(path: string): View {
  return VIEWS.find((one) => one.path === path)?.view ?? 'for_me';
}

export function labelOf(view: View): string {
  return VIEWS.find((one) => one.view === view)?.label ?? '';
}

let last = '/';

/** Keeps where the list is, so that a question leads back to it. */
export function rememberList(path: string, search: string): void {
  last = search === '' ? path : `${path}?${search}`;
}

/** The list that was shown last, with its filters. */
export function lastList(): string {
  return last;
}

/** What the API lists for a view. */
export function listQueryOf(view: View, { text, channel, group, state }: Filters): Query {
  const narrowed = { text, channel, group: view === 'groups' ? group : undefined };
  if (view !== 'settled' && view !== 'all') return { ...narrowed, view, sort: 'urgency' };
  if (view === 'all' && state === undefined) return { ...narrowed, view, sort: 'urgency' };
  return { ...narrowed, view: 'all', state: 'settled', resolution: state, sort: 'settled' };
}

export function countQueryOf(view: View): Query {
  return { view };
}

/** The filters of the address, and what changes them. */
export function useFilters() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const given = new URLSearchParams(search);
  const filters: Filters = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = given.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const change = (part: Filters) => {
    const next = Object.entries({ ...filters, ...part }).filter(([, value]) => Boolean(value));
    const query = new URLSearchParams(next as [string, string][]).toString();
    navigate(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  const isNarrowed = Object.keys(filters).length > 0;
  return { filters, change, isNarrowed, search } as const;
}
