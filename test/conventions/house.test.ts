import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cyclesIn } from './cycles.js';
import { importGraph } from './import-graph.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Hosts of package registries. Which one is used is the user's setting, never the project's. */
const HOSTS =
  /registry\.npmjs\.org|registry\.yarnpkg\.com|repo1?\.maven\.(apache\.)?org|proxy\.golang\.org|deb\.debian\.org/;
const WORK_FOLDER = /(^|[\s"'`(=:])\/work\//m;
const TEMP_FOLDER = /(^|[\s"'`(=:])\/tmp\//m;

interface HouseFile {
  readonly name: string;
  readonly text: string;
}

/** All text files of the project: those that git tracks, and new ones that it does not ignore. */
function houseFiles(): readonly HouseFile[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '' && existsSync(path.join(ROOT, name)))
    .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), 'utf8') }));
}

describe('the house', () => {
  let files: readonly HouseFile[] = [];
  const namesWith = (isBad: (file: HouseFile) => boolean): readonly string[] =>
    files.filter(isBad).map((file) => file.name);

  before(() => {
    files = houseFiles();
  });

  it('is found by git', () => {
    assert.ok(files.some((file) => file.name === 'package.json'));
  });

  it('holds no empty file', () => {
    assert.deepEqual(
      namesWith((file) => file.text.trim() === ''),
      [],
    );
  });

  it('names no package host', () => {
    assert.deepEqual(
      namesWith((file) => HOSTS.test(file.text)),
      [],
    );
  });

  it('names no folder of one machine', () => {
    assert.deepEqual(
      namesWith((file) => WORK_FOLDER.test(file.text)),
      [],
    );
  });

  it('names no temporary folder outside tests', () => {
    assert.deepEqual(
      namesWith((file) => !file.name.startsWith('test/') && TEMP_FOLDER.test(file.text)),
      [],
    );
  });

  it('imports nothing in a circle, types included', () => {
    const product = files.filter(
      ({ name }) => /\.tsx?$/.test(name) && !/^(test|bench|examples)\//.test(name),
    );
    const graph = importGraph(product);
    const followed = [...graph.values()].flat().filter((target) => graph.has(target));
    assert.ok(followed.length > 3_000, `only ${followed.length} imports were followed`);
    assert.deepEqual(cyclesIn(graph), []);
  });

  it('titles its tests in the present tense', function () {
    let suite = this.test?.parent;
    while (suite?.parent) suite = suite.parent;
    const titles: string[] = [];
    suite?.eachTest((test) => titles.push(test.title));
    assert.notEqual(titles.length, 0);
    assert.deepEqual(
      titles.filter((title) => /^should\b/i.test(title)),
      [],
    );
  });
});
