import { z } from 'zod';
import { nearestName } from '../constants/nearest-name.js';

/** Names that senders often choose, with the names of ours that they may stand for. The first that a schema has counts. */
const OFTEN_MEANT: Readonly<Record<string, readonly string[]>> = {
  answer: ['value'],
  approvers: ['eligible'],
  args: ['arguments'],
  assignee: ['eligible', 'to'],
  attempts: ['max_attempts'],
  body: ['question', 'prompt', 'text'],
  buttons: ['choices'],
  deadline: ['timeout_seconds', 'expires_at'],
  default: ['fallback_value'],
  default_value: ['fallback_value'],
  duration: ['duration_seconds', 'timeout_seconds', 'lease_seconds'],
  escalate: ['escalation_ladder'],
  escalation: ['escalation_ladder'],
  escalations: ['escalation_ladder'],
  every: ['interval_seconds'],
  expires: ['timeout_seconds', 'expires_at'],
  expires_at: ['timeout_seconds'],
  expires_in: ['timeout_seconds'],
  idempotency_key: ['request_key'],
  input: ['arguments', 'value'],
  interval: ['interval_seconds'],
  ladder: ['escalation_ladder'],
  message: ['question', 'prompt', 'comment', 'text'],
  note: ['comment', 'text'],
  notify: ['notify_to', 'escalation_ladder'],
  notify_to: ['escalation_ladder'],
  on_timeout: ['fallback_policy', 'timeout_outcome'],
  options: ['choices'],
  page_size: ['limit'],
  per_page: ['limit'],
  prompt: ['question'],
  q: ['text'],
  query: ['text'],
  recipient: ['notify_to', 'escalation_ladder', 'to'],
  remind: ['retry_policy'],
  reminder: ['retry_policy'],
  reminders: ['retry_policy'],
  retries: ['max_attempts'],
  search: ['text'],
  text: ['question', 'prompt', 'comment', 'label'],
  timeout: ['timeout_seconds', 'interval_seconds'],
  timeout_ms: ['timeout_seconds'],
  timeout_seconds: ['interval_seconds'],
  times: ['max_attempts'],
  title: ['question', 'prompt', 'name', 'label'],
  to: ['eligible', 'notify_to'],
  ttl: ['timeout_seconds', 'lease_seconds', 'duration_seconds'],
  who: ['eligible'],
};

/** How deep a name is looked for: `decision_rule.eligible.groups` is the third level. */
const LEVELS = 3;
/** More names than these are no help. */
const MOST_MEANT = 3;

/** A field that was probably meant: its path from the object, and what it looks like, if that is not plain. */
export interface MeantField {
  readonly path: string;
  readonly form?: string;
}

function innerOf(field: z.ZodType): z.ZodType {
  return 'innerType' in field.def ? innerOf(field.def.innerType as z.ZodType) : field;
}

function fieldsOf(schema: z.ZodObject): readonly (readonly [string, z.ZodType])[] {
  return Object.entries(schema.shape);
}

/** Looks for a name in an object, then in the objects of its fields, the nearest first. */
function findIn(schema: z.ZodObject, name: string): MeantField | undefined {
  let level: readonly { readonly path: string; readonly object: z.ZodObject }[] = [
    { path: '', object: schema },
  ];
  for (let depth = 0; depth < LEVELS; depth += 1) {
    for (const { path, object } of level) {
      const found = fieldsOf(object).find(([each]) => each === name);
      if (found) return { path: `${path}${name}`, ...formOf(...found) };
    }
    level = level.flatMap(({ path, object }) =>
      fieldsOf(object).flatMap(([each, field]) => {
        const inner = innerOf(field);
        return inner instanceof z.ZodObject ? [{ path: `${path}${each}.`, object: inner }] : [];
      }),
    );
  }
  return undefined;
}

/** Describes fields whose name does not say how to write them. */
function formOf(name: string, field: z.ZodType): Pick<MeantField, 'form'> {
  const inner = innerOf(field);
  if (inner instanceof z.ZodObject) return { form: `an object ${namesIn(inner)}` };
  const element = inner instanceof z.ZodArray ? innerOf(inner.element as z.ZodType) : undefined;
  if (element instanceof z.ZodObject) return { form: `a list of ${namesIn(element)}` };
  return name.endsWith('_seconds') ? { form: 'in whole seconds' } : {};
}

function namesIn(schema: z.ZodObject): string {
  const names = fieldsOf(schema).map(([name, field]) =>
    field.safeParse(undefined).success ? `${name}?` : name,
  );
  return `{${names.join(', ')}}`;
}

/** The names of an object that have all words of this one: `retry_policy` and `fallback_policy` for `policy`. */
function withWordsOf(name: string, schema: z.ZodObject): readonly MeantField[] {
  const words = name.split('_');
  const all = fieldsOf(schema).filter(([each]) => {
    const theirs = new Set(each.split('_'));
    return words.every((word) => theirs.has(word));
  });
  return all.map(([each, field]) => ({ path: each, ...formOf(each, field) }));
}

/**
 * Returns the fields that were probably meant by a name which an object does not know: what senders often mean by it, the
 * same name deeper in the object, names with the same words, or the name that is spelt most like it.
 *
 * @param name - in snake_case
 * @param input - fields that it has are not meant by another name
 * @returns at most three; usually one or none
 */
export function meantFields(
  name: string,
  schema: z.ZodObject,
  input: Readonly<Record<string, unknown>>,
): readonly MeantField[] {
  const isOpen = ({ path }: MeantField): boolean => !Object.hasOwn(input, path);
  const usual = Object.hasOwn(OFTEN_MEANT, name) ? (OFTEN_MEANT[name] ?? []) : [];
  for (const each of [name, ...usual]) {
    const found = findIn(schema, each);
    if (found && isOpen(found)) return [found];
  }
  const related = withWordsOf(name, schema).filter(isOpen);
  if (related.length > 0 && related.length <= MOST_MEANT) return related;
  const known = fieldsOf(schema).map(([each]) => each);
  const near = nearestName(name, known);
  return near === undefined ? [] : [{ path: near }];
}
