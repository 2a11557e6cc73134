import type { WorkflowClientInterceptor, WorkflowHandle } from '@temporalio/client';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { traceCalls } from '../../../api/tracing/tracing.js';
import {
  TRACE_HEADER,
  traceparentOf,
  type TraceContext,
} from '../../../contracts/constants/headers.js';
import { inSpan, type Span } from '../../../runtime/tracing/tracing.js';
import type { WorkflowSpan } from '../../../workflows/engine/tracing.js';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { replay } from '../support/histories.js';
import { answerBy, intoNextRun, LADDER, openSuspension, respond } from '../support/suspensions.js';
import { World, type WorldOptions } from '../support/world.js';

const TWO = { decision_rule: { quorum: 2, denials: ['deny'] } };
const ASKED: TraceContext = { traceId: 'a'.repeat(32), spanId: 'a'.repeat(16), sampled: true };
const VOTED: TraceContext = { traceId: 'b'.repeat(32), spanId: 'b'.repeat(16), sampled: true };

function spanOf(context: TraceContext): Span {
  const nothing = (): void => undefined;
  return { context, rename: nothing, set: nothing, fail: nothing, end: nothing };
}

/** Does something as part of a trace: its calls are part of the very span. */
function within<T>(context: TraceContext, work: () => T): T {
  return inSpan(spanOf(context), work);
}

/** What the headers of a workflow's activities of one type say, in the order in which they were scheduled. */
async function sentWith(handle: WorkflowHandle, activity: string): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    if (scheduled?.activityType?.name !== activity) return [];
    const { data } = scheduled.header?.fields?.[TRACE_HEADER] ?? {};
    return [data ? Buffer.from(data).toString() : 'nothing'];
  });
}

function headerOf(context: TraceContext): string {
  return JSON.stringify({ traceparent: traceparentOf(context) });
}

/** A world whose calls to workflows are traced by whatever they are part of, and the spans of its workflows. */
async function startTraced(options: WorldOptions = {}) {
  const ended: WorkflowSpan[] = [];
  const world = await World.start({
    sinks: { holdpointTracing: { ended: { fn: (_info, span) => void ended.push(span) } } },
    ...options,
  });
  const calls = traceCalls({
    start: ({ parent = ASKED }) => spanOf(parent),
    close: () => Promise.resolve(),
  });
  (world.client.options.interceptors as WorkflowClientInterceptor[]).push(calls);
  return { world, ended };
}

describe('the traces of a workflow', () => {
  let world: World;
  let ended: WorkflowSpan[];
  beforeEach(async () => {
    ({ world, ended } = await startTraced());
  });
  afterEach(() => world.close());

  const open = (body: Parameters<typeof openSuspension>[1], input = {}) =>
    within(ASKED, () => openSuspension(world, body, input));

  const sent = () =>
    ended.map(({ name, parent, origin, outcome, failed, responseType }) => {
      return [name, { parent, origin, outcome, failed, responseType }];
    });

  const NOTHING = {
    origin: undefined,
    outcome: undefined,
    failed: undefined,
    responseType: undefined,
  };

  it('go on where it began after a message that did not end it', async () => {
    const opened = await open({ retry_policy: LADDER, ...TWO });
    await world.sleep('1 s');
    const counted = await answerBy(world, opened, 'alice');
    await within(VOTED, () => respond(opened, counted));
    await world.sleep('10801 s');
    const settled = await opened.handle.result();
    assert.equal(settled.resolution, 'expired');
    const began = { ...ASKED, spanId: ended[0]?.id ?? '' };
    assert.deepEqual(sent(), [
      ['workflow suspension', { ...NOTHING, parent: ASKED, responseType: 'choice' }],
      ['update respond', { ...NOTHING, parent: VOTED, origin: began, outcome: 'counted' }],
      ['end suspension', { ...NOTHING, parent: began, outcome: 'expired' }],
    ]);
    const header = headerOf(began);
    assert.deepEqual(await sentWith(opened.handle, 'notify'), [header, header, header]);
    for (const { id } of ended) assert.match(id, /^[\da-f]{16}$/);
    assert.equal(new Set(ended.map(({ id }) => id)).size, ended.length);
    await replay(opened.handle);
  });

  it('are not begun where no message brings one, nor sent where one is not recorded', async () => {
    const opened = await openSuspension(world, { timeout_seconds: 3_600 });
    await world.sleep('1 s');
    await world.sleep('3600 s');
    await opened.handle.result();
    assert.deepEqual(await sentWith(opened.handle, 'notify'), ['nothing']);
    const ignored = { ...ASKED, sampled: false };
    const other = await within(ignored, () => openSuspension(world, { timeout_seconds: 3_600 }));
    await world.sleep('3601 s');
    await other.handle.result();
    const [header = ''] = await sentWith(other.handle, 'notify');
    assert.match(header, /"00-a{32}-[\da-f]{16}-00"/);
    assert.deepEqual(ended, []);
  });

  it('go on in the next run of a workflow', async () => {
    const opened = await open({ retry_policy: LADDER }, { history_limit: 20 });
    await intoNextRun(world, opened);
    const name = 'workflow suspension';
    assert.deepEqual(
      ended.map((span) => span.name),
      [name, name],
    );
    const [first, second] = ended;
    assert.deepEqual(second?.parent, { ...ASKED, spanId: first?.id });
    assert.notEqual(second.id, first?.id);
  });
});

describe('a Signal that is traced, for a worker that replays before each task', () => {
  it('is the cause of what comes after it, and each span is told once', async () => {
    const { world, ended } = await startTraced({ on: 'dev server', maxCachedWorkflows: 0 });
    const body = { timeout_seconds: 3_600, ...TWO };
    const opened = await within(ASKED, () => openSuspension(world, body));
    await world.delivered(opened.id);
    const vote = await answerBy(world, opened, 'bob');
    await within(VOTED, () => respond(opened, vote));
    const answer = await answerBy(world, opened, 'alice');
    await within(VOTED, () => opened.handle.signal(operatorResponseSignal, answer));
    await opened.handle.result();
    const sent = await sentWith(opened.handle, 'writeJournal');
    await world.close();
    assert.deepEqual(
      ended.map(({ name }) => name),
      ['workflow suspension', 'update respond', 'signal operatorResponse', 'end suspension'],
    );
    const [began, ...others] = ended;
    const signal = others.find(({ name }) => name === 'signal operatorResponse');
    const end = others.find(({ name }) => name === 'end suspension');
    assert.deepEqual(signal?.origin, { ...ASKED, spanId: began?.id });
    assert.deepEqual(signal.parent, VOTED);
    const cause = { ...VOTED, spanId: signal.id };
    assert.deepEqual([end?.parent, end?.outcome], [cause, 'responded']);
    assert.equal(sent.at(-1), headerOf(cause));
  });
});
