import { workflowInfo } from '@temporalio/workflow';
import { spaceOfWorkflow, workflowIdOf } from '../../contracts/constants/names.js';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Ruling } from '../../contracts/problem.js';
import { isCaller, isObject } from '../../domain/kernel/message-form.js';
import { ok } from '../../domain/kernel/ruling.js';
import { existsFor } from '../../domain/policy/authorize.js';

/** The space that this workflow belongs to, which its own id says. */
export function ownSpace(): string {
  return spaceOfWorkflow(workflowInfo().workflowId);
}

/**
 * The id of the workflow of something in the space of this one. A workflow can name nothing else: what an id of another
 * space stands for does not exist to it.
 */
export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/**
 * Judges whether this workflow exists to the sender of a message. The API addresses no workflow of another space, so it
 * never gets here with one; whoever sends messages past it does.
 */
export function judgeSpace(message: unknown): Ruling<true> {
  const by = isObject(message) ? message['by'] : undefined;
  if (!isCaller(by)) return ok(true);
  return existsFor(by, workflowInfo().workflowType as WorkflowType, ownSpace());
}
