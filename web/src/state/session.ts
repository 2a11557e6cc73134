import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../api/calls.js';
import { RefusedError, listen } from '../api/http.js';
import type { Me } from '../api/types.js';
import { noteServerTime } from './clock.js';
import { createStore, useStore } from './store.js';

const ended = createStore(false);

listen({
  ended: () => {
    ended.set(true);
  },
  serverTime: noteServerTime,
});

/** Whether the session is over that the page was opened with. What is typed stays. */
export function useSessionEnded(): boolean {
  return useStore(ended);
}

/** The session of this browser: none yet, a refusal to show, or whoever is signed in. */
export function useSession() {
  return useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal }) => {
      try {
        return await api.session(signal);
      } catch (error) {
        if (error instanceof RefusedError && error.problem.status === 401) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}

/** Takes a proof of who somebody is, and has everything read anew. Throws what the API refuses. */
export function useSignIn() {
  const client = useQueryClient();
  return useCallback(
    async (proof: Parameters<typeof api.signIn>[0]) => {
      const session = await api.signIn(proof);
      const before = client.getQueryData<Me>(['me'])?.principal;
      // What the one before could see is none of the next one's business.
      if (before !== undefined && before !== session.principal) forget(client);
      client.setQueryData(['session'], session);
      ended.set(false);
      await client.invalidateQueries();
    },
    [client],
  );
}

/** Forgets all that was read, but whose session it is. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** Ends the session, and forgets all that was read. */
export function useSignOut() {
  const client = useQueryClient();
  return useCallback(async () => {
    await api.signOut();
    sessionStorage.clear();
    client.setQueryData(['session'], null);
    forget(client);
  }, [client]);
}

/** Who is signed in, and what it may do. */
export function useMe(): Me | undefined {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.me(signal),
    staleTime: Infinity,
  }).data;
}

/** What the page offers: whatever the caller may do to something. The API decides it again for each one. */
export function useMay(): (action: string) => boolean {
  const may = useMe()?.may;
  return (action) => may?.includes(action) ?? false;
}
