import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { NOTES } from '../../../api/openapi/notes.js';
import { escapeHtml } from '../../../api/openapi/reference-fields.js';
import type { Schema } from '../../../api/openapi/reference-fields.js';
import { renderReference } from '../../../api/openapi/reference.js';
import type { ApiDocument } from '../../../api/openapi/reference.js';
import { documentOf, operationsOf } from '../../support/openapi.js';
import type { OpenApi, Operation } from '../../support/openapi.js';
import { createRig } from '../support/harness.js';
import { scriptOf } from '../../support/scripts.js';

const run = promisify(execFile);
const SCRIPT = scriptOf('api/openapi/reference-main.ts');

interface Described extends Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

function sectionOf(page: string, id: string): string {
  const [, section] = page.split(`<section id="${id}">`);
  assert.ok(section, `no section ${id}`);
  return section.slice(0, section.indexOf('</section>'));
}

/** Every code that an error reply may have, from its schema. */
function codesOf({ responses }: Operation): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => {
      const schema = content?.['application/problem+json']?.schema as Schema | undefined;
      const problem = schema?.allOf?.find(({ properties }) => properties?.['code']);
      return problem?.properties?.['code']?.enum ?? [];
    }) as readonly string[];
}

function fieldsOf(schema: Schema, document: OpenApi): readonly string[] {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  const target = name === undefined ? schema : (document.components.schemas[name] as Schema);
  return Object.keys(target.properties ?? {});
}

describe('the API reference', () => {
  let document: OpenApi;
  let operations: readonly Described[];
  let page = '';
  before(async () => {
    document = await documentOf(createRig().app);
    operations = operationsOf(document) as readonly Described[];
    page = renderReference(document as unknown as ApiDocument);
  });

  it('has a section for every operation, and no other', () => {
    assert.ok(operations.length > 60);
    const sections = [...page.matchAll(/<section id="(?!schema-)([^"]+)">/g)].map(([, id]) => id);
    assert.deepEqual(sections.sort(), operations.map(({ operationId }) => operationId).sort());
  });

  it('shows method, path, summary, description, parameters, statuses and codes of each', () => {
    let codes = 0;
    for (const operation of operations) {
      const { operationId, method, path: at, summary, description } = operation;
      const section = sectionOf(page, operationId);
      const has = (text: string) =>
        assert.ok(section.includes(text), `${operationId} lacks ${text}`);
      has(`<code>${method.toUpperCase()} ${at}</code>`);
      has(`<strong>${escapeHtml(summary)}</strong>`);
      const words = section.replaceAll(/<\/?(?:code|p)>/g, ' ').replaceAll(/\s+/g, ' ');
      for (const sentence of description.split('\n\n')) {
        const said = escapeHtml(sentence.replaceAll('`', ' ')).replaceAll(/\s+/g, ' ').trim();
        assert.ok(words.includes(said), `${operationId} lacks ${said}`);
      }
      for (const { name, in: place } of operation.parameters ?? []) {
        has(`<code>${name} (${place})</code>`);
      }
      for (const status of Object.keys(operation.responses)) has(`<code>${status}</code>`);
      for (const code of codesOf(operation)) {
        has(`<code>${code}</code>: `);
        codes += 1;
      }
    }
    assert.ok(codes > 300, `only ${codes} codes`);
  });

  it('shows every field of every body', () => {
    const bodies = operations.filter(({ requestBody }) => requestBody !== undefined);
    assert.ok(bodies.length > 20);
    for (const { operationId, requestBody } of bodies) {
      const schema = requestBody?.content['application/json']?.schema as Schema;
      const named = schema.$ref?.replace('#/components/schemas/', 'schema-');
      const section = sectionOf(page, named ?? operationId);
      const fields = fieldsOf(schema, document);
      const missing = fields.filter((name) => !section.includes(`<code>${name}</code>`));
      assert.deepEqual(missing, [], operationId);
    }
  });

  it('leads every link to a section', () => {
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? '');
    assert.ok(links.length > 100);
    const lost = links.filter((id) => !page.includes(`<section id="${id}">`));
    assert.deepEqual([...new Set(lost)], []);
  });

  it('loads nothing and runs nothing', () => {
    assert.doesNotMatch(page, /<script|<link|src=|https?:\/\/[^<]*\.(?:js|css)/);
  });

  it('shows what was written for it as text', () => {
    const summary = '<img src=x onerror="alert(1)">';
    const operation = { operationId: 'a', summary, description: summary, responses: {} };
    const info = { title: 't', version: '1', description: 'd' };
    const hostile = { info, paths: { '/a': { get: operation } } };
    const rendered = renderReference({
      ...hostile,
      components: { schemas: {}, responses: {} },
    });
    assert.doesNotMatch(rendered, /<img/);
  });
});

describe('operations of the OpenAPI document', () => {
  it('each say more than their summary, and no note is left over', async () => {
    const operations = operationsOf(await documentOf(createRig().app)) as readonly Described[];
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(NOTES).sort(), [...ids].sort());
    for (const { operationId, summary, description } of operations) {
      assert.ok(summary.length >= 10, `${operationId} has no summary`);
      const note = NOTES[operationId] ?? '';
      assert.ok(note.length >= 10 && note.endsWith('.'), `${operationId} has no note`);
      assert.ok(
        description.startsWith(note) && /Needs (?:a session|(?:a|no) key)/.test(description),
      );
    }
  });

  it('each say how they may succeed and, if they need a key, how they may fail', async () => {
    const operations = operationsOf(await documentOf(createRig().app));
    for (const { operationId, responses, path: at } of operations) {
      const statuses = Object.keys(responses).map(Number);
      assert.ok(
        statuses.some((status) => status < 400),
        `${operationId} never succeeds`,
      );
      if (at.startsWith('/v1/intents')) assert.ok(statuses.includes(401), operationId);
      if (statuses.includes(401)) assert.ok(codesOf({ responses } as Operation).length > 1);
    }
  });
});

describe('npm run docs:api', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-reference-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes the page without Temporal and without a store', async () => {
    const file = path.join(folder, 'inner', 'api.html');
    const { stdout } = await run(process.execPath, [SCRIPT, file]);
    assert.equal(stdout.trim(), file);
    assert.match(await readFile(file, 'utf8'), /<section id="respondBySuspension">/);
  });
});
