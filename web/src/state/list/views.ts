import { useLocation, useSearch } from 'wouter';
import type { Query } from '../../api/calls.js';
import { tabStorage } from '../storage.js';
import { createStore, useStore } from '../store.js';

export const VIEWS = [
  { view: 'for_me', path: '/', label: 'For me' },
  { view: 'claimed', path: '/claimed', label: 'Claimed by me' },
  { view: 'groups', path: '/groups', label: 'My groups' },
  { view: 'snoozed', path: '/snoozed', label: 'Snoozed' },
  { view: 'all', path: '/all', label: 'All' },
  { view: 'answered', path: '/answered', label: 'Answered by me' },
  { view: 'settled', path: '/settled', label: 'Settled' },
] as const;
export type View = (typeof VIEWS)[number]['view'];

export const COUNTED_VIEWS: readonly View[] = ['for_me', 'claimed', 'groups', 'all'];

const FILTERS = ['text', 'channel', 'group', 'state', 'sort'] as const;
/** The filters of a view and its order. They are in the address, so that they survive a reload and can be sent to others. */
export type Filters = { readonly [Name in (typeof FILTERS)[number]]?: string | undefined };

export function viewOf(path: string): View {
  return VIEWS.find((one) => one.path === path)?.view ?? 'for_me';
}

export function labelOf(view: View): string {
  return VIEWS.find((one) => one.view === view)?.label ?? '';
}

const LIST = 'holdpoint-list';
const last = createStore(tabStorage.get(LIST) ?? '/');

/** Keeps the address of the list, for the way back from a question, and for the list beside it on a wide screen. */
export function rememberList(address: string): void {
  last.set(address);
  tabStorage.set(LIST, address);
}

/** Forgets that address: its filters hold words of the person who was signed in. */
export function forgetList(): void {
  last.set('/');
  tabStorage.remove(LIST);
}

export function lastList(): string {
  return last.get();
}

export function isList(path: string): boolean {
  return VIEWS.some((one) => one.path === path);
}

/** The filter for questions on which an answer counts, while others still have to agree. */
export const OPEN = 'pending';

/** The filter for questions that are settled, in whatever way. */
export const OVER = 'settled';

export function isOfSettled(view: View, { state }: Filters): boolean {
  if (view === 'answered') return state !== OPEN;
  return view === 'settled' || (state !== undefined && state !== OPEN);
}

/** Returns the view and the filters of an address. */
function listedAt(address: string) {
  const [path = '/', search = ''] = address.split('?');
  return { path, view: viewOf(path), filters: filtersIn(search) } as const;
}

export function useLastListed(): { readonly view: View; readonly filters: Filters } {
  return listedAt(useStore(last));
}

/** Returns the filters in the query of an address. */
function filtersIn(search: string): Filters {
  const given = new URLSearchParams(search);
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = given.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}

export function listQueryOf(view: View, filters: Filters) {
  const { text, channel, group, state, sort } = filters;
  const isOver = isOfSettled(view, filters);
  return {
    text,
    channel,
    group,
    view: view === 'settled' ? 'all' : view,
    state: isOver ? OVER : undefined,
    resolution: isOver && state !== OVER ? state : undefined,
    sort: sort ?? firstSort(isOver),
  } as const;
}

function firstSort(isOver: boolean): string {
  return isOver ? 'settled' : 'urgency';
}

/** Returns the inbox's address for a query of the API. Two queries for the same list have the same address. */
export function addressOf({
  view: named = 'all',
  resolution,
  state,
  sort,
  ...rest
}: Query): string {
  const isOver = (state ?? (resolution === undefined ? OPEN : OVER)) === OVER;
  const view = isOver && named === 'all' ? 'settled' : named;
  const isUsual = isOver === isOfSettled(view as View, {});
  return addressWith(VIEWS.find((one) => one.view === view)?.path ?? '/', {
    text: rest.text,
    channel: rest.channel,
    group: rest.group,
    state: isOver ? (resolution ?? (isUsual ? undefined : OVER)) : isUsual ? undefined : OPEN,
    sort: sort === firstSort(isOver) ? undefined : sort,
  });
}

function addressWith(path: string, filters: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => Boolean(value));
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Returns the list of the address with its filters, and functions that change them. Beside a question it is the list that was shown
 * last, and the address stays that of the question.
 */
export function useListed() {
  const search = useSearch();
  const [here, navigate] = useLocation();
  const kept = useStore(last);
  const isHere = isList(here);
  const { path, view, filters } = listedAt(isHere ? `${here}?${search}` : kept);
  const show = (next: Filters) => {
    const address = addressWith(path, next);
    if (isHere) navigate(address, { replace: true });
    else rememberList(address);
  };
  const change = (part: Filters) => {
    show({ ...filters, ...part });
  };
  const clear = () => {
    show({});
  };
  const address = addressWith(path, filters);
  const isNarrowed = Object.keys(filters).some((name) => name !== 'sort');
  return { address, view, filters, change, clear, isNarrowed } as const;
}
