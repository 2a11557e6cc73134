import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  instantSchema,
  isoInstantSchema,
  zonelessInstantSchema,
} from '../../contracts/kernel/primitives.js';

describe('instants of a request', () => {
  const BEYOND = [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+12:00',
    '9999-12-31T23:59:59-12:00',
    '+010000-01-01T00:00:00Z',
  ];
  for (const instant of BEYOND) {
    it(`are refused where the store cannot hold them, as ${instant}`, () => {
      for (const schema of [instantSchema, isoInstantSchema, zonelessInstantSchema]) {
        assert.equal(schema.safeParse(instant).success, false);
      }
    });
  }

  it('are refused beyond the years where they name no zone', () => {
    assert.equal(zonelessInstantSchema.safeParse('0000-12-31T23:59:59').success, false);
    assert.equal(isoInstantSchema.safeParse('0000-12-31').success, false);
  });

  it('are refused at once, however long they are', () => {
    for (const unit of ['T', '2026-11-20T10:00:00.0', '0', '-', ' ']) {
      const long = `${unit.repeat(200_000 / unit.length)}Z`;
      const before = process.cpuUsage();
      for (const schema of [instantSchema, isoInstantSchema, zonelessInstantSchema]) {
        assert.equal(schema.safeParse(long).success, false);
      }
      const { user } = process.cpuUsage(before);
      assert.ok(user < 200_000, `${user} µs of CPU time for ${unit}`);
    }
  });

  it('reach from the first year to the last', () => {
    for (const instant of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
      assert.equal(instantSchema.parse(instant), instant);
    }
    for (const instant of ['0001-01-01T00:00:00', '9999-12-31T23:59:59.999999']) {
      assert.equal(zonelessInstantSchema.parse(instant), instant);
    }
    assert.equal(isoInstantSchema.parse('9999-12-31'), '9999-12-31');
  });
});
