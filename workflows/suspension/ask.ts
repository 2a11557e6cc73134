import { ParentClosePolicy, startChild, uuid4 } from '@temporalio/workflow';
import type { ChildWorkflowHandle, ChildWorkflowOptions, Workflow } from '@temporalio/workflow';
import { WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { summaryOf } from '../../domain/kernel/text.js';
import { toInstant } from '../../domain/kernel/time.js';
import { openRecord } from '../../domain/suspension/schedule.js';
import { viewOf } from '../../domain/suspension/view.js';
import { now } from '../engine/clock.js';
import { openingAttributes, spaceAttribute } from '../engine/search-attributes.js';
import { ownSpace } from '../engine/space.js';
import type { SuspensionInput } from './messages.js';

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

/** How a question is read at first, and its workflow. */
interface Opened {
  readonly view: SuspensionView;
  readonly child: ChildWorkflowHandle<Workflow>;
}

/**
 * Starts the suspension of a question, which outlives the run, and the workflow, that asks. Intents, plans and the
 * workflows of agents all ask by it, the latter in any space: whoever can start workflows is trusted.
 */
export async function openQuestion(
  question: SuspensionInput,
  {
    space = ownSpace(),
    ...options
  }: Pick<ChildWorkflowOptions, 'taskQueue' | 'workflowIdReusePolicy'> & {
    readonly space?: string;
  } = {},
): Promise<Opened> {
  const { record, intent_id } = question;
  const view = viewOf({ intent_id, record, attempt: 1 }, question, []);
  const child = await startChild(WORKFLOW_TYPES.suspension, {
    ...options,
    workflowId: workflowIdOf('suspension', record.id, space),
    args: [question],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: [spaceAttribute(space), ...openingAttributes(view)],
  });
  return { view, child };
}
