import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'mocha';
import { documentOf, operationsOf, type OpenApi, type Operation } from '../../support/openapi.js';
import { createRig } from '../support/harness.js';

describe('what RFC-0026 adds to older specifications', () => {
  let document: OpenApi;
  let operations: readonly Operation[];
  before(async () => {
    document = await documentOf(createRig().app);
    operations = operationsOf(document);
  });

  /** A reply with every schema that it refers to. */
  function shown(id: string, status: string): string {
    const reply = operations.find(({ operationId }) => operationId === id)?.responses[status];
    assert.ok(reply, `${id} has no reply ${status}`);
    const parts = new Set([JSON.stringify(reply)]);
    for (const part of parts) {
      for (const [, name = ''] of part.matchAll(/#\/components\/schemas\/([\w-]+)/g)) {
        parts.add(JSON.stringify(document.components.schemas[name]));
      }
    }
    return [...parts].join();
  }

  it('is in the API: statuses, blocked tasks, suspended phases, the refused claim [R26-86]', () => {
    assert.match(shown('getIntent', '200'), /"suspended_awaiting_input"/);
    assert.match(shown('getTask', '200'), /"blocked_reason".*"suspended_intent_id"/);
    assert.match(shown('getPlan', '200'), /"suspended_tasks"/);
    assert.match(shown('getWorkflow', '200'), /"suspended_phases"/);
    assert.match(shown('claimTask', '409'), /"upstream_intent_suspended"/);
  });

  it('is in the docs: the gate, its trigger, and checkpoints as questions [R26-86]', async () => {
    const glossary = await readFile(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');
    assert.match(glossary, /^\| plan checkpoint +\| .*`request_input`/m);
    assert.match(glossary, /^\| held +\| .*`active` to `blocked`/m);
    assert.match(glossary, /^\| gate +\| .*`suspended_awaiting_input`/m);
  });
});
