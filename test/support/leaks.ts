import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { SEEDS } from './seeds.js';

/** Base64 of a text differs by where it begins: three forms, without the characters at its ends. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64url');
    return encoded.slice(shift === 0 ? 0 : shift + 1, -2);
  });
}

function formsOf(seed: string): readonly string[] {
  return [seed, Buffer.from(seed).toString('hex'), ...base64Forms(seed)];
}

const FORMS = Object.entries(SEEDS).map(([name, seed]) => ({ name, forms: formsOf(seed) }));

/** The names of the seeds that a line holds, in clear text, hexadecimal or base64. */
export function seedsIn(line: string): readonly string[] {
  const folded = line.replaceAll('+', '-').replaceAll('/', '_');
  return FORMS.filter(({ forms }) =>
    forms.some((form) => line.includes(form) || folded.includes(form)),
  ).map(({ name }) => name);
}

function complaintsOf(file: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      seedsIn(line).map((name) => `${file}, line ${index + 1}, holds the seed ${name}`),
    );
}

/**
 * Searches every line that a test run wrote for seeded secrets, and sees to it that there was something to
 * search.
 *
 * @param folder - holds a file `<source>.log` for each log
 * @param expected - the sources that must have written at least one line
 * @returns complaints, in which no seed is repeated; empty where all is well
 */
export async function findLeaks(
  folder: string,
  expected: readonly string[],
): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort();
  const logs = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
  const written = new Set(logs.filter(({ text }) => text.trim() !== '').map(({ name }) => name));
  const silent = expected.filter((source) => !written.has(`${source}.log`));
  return [
    ...silent.map((source) => `${source}.log has no line: nothing is proven`),
    ...logs.flatMap(({ name, text }) => complaintsOf(name, text)),
  ];
}
