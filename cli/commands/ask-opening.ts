import { randomKey } from '../../client/connection.js';
import type { RequestInputOptions, SuspensionView } from '../../client/index.js';
import { SYSTEM_TIMERS, mayRepeat, withRetries } from '../../client/retry.js';
import type { Api } from '../session.js';
import type { Terminal } from '../shell.js';

/** Tries take about a minute, as long as a restart of the service. */
const TRIES = 10;

/**
 * Asks a question, once under its key however many tries it takes. After Ctrl-C it starts no further try, but waits for the
 * current reply: only a question with an id can be withdrawn. If it is unknown whether the question was asked, it prints the
 * key that finds it.
 *
 * @param api - makes each call once
 */
export async function openForSure(
  terminal: Terminal,
  { agent, connection }: Pick<Api, 'agent' | 'connection'>,
  question: RequestInputOptions,
  timers = SYSTEM_TIMERS,
): Promise<SuspensionView> {
  const request_key = question.request_key ?? randomKey();
  const asked = { isInDoubt: false };
  const rules = {
    repeatable: 'always',
    tries: TRIES,
    withinMs: Infinity,
    signal: terminal.shell.interrupted,
    onRetry: (error: unknown) => connection.sayAway(error),
  } as const;
  try {
    return await withRetries(timers, rules, async () => {
      try {
        return await agent.openQuestion({ ...question, request_key });
      } catch (error) {
        if (!mayRepeat(error, 'always')) asked.isInDoubt = false;
        else if (!mayRepeat(error, 'undelivered')) asked.isInDoubt = true;
        throw error;
      }
    });
  } catch (error) {
    if (asked.isInDoubt) {
      terminal.note(
        `The question may have been asked: the same command with --request-key ${request_key} finds it.`,
      );
    }
    throw error;
  }
}
