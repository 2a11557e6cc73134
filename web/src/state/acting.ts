import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renewQuestion } from './renew.js';

/** Runs one call at a time, and keeps its error until the next one. */
export function useAttempt() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  });
  /** Resolves to the error of the call. It stays the same function. */
  const [run] = useState(() => async (call: () => Promise<unknown>): Promise<unknown> => {
    setState({ isBusy: true });
    try {
      await call();
      setState({ isBusy: false });
      return undefined;
    } catch (error) {
      setState({ isBusy: false, error });
      return error;
    }
  });
  const forget = () => {
    setState({ isBusy: false });
  };
  return { ...state, run, forget } as const;
}

export type Acting = ReturnType<typeof useActing>;

/** Changes a question, and has it read again. */
export function useActing(id: string) {
  const client = useQueryClient();
  const { run, ...attempt } = useAttempt();
  /** Resolves to whether it worked. */
  const act = async (call: () => Promise<unknown>): Promise<boolean> => {
    const error = await run(call);
    renewQuestion(client, id);
    return error === undefined;
  };
  return { ...attempt, act } as const;
}
