import type { ProposedCall } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspensionRecord, TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { jsonEqual } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';

export type EditEntry = Pick<TimelineEntry, 'kind' | 'detail'>;

export interface ProposalEdit {
  readonly by: string;
  readonly version: number;
  /** The changed calls, with the arguments that differ unless they were too large to keep. */
  readonly calls: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly before?: JsonObject;
    readonly after?: JsonObject;
  }[];
  /** The notes with votes on the version before, which no longer count. */
  readonly notes: readonly { readonly actor: string; readonly comment: string }[];
  readonly isCut: boolean;
}

export function editsIn(timeline: readonly EditEntry[]): readonly ProposalEdit[] {
  return timeline.flatMap(({ kind, detail }) => {
    const { responded_by: by, version, edits, notes_before, left_out } = detail;
    if (kind !== 'proposal_edited' || typeof version !== 'number') return [];
    const who = typeof by === 'string' ? by : 'somebody';
    return [
      {
        by: who,
        version,
        calls: listIn(edits) as ProposalEdit['calls'],
        notes: listIn(notes_before) as ProposalEdit['notes'],
        isCut: left_out !== undefined,
      },
    ];
  });
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A call whose arguments people have edited since its question was asked. */
export interface EditedSince {
  /** The call with its latest arguments. */
  readonly call: ProposedCall;
  /** Which of several calls it is, from 1; absent if it is the only one. */
  readonly position?: number;
  /** The arguments before the edit; absent if the timeline had no room for them. */
  readonly before?: JsonObject;
}

/**
 * Returns the calls of an approval that people have edited since the question was asked, as far as its timeline names
 * them. The arguments of a single call are also in the context of the question, whatever their size. Pure.
 */
export function editedSince(
  { approval, context }: Pick<SuspensionRecord, 'approval' | 'context'>,
  timeline: readonly EditEntry[],
): readonly EditedSince[] {
  const { calls = [], version = 1 } = approval?.proposal ?? {};
  if (version === 1) return [];
  const edits = editsIn(timeline);
  const isWhole = !edits.some(({ isCut }) => isCut);
  return calls.flatMap((call, index) => {
    const ofCall = edits.flatMap((edit) => edit.calls.filter(({ call_id }) => call_id === call.id));
    const place = calls.length === 1 ? {} : { position: index + 1 };
    const asked = calls.length === 1 ? argumentsIn(context) : undefined;
    const before = asked ?? (isWhole ? takenBack(call.arguments, ofCall) : undefined);
    if (before === undefined) return ofCall.length === 0 ? [] : [{ call, ...place }];
    return jsonEqual(before, call.arguments) ? [] : [{ call, ...place, before }];
  });
}

/** The arguments of the only call, from the context of its question. */
function argumentsIn(context: JsonObject | undefined): JsonObject | undefined {
  const asked = context?.['tool_call'];
  const before = isObject(asked) ? asked['arguments'] : undefined;
  return isObject(before) ? before : undefined;
}

/** Reverts edits of arguments, the last one first; undefined if one of them was not kept. */
function takenBack(now: JsonObject, edits: ProposalEdit['calls']): JsonObject | undefined {
  let earlier = now;
  for (const { before, after } of edits.toReversed()) {
    if (before === undefined || after === undefined) return undefined;
    const isOlder = (name: string) => !Object.hasOwn(after, name) || Object.hasOwn(before, name);
    const kept = Object.entries(earlier).filter(([name]) => isOlder(name));
    earlier = { ...Object.fromEntries(kept), ...before };
  }
  return earlier;
}
