import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import { loadConfig, parseYaml } from '../../runtime/config.js';

describe('a number in the configuration file', () => {
  it('is refused with its line if it would be read as another one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-numbers-'));
    try {
      for (const number of ['9007199254740993', '1e-400', '1e400', '0x20000000000001']) {
        const text = `retention:\n  # Days.\n  intents: ${number}\n`;
        writeFileSync(path.join(folder, 'openintent.yaml'), text);
        assert.throws(() => loadConfig({}, folder), /line 3: the number would be read as another/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is read by one version of YAML, whatever the file declares', () => {
    assert.deepEqual(parseYaml('%YAML 1.2\n---\na: 010\nb: no').content, { a: 10, b: 'no' });
    for (const version of ['1.1', '1.0', '1.3']) {
      assert.throws(
        () => parseYaml(`%YAML ${version}\n---\na: 010\nb: no\nc: 1:30`),
        /(declares YAML|Unsupported YAML version)/,
        version,
      );
    }
  });

  it('is found wherever it stands, and no text is taken for one', () => {
    for (const [text, line] of [
      ['a: [1, {b: 9007199254740993}]', 1],
      ['a: 1.50\nb: 1e+2\nc: 0x10\nd: 0o17\ne: -.5\nf: 0.30000000000000004', undefined],
      ['a: "9007199254740993"\nb: v9007199254740993\nc: 2026-11-27', undefined],
      ['a: .inf\nb: .nan', undefined],
      ['a: 1\n? 9007199254740993\n: x', 2],
    ] as const) {
      assert.equal(parseYaml(text).inexactLine, line, text);
    }
  });
});
