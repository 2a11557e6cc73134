import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { isObject } from '../../kernel/message-form.js';
import { listedFields } from '../form/form-schema.js';

/** The context keys in which an approval describes itself, for simple channels. */
const OF_APPROVAL: readonly string[] = [
  'visible_context',
  'id',
  'approval_id',
  'run_id',
  'kind',
  'route',
  'stage',
  'tier',
  'risk_class',
  'proposal_hash',
  'timeout',
  'timeout_outcome',
];

/**
 * Context of a gated call about the program that asks. It helps those who repair that program, but not those who
 * decide.
 */
const PLUMBING: readonly string[] = ['agent_id', 'agent_module', 'node_name', 'on_reject'];

type Asked = Pick<SuspensionRecord, 'approval' | 'context' | 'response_type' | 'response_schema'>;

/** The context of a question, divided into three parts. */
export interface ContextParts {
  /** The part that is shown nowhere else. */
  readonly beside: JsonObject;
  /** The part that the question shows elsewhere: as its form, or as its proposal in the latest version. */
  readonly elsewhere: JsonObject;
  /** The part that only says which program asks; only for an approval. */
  readonly plumbing: JsonObject;
}

/** Divides the context of a question by what the question already shows. No entry is dropped just because of its name. */
export function contextParts(asked: Asked): ContextParts {
  const entries = Object.entries(asked.context ?? {});
  const place = ([name, value]: readonly [string, JsonValue]): keyof ContextParts => {
    if (isShown(name, asked)) return 'elsewhere';
    return asked.approval !== undefined && isPlumbing(name, value) ? 'plumbing' : 'beside';
  };
  const at = (wanted: keyof ContextParts) =>
    Object.fromEntries(entries.filter((entry) => place(entry) === wanted));
  return { beside: at('beside'), elsewhere: at('elsewhere'), plumbing: at('plumbing') };
}

function isPlumbing(name: string, value: JsonValue): boolean {
  if (name === 'metadata') return isObject(value) && Object.keys(value).length === 0;
  return PLUMBING.includes(name);
}

function isShown(
  name: string,
  { approval, response_type, response_schema, context }: Asked,
): boolean {
  if (approval === undefined) {
    const isForm = response_type === 'form' && response_schema === undefined;
    return name === 'fields' && isForm && listedFields(context?.['fields']) !== undefined;
  }
  if (name === 'tool_call') return approval.proposal.calls.length === 1;
  if (name === 'reason') return approval.reason !== undefined;
  return OF_APPROVAL.includes(name);
}
