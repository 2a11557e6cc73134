import assert from 'node:assert/strict';
import { Progress } from '../../service/bring-up.js';

describe('the progress of a start', () => {
  let lines: string[];
  let now: number;
  let progress: Progress;

  beforeEach(() => {
    lines = [];
    now = 0;
    progress = new Progress(
      (line) => lines.push(line),
      () => now,
    );
  });

  it('names what takes long, why, and how long it took', async () => {
    const work = async (): Promise<number> => {
      now = 7_400;
      return 5;
    };
    assert.equal(await progress.during({ name: 'the store', why: 'making it' }, work), 5);
    assert.deepEqual(lines, ['The store: making it', 'The store: done in 7 s']);
  });

  it('says what is missing, as long as it is', async () => {
    let finish = (): void => undefined;
    const work = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    await progress.during({ name: 'the API' }, async () => undefined);
    const working = progress.during({ name: 'the inbox' }, work);
    now = 20_000;
    progress.beat();
    finish();
    await working;
    progress.beat();
    assert.deepEqual(lines, ['Still waiting for the inbox (20 s)']);
  });

  it('says nothing more of what has failed', async () => {
    const failing = { name: 'the inbox', why: 'building it' };
    const failed = progress.during(failing, () => Promise.reject(new Error('no')));
    await assert.rejects(failed, { message: 'no' });
    progress.beat();
    assert.deepEqual(lines, ['The inbox: building it']);
  });
});
