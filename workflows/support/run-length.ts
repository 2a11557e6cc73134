import { workflowInfo } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';

/** Whether this run has grown so long that a new one should go on (design §4, sizes). */
export function isRunLong(limit: number = WORKFLOW_LIMITS.historyEvents): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > limit;
}
