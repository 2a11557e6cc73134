import assert from 'node:assert/strict';
import { createRelay } from '../../service/processes.js';

describe('the relay of output', () => {
  let lines: string[];
  let relay: ReturnType<typeof createRelay>;

  beforeEach(() => {
    lines = [];
    relay = createRelay((line) => lines.push(line));
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
    assert.deepEqual(lines, ['api: {"level":40,"msg":"store read failed"}']);
  });
});
