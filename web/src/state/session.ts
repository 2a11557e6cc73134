import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../api/calls.js';
import { RefusedError, listen } from '../api/http.js';
import type { Me, Session } from '../api/types.js';
import { noteServerTime } from './clock.js';
import { discardAll } from './drafts.js';
import { select } from './selection.js';
import { tabStorage } from './storage.js';
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
    queryFn: async ({ signal, client }) => {
      try {
        const session = await api.session(signal);
        handOver(session, client);
        return session;
      } catch (error) {
        if (error instanceof RefusedError && error.problem.status === 401) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}

/** Says that the browser did not keep the cookie of a session, which no reply tells. */
async function keptSession(): Promise<Session> {
  try {
    return await api.session();
  } catch (error) {
    if (!(error instanceof RefusedError) || error.problem.status !== 401) throw error;
    throw new Error(
      'You were signed in, but this browser did not keep the cookie of the session. Allow cookies for this site. Where they are allowed, open the inbox at the address that public_url names.',
    );
  }
}

/** Takes a proof of who somebody is, and has everything read anew. Throws what the API refuses. */
export function useSignIn() {
  const client = useQueryClient();
  return useCallback(
    async (proof: Parameters<typeof api.signIn>[0]) => {
      await api.signIn(proof);
      const session = await keptSession();
      handOver(session, client);
      client.setQueryData(['session'], session);
      ended.set(false);
      await client.invalidateQueries();
    },
    [client],
  );
}

const OWNER = 'holdpoint-owner';

/** Who somebody is: the same name in another space is somebody else. */
export function personOf({ space, principal }: Pick<Session, 'space' | 'principal'>): string {
  return JSON.stringify([space, principal]);
}

/**
 * Gives the tab to whoever has the session now. What the one before could see, typed and marked is none of the next one's
 * business; the same person finds it all again, also after a reload.
 */
function handOver(session: Session, client: QueryClient): void {
  const person = personOf(session);
  if (tabStorage.get(OWNER) === person) return;
  forget(client);
  tabStorage.set(OWNER, person);
}

/** Forgets all that was read, typed and marked, but whose session it is. */
function forget(client: QueryClient): void {
  discardAll();
  select([]);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** Ends the session, and forgets all that was read. */
export function useSignOut() {
  const client = useQueryClient();
  return useCallback(async () => {
    await api.signOut();
    for (const name of tabStorage.names()) tabStorage.remove(name);
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
