import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { toInstant, toMillis } from '../domain/kernel/time.js';
import type {
  AskedToWrite,
  Contradicted,
  Place,
  PlacedEntity,
  Reconciliation,
  TimeRange,
} from './ports/reconciliation.js';
import { approvalFinding } from './reconcile-approvals.js';
import { isEntity, lostFinding } from './lost-entities.js';
import { CatchUp } from './catch-up.js';
import { ForgottenLook } from './forgotten-outcomes.js';
import { Look } from './look.js';
import type { ReconcileWatch } from './look.js';
import { reasonOf } from './reason.js';
import { settleEnded } from './settle-ended.js';
import type { SettlingDependencies } from './settle-ended.js';
import { atOnce, goThrough, pageByPage } from './slices.js';
import type { Stage } from './slices.js';
import type { Finding, Reconciled, ReconcileRequest } from './types.js';

/** How long the writer of the end of a question has, in milliseconds. */
export const GRACE_MS = 30_000;
/** How far each look goes back behind the end of the last, in milliseconds: Temporal lists a workflow some time after it ended. */
export const OVERLAP_MS = 300_000;

interface Dependencies extends SettlingDependencies {
  readonly reconciliation: Reconciliation;
}

/**
 * Finds questions and approvals that are open in the store while their workflow is closed: the writer of the end died, or somebody
 * terminated the workflow. Writes what the workflow returned, or cancels the question, and informs the workflow that waits. Tells
 * open questions, approvals and intents to write if the store lacks them or has an older state, and brings open questions up to
 * date when it looks at all of them. Hands an outcome in again that Temporal has forgotten. At last it counts again what waits for
 * questions. Repeating any of it changes nothing. A look that is to end before that returns where it goes on.
 */
export async function reconcile(
  dependencies: Dependencies,
  request: ReconcileRequest,
  watch: ReconcileWatch,
): Promise<Reconciled> {
  const { reconciliation, now } = dependencies;
  const { so_far } = request;
  const until = so_far?.looked_until ?? toInstant(now().getTime() - GRACE_MS);
  const look = new Look(watch, reconciliation.isAway, until, so_far);
  const parts = { dependencies, request, range: rangeOf(request, until), until, look, watch };
  const [questions, approvals, entities] = [
    atQuestions(parts),
    atApprovals(parts),
    atEntities(parts),
  ];
  const stages = [
    atOnce(async () => {
      for (const { again } of [questions, approvals, entities]) await again();
    }),
    ...[questions, approvals, entities].flatMap(({ stages: pages }) => pages),
    atOnce(() => recount(parts)),
  ];
  return (await goThrough(stages, look)) ? look.result : look.soFar;
}

/** A look, and what it looks at. */
interface Parts {
  readonly dependencies: Dependencies;
  readonly request: ReconcileRequest;
  readonly range: TimeRange | string;
  /** The end of the range. */
  readonly until: string;
  readonly look: Look;
  readonly watch: ReconcileWatch;
}

/** What is done about one kind of things: first about those that failed in the last look, and then page by page. */
interface Kind {
  readonly again: () => Promise<void>;
  readonly stages: readonly Stage[];
}

/** Questions, and the intents that ask them. */
function atQuestions(parts: Parts): Kind {
  const { dependencies, range } = parts;
  const { forgotten, openIn, endedIn, runningSince } = dependencies.reconciliation;
  const { created, running, settled, contradicted, ended, again, tellUnasked } = workOn(parts);
  async function* settledIn(place: Place) {
    if (typeof range !== 'string') yield* forgotten.settledIn(range, place);
  }
  const end = (place: Place) =>
    typeof range === 'string' ? openIn(range, place) : endedIn(range, place);
  return {
    again,
    stages: [
      pageByPage((place) => runningSince('intent', range, place), created),
      pageByPage((place) => runningSince('suspension', range, place), running),
      pageByPage(settledIn, settled),
      pageByPage((place) => forgotten.contradicted(range, place), contradicted),
      pageByPage(end, ended),
      atOnce(tellUnasked),
    ],
  };
}

