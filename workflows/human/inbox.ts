import { setHandler } from '@temporalio/workflow';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isReport } from '../../domain/suspension/record/message-form.js';
import { lostRecord } from '../../domain/suspension/record/state.js';
import { now } from '../engine/clock.js';
import { wellFormed } from '../engine/handlers.js';
import { inputReportSignal, type SuspensionReport } from '../suspension/messages.js';
import type { HookCalls } from './hooks.js';

type Settled = Extract<SuspensionReport, { kind: 'settled' }>;
type Reminder = Extract<SuspensionReport, { kind: 'attempt' }>;
export type SettledInput = Pick<Settled, 'record' | 'attempt'>;

export interface Followed {
  settled?: SettledInput;
  /** The latest reminder for which the hooks have not been called. */
  reminder?: Reminder;
  calls?: HookCalls;
  /** The space in which it was asked, if not the default one. */
  space?: string;
  /** Whether this run opened it, so that this run gets every report. */
  own: boolean;
}

/** The questions that this workflow follows; per workflow, because workflows of our worker share this module (docs/adr/0058). */
const FOLLOWED = Symbol('followed');
// eslint-disable-next-line no-restricted-globals -- nothing is read here but what this module has put there
const own = globalThis as { [FOLLOWED]?: Map<string, Followed> };

/**
 * Returns what is known of a question, and stores its reports from now on. The first call registers the handler of
 * reports; Temporal buffers earlier ones.
 */
export function follow(suspensionId: string): Followed {
  const followed = own[FOLLOWED] ?? listen();
  const known = followed.get(suspensionId) ?? { own: false };
  followed.set(suspensionId, known);
  return known;
}

function listen(): Map<string, Followed> {
  const followed = new Map<string, Followed>();
  own[FOLLOWED] = followed;
  setHandler(inputReportSignal, wellFormed(inputReportSignal, isReport, takeReport), {
    description: 'An answer, or the end of a question',
  });
  return followed;
}

export function recall(suspensionId: string): Followed | undefined {
  return own[FOLLOWED]?.get(suspensionId);
}

/** Returns the space in which a question was asked, as far as this run knows it. */
export function spaceOf(suspensionId: string): string {
  return own[FOLLOWED]?.get(suspensionId)?.space ?? DEFAULT_SPACE;
}

export function forget(suspensionId: string): void {
  own[FOLLOWED]?.delete(suspensionId);
}

/** Applies a report; a repeated outcome changes nothing. */
function takeReport(report: SuspensionReport): void {
  const known = follow(report.suspension_id);
  if (report.kind === 'settled') known.settled ??= report;
  else if (report.kind === 'attempt' && !report.skipped && report.record !== undefined)
    known.reminder = report;
}

/** Returns the end, at this workflow's time, of a question whose workflow is gone and that the store does not have. */
export function lostInput(record: SuspensionRecord): SettledInput {
  return { record: lostRecord(record, toInstant(now())), attempt: 1 };
}
