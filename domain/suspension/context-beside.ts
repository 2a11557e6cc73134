import type { ProposedCall } from '../../contracts/approval.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { isObject } from '../kernel/message-form.js';
import { listedFields } from './form-schema.js';

/** What an approval says of itself once more in its context, for channels that show nothing else. */
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

type Asked = Pick<SuspensionRecord, 'approval' | 'context' | 'response_type' | 'response_schema'>;

/** The context of a question in two parts, which together are all of it. */
export interface ContextParts {
  /** What is shown nowhere else. */
  readonly beside: JsonObject;
  /** What the question shows in another place: as its form, or as its proposal, in its latest version there. */
  readonly elsewhere: JsonObject;
}

/** Divides the context of a question by what the question shows already. Nothing is left out by its name alone. */
export function contextParts(asked: Asked): ContextParts {
  const entries = Object.entries(asked.context ?? {});
  const isElsewhere = ([name]: readonly [string, JsonValue]) => isShown(name, asked);
  return {
    beside: Object.fromEntries(entries.filter((entry) => !isElsewhere(entry))),
    elsewhere: Object.fromEntries(entries.filter(isElsewhere)),
  };
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

/** A call whose arguments somebody has edited since it was asked about. */
export interface EditedSince {
  readonly call: ProposedCall;
  /** As they were proposed. */
  readonly before: JsonObject;
}

/**
 * The call of an approval with the arguments that it was asked with, if they were edited since; undefined if they were not. Of
 * several calls the question keeps only what is approved: the log of the run has what was proposed.
 */
export function editedSince({
  approval,
  context,
}: Pick<SuspensionRecord, 'approval' | 'context'>): EditedSince | undefined {
  const [call, ...others] = approval?.proposal.calls ?? [];
  const asked = context?.['tool_call'];
  const isEdited = (approval?.proposal.version ?? 1) > 1;
  if (!isEdited || call === undefined || others.length > 0 || !isObject(asked)) return undefined;
  const before = asked['arguments'];
  return isObject(before) ? { call, before } : undefined;
}
