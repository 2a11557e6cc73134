import assert from 'node:assert/strict';
import { createRelay } from '../../service/processes.js';

describe('the relay of output', () => {
  let lines: string[];
  let relay: ReturnType<typeof createRelay>;

  beforeEach(() => {
    lines = [];
    relay = createRelay((line) => lines.push(line), false);
  });

  it('passes notifications on as they are', () => {
    relay('worker', '[email] to anyone, attempt 2/3', 'stdout');
    assert.deepEqual(lines, ['[email] to anyone, attempt 2/3']);
  });

  it('marks complaints with the name of the process', () => {
    relay('store', 'disk full', 'stderr');
    assert.deepEqual(lines, ['store: disk full']);
  });

  it('leaves out what is not worth reading', () => {
    relay('store', 'listening', 'stdout');
    relay('api', '{"level":30,"msg":"request"}', 'stdout');
    relay('api', '', 'stderr');
    assert.deepEqual(lines, []);
  });

  it('passes warnings of a JSON log on', () => {
    relay('api', '{"level":40,"msg":"store read failed"}', 'stdout');
    assert.deepEqual(lines, ['{"process":"api","level":40,"msg":"store read failed"}']);
  });

  it('makes them readable on a terminal, without what steers it', () => {
    const shown: string[] = [];
    const toPerson = createRelay((line) => shown.push(line), true);
    const time = new Date(2026, 10, 20, 9, 5, 3).getTime();
    const entry = { level: 50, time, pid: 1, hostname: 'h', code: 'EIO', note: 'a b\u001b[31m' };
    toPerson('api', JSON.stringify({ ...entry, msg: 'failed\nfor good' }), 'stdout');
    toPerson('store', 'disk\u001b[2J full', 'stderr');
    toPerson('api', '{"level":40,broken', 'stdout');
    assert.deepEqual(shown, [
      '09:05:03 ERROR api: failed for good code=EIO note="a b\\u001b[31m"',
      'store: disk[U+001B][2J full',
      'api: {"level":40,broken',
    ]);
  });
});
