import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Snooze } from '../../../contracts/suspension/snooze.js';
import { api } from '../api/calls.js';
import { serverNow } from './clock.js';
import { renew } from './renew.js';
import { useMay } from './session.js';

const QUERY_KEY = ['snoozes'];
/** A timer of a browser runs no longer than this. */
const LONGEST_MS = 2_147_483_647;

/** Returns what this person has put off, and until when; nothing until that is known. */
export function useSnoozes(): readonly Snooze[] {
  const may = useMay();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => api.snoozes(signal),
    enabled: may('listSnoozes'),
  });
  return data ?? [];
}

/** Returns the snooze of a question, if this person has put it off. */
export function useSnoozeOf(id: string): Snooze | undefined {
  return useSnoozes().find(({ suspension_id }) => suspension_id === id);
}

/** Reads again what a snooze hides or shows. */
export function renewSnoozes(client: QueryClient): void {
  for (const key of ['snoozes', 'list', 'counts']) void renew(client, [key]);
}

/** Shows questions again once their snoozes end. No change of a question says so. */
export function useSnoozeEnds(): void {
  const client = useQueryClient();
  const [first] = useSnoozes();
  useEffect(() => {
    if (first === undefined) return undefined;
    const left = Date.parse(first.until) - serverNow();
    const timer = setTimeout(
      () => {
        renewSnoozes(client);
      },
      Math.min(Math.max(left, 0) + 1_000, LONGEST_MS),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [client, first]);
}
