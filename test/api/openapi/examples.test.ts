import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFile, readdir } from 'node:fs/promises';
import { EXAMPLE_IDS, EXAMPLE_NAMES, recordExample } from '../../../api/openapi/operation.js';
import { idNamesIn } from '../../../api/http/path-ids.js';
import { DESCRIBED_ROUTES } from '../../../api/v1/index.js';

const ROUTES = DESCRIBED_ROUTES.flatMap(({ routes }) => routes);
const FOLDER = new URL('../../../api/openapi/examples/', import.meta.url);

describe('the files of examples', () => {
  it('hold the requests and replies of routes that there are, each once', () => {
    const described = new Map(
      ROUTES.map(({ id, body, replies }) => {
        const request = body === undefined ? [] : ['request'];
        return [id, new Set([...request, ...Object.keys(replies)])] as const;
      }),
    );
    const { routes } = EXAMPLE_NAMES;
    const strays = routes.filter(
      ({ id, parts }) => !parts.every((part) => described.get(id)?.has(part)),
    );
    assert.deepEqual(strays, []);
    assert.ok(routes.length > 60);
  });

  it('refer to every record that they hold, and to no other', async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, FOLDER), 'utf8')));
    const used = new Set(
      [...texts.join('').matchAll(/"\$record": "(\w+)"/g)].map(([, name]) => name),
    );
    assert.deepEqual([...used].sort(), [...EXAMPLE_NAMES.records].sort());
    assert.throws(() => recordExample('nothing'), /nothing/);
  });

  it('have an id for every part of a path, and for no other', () => {
    const parts = new Set(ROUTES.flatMap(({ path }) => idNamesIn(path)));
    assert.deepEqual(Object.keys(EXAMPLE_IDS).sort(), [...parts].sort());
  });
});
