import type { WorkflowInfo } from '@temporalio/workflow';
import assert from 'node:assert/strict';
import type { SpanStart, Tracing } from '../../../runtime/tracing/tracing.js';
import { workflowSpans } from '../../../workers/tracing/start.js';
import type { WorkflowSpan } from '../../../workflows/engine/tracing.js';

const ID = '7d1c3a52-6f0b-4c53-9d9e-0a4c2f8f1b11';
const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
const SPAN: WorkflowSpan = {
  id: 'c'.repeat(16),
  name: 'update respond',
  parent: PARENT,
  startedAt: 1_000,
  endedAt: 2_000,
};

/** What is sent of a span of a workflow. */
function sent(workflowId: string, span: Partial<WorkflowSpan> = {}) {
  const started: SpanStart[] = [];
  const done: unknown[] = [];
  const tracing: Tracing = {
    start(start) {
      started.push(start);
      return {
        context: PARENT,
        rename: () => undefined,
        set: () => undefined,
        fail: () => void done.push('failed'),
        end: (at) => void done.push(at),
      };
    },
    close: () => Promise.resolve(),
  };
  const info = {
    workflowId,
    workflowType: 'suspension',
    runId: 'run',
    memo: { secret: 'Zanzibar' },
  };
  const { ended } = workflowSpans(tracing).holdpointTracing;
  void ended.fn(info as unknown as WorkflowInfo, { ...SPAN, ...span });
  const [start = assert.fail()] = started;
  return { start, done };
}

describe('a span of a workflow', () => {
  it('is sent with its id and times, and names what the workflow stands for', () => {
    const origin = { ...PARENT, traceId: 'd'.repeat(32) };
    const { start, done } = sent(`suspension-${ID}`, { origin, failed: true });
    assert.deepEqual(start, {
      name: 'update respond',
      kind: 'internal',
      parent: PARENT,
      link: origin,
      startedAt: 1_000,
      id: SPAN.id,
      attributes: {
        'holdpoint.workflow.type': 'suspension',
        'holdpoint.workflow.run_id': 'run',
        'holdpoint.suspension.id': '7d1c3a52…',
      },
    });
    assert.deepEqual(done, ['failed', 2_000]);
  });

  it('does not name a space, nor an id that another has chosen', () => {
    const inSpace = sent(`zanzibar/intent-${ID}`).start.attributes;
    assert.deepEqual(inSpace, {
      'holdpoint.workflow.type': 'suspension',
      'holdpoint.workflow.run_id': 'run',
      'holdpoint.intent.id': ID,
    });
    for (const id of ['refund-of-Zanzibar', 'intent-of-Zanzibar', ID]) {
      assert.deepEqual(Object.keys(sent(id).start.attributes ?? {}).length, 2, id);
    }
  });

  it('says of outcome and type only what is on a list', () => {
    for (const [said, wanted] of [
      [{ outcome: 'settled', responseType: 'form' }, ['settled', 'form']],
      [{ outcome: 'expired' }, ['expired', undefined]],
      [{ outcome: 'Zanzibar', responseType: 'Zanzibar' }, [undefined, undefined]],
      [{ outcome: { text: 'Zanzibar' }, responseType: 7 }, [undefined, undefined]],
    ] as const) {
      const { attributes = {} } = sent(`suspension-${ID}`, said).start;
      assert.deepEqual(
        [attributes['holdpoint.outcome'], attributes['holdpoint.response_type']],
        wanted,
      );
    }
  });
});
