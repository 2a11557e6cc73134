import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { resolvePolicy } from '../../domain/suspension/asking/question.js';
import { openRecord } from '../../domain/suspension/asking/schedule.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['docs', 'examples', 'client', 'python', 'deploy'];
const NOT_OURS = new Set(['.git', 'node_modules', 'dist']);

function pagesUnder(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return pagesUnder(name);
      return name.endsWith('.md') ? [name] : [];
    });
}

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap(pagesUnder),
];
const TOP_LEVEL = new Set(readdirSync(ROOT).filter((name) => !NOT_OURS.has(name)));

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}

/** The text of a page without its blocks of code. */
function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** How GitHub names the place of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(text: string): readonly string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** What a page's relative links lead to and is not there. */
function lostLinks(page: string, text: string): readonly string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const aim = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(ROOT, aim))) return true;
      return anchor !== undefined && !anchorsOf(read(aim)).includes(anchor);
    });
}

/** `code` that names a file or folder of this repository; `<name>` and `*` stand for any. */
function lostPaths(text: string): readonly string[] {
  return [...prose(text).matchAll(/`([^`\s]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => /^[\w.-]+(?:\/[\w.<>*-]+)+\/?$/.test(code))
    .filter((code) => TOP_LEVEL.has(code.split('/', 1).join('')))
    .filter((code) => {
      const wild = code.search(/[<*]/);
      const certain = wild < 0 ? code : code.slice(0, code.lastIndexOf('/', wild) + 1);
      return !existsSync(path.join(ROOT, certain));
    });
}

const { scripts } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

function lostScripts(text: string): readonly string[] {
  return [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => scripts[name] === undefined);
}

describe('the documents', () => {
  it('are found', () => {
    assert.ok(PAGES.length > 30);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/api.md', 'examples/README.md']) {
      assert.ok(PAGES.includes(page), page);
    }
  });

  for (const page of PAGES) {
    it(`${page} names what is there: links, files and scripts`, () => {
      const text = read(page);
      assert.deepEqual([...lostLinks(page, text), ...lostPaths(text), ...lostScripts(text)], []);
    });
  }

  it('of the folder docs are each a link of the README', () => {
    const linked = new Set(
      [...read('README.md').matchAll(/\]\((docs\/[\w-]+\.md)/g)].map(([, to]) => to),
    );
    const pages = PAGES.filter((page) => /^docs\/[\w-]+\.md$/.test(page));
    assert.deepEqual(
      pages.filter((page) => !linked.has(page)),
      [],
    );
  });

  it('have every search attribute that somebody adds by hand, with its type', () => {
    const [server, cloud] = [read('docs/production.md'), read('docs/temporal-cloud.md')];
    for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
      assert.ok(server.includes(`--name ${name} --type ${type}`), name);
      assert.ok(cloud.includes(`--search-attribute "${name}=${type}"`), name);
      assert.match(cloud, new RegExp(`^ +${name} += "${type.toLowerCase()}"$`, 'm'));
    }
  });

  it('that name what is not there are found out', () => {
    const text =
      '[a](missing.md) [b](#nowhere) [c](README.md#run-it) `api/none.ts` `test/<any>.ts` `npm run none`';
    assert.deepEqual(lostLinks('README.md', text), ['missing.md', '#nowhere']);
    assert.deepEqual(lostPaths(text), ['api/none.ts']);
    assert.deepEqual(lostScripts(text), ['none']);
  });

  it('say where an answer goes: each hop’s function is in its file', () => {
    const hops = [
      ...read('docs/architecture.md').matchAll(/^\| +\d+ +\|[^|]*\| `([^`]+)` +\| (`[^|]+`) +\|/gm),
    ];
    assert.ok(hops.length >= 10, `only ${hops.length} hops`);
    for (const [, file = '', functions = ''] of hops) {
      const source = read(file);
      for (const [, name = ''] of functions.matchAll(/`([\w.]+)`/g)) {
        const last = name.split('.').at(-1) ?? '';
        assert.match(source, new RegExp(`\\b${last}\\b`), `${name} in ${file}`);
      }
    }
  });
});

const CELL = /^\d+$/;

function secondsIn(cell: string): readonly number[] {
  return [...cell.matchAll(/\b(\d+) s/g)].map(([, seconds]) => Number(seconds));
}

/** What the rules make of a row of the README's table: reminders and expiry in seconds. */
function scheduled(timeout: string, attempts: string, interval: string) {
  const given = (cell: string) => (CELL.test(cell) ? Number(cell) : undefined);
  const timeout_seconds = given(timeout);
  const call = { max_attempts: given(attempts), interval_seconds: given(interval) };
  const resolved = resolvePolicy(
    { platform: null, agent: null, call, inherit: true },
    { timeout_seconds },
  );
  if (!resolved.ok) return undefined;
  const { policy, fallback_policy } = resolved.value;
  const draft = {
    question: 'Go?',
    response_type: 'confirm' as const,
    fallback_policy,
    ...(timeout_seconds !== undefined && { timeout_seconds }),
    ...(policy && { retry_policy: policy }),
  };
  const { schedule } = openRecord(draft, 'a', '1970-01-01T00:00:00.000Z');
  const secondsAt = (instant: string) => Date.parse(instant) / 1000;
  return {
    reminders: schedule.attempts.slice(1).map(({ at }) => secondsAt(at)),
    expiry: schedule.expires_at === undefined ? [] : [secondsAt(schedule.expires_at)],
  };
}

describe('the README', () => {
  it('shows what the rules make of a policy in time', () => {
    const table = read('README.md')
      .split('| `timeout_seconds` | `max_attempts`')[1]
      ?.split('\n\n')[0];
    const rows = (table ?? '').split('\n').slice(2);
    assert.ok(rows.length >= 6, `only ${rows.length} rows`);
    for (const row of rows) {
      const [, timeout = '', attempts = '', interval = '', reminders = '', expiry = ''] = row
        .split('|')
        .map((cell) => cell.trim());
      const found = scheduled(timeout, attempts, interval);
      if (reminders.startsWith('refused')) assert.equal(found, undefined, row);
      else {
        assert.deepEqual(found?.reminders, secondsIn(reminders), row);
        assert.deepEqual(found.expiry, secondsIn(expiry), row);
      }
    }
  });
});
