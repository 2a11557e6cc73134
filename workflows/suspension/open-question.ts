import {
  ParentClosePolicy,
  startChild,
  uuid4,
  type ChildWorkflowHandle,
  type ChildWorkflowOptions,
} from '@temporalio/workflow';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SuspensionDraft } from '../../contracts/suspension/suspension.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { toInstant } from '../../domain/kernel/time.js';
import { openRecord } from '../../domain/suspension/asking/schedule.js';
import { viewOf } from '../../domain/suspension/record/view.js';
import { now } from '../engine/clock.js';
import { askerAttributes, openingAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { ownSpace } from '../engine/space.js';
import type { SuspensionInput } from './messages.js';
import type { suspension } from './workflow.js';

/** Who asks, and who gets the answer. */
type Asker = Omit<SuspensionInput, 'record' | 'schedule'>;

/** Returns the input of a question, asked at an instant (ISO-8601), by default now and with a new id. */
export function newQuestion(
  draft: SuspensionDraft,
  asker: Asker,
  at = toInstant(now()),
  id = uuid4(),
): SuspensionInput {
  return { ...asker, ...openRecord(draft, id, at) };
}

export interface Opened {
  readonly question: SuspensionInput;
  readonly view: LiveView;
  readonly child: ChildWorkflowHandle<typeof suspension>;
}

/**
 * Starts the suspension of a question, which by default outlives the workflow that asks. The run that asks takes the outcome
 * from its result (docs/adr/0048). The workflows of agents may ask in any space, because whoever can start workflows
 * is trusted.
 */
export async function openQuestion(
  question: SuspensionInput,
  {
    space = ownSpace(),
    parentClosePolicy = ParentClosePolicy.ABANDON,
    ...options
  }: Pick<ChildWorkflowOptions, 'taskQueue' | 'workflowIdReusePolicy' | 'parentClosePolicy'> & {
    readonly space?: string;
  } = {},
): Promise<Opened> {
  const { record, intent_id } = question;
  const view = viewOf({ intent_id, record, attempt: 1 }, question, []);
  const child = await startChild<typeof suspension>(WORKFLOW_TYPES.suspension, {
    ...options,
    workflowId: workflowIdOf('suspension', record.id, space),
    args: [question],
    parentClosePolicy,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: [
      spaceAttribute(space),
      ...openingAttributes(view),
      ...askerAttributes(question),
    ],
  });
  return { question, view, child };
}
