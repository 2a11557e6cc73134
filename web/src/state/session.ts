import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../api/calls.js';
import type { Me, SessionView } from '../../../contracts/people/session.js';
import { listen, refusalIn } from '../api/http.js';
import { discardLeftBulk } from './answering/bulk-answering.js';
import { noteServerTime } from './clock.js';
import { discardAll } from './answering/drafts.js';
import { closeNotices } from './push.js';
import { discardPressed, discardUnsent, sendAll } from './answering/outbox.js';
import { discardLeft } from './returning.js';
import { select } from './list/selection.js';
import { tabStorage } from './storage.js';
import { createStore, useStore } from './store.js';
import { forgetList } from './list/views.js';

const ended = createStore(false);

listen({
  ended: () => {
    ended.set(true);
  },
  serverTime: noteServerTime,
});

/** Whether the session of this page has ended. What is typed stays. */
export function useSessionEnded(): boolean {
  return useStore(ended);
}

/** Reads the session of this browser; null if nobody is signed in. */
export function useSession() {
  return useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal, client }) => {
      try {
        const session = await api.session(signal);
        handOver(session, client);
        return session;
      } catch (error) {
        if (refusalIn(error)?.status !== 401) throw error;
        const before = client.getQueryData<SessionView | null>(['session']) ?? null;
        // Typed text stays until somebody signs in again, even if this read is the first to find that the session has
        // ended.
        if (before !== null) ended.set(true);
        return before;
      }
    },
    staleTime: Infinity,
  });
}

/** Reads the session after signing in. Fails if the browser did not keep its cookie, which no reply reports. */
async function keptSession(): Promise<SessionView> {
  try {
    return await api.session();
  } catch (error) {
    if (refusalIn(error)?.status !== 401) throw error;
    throw new Error(
      'You were signed in, but this browser did not keep the cookie of the session. Allow cookies for this site. Where they are allowed, open the inbox at the address that public_url names.',
    );
  }
}

/** Signs somebody in by a proof, and reads everything again. Throws the refusal of the API. */
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

/** Identifies a person: the same name in another space is somebody else. */
export function personOf({ space, principal }: SessionView): string {
  return JSON.stringify([space, principal]);
}

/**
 * Gives the tab to the person of this session. Another person must not see what the previous one has read, typed and
 * selected; the same person finds it all again.
 */
function handOver(session: SessionView, client: QueryClient): void {
  const person = personOf(session);
  if (tabStorage.get(OWNER) === person) return;
  forget(client);
  tabStorage.set(OWNER, person);
}

/** Forgets all that was read, typed and selected, except the session. */
function forget(client: QueryClient): void {
  discardUnsent();
  discardPressed();
  discardLeft();
  discardLeftBulk();
  discardAll();
  select([]);
  forgetList();
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

export function useSignOut() {
  const client = useQueryClient();
  return useCallback(async () => {
    // Somebody who leaves with a refused answer has to see that first.
    if (!(await sendAll())) return;
    await api.signOut();
    void closeNotices();
    for (const name of tabStorage.names()) tabStorage.remove(name);
    client.setQueryData(['session'], null);
    forget(client);
  }, [client]);
}

function useMeQuery() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.me(signal),
    staleTime: Infinity,
  });
}

/** Returns the signed-in person, and what this person may do. */
export function useMe(): Me | undefined {
  return useMeQuery().data;
}

/** Returns the name of the signed-in person, once it was read. */
export function usePrincipal(): string | undefined {
  return useMe()?.principal;
}

/** Whether the person is still being read. Before that, a page has no actions, and its keys do nothing. */
export function useIsMePending(): boolean {
  return useMeQuery().isPending;
}

/** Returns a function that says whether the page offers an action. The API decides again about each question. */
export function useMay(): (action: string) => boolean {
  const may = useMe()?.may;
  return (action) => may?.includes(action) ?? false;
}
