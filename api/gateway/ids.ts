/** The form of an entity's id: a UUID in lower case. */
export const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text from outside has the form of an entity's id. Anything else
 * is unknown from the start and is put neither into a workflow id nor into a store query.
 */
export function isEntityId(text: string): boolean {
  return ENTITY_ID.test(text);
}
