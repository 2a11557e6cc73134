import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { SuspensionChange } from '../../../../contracts/suspension/view.js';
import { api } from '../../api/calls.js';
import { RefusedError } from '../../api/http.js';
import type { Entry } from '../../api/types.js';
import { follow } from '../connection.js';
import { renew } from '../store.js';
import { useSessionEnded } from '../session.js';
import { COUNTED_VIEWS, listQueryOf, type Filters, type View } from './views.js';

/** The queries about the person who uses the page. */
const OF_PEOPLE: readonly unknown[] = ['session', 'me'];
/** Lists are read once for all changes within this time. */
const GATHER_MS = 400;

export function useList(view: View, filters: Filters) {
  const query = listQueryOf(view, filters);
  const list = useInfiniteQuery({
    queryKey: ['list', query],
    queryFn: ({ pageParam, signal }) => api.list({ ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Comparing ten thousand questions with the previous ones takes longer than showing them.
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

function countsQuery(view: View) {
  return {
    queryKey: ['counts', view],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.counts({ view }, signal),
  };
}

export function useCounts(): Readonly<Partial<Record<View, number>>> {
  const counts = useQueries({
    queries: COUNTED_VIEWS.map((view) => ({
      ...countsQuery(view),
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

/** Counts the questions with the words and the channel of these filters, open and settled, in all views. */
export function useMatches({ text, channel }: Filters): Readonly<{ open: number; over: number }> {
  const query = { text, channel };
  const { data } = useQuery({
    queryKey: ['counts', query],
    queryFn: ({ signal }) => api.counts(query, signal),
  });
  if (data === undefined) return { open: 0, over: 0 };
  return { open: data.pending, over: data.responded + data.expired + data.cancelled };
}

export function useOpenCount(): number | undefined {
  return useQuery(countsQuery('for_me')).data?.pending;
}

/** Whether any question was ever asked; undefined until that is known. */
export function useHasHistory(): boolean | undefined {
  const { data } = useQuery(countsQuery('all'));
  return data && data.pending + data.responded + data.expired + data.cancelled > 0;
}

export function useQuestion(id: string) {
  return useQuery({
    queryKey: ['question', id],
    queryFn: ({ signal }) => api.question(id, signal),
  });
}

/** Reads what waits for the answer to a question; nothing if the API refuses to say. */
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

/**
 * Keeps the page up to date while somebody is signed in.
 * @param heard - called for each change; has to be the same function each time
 */
export function useLive(heard: (change: SuspensionChange) => void): void {
  const client = useQueryClient();
  const hasEnded = useSessionEnded();
  useEffect(() => {
    if (hasEnded) return undefined;
    let gathered: ReturnType<typeof setTimeout> | undefined;
    const lists = () => {
      gathered = undefined;
      void renew(client, ['list']);
      void renew(client, ['counts']);
    };
    const stop = follow({
      changed: (change) => {
        const { id } = change;
        heard(change);
        void renew(client, ['question', id]);
        void renew(client, ['blocks', id]);
        gathered ??= setTimeout(lists, GATHER_MS);
      },
      // A read under way may be older than the change. The session and its person do not depend on questions.
      missed: () =>
        void client
          .cancelQueries({ predicate: ({ queryKey }) => !OF_PEOPLE.includes(queryKey[0]) })
          .then(() => client.invalidateQueries()),
    });
    return () => {
      clearTimeout(gathered);
      stop();
    };
  }, [client, hasEnded, heard]);
}
