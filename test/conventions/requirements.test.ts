import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { REQUIREMENTS_PAGE, renderRequirements } from './requirements-page.js';
import { builtIn, readRequirements, readTests } from './requirements.js';
import type { Requirements } from './requirements.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CITED = /\b(?:R25|R26)-\d+/g;

describe('the list of requirements', () => {
  let requirements: Requirements;

  before(async () => {
    requirements = await readRequirements();
  });

  it('holds each id once', () => {
    const ids = builtIn(requirements).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 327);
  });

  it('says in a sentence what each requirement asks', () => {
    const bad = builtIn(requirements).filter(({ asks }) => !/^[A-Z`].*\.$/.test(asks));
    assert.deepEqual(bad, []);
  });

  it('names files and folders that exist', () => {
    const missing = builtIn(requirements).filter(
      ({ decidedIn }) => !existsSync(path.join(ROOT, decidedIn)),
    );
    assert.deepEqual(missing, []);
  });

  it('is shown by docs/requirements.md, with the tests of today', async () => {
    const page = readFileSync(REQUIREMENTS_PAGE, 'utf8');
    const rendered = await renderRequirements(requirements, await readTests());
    assert.ok(page === rendered, 'docs/requirements.md is out of date: run npm run spec');
  });

  it('shows what was asked, where it is decided and a test for it', async () => {
    const part = {
      title: 'Part',
      requirements: [{ id: 'R25-01', asks: 'Asks.', decidedIn: 'a.ts' }],
    };
    const document = { title: 'Document', parts: [part] };
    const test = (title: string) => ({ fullTitle: title, file: 'test/a.test.ts' });
    const page = await renderRequirements(
      { documents: [document], later: { 'JC-01': 'later' }, others: [] },
      [
        test('does much [R25-01, R25-02]'),
        test('does it [R25-01]'),
        test('x [R25-01, R26-01, R26-02]'),
      ],
    );
    const proved = '“does it” ([`test/a.test.ts`](../test/a.test.ts)), “does much”';
    assert.ok(page.includes('#### R25-01\n\nAsks.\n\nDecided in [`a.ts`](../a.ts).'));
    assert.ok(page.includes(`Proved by ${proved}`));
    assert.ok(page.includes('and 1 more.'));
    assert.match(page, /\| JC +\| 1 /);
  });

  it('resolves every id that the domain and the contracts cite', () => {
    const known = new Set(builtIn(requirements).map(({ id }) => id));
    const cited = ['domain', 'contracts'].flatMap((room) => citedIn(path.join(ROOT, room)));
    assert.ok(cited.length > 50);
    assert.deepEqual(
      cited.filter((id) => !known.has(id)),
      [],
    );
  });
});

function citedIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').match(CITED) ?? []);
}
