import type { ApprovalPart, ProposedCall } from '../../../contracts/approval/approval.js';
import type { Vote } from '../../../contracts/suspension/decision.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { jsonBytes, jsonEqual } from '../../kernel/json.js';

/** The part of one edit that the timeline keeps, because it carries all edits. */
export const KEPT_EDIT_BYTES = 9 * 1_024;

/**
 * Describes an edit of a proposal for the timeline: the notes with votes on the version before, then the changed
 * arguments of each call, before and after. If arguments are too large, only the call is named; the rest is counted.
 * Pure.
 *
 * @param votes - those on the version before, which no longer count
 */
export function editTrace(
  before: ApprovalPart,
  after: ApprovalPart,
  votes: readonly Vote[],
): JsonObject {
  const room = new Room();
  const notes = votes.flatMap(({ actor, comment }) =>
    comment === undefined ? [] : room.first({ actor, comment }),
  );
  const edits = before.proposal.calls.flatMap((call, index) => {
    const edited = after.proposal.calls[index];
    if (edited === undefined || jsonEqual(call.arguments, edited.arguments)) return [];
    const whole = { ...named(call), ...differing(call.arguments, edited.arguments) };
    return room.first(whole, named(call));
  });
  return {
    edits,
    ...(notes.length > 0 && { notes_before: notes }),
    ...(room.left_out > 0 && { left_out: room.left_out }),
  };
}

/** The remaining bytes for one edit. */
class Room {
  private bytes = KEPT_EDIT_BYTES;
  left_out = 0;

  /** Returns the first form that fits; counts the edit if none does. */
  first(...forms: readonly JsonObject[]): JsonObject[] {
    const fitting = forms.find((form) => jsonBytes(form) + 1 <= this.bytes);
    if (fitting === undefined) {
      this.left_out += 1;
      return [];
    }
    this.bytes -= jsonBytes(fitting) + 1;
    return [fitting];
  }
}

function named({ id, tool }: ProposedCall): JsonObject {
  return { call_id: id, tool };
}

function differing(one: JsonObject, other: JsonObject): JsonObject {
  const part = (of: JsonObject, beside: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(of).filter(
        ([name, value]) => !Object.hasOwn(beside, name) || !jsonEqual(value, beside[name] ?? null),
      ),
    );
  return { before: part(one, other), after: part(other, one) };
}
