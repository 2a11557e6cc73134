import type { JsonObject } from '../../contracts/primitives.js';
import type { TimelineEntry } from '../../contracts/suspension.js';
import { isObject } from '../kernel/message-form.js';

/** An edit of a proposal, as the timeline tells it. */
export interface ToldEdit {
  readonly by: string;
  readonly version: number;
  /** The calls that it changed, with the arguments that differ where they were not too large to keep. */
  readonly calls: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly before?: JsonObject;
    readonly after?: JsonObject;
  }[];
  /** The notes with votes on the version before, which no longer count. */
  readonly notes: readonly { readonly actor: string; readonly comment: string }[];
}

/** The edits in a timeline, oldest first. Of those of older runs it says no more than who, and which version. */
export function editsTold(timeline: readonly TimelineEntry[]): readonly ToldEdit[] {
  return timeline.flatMap(({ kind, detail }) => {
    const { responded_by: by, version, edits, notes_before } = detail;
    if (kind !== 'proposal_edited' || typeof version !== 'number') return [];
    const who = typeof by === 'string' ? by : 'somebody';
    return [
      {
        by: who,
        version,
        calls: listIn(edits) as ToldEdit['calls'],
        notes: listIn(notes_before) as ToldEdit['notes'],
      },
    ];
  });
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
