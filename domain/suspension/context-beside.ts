import type { JsonObject } from '../../contracts/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';

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
  const isElsewhere = ([name]: readonly [string, unknown]) => isShown(name, asked);
  return {
    beside: Object.fromEntries(entries.filter((entry) => !isElsewhere(entry))),
    elsewhere: Object.fromEntries(entries.filter(isElsewhere)),
  };
}

function isShown(name: string, { approval, response_type, response_schema }: Asked): boolean {
  if (approval === undefined) {
    return name === 'fields' && response_type === 'form' && response_schema === undefined;
  }
  if (name === 'tool_call') return approval.proposal.calls.length === 1;
  if (name === 'reason') return approval.reason !== undefined;
  return OF_APPROVAL.includes(name);
}
