import { workflowInfo } from '@temporalio/workflow';
import { spaceOfWorkflow, workflowIdOf } from '../../contracts/constants/names.js';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isCaller, isObject } from '../../domain/kernel/message-form.js';
import { ok } from '../../domain/kernel/ruling.js';
import { existsFor } from '../../domain/policy/authorize.js';

/** Returns the space of this workflow, by its id. */
export function ownSpace(): string {
  return spaceOfWorkflow(workflowInfo().workflowId);
}

/** Returns the id of the workflow of something in the space of this one. Nothing of another space exists for a workflow. */
export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/** Judges whether this workflow exists for the sender of a message, who may have sent it past the API from another space. */
export function judgeSpace(message: unknown): Ruling<true> {
  const by = isObject(message) ? message['by'] : undefined;
  if (!isCaller(by)) return ok(true);
  return existsFor(by, workflowInfo().workflowType as WorkflowType, ownSpace());
}
