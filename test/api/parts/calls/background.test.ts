import assert from 'node:assert/strict';
import { BackgroundQueue } from '../../../../api/parts/calls/background.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('what no request waits for', () => {
  let warned: string[];
  let queue: BackgroundQueue;
  beforeEach(() => {
    warned = [];
    queue = new BackgroundQueue({ warn: (_fields, message) => void warned.push(message) });
  });

  it('is dropped where ten thousand wait, which the log says once', async () => {
    const waiting = Array.from({ length: 10_032 }, () => queue.add(never));
    assert.ok(waiting.every((work) => work !== undefined));
    assert.deepEqual([queue.size, warned], [10_000, []]);
    assert.deepEqual([queue.add(never), queue.add(never)], [undefined, undefined]);
    assert.deepEqual([queue.size, warned], [10_000, ['rows are left to the reconciler']]);
  });

  it('is done before the process ends', async () => {
    const done: number[] = [];
    for (const one of [1, 2, 3, 4, 5, 6]) void queue.add(async () => done.push(one));
    await queue.close(60_000);
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6]);
  });

  it('holds up the end of the process only for a time', async () => {
    let begun = 0;
    for (let index = 0; index < 40; index += 1) {
      void queue.add(() => {
        begun += 1;
        return never();
      });
    }
    await queue.close(1);
    assert.deepEqual([begun, queue.size], [32, 0]);
  });
});
