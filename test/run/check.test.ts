import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOUND = 'export const one: Promise<number> = Promise.resolve(1);\n';
const LINT = `import tseslint from 'typescript-eslint';
export default [{
  files: ['**/*.ts'],
  plugins: { '@typescript-eslint': tseslint.plugin },
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  rules: { '@typescript-eslint/no-floating-promises': 'error' },
}];
`;
const TYPES = JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] });

describe('the check of types and rules', () => {
  let folder = '';
  before(async () => {
    // Inside the project, so that its packages are found; its own checks leave this folder out.
    await mkdir(path.join(ROOT, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(ROOT, '.cache/check-'));
    await writeFile(path.join(folder, 'tsconfig.json'), TYPES);
    await writeFile(path.join(folder, 'eslint.config.js'), LINT);
    await writeFile(path.join(folder, 'sound.ts'), SOUND);
  });
  after(() => rm(folder, { recursive: true }));

  /** What the check says of the project with one more file. */
  async function checked(text: string): Promise<{ readonly code: number; readonly said: string }> {
    await writeFile(path.join(folder, 'other.ts'), text);
    const args = [scriptOf('test/run/check.ts'), folder];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
      });
    });
  }

  it('passes what breaks no rule', async () => {
    const text = "import { one } from './sound.js';\nexport const two = await one;\n";
    assert.deepEqual(await checked(text), { code: 0, said: '' });
  });

  it('fails where only a type is wrong', async () => {
    const { code, said } = await checked('export const two: number = "2";\n');
    assert.equal(code, 1);
    assert.match(said, /other\.ts\(1,14\): error TS2322/);
    assert.doesNotMatch(said, /typescript-eslint/);
  });

  it('fails where only a rule is broken that needs the types of other files', async () => {
    const { code, said } = await checked("import { one } from './sound.js';\none;\n");
    assert.equal(code, 1);
    assert.match(said, /other\.ts\n +2:1 +error .*no-floating-promises/);
    assert.doesNotMatch(said, /TS\d+/);
  });
});
