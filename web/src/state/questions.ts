import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../api/calls.js';
import { RefusedError } from '../api/http.js';
import type { Entry } from '../api/types.js';
import { follow } from './connection.js';
import { useSessionEnded } from './session.js';
import { COUNTED_VIEWS, countQueryOf, listQueryOf } from './views.js';
import type { Filters, View } from './views.js';

/** What is read of whoever uses the page. */
const OF_PEOPLE: readonly unknown[] = ['session', 'me'];
/** Changes that come together are read together. */
const GATHER_MS = 400;

/** The questions of a view, as many pages as were asked for. */
export function useList(view: View, filters: Filters) {
  const query = listQueryOf(view, filters);
  const list = useInfiniteQuery({
    queryKey: ['list', query],
    queryFn: ({ pageParam, signal }) => api.list({ ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // To compare ten thousand questions with those of before takes longer than to show them.
    structuralSharing: false,
  });
  const entries = useMemo(() => {
    const seen = new Map<string, Entry>();
    for (const page of list.data?.pages ?? []) {
      for (const entry of page.suspensions) seen.set(entry.id, entry);
    }
    return [...seen.values()];
  }, [list.data]);
  return { ...list, entries };
}

/** How many are open in each view. */
export function useCounts(): Readonly<Partial<Record<View, number>>> {
  const counts = useQueries({
    queries: COUNTED_VIEWS.map((view) => ({
      queryKey: ['counts', view],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.counts(countQueryOf(view), signal),
      placeholderData: keepPreviousData,
    })),
  });
  return Object.fromEntries(
    COUNTED_VIEWS.flatMap((view, index) => {
      const pending = counts[index]?.data?.pending;
      return pending === undefined ? [] : [[view, pending]];
    }),
  );
}

/** Whether anything was ever asked; undefined while it is not known. */
export function useHasHistory(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['counts', 'all'],
    queryFn: ({ signal }) => api.counts(countQueryOf('all'), signal),
  });
  return data && data.pending + data.responded + data.expired + data.cancelled > 0;
}

/** One question with all that is known of it. */
export function useQuestion(id: string) {
  return useQuery({
    queryKey: ['question', id],
    queryFn: ({ signal }) => api.question(id, signal),
  });
}

/** What an answer lets go on; nothing where it cannot be read. */
export function useBlocks(id: string) {
  return useQuery({
    queryKey: ['blocks', id],
    queryFn: async ({ signal }) => {
      try {
        return await api.blocks(id, signal);
      } catch (error) {
        if (error instanceof RefusedError) return [];
        throw error;
      }
    },
  });
}

/** Keeps what is shown up to date while somebody is signed in. */
export function useLive(): void {
  const client = useQueryClient();
  const hasEnded = useSessionEnded();
  useEffect(() => {
    if (hasEnded) return undefined;
    let gathered: ReturnType<typeof setTimeout> | undefined;
    const lists = () => {
      gathered = undefined;
      void client.invalidateQueries({ queryKey: ['list'] });
      void client.invalidateQueries({ queryKey: ['counts'] });
    };
    const stop = follow({
      changed: ({ id }) => {
        void client.invalidateQueries({ queryKey: ['question', id] });
        void client.invalidateQueries({ queryKey: ['blocks', id] });
        gathered ??= setTimeout(lists, GATHER_MS);
      },
      // What is on its way may be from before; who is signed in is no matter of questions.
      missed: () =>
        void client
          .cancelQueries({ predicate: ({ queryKey }) => !OF_PEOPLE.includes(queryKey[0]) })
          .then(() => client.invalidateQueries()),
    });
    return () => {
      clearTimeout(gathered);
      stop();
    };
  }, [client, hasEnded]);
}
