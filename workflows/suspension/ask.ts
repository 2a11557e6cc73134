import { ParentClosePolicy, patched, startChild, uuid4 } from '@temporalio/workflow';
import type { ChildWorkflowHandle, ChildWorkflowOptions } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { LiveView } from '../../contracts/suspension-view.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { toInstant } from '../../domain/kernel/time.js';
import { openingRest } from '../../domain/suspension/opening-row.js';
import { openRecord } from '../../domain/suspension/schedule.js';
import { viewOf } from '../../domain/suspension/view.js';
import { now } from '../engine/clock.js';
import { askerAttributes, openingAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { ownSpace } from '../engine/space.js';
import type { SuspensionInput } from './messages.js';
import type { suspension } from './workflow.js';

/**
 * Whoever asks after this patch takes the outcome from the suspension's result (docs/adr/0048). A worker that does not
 * know it would pass over the result: it cannot go on with such a history.
 */
const BY_RESULT = 'holdpoint-outcome-by-result';

/**
 * Whether this run takes outcomes from results, and leaves rows to who writes them (docs/adr/0052). Only to be called where
 * it does so, or is about to.
 */
export function asksByResult(): boolean {
  return patched(BY_RESULT);
}

/** Who asks, and who gets the answer. */
type Asker = Omit<SuspensionInput, 'record' | 'schedule'>;

/** A question as it is asked at an instant (ISO-8601), now unless given, under a new id. */
export function newQuestion(
  draft: SuspensionDraft,
  asker: Asker,
  at = toInstant(now()),
): SuspensionInput {
  return { ...asker, ...openRecord(draft, uuid4(), at) };
}

/** The same question, with its opening for the first delivery to write, unless that has too much to take along. */
export function openedByDelivery(asked: SuspensionInput): SuspensionInput {
  if (jsonBytes(openingRest(asked)) > WORKFLOW_LIMITS.handedOverBytes) return asked;
  return { ...asked, opening_journalled: true, opening_by_delivery: true };
}

/** A question that was asked: how it is read at first, and its workflow. */
export interface Opened {
  readonly question: SuspensionInput;
  readonly view: LiveView;
  readonly child: ChildWorkflowHandle<typeof suspension>;
}

/**
 * Starts the suspension of a question, which outlives the run, and the workflow, that asks. Intents, plans and the
 * workflows of agents all ask by it, the latter in any space: whoever can start workflows is trusted.
 */
export async function openQuestion(
  asked: SuspensionInput,
  {
    lastRows,
    space = ownSpace(),
    ...options
  }: Pick<ChildWorkflowOptions, 'taskQueue' | 'workflowIdReusePolicy'> & {
    /** Who writes what the result leaves to write. */
    readonly lastRows: 'subject_writes' | 'settler_writes';
    readonly space?: string;
  },
): Promise<Opened> {
  const byResult = { reports_by_result: true, [lastRows]: true } as const;
  const isByResult = asksByResult();
  const question = isByResult ? { ...asked, ...byResult } : asked;
  const { record, intent_id } = question;
  const view = viewOf({ intent_id, record, attempt: 1 }, question, []);
  const child = await startChild<typeof suspension>(WORKFLOW_TYPES.suspension, {
    ...options,
    workflowId: workflowIdOf('suspension', record.id, space),
    args: [question],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: [
      spaceAttribute(space),
      ...openingAttributes(view),
      // New with the patch: a replay adds them to no question that was asked before it.
      ...(isByResult ? askerAttributes(question) : []),
    ],
  });
  return { question, view, child };
}
