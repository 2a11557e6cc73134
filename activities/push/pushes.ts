import { Context, log } from '@temporalio/activity';
import { quietUntil } from '../../domain/directory/quiet-hours.js';
import { toInstant } from '../../domain/kernel/time.js';
import { noticesOf } from '../../domain/suspension/telling/notice.js';
import { workByPages } from '../channel-pages.js';
import { ChannelError } from '../channels/try-outcome.js';
import type { ActivityDependencies } from '../dependencies.js';
import type { PushSender } from './sender.js';
import type { DuePush, PushedQuestion } from '../ports/upkeep.js';

export type PushDependencies = Pick<
  ActivityDependencies,
  'pushes' | 'sendPush' | 'config' | 'now' | 'followUpTiming'
>;

type Sending = PushDependencies & { readonly sendPush: PushSender };

const TIMING = { patienceMs: 50_000, lookMs: 1_000, heartbeatMs: 20_000 };
const PAGE = 50;
/**
 * The shortest time between two messages to one browser, so that many questions do not ring one by one
 * (milliseconds).
 */
const BETWEEN_MS = 10_000;
/** The pauses double from one second on, so the last try comes after about an hour. */
const MOST_TRIES = 12;
const DAY_MS = 86_400_000;

/**
 * Notifies browsers, for some time, of new and repeated questions; quiet hours only delay it. A browser is notified
 * twice only if the worker dies before noting it, and the second message replaces the first.
 */
export async function sendPushes(dependencies: PushDependencies): Promise<void> {
  const { pushes, sendPush, followUpTiming = TIMING } = dependencies;
  // This worker has no keys. Another one that has them sends what is due.
  if (sendPush === undefined) return;
  await pushes.sweep();
  const due = async (except: readonly string[]) => {
    while (await pushes.fanOut()) Context.current().cancellationSignal.throwIfAborted();
    return pushes.due({ limit: PAGE, except });
  };
  await workByPages(followUpTiming, due, (one) => tell(one, { ...dependencies, sendPush }));
}

async function tell(due: DuePush, dependencies: Sending): Promise<void> {
  const { pushes, now } = dependencies;
  const nowMs = now().getTime();
  const quiet = due.quiet_hours === null ? undefined : quietUntil(due.quiet_hours, nowMs);
  if (quiet !== undefined) {
    await pushes.putOff(due, toInstant(quiet ?? nowMs + DAY_MS), false);
    return;
  }
  const questions = await pushes.questions(due);
  try {
    await send(due, questions, dependencies);
  } catch (error) {
    Context.current().cancellationSignal.throwIfAborted();
    await afterFailure(due, questions, error, dependencies);
  }
}

/** Sends one message per question, or one for all if they are many, and notes each that was accepted. */
async function send(
  due: DuePush,
  questions: readonly PushedQuestion[],
  { pushes, sendPush, config, now }: Sending,
): Promise<void> {
  // Whoever holds the device of an idle session would have to sign in to read a question.
  const showsWords = due.shows_words && !due.is_idle && config.push.words;
  const notices = noticesOf(questions, showsWords);
  const nowMs = now().getTime();
  const next = toInstant(nowMs + BETWEEN_MS);
  for (const [index, notice] of notices.entries()) {
    const about =
      notices.length === questions.length ? questions.slice(index, index + 1) : questions;
    const ends = about.map(({ expires_at }) => expires_at ?? toInstant(nowMs + DAY_MS)).sort();
    await sendPush({
      target: due,
      notice,
      seconds: (Date.parse(ends.at(-1) ?? next) - nowMs) / 1_000,
      isUrgent: about.some((one) => one.attempt > 1 && one.attempt >= one.max_attempts),
      signal: Context.current().cancellationSignal,
    });
    await pushes.told(due, about, next);
  }
  if (notices.length === 0) await pushes.told(due, [], next);
}

async function afterFailure(
  due: DuePush,
  questions: readonly PushedQuestion[],
  error: unknown,
  { pushes, now }: PushDependencies,
): Promise<void> {
  const known = error instanceof ChannelError ? error : undefined;
  const hasEnded = known?.details.final === true;
  const givenUp = !hasEnded && due.tries + 1 >= MOST_TRIES;
  log.warn('push_failed', {
    host: due.channel,
    kind: known?.kind ?? 'channel_failed',
    status: known?.details.statusCode,
    subscription_ended: hasEnded,
    given_up: givenUp,
  });
  const nowMs = now().getTime();
  if (hasEnded) await pushes.end(due);
  else if (givenUp) await pushes.told(due, questions, toInstant(nowMs + BETWEEN_MS));
  else {
    const waitMs = known?.details.retryAfterMs ?? 1_000 * 2 ** due.tries;
    await pushes.putOff(due, toInstant(nowMs + waitMs), true);
  }
}
