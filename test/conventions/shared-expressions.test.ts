import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'mocha';
import { visible, visibleJson, visibleLine } from '../../contracts/constants/visible-text.js';

/** A regular expression of a module, with a flag that gives it a position: it is state that all calls share. */
const SHARED =
  /^(?:export )?const \w+(?:: \w+)? = (?:\/.*\/[a-fh-xz]*[gy][a-z]*|new RegExp\(.*'[a-fh-xz]*[gy][a-z]*'\));/gm;

describe('what workflow code shares', () => {
  it('has no regular expression with a position', () => {
    const files = ['contracts', 'domain', 'workflows'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    );
    assert.ok(files.length > 100);
    const shared = files.flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(SHARED), ([found]) => `${file}: ${found}`),
    );
    assert.deepEqual(shared, []);
  });

  it('shows the same text the same way, however often', () => {
    for (let times = 0; times < 3; times += 1) {
      assert.equal(visible('a\u202eb\u202ec'), 'a[U+202E]b[U+202E]c');
      assert.equal(visibleLine('a\u202e\nb'), 'a[U+202E] b');
      assert.equal(visibleJson('"a\u202e"'), '"a\\u202e"');
    }
  });
});
