import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOUND = 'export const one: Promise<number> = Promise.resolve(1);\n';
const RULES = JSON.stringify({
  plugins: ['typescript'],
  jsPlugins: ['../../test/conventions/lint-rules/plugin.js'],
  options: { typeAware: true },
  categories: { correctness: 'off' },
  rules: {
    eqeqeq: 'error',
    'holdpoint/syntax': 'error',
    'typescript/no-floating-promises': 'error',
  },
});
const TYPES = JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] });
const WEB_TYPES = JSON.stringify({ extends: '../../../web/tsconfig.json', include: ['*.ts'] });

describe('the check of types and rules', () => {
  let folder = '';
  before(async () => {
    // Inside the project, so that its packages are found; its own checks leave this folder out.
    await mkdir(path.join(ROOT, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(ROOT, '.cache/check-'));
    await writeFile(path.join(folder, 'tsconfig.json'), TYPES);
    await writeFile(path.join(folder, '.oxlintrc.json'), RULES);
    // As a repository of its own it is not left out by this one's .gitignore.
    await mkdir(path.join(folder, '.git'));
    await writeFile(path.join(folder, 'sound.ts'), SOUND);
  });
  after(() => rm(folder, { recursive: true }));

  /** What the check says of the project with one more file. */
  async function checked(
    text: string,
    what = 'all',
  ): Promise<{ readonly code: number; readonly said: string }> {
    await writeFile(path.join(folder, 'other.ts'), text);
    const args = [scriptOf('test/run/check.ts'), what, folder];
    const { code, out, err } = await endOf(args, { cwd: ROOT });
    return { code, said: out + err };
  }

  it('passes what breaks no rule', async () => {
    const text = "import { one } from './sound.js';\nexport const two = await one;\n";
    assert.deepEqual(await checked(text), { code: 0, said: '' });
  });

  it('fails where only a type is wrong', async () => {
    const { code, said } = await checked('export const two: number = "2";\n');
    assert.equal(code, 1);
    assert.match(said, /^other\.ts\(1,14\): error TS2322.*\n$/);
  });

  it('fails where only a type of the project for browsers is wrong', async () => {
    const web = path.join(folder, 'web');
    await mkdir(web);
    await writeFile(path.join(web, 'tsconfig.json'), WEB_TYPES);
    await writeFile(path.join(web, 'page.ts'), 'export const two: number = document.title;\n');
    const { code, said } = await checked(SOUND);
    await rm(web, { recursive: true });
    assert.equal(code, 1);
    assert.match(said, /^web\/page\.ts\(1,14\): error TS2322.*\n$/);
  });

  it('fails where only a rule is broken that needs the types of other files', async () => {
    const { code, said } = await checked("import { one } from './sound.js';\none;\n");
    assert.equal(code, 1);
    assert.match(said, /^other\.ts:2:1: .*no-floating-promises\)\]\n\n1 problem\n$/);
  });

  it('fails where only a rule is broken that needs no types', async () => {
    const { code, said } = await checked('export const is = (n: number) => n == 1;\n');
    assert.equal(code, 1);
    assert.match(said, /^other\.ts:1:\d+: .*eqeqeq\)\]\n\n1 problem\n$/);
  });

  it('fails where only a rule of the project is broken', async () => {
    const { code, said } = await checked("export * from './sound.js';\n");
    assert.equal(code, 1);
    assert.match(said, /^other\.ts:1:1: Name what.*\(syntax\)\]\n\n1 problem\n$/);
  });

  it('fails where only two files import each other', async () => {
    const other = path.join(folder, 'another.ts');
    await writeFile(other, "import { a } from './other.js';\nexport const b = () => a;\n");
    const { code, said } = await checked(
      "import { b } from './another.js';\nexport const a = b;\n",
    );
    await rm(other);
    assert.deepEqual({ code, said }, { code: 1, said: 'import cycle: another.ts, other.ts\n' });
  });

  it('looks at types or at rules alone where it is asked to', async () => {
    const text = "import { one } from './sound.js';\none;\nexport const two: number = '2';\n";
    const types = await checked(text, 'types');
    assert.match(types.said, /^other\.ts\(3,14\): error TS2322.*\n$/);
    const rules = await checked(text, 'rules');
    assert.match(rules.said, /^other\.ts:2:1: .*no-floating-promises\)\]\n\n1 problem\n$/);
    assert.deepEqual([types.code, rules.code], [1, 1]);
    const unknown = await checked(text, 'nothing');
    assert.match(unknown.said, /There is no check nothing/);
  });
});
