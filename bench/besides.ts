import type { BenchStack } from './bench-stack.js';
import type { CarriedOut } from './carried-out.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { Meter, Spent } from './question-costs.js';
import { less, total } from './server-metrics.js';

/** Billed actions of what a question may do besides being asked and answered. */
export interface BesidesCosts {
  /** Of the first long poll of an agent that waits over HTTP, for each question. */
  readonly firstPoll: number;
  /** Of all its further long polls in a day. */
  readonly waitingDay: number;
  /** Of one reminder of a question of its own, and of one of an intent. */
  readonly reminder: number;
  readonly reminderOfIntent: number;
}

/** Questions that are open at the same time. */
const QUESTIONS = 10;
/** Further long polls of each, and their length; what they cost does not depend on it. */
const POLLS = 10;
const POLL_SECONDS = 4;
/** The length of a client's long polls. */
const CLIENT_POLL_SECONDS = 50;
const DAY_SECONDS = 86_400;
/** Long enough that all are open before the reminder, and answered before the end. */
const REMINDED = { retry_policy: { max_attempts: 2, interval_seconds: 20 } };

/** All that a wait can make the server count; what else goes on beside it is left out. */
const OF_WAITS = /QueryWorkflow|UpdateWorkflowExecution/;

interface Bench {
  readonly bench: BenchStack;
  readonly carriedOut: CarriedOut;
  readonly meter: Meter;
  readonly idle: Spent;
}

/** Measures with questions that are open at the same time. A reminder is what they cost more if answered after it. */
export async function measureBesides(on: Bench): Promise<BesidesCosts> {
  const own = (await ownQuestions(on, true)) - (await ownQuestions(on, false));
  const ofIntent = (await questionsOfIntents(on, true)) - (await questionsOfIntents(on, false));
  const firstPoll = await ofWait(on, 1);
  const ofPoll = ((await ofWait(on, 1 + POLLS)) - firstPoll) / POLLS;
  return {
    firstPoll,
    waitingDay: (ofPoll * DAY_SECONDS) / CLIENT_POLL_SECONDS,
    reminder: own,
    reminderOfIntent: ofIntent,
  };
}

/** The actions of some work, less what the stack does by itself. */
async function actionsOf({ meter, idle }: Bench, work: () => Promise<unknown>) {
  const spent = await meter.measure(work);
  return less(spent.actions, idle.actions, spent.ms / idle.ms);
}

/** Actions of a wait of so many long polls. Only those are counted that waits can cause. */
async function ofWait(on: Bench, polls: number): Promise<number> {
  const { bench, carriedOut } = on;
  const ids = await Promise.all(many(async () => (await bench.ask()).id));
  await Promise.all(ids.map((id) => carriedOut.opened(id)));
  const wait = async (id: string): Promise<void> => {
    const path = `/suspensions/${id}/wait?timeout_seconds=${POLL_SECONDS}&after_attempt=1`;
    for (let made = 0; made < polls; made += 1) await bench.call('agent', 'GET', path);
  };
  const actions = await actionsOf(on, () => Promise.all(ids.map(wait)));
  for (const id of ids) await bench.answer(id);
  const counted = Object.entries(actions).filter(([type]) => OF_WAITS.test(type));
  return counted.reduce((sum, [, count]) => sum + count, 0) / QUESTIONS;
}

/** Actions of a question of its own that would be reminded of, and is answered after that or before. */
async function ownQuestions(on: Bench, after: boolean): Promise<number> {
  const { bench, carriedOut } = on;
  const actions = await actionsOf(on, () =>
    Promise.all(
      many(async () => {
        const { id } = await bench.ask(REMINDED);
        await (after ? carriedOut.reminded(id) : carriedOut.opened(id));
        await bench.answer(id);
        await carriedOut.settled(id);
      }),
    ),
  );
  return total(actions) / QUESTIONS;
}

/** The same of an intent, with all that the intent costs. */
async function questionsOfIntents(on: Bench, after: boolean): Promise<number> {
  const { bench, carriedOut } = on;
  const actions = await actionsOf(on, () =>
    Promise.all(
      many(async () => {
        const intentId = await bench.createIntent();
        await carriedOut.created(intentId);
        const view = await bench.open(intentId, REMINDED);
        const asker = workflowIdOf('intent', intentId);
        await (after ? carriedOut.reminded(view.id, asker) : carriedOut.opened(view.id, asker));
        await bench.respond(view);
        await carriedOut.settled(view.id);
        await carriedOut.resumed(intentId);
      }),
    ),
  );
  return total(actions) / QUESTIONS;
}

function many<T>(make: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: QUESTIONS }, make);
}
