import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const CHANNELS = path.join(ROOT, 'activities/channels');
const PAGE = readFileSync(path.join(ROOT, 'docs/channels.md'), 'utf8');
const NUMBERS = ['Seven', 'Eight', 'Nine', 'Ten'];
/** Where a channel gives a delivery up, whatever else is said of it. */
const FINAL = /new ChannelError\(\s*'(\w+)'[^;]*final: true/g;

describe('the page of channels', () => {
  const [, said = '', table = ''] =
    /^(\w+) failures are final for a delivery\.[^]*?\n\n\|[^\n]*\n\|[^\n]*\n([^]*?)\n\n/m.exec(
      PAGE,
    ) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);

  it('lists each failure with which a channel gives a delivery up', () => {
    const codes = readdirSync(CHANNELS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(path.join(CHANNELS, file), 'utf8').matchAll(FINAL)])
      .map(([, code = '']) => code);
    assert.ok(codes.length >= 4);
    assert.deepEqual(
      codes.filter((code) => !rows.includes(code)),
      [],
    );
  });

  it('says how many there are', () => {
    assert.equal(NUMBERS.indexOf(said) + 7, rows.length);
  });
});
