import { isObject, isOneOf, isWorkflowId } from '../kernel/message-form.js';

/**
 * The status of a nested flow (JC-65): `hibernated` is a wait of the tier `full_checkpoint`, `paused` a shorter one.
 */
export type ChildStatus = 'running' | 'paused' | 'hibernated' | 'completed' | 'failed';

/** A flow that another one has started, as it is shown to people; the outer flow itself decides nothing by it (JC-64, AM-69). */
export interface ChildRef {
  /** The type of its workflow. */
  readonly agent_module: string;
  /** The id of its workflow. */
  readonly agent_id: string;
  /** The place of its start: the name of the outer flow, and the state. */
  readonly tag: string;
  /** The run in which it began: with Temporal its history is the checkpoint (TM-16). */
  readonly checkpoint_key: string;
  /** The question that it waits for. */
  readonly suspension_id: string | null;
  readonly status: ChildStatus;
}

/** The report of a nested flow about itself. */
export interface ChildNews extends Pick<ChildRef, 'agent_id' | 'suspension_id'> {
  readonly status: Extract<ChildStatus, 'running' | 'paused' | 'hibernated'>;
}

const REPORTED: readonly ChildNews['status'][] = ['running', 'paused', 'hibernated'];

/** Whether a message has the form of news of a nested flow. */
export function isChildNews(message: unknown): message is ChildNews {
  if (!isObject(message)) return false;
  const { agent_id, suspension_id: id, status } = message;
  return isWorkflowId(agent_id) && (id === null || isWorkflowId(id)) && isOneOf(status, REPORTED);
}

/** A reference after news. A nested flow that has ended stays as it ended: news can come late. */
export function refAfter(ref: ChildRef, { status, suspension_id }: ChildNews): ChildRef {
  const isOver = ref.status === 'completed' || ref.status === 'failed';
  return isOver ? ref : { ...ref, status, suspension_id };
}
