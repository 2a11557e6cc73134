import { cp } from 'node:fs/promises';
import path from 'node:path';

/** A name at the top, or a name anywhere. */
const LINE = /^(\*\*\/)?[\w./-]+$/;

/**
 * Copies what a builder of images gets of a folder.
 *
 * @param ignored - the lines of `.dockerignore`, without wildcards but `**` at the beginning
 */
export async function copyContext(from: string, to: string, ignored: string): Promise<void> {
  const lines = ignored.trim().split('\n');
  const other = lines.find((line) => !LINE.test(line));
  if (other !== undefined) throw new Error(`This copy does not understand ${other}.`);
  const isIgnored = (file: string): boolean =>
    lines.includes(file) || lines.includes(`**/${path.posix.basename(file)}`);
  await cp(from, to, {
    recursive: true,
    filter: (source) => !isIgnored(path.relative(from, source)),
  });
}
