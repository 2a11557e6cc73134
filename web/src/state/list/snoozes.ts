import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Snooze } from '../../../../contracts/suspension/personal.js';
import { api } from '../../api/calls.js';
import { serverNow } from '../clock.js';
import { renew } from '../store.js';
import { useMay } from '../session.js';

const QUERY_KEY = ['snoozes'];
/** The longest time that a browser's timer runs. */
const LONGEST_MS = 2_147_483_647;

/** Returns the questions that this person has snoozed, and until when; nothing until that is known. */
export function useSnoozes(): readonly Snooze[] {
  const may = useMay();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => api.snoozes(signal),
    enabled: may('listSnoozes'),
  });
  return data ?? [];
}

/** Returns this person's snooze of a question, if any. */
export function useSnoozeOf(id: string): Snooze | undefined {
  return useSnoozes().find(({ suspension_id }) => suspension_id === id);
}

export function renewSnoozes(client: QueryClient): void {
  for (const key of ['snoozes', 'list', 'counts']) void renew(client, [key]);
}

/** Shows questions again once their snoozes end, because that is no change of a question. */
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
