import { Context } from '@temporalio/activity';

/**
 * Returns what an activity calls between two pieces of its work: it tells Temporal of progress, and throws if the work is
 * to end.
 */
export function beating(): () => void {
  const context = Context.current();
  return () => {
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
  };
}
