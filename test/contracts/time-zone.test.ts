import assert from 'node:assert/strict';
import { timeZoneSchema } from '../../contracts/kernel/primitives.js';

describe('a time zone', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Etc/GMT+5', 'america/new_york']) {
    it(`may be ${name}`, () => {
      assert.equal(timeZoneSchema.parse(name), name);
    });
  }

  for (const name of ['+05:00', '-0800', 'Mars/Olympus', '', ' UTC', 'A'.repeat(65)]) {
    it(`is not ${JSON.stringify(name)}`, () => {
      assert.equal(timeZoneSchema.safeParse(name).success, false);
    });
  }
});
