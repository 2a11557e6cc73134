import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { judgeBySchema } from '../../../domain/schema/judge.js';
import { anySchema, valueFor, type Choose } from '../support/form-schemas.js';
import { Picks, isSaid } from '../support/form-typing.js';

/** A value without all that may be left out of it. */
function leastOf(schema: JsonObject, value: JsonValue): JsonValue {
  const fits = (one: JsonValue) => judgeBySchema(schema, one, 'value').ok;
  const prune = (part: JsonValue, put: (part: JsonValue) => JsonValue): JsonValue => {
    if (typeof part !== 'object' || part === null) return part;
    let kept = part as JsonObject;
    for (const name of Object.keys(kept)) {
      const { [name]: _, ...rest } = kept;
      if (!Array.isArray(part) && fits(put(rest))) kept = rest;
    }
    for (const [name, inner] of Object.entries(kept)) {
      const around = kept;
      const into = (one: JsonValue): JsonValue =>
        Array.isArray(around)
          ? (around as JsonValue[]).with(Number(name), one)
          : { ...around, [name]: one };
      kept = into(prune(inner, (one) => put(into(one)))) as JsonObject;
    }
    return kept;
  };
  return prune(value, (one) => one);
}

/** Whether a value has what the form leaves out, or takes for nothing: an empty list, an empty object. */
function hasEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts = Object.values(value as JsonObject);
  return parts.some((part) => {
    const isEmpty = typeof part === 'object' && part !== null && Object.keys(part).length === 0;
    return isEmpty || hasEmpty(part);
  });
}

describe('what somebody types into a form', () => {
  it('is what the form says, for every value that a schema takes', () => {
    let judged = 0;
    fc.assert(
      fc.property(anySchema, fc.infiniteStream(fc.nat(1_000)), (schema, stream) => {
        if (!checkSchema(schema).ok) return;
        const choose: Choose = (below) => (below === 0 ? 0 : Number(stream.next().value) % below);
        for (let time = 0; time < 3; time += 1) {
          const value = valueFor(schema, choose);
          if (!judgeBySchema(schema, value, 'value').ok || hasEmpty(value)) continue;
          judged += 1;
          const picks = new Picks();
          if (isSaid(schema, value, picks)) continue;
          // A name that no schema describes has no field, unless it has to be there.
          const least = leastOf(schema, value);
          const isExpected =
            picks.hasNoPlace && (hasEmpty(least) || isSaid(schema, least, new Picks()));
          assert.ok(isExpected, JSON.stringify(picks.hasNoPlace ? least : value));
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(judged > 100, String(judged));
  });
});
