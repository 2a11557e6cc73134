import { entityIdOf, typeOfWorkflow } from '../../contracts/constants/names.js';
import { shortened } from './text.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns a workflow's span attributes. A suspension's id is shortened, because it is half of what an answer needs
 * (R25-100); the space is omitted, because it may be a customer's name.
 */
export function workflowAttributes(workflowId: string): Readonly<Record<string, string>> {
  const type = typeOfWorkflow(workflowId);
  if (type === undefined) return {};
  return {
    'holdpoint.workflow.type': type,
    ...entityAttribute(type, entityIdOf(workflowId, type)),
  };
}

/** The span attribute with an entity's id; empty unless Holdpoint made the id. */
export function entityAttribute(type: string, id: unknown): Readonly<Record<string, string>> {
  if (typeof id !== 'string' || !UUID.test(id)) return {};
  return { [`holdpoint.${type}.id`]: type === 'suspension' ? shortened(id) : id };
}
