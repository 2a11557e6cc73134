import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { boundedParse } from '../../contracts/kernel/bounded-parse.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { describeIssues, parseFields } from '../../contracts/kernel/parse-fields.js';
import { createPlanRequestSchema } from '../../contracts/plan/plan.js';
import { parseKnownFields } from '../../contracts/kernel/unknown-fields.js';

/** A schema that counts how often it judges a value. */
function counting() {
  const seen = { values: 0 };
  const schema = z.custom<number>((value) => {
    seen.values += 1;
    return typeof value === 'number';
  });
  return { seen, schema };
}

const texts = (length: number) => Array.from({ length }, (_, index) => `t${index}`);

describe('an input with too many entries', () => {
  it('is refused by its length, before any entry is looked at', () => {
    const { seen, schema } = counting();
    for (const within of [
      z.object({ all: z.array(schema).max(3).optional() }),
      z.object({ all: z.union([z.string(), z.array(schema).max(3)]) }),
      z.object({ all: z.array(z.array(schema).max(3)).transform((all) => all.length) }),
    ]) {
      const long = [1, 2, 3, 4];
      const all = within.shape.all instanceof z.ZodPipe ? [long] : long;
      const { success, error } = boundedParse(within, { all });
      assert.equal(success, false);
      assert.equal(error.issues[0]?.code, 'too_big');
    }
    assert.equal(seen.values, 0);
  });

  it('is refused by the size of a map that says how many it takes', () => {
    const { seen, schema } = counting();
    const map = z.record(z.string(), schema).meta({ maxProperties: 2 });
    const { error } = boundedParse(z.object({ map }), { map: { a: 1, b: 2, c: 3 } });
    assert.deepEqual(describeIssues(error as z.ZodError, {}), [
      {
        field: 'map',
        accepted: 'an object of at most 2 entries',
        detail: 'map is required: it must be an object of at most 2 entries.',
      },
    ]);
    assert.equal(seen.values, 0);
  });

  it('is refused by the entries of all its lists and maps together', () => {
    const { seen, schema } = counting();
    const lists = z.record(z.string(), z.array(schema));
    const half = LIMITS.checkedEntries / 2;
    const input = { a: texts(half), b: texts(half) };
    const { error } = boundedParse(lists, input);
    assert.match(error?.issues[0]?.message ?? '', /at most 10000 entries/);
    assert.equal(seen.values, 0);
  });

  it('is judged no further than an error tells', () => {
    const { seen, schema } = counting();
    const lists = z.record(z.string(), z.array(schema));
    const { error } = boundedParse(lists, { a: texts(2_000), b: texts(2_000) });
    assert.equal(error?.issues.length, LIMITS.reportedIssues);
    assert.ok(seen.values <= LIMITS.reportedIssues, String(seen.values));
    assert.deepEqual(error.issues[0]?.path, ['a', 0]);
  });

  it('has names that are judged no further either', () => {
    const names = z.record(z.string().regex(/^[a-z]$/), z.number());
    const input = Object.fromEntries(texts(5_000).map((name) => [name, 1]));
    const { error } = boundedParse(z.object({ names }), { names: input });
    assert.equal(error?.issues.length, LIMITS.reportedIssues);
    assert.deepEqual(error.issues[0]?.path, ['names', 't0']);
  });
});

describe('an input within its limits', () => {
  it('is parsed as its schema does', () => {
    const schema = z.object({
      list: z.array(z.union([z.string(), z.object({ n: z.int().default(2) })])),
      map: z.record(z.string(), z.number()).default({}),
      free: z.record(z.string(), z.unknown()),
    });
    const inputs = [
      { list: [...texts(3_000), {}], free: {} },
      { list: texts(3_000), map: { a: 1 }, free: { a: texts(20_000) } },
      { list: [...texts(3_000), 1, { n: 'x' }], free: {} },
      { list: 1, free: [] },
      null,
    ];
    for (const input of inputs) {
      const [own, usual] = [boundedParse(schema, input), schema.safeParse(input)];
      assert.equal(own.success, usual.success);
      assert.deepEqual(own.data, usual.data);
      assert.deepEqual(own.error?.issues, usual.error?.issues);
    }
  });
});

describe('what is refused of an input', () => {
  it('is at most 20 fields, whoever finds them', () => {
    const tasks = Array.from({ length: 200 }, () => ({ names: 1, nam: 2 }));
    for (const parse of [parseFields, parseKnownFields]) {
      const parsed = parse(createPlanRequestSchema, { intent_id: 'x', tasks });
      assert.ok(!parsed.ok);
      assert.ok(parsed.issues.length <= LIMITS.reportedIssues);
    }
  });
});
