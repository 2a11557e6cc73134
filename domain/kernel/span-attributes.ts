import { entityIdOf, typeOfWorkflow } from '../../contracts/constants/names.js';
import { shortened } from './text.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the span attributes of a workflow of Holdpoint: its type and the id of its entity. The id of a suspension
 * is shortened, because it is half of what an answer needs (R25-100). The space is left out, because it may be a
 * customer's name. Other workflows get none.
 */
export function workflowAttributes(workflowId: string): Readonly<Record<string, string>> {
  const type = typeOfWorkflow(workflowId);
  if (type === undefined) return {};
  return {
    'holdpoint.workflow.type': type,
    ...entityAttribute(type, entityIdOf(workflowId, type)),
  };
}

/** The id of something, as a span shows it; nothing if it is not one that Holdpoint makes. */
export function entityAttribute(type: string, id: unknown): Readonly<Record<string, string>> {
  if (typeof id !== 'string' || !UUID.test(id)) return {};
  return { [`holdpoint.${type}.id`]: type === 'suspension' ? shortened(id) : id };
}
