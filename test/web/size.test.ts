import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { before, describe, it } from 'mocha';
import { builtInbox } from './support/built-inbox.js';

const MOST_BYTES = 250_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

describe('the built inbox', () => {
  let folder = '';
  let html = '';
  before(async () => {
    folder = await builtInbox();
    html = await readFile(path.join(folder, 'index.html'), 'utf8');
  });

  it('loads at most 250 kB compressed at first', async () => {
    const text = await readFile(path.join(folder, '.vite/manifest.json'), 'utf8');
    const manifest = JSON.parse(text) as Readonly<Record<string, Chunk>>;
    const files = firstLoad(manifest, 'index.html', new Set());
    const sizes = await Promise.all(
      ['index.html', ...files].map(
        async (name) => [name, gzipSync(await readFile(path.join(folder, name))).length] as const,
      ),
    );
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    assert.ok(sizes.length > 2 && sum <= MOST_BYTES, `${sum}: ${JSON.stringify(sizes)}`);
  });

  it('has nothing inline and nothing from elsewhere', () => {
    assert.doesNotMatch(html, /<style|<script(?![^>]*\bsrc=)|style=|\son\w+=/);
    assert.doesNotMatch(html, /(?:src|href)="(?!\/inbox\/)/);
  });
});

/** The files that a browser needs before it shows anything: the entry, what it imports, and their styles. */
function firstLoad(
  manifest: Readonly<Record<string, Chunk>>,
  name: string,
  seen: Set<string>,
): readonly string[] {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) return [];
  seen.add(name);
  const imported = (chunk.imports ?? []).flatMap((each) => firstLoad(manifest, each, seen));
  return [chunk.file, ...(chunk.css ?? []), ...imported];
}
