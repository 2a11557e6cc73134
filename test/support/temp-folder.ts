import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach } from 'mocha';

/**
 * Gives the tests of a suite a new empty folder, which is removed afterwards.
 *
 * @param lasts - whether each test has one of its own, or all share one
 */
export function withFolder(take: (folder: string) => void, lasts: 'test' | 'suite' = 'test'): void {
  let folder = '';
  const [begin, end] = lasts === 'test' ? [beforeEach, afterEach] : [before, after];
  begin(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-test-'));
    take(folder);
  });
  end(() => rm(folder, { recursive: true, force: true }));
}
