import { workflowInfo } from '@temporalio/workflow';
import {
  spaceOfWorkflow,
  workflowIdOf,
  type WorkflowType,
} from '../../contracts/constants/names.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isCaller, isObject } from '../../domain/kernel/message-form.js';
import { ok } from '../../domain/kernel/ruling.js';
import { existsFor } from '../../domain/policy/authorize.js';

export function ownSpace(): string {
  return spaceOfWorkflow(workflowInfo().workflowId);
}

/** Returns the workflow id of an entity in this workflow's space. Nothing of another space exists for a workflow. */
export function peerIdOf(type: WorkflowType, entityId: string): string {
  return workflowIdOf(type, entityId, ownSpace());
}

/** Judges whether this workflow exists for the sender of a message, who may have bypassed the API from another space. */
export function judgeSpace(message: unknown): Ruling<true> {
  const by = isObject(message) ? message['by'] : undefined;
  if (!isCaller(by)) return ok(true);
  return existsFor(by, workflowInfo().workflowType as WorkflowType, ownSpace());
}