/** What is done about pages of questions, and of intents. */
function workOn({ dependencies, request, until, look, watch }: Parts) {
  const { reconciliation } = dependencies;
  const { notCreated, notOpened, notSettled, intentsBehind } = reconciliation;
  const handedIn = new ForgottenLook(reconciliation.forgotten, look);
  const up = new CatchUp(reconciliation, (reason) =>
    watch.warn('an open question is not asked', reason),
  );
  const toIntents = (intents: readonly EntityKey[]) =>
    look.at('intent', intents, told(dependencies, 'intent', 'behind'));
  const whileOpen = async (question: EntityKey): Promise<Finding | undefined> =>
    request.since === null ? up.bring(question) : undefined;
  const find = (one: EntityKey) => findingOf(dependencies, one, request, whileOpen);

  async function running(page: readonly EntityKey[]): Promise<void> {
    const unknown = await notOpened(page);
    await look.at('suspension', unknown, told(dependencies, 'suspension', 'unknown'));
    await toIntents(await intentsBehind(page, until));
    await handedIn.atRunning(page, until);
  }

  async function ended(page: readonly EntityKey[]): Promise<void> {
    await look.at('suspension', await notSettled(page), find);
    await toIntents(await intentsBehind(page, until));
  }

  async function again(): Promise<void> {
    await toIntents(failedOf(request, 'intent'));
    const questions = failedOf(request, 'suspension');
    if (questions.length > 0) await running(questions);
    // The store may show how such a question ended already; only the report failed.
    await look.at('suspension', questions, find);
  }

  async function tellUnasked(): Promise<void> {
    if (up.unasked === 0) return;
    watch.warn('open questions are not up to date', `${up.unasked} gave no answer`);
  }

  return {
    running,
    ended,
    again,
    tellUnasked,
    created: async (page: readonly EntityKey[]) => toIntents(await notCreated(page)),
    settled: (page: readonly EntityKey[]) => handedIn.atSettled(page),
    contradicted: (page: readonly Contradicted[]) =>
      look.at('suspension', page, async () => 'contradicted'),
  };
}

/** Approvals, after their questions: an approval may wait only for the report of one. */
function atApprovals({ dependencies, request, range, look }: Parts): Kind {
  const { reconciliation, now } = dependencies;
  const { approvals, runningSince } = reconciliation;
  const running = async (page: readonly EntityKey[]): Promise<void> =>
    look.at('approval', await approvals.notKnown(page), told(dependencies, 'approval', 'unknown'));
  const ended = async (page: readonly EntityKey[]): Promise<void> =>
    look.at('approval', await approvals.notDecided(page), (placed) =>
      approvalFinding({ approvals, now }, placed, request.cancel_missing === true),
    );
  const end = (place: Place) =>
    typeof range === 'string' ? approvals.openIn(range, place) : approvals.endedIn(range, place);
  return {
    async again() {
      const failed = failedOf(request, 'approval');
      if (failed.length === 0) return;
      await running(failed);
      await ended(failed);
    },
    stages: [
      pageByPage((place) => runningSince('approval', range, place), running),
      pageByPage(end, ended),
    ],
  };
}

/** Intents, plans, tasks, portfolios and coordinators that lost their workflows. */
function atEntities({ dependencies, request, range, look }: Parts): Kind {
  const { reconciliation, now } = dependencies;
  const { entities } = reconciliation;
  const find = (placed: PlacedEntity) =>
    lostFinding({ entities, now }, placed, request.cancel_missing === true);
  const end = (place: Place) =>
    typeof range === 'string' ? entities.openIn(range, place) : entities.endedIn(range, place);
  return {
    again: () => look.each((request.again ?? []).filter(isEntity), find),
    stages: [pageByPage(end, async (page) => look.each(await entities.stillOpen(page), find))],
  };
}

/** It orders lists alone: what was found, and the instant of this look, must not be lost with it. */
async function recount({ dependencies, look, watch }: Parts): Promise<void> {
  await dependencies.reconciliation.recountBlocks(look.goOn).catch((error: unknown) => {
    watch.warn('what waits for questions is not counted', reasonOf(error));
  });
}

function failedOf({ again = [] }: ReconcileRequest, type: AskedToWrite): readonly EntityKey[] {
  return again.filter((failed) => failed.type === type);
}

/** Returns the range of a run: a time, or everything until an instant. */
function rangeOf({ since }: ReconcileRequest, to: string): TimeRange | string {
  return since === null ? to : { from: toInstant(toMillis(since) - OVERLAP_MS), to };
}

/** Has the workflow write the rows that the asker, or the settler, should have written. One that is closed has none to write. */
function told({ reconciliation }: Dependencies, type: AskedToWrite, finding: Finding) {
  return async (placed: EntityKey): Promise<Finding | undefined> =>
    (await reconciliation.askToWrite(type, placed)) ? finding : undefined;
}

/**
 * Repairs a question, and returns the finding; undefined if it needs no repair. The workflow that waits for a lost one is informed
 * before the store shows that: until then the next look begins anew.
 */
async function findingOf(
  dependencies: Dependencies,
  question: EntityKey,
  { cancel_missing }: ReconcileRequest,
  whileOpen: (question: EntityKey) => Promise<Finding | undefined>,
): Promise<Finding | undefined> {
  const { reconciliation } = dependencies;
  const end = await reconciliation.endOf(question);
  if (end === undefined) return whileOpen(question);
  if (end.kind === 'missing' && !cancel_missing) return 'missing';
  const outcome = await settleEnded(dependencies, question, end, (view) =>
    reconciliation.tell(view, question.space),
  );
  if (outcome?.state !== 'settled') return undefined;
  return end.kind === 'settled' ? 'written' : 'lost';
}
