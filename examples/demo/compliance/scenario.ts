import { setTimeout as pause } from 'node:timers/promises';
import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { PhasedPlanView } from '../../../contracts/plan/plan.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import type { Stack } from '../../../service/stack.js';
import { playInTurn, type Lateness } from '../lateness.js';
import { keyOf } from '../on-stack.js';
import { startPhaseAgent, type AgentReport, type PhaseAgent } from './agents.js';
import { answer, secondAnswerRow } from './answers.js';
import { Checker, Difference } from './checker.js';
import type { RowPrinter } from './printing.js';
import { Api, Reads, type Ids } from './reads.js';
import { rowBefore, rowsOfQuestion, rowsOfWatchers, waitingRow, type Scene } from './rows-asked.js';
import { rowOfSilence, rowsOfExpiry } from './rows-ended.js';
import { rowsOfAlarm, rowsOfReminder } from './rows-reminded.js';
import { rowOfClaim, rowsOfAnswer, rowsOfEnd } from './rows-resumed.js';
import {
  AT,
  PHASES,
  REPORT_SECONDS,
  WORKFLOW,
  paced,
  type PhaseName,
  type Variant,
} from './story.js';

/** A deadline that is not to come. */
const FAR_MS = 600_000;
/** No heartbeat is due in the story. */
const HEARTBEAT_SECONDS = 3_600;

/** Starts the workflow of the story, the portfolio of its intents and a coordinator of the whole. */
export async function openStory(api: Api): Promise<Ids> {
  const workflow = await api.post<PhasedPlanView>('/workflows', WORKFLOW);
  const idsOf = (pick: (phase: PhasedPlanView['phases'][number]) => string) =>
    Object.fromEntries(workflow.phases.map((one) => [one.phase_name, pick(one)])) as Record<
      PhaseName,
      string
    >;
  const intents = idsOf(({ intent_id }) => intent_id);
  const portfolio = await api.post<PortfolioView>('/portfolios', {
    name: 'Compliance',
    governance_policy: { deadline: new Date(Date.now() + FAR_MS).toISOString() },
    intents: PHASES.map((phase) => ({ intent_id: intents[phase] })),
  });
  const coordinator = await api.post<Coordinator>('/coordinators', {
    intent_id: workflow.intent_id,
    heartbeat_interval_seconds: HEARTBEAT_SECONDS,
  });
  return {
    workflow: workflow.id,
    portfolio: portfolio.id,
    coordinator: coordinator.id,
    intents,
    tasks: idsOf(({ task_id }) => task_id),
  };
}

/** How the story is played. */
export interface Play {
  readonly stack: Stack;
  readonly printer: RowPrinter;
  /** Reports what comes late. */
  readonly late: Lateness;
  /** What an hour is shown as. */
  readonly intervalSeconds: number;
  /** Whether the worker is killed once in each phase. */
  readonly kills: boolean;
  readonly signal: AbortSignal;
}

/** One variant on its way. */
interface Run extends Play {
  readonly variant: Variant;
  readonly checker: Checker;
  readonly reads: Reads;
  readonly agents: Readonly<Record<PhaseName, PhaseAgent>>;
}

/**
 * Plays variants one after another on a running stack, each row checked at its instant. Resolves with the
 * first difference, lateness apart, or with undefined.
 *
 * @throws the signal's reason where it is aborted first; what an agent or the API failed with
 */
export async function playCompliance(
  play: Play,
  variants: readonly Variant[],
): Promise<string | undefined> {
  return playInTurn(variants.map((variant) => () => differenceIn(play, variant)));
}

