import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { REQUIREMENTS_PAGE, renderRequirements } from './requirements-page.js';
import {
  builtIn,
  readRequirements,
  readTests,
  textsOf,
  type Requirements,
} from './requirements.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CITED = /\b(?:R25|R26|JC|P3|A54|AM|TM|TL|TD)-\d+/g;
const NOT_ROOMS = new Set(['dist', 'docs', 'node_modules', 'test']);
/** The rooms of the product. No comment there names an id that the page does not explain. */
const ROOMS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name)
  .filter((name) => !NOT_ROOMS.has(name));

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
    const points = Object.values(requirements.notes).flatMap((texts) => Object.values(texts));
    assert.ok(points.length >= 98, `${points.length} points`);
    assert.deepEqual(
      points.filter((says) => !/^[A-Z`"].*\.$/.test(says)),
      [],
    );
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
    const test = (title: string) => ({ fullTitle: title, file: 'test/a.test.ts' });
    const page = await renderRequirements(
      {
        documents: { Document: { Part: { 'R25-01': 'a.ts: Asks.' } } },
        notes: { Open: { 'AM-01': 'Is it? It is.' } },
      },
      [
        test('does much [R25-01, R25-02]'),
        test('does it [R25-01]'),
        test('x [R25-01, R26-01, R26-02]'),
        test('decides it [AM-01]'),
      ],
    );
    const proved = '“does it” ([`test/a.test.ts`](../test/a.test.ts)), “does much”';
    assert.ok(page.includes('#### R25-01\n\nAsks.\n\nDecided in [`a.ts`](../a.ts).'));
    assert.ok(page.includes(`Proved by ${proved}`));
    assert.ok(page.includes('and 1 more.'));
    assert.ok(page.includes('## Open\n\n#### AM-01\n\nIs it? It is.\n\nProved by “decides it”'));
  });

  it('resolves every id that the code cites', () => {
    const texts = textsOf(requirements);
    const cited = ROOMS.flatMap((room) => citedIn(path.join(ROOT, room)));
    assert.ok(cited.length > 300, `${cited.length} ids`);
    assert.deepEqual(
      cited.filter((id) => !texts.has(id)),
      [],
    );
  });
});

function citedIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').match(CITED) ?? []);
}
