import { QueryNotRegisteredError, type WorkflowClientInterceptor } from '@temporalio/client';
import { lookUntil } from './looks.js';

/** Asks again, as the API does, where a Query is refused because it comes before the task that brings what has happened. */
export const askAgain: WorkflowClientInterceptor = {
  query: (input, next) =>
    lookUntil(async () => {
      try {
        return { answer: await next(input) };
      } catch (error) {
        if (error instanceof QueryNotRegisteredError) return undefined;
        throw error;
      }
    }, 'No Query is answered.').then(({ answer }) => answer),
};