async function differenceIn(play: Play, variant: Variant): Promise<string | undefined> {
  try {
    await playVariant(play, variant);
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

async function playVariant(play: Play, variant: Variant): Promise<void> {
  const { stack, printer, intervalSeconds } = play;
  printer.note(`${variant.name}: ${variant.says}`);
  const ids = await openStory(new Api(stack.apiUrl, keyOf(stack, 'agent')));
  const reads = new Reads(new Api(stack.apiUrl, keyOf(stack, 'operator')), ids);
  const settings = {
    HOLDPOINT_URL: stack.apiUrl,
    HOLDPOINT_API_KEY: keyOf(stack, 'agent'),
    COMPLIANCE_WORKFLOW: ids.workflow,
    COMPLIANCE_INTERVAL_SECONDS: String(intervalSeconds),
    COMPLIANCE_WORK_MS: String(paced(REPORT_SECONDS, intervalSeconds)),
  };
  const agents = {
    fetch_data: startPhaseAgent('fetch_data', settings),
    compliance_review: startPhaseAgent('compliance_review', settings),
    generate_report: startPhaseAgent('generate_report', settings),
  };
  const checker = new Checker(variant.name, intervalSeconds, play);
  try {
    await playPhases({ ...play, variant, checker, reads, agents });
  } finally {
    for (const agent of Object.values(agents)) agent.kill();
  }
}

async function playPhases(run: Run): Promise<void> {
  const { checker, variant } = run;
  await run.agents.fetch_data.untilReported('claimed');
  await crash(run, 'phase 1', TASK_MS);
  const scene = await playQuestion(run);
  await checker.until(AT.reminded);
  await checker.rows(...rowsOfReminder(scene));
  if (variant.deadline !== undefined) return playDeadline(run, scene, variant.deadline);
  if (variant.answered !== undefined && variant.answered < AT.paged) {
    return playAnswer(run, scene, variant.answered);
  }
  await checker.until(AT.paged);
  await checker.rows(...rowsOfAlarm(scene));
  return variant.answered === undefined
    ? playExpiry(run, scene)
    : playAnswer(run, scene, variant.answered);
}

function idOf({ suspension_id: id }: AgentReport): string {
  if (typeof id === 'string') return id;
  throw new Error('The agent did not tell which question it has asked.');
}

/** T+0, from which on times are counted. */
async function playQuestion(run: Run): Promise<Scene> {
  const { reads, checker, variant, stack } = run;
  const reviewer = run.agents.compliance_review;
  const asked = await reviewer.untilReported('onInputRequested');
  const suspensionId = idOf(asked);
  const { record } = await reads.suspension(suspensionId);
  checker.countFrom(record.suspended_at);
  const scene = { reads, checker, reviewer, suspensionId };
  await checker.rows(rowBefore(scene), ...rowsOfQuestion(scene), ...rowsOfWatchers(scene));
  if (variant.deadline !== undefined) {
    const deadline = checker.instant(variant.deadline);
    const api = new Api(stack.apiUrl, keyOf(stack, 'agent'));
    const path = `/portfolios/${reads.ids.portfolio}`;
    const { version } = await api.get<PortfolioView>(path);
    await api.patch(path, version, { governance_policy: { deadline } });
    run.printer.note(`the deadline of the portfolio is moved to T+${variant.deadline}`);
  }
  await pause(run.kills ? CALM_MS : 0);
  await crash(run, 'phase 2', 0);
  return scene;
}

async function playAnswer(run: Run, scene: Scene, time: number): Promise<void> {
  const { checker, stack, agents } = run;
  await checker.until(time);
  await checker.rows(waitingRow(scene, time));
  await answer(stack, scene);
  const crashed = agents.generate_report
    .untilReported('claimed')
    .then(() => crash(run, 'phase 3', TASK_MS));
  const rows = [...rowsOfAnswer(scene, time), rowOfClaim(scene, agents.generate_report, time)];
  await Promise.all([crashed, checker.rows(secondAnswerRow(stack, scene, time), ...rows)]);
  await agents.generate_report.untilReported('completed');
  await checker.rows(...rowsOfEnd(scene, time));
  if (time > AT.paged) return;
  await checker.until(LATER);
  await checker.rows(rowOfSilence(scene, { row: 'TD-03', time: LATER, attempts: 2 }));
}

/** A while after the last reminder would have come. */
const LATER = 9_000;

async function playExpiry({ checker }: Run, scene: Scene): Promise<void> {
  await checker.until(AT.expired);
  const end = { row: 'TD-05', time: AT.expired, expiry: 'attempts_exhausted' } as const;
  const then = { abandonment: 'suspension_expired', error: 'InputTimeoutError' };
  await checker.rows(...rowsOfExpiry(scene, { ...end, ...then }));
}

async function playDeadline({ checker }: Run, scene: Scene, time: number): Promise<void> {
  await checker.until(time);
  const end = { row: 'TD-06', time, expiry: 'portfolio_deadline' } as const;
  const then = { abandonment: 'portfolio_deadline_exceeded', error: 'InputCancelledError' };
  await checker.rows(...rowsOfExpiry(scene, { ...end, ...then }));
  await checker.until(LATER);
  await checker.rows(rowOfSilence(scene, { row: 'TD-06', time: LATER, attempts: 2 }));
}

/** After so long nobody is at work any more who was when the question came; milliseconds. */
const CALM_MS = 500;
/** Temporal gives the task of a worker that died at work to another after so long. */
const TASK_MS = 10_000;

/** Kills the worker and waits for the next one; `graceMs` where it is killed at work. */
async function crash(
  { kills, stack, printer, checker }: Run,
  where: string,
  graceMs: number,
): Promise<void> {
  if (!kills) return;
  await checker.outage(async () => {
    printer.note(`the worker (${stack.pids().worker ?? 'down'}) is killed in ${where}`);
    await stack.kill('worker', 'SIGKILL');
    await stack.untilUp('worker');
  }, graceMs);
  printer.note(`the worker runs again (${stack.pids().worker ?? 'down'})`);
}
