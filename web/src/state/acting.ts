import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reply } from '../api/http.js';

/** Does something to a question, one thing at a time, and keeps what was refused until the next. */
export function useActing(id: string) {
  const client = useQueryClient();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  });
  const act = async (call: () => Promise<Reply<unknown>>): Promise<boolean> => {
    setState({ isBusy: true });
    try {
      await call();
      setState({ isBusy: false });
      return true;
    } catch (error) {
      setState({ isBusy: false, error });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: ['question', id] });
      void client.invalidateQueries({ queryKey: ['list'] });
      void client.invalidateQueries({ queryKey: ['counts'] });
    }
  };
  return {
    ...state,
    act,
    forget: () => {
      setState({ isBusy: false });
    },
  } as const;
}
