import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { pino } from 'pino';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { startTracing } from '../../../runtime/tracing/start.js';
import type { Tracing } from '../../../runtime/tracing/tracing.js';
import { startWorkerTracing } from '../../../workers/tracing/start.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { startTemporal } from '../../support/temporal.js';
import { startReceiver, type Receiver } from '../../support/subscribers.js';
import { startCollector, type Collector, type SentSpan } from '../../support/traces.js';
import { replay } from '../../workflows/support/histories.js';

const silent = pino({ level: 'silent' });
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const ASKER = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=Zanzibar' };
/** What people and agents wrote, and who they are: none of it may leave in a span. */
const TITLE = 'Refund for Quintessa';
const QUESTION = { question: 'Is Quintessa to have her money?', response_type: 'text' } as const;
const ANSWER = 'Aardvarks say yes';
const SECRET = Buffer.alloc(24, 1).toString('base64');

/** A stack that is traced as its environments say, and a question on it that was answered. */
class TracedQuestion {
  readonly stack: RealStack;
  readonly receiver: Receiver;
  intentId = '';
  suspensionId = '';
  private readonly tracings: readonly (Pick<Tracing, 'close'> | undefined)[];

  private constructor(
    stack: RealStack,
    receiver: Receiver,
    tracings: readonly (Pick<Tracing, 'close'> | undefined)[],
  ) {
    this.stack = stack;
    this.receiver = receiver;
    this.tracings = tracings;
  }

  /** @param apiTo - the endpoint for traces of the API; undefined for none */
  static async answered(apiTo?: string, workerTo?: string): Promise<TracedQuestion> {
    const envOf = (endpoint?: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const api = await startTracing(envOf(apiTo), 'holdpoint-api', silent);
    const worker = await startWorkerTracing(envOf(workerTo), silent);
    const receiver = await startReceiver();
    const { url } = receiver;
    const ops = { type: 'webhook', url, allow_private_network: true, secrets: [`whsec_${SECRET}`] };
    const config = { notifications: { default_channel: 'ops', channels: { ops } } };
    const stack = await RealStack.start(config, onServer(startTemporal(), { api, worker }));
    const question = new TracedQuestion(stack, receiver, [api, worker]);
    await question.askAndAnswer();
    return question;
  }

  private async askAndAnswer(): Promise<void> {
    const { stack } = this;
    const draft = { title: TITLE, status: 'active' };
    const created = await stack.post('/v1/intents', 'agent', draft, ASKER);
    this.intentId = created.body.id;
    const intent = `/v1/intents/${this.intentId}`;
    const asked = await stack.post(`${intent}/suspend`, 'agent', QUESTION, ASKER);
    this.suspensionId = asked.body.id;
    await stack.delivered(this.suspensionId);
    const answer = { suspension_id: this.suspensionId, value: ANSWER };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    const suspension = stack.client.workflow.getHandle(`suspension-${this.suspensionId}`);
    await suspension.result();
    const noted = { event_type: 'note', payload: {} };
    await stack.post(`${intent}/events`, 'agent', noted, ASKER);
    const { events } = await readFresh<{ events: IntentEvent[] }>(stack, `${intent}/events`);
    assert.equal(events[0]?.event_type, 'note', JSON.stringify(events));
  }

  /** Creates intents until the API has stored one. One that was not asked in time is told, by Signal, to store itself. */
  async storedByApi(): Promise<void> {
    const { client, store } = this.stack;
    const isStored = async (id: string) => {
      const events = store.db.selectFrom('events').select('sequence');
      return (await events.where('intent_id', '=', id).execute()).length > 0;
    };
    await lookUntil(async () => {
      const { body } = await this.stack.post('/v1/intents', 'agent', { title: TITLE }, ASKER);
      const id = body.id as string;
      await lookUntil(() => isStored(id), 'an intent is not stored');
      const { events } = await client.workflow.getHandle(`intent-${id}`).fetchHistory();
      return !events?.some((event) => event.workflowExecutionSignaledEventAttributes);
    }, 'the API stores no intent');
  }

  /** Ends the stack, and sends what is left. */
  async close(): Promise<void> {
    await this.stack.close();
    for (const tracing of this.tracings) await tracing?.close();
    await this.receiver.close();
  }

  /** The histories of intent and question. */
  async histories() {
    const ids = [`intent-${this.intentId}`, `suspension-${this.suspensionId}`];
    const handles = ids.map((id) => this.stack.client.workflow.getHandle(id));
    const all = await Promise.all(handles.map((handle) => handle.fetchHistory()));
    return { handles, text: JSON.stringify(all) };
  }
}

/** The names from a span up to the beginning of its trace. */
function pathOf(spans: readonly SentSpan[], span: SentSpan | undefined): readonly string[] {
  if (span === undefined) return [];
  return [
    ...pathOf(
      spans,
      spans.find(({ spanId }) => spanId === span.parentSpanId),
    ),
    span.name,
  ];
}

describe('the traces of a question', () => {
  let collector: Collector;
  let question: TracedQuestion;
  let spans: readonly SentSpan[];
  before(async () => {
    collector = await startCollector();
    question = await TracedQuestion.answered(collector.endpoint, collector.endpoint);
    await question.storedByApi();
    const { handles, text } = await question.histories();
    assert.match(text, /_tracer-data/);
    for (const handle of handles) await replay(handle);
    await question.close();
    spans = collector.spans();
  });
  after(() => collector.close());

  const named = (name: string, inTrace = true): SentSpan => {
    const found = spans.filter(
      (span) => span.name === name && (span.traceId === TRACE) === inTrace,
    );
    return found[0] ?? assert.fail(`no ${name}`);
  };

  it('lead from the request of the agent to the delivery, in the trace of the agent', () => {
    const delivery = named('activity notify');
    assert.deepEqual(pathOf(spans, delivery), [
      'POST /v1/intents/:intentId/suspend',
      'update suspend',
      'update suspend',
      'workflow suspension',
      'activity notify',
    ]);
    const request = named('POST /v1/intents/:intentId/suspend');
    assert.equal(request.parentSpanId, 'b7ad6b7169203331');
    assert.equal(question.receiver.received[0]?.headers['traceparent'], headerOf(delivery));
    assert.equal(question.receiver.received[0].headers['tracestate'], undefined);
  });

  it('lead from the request that creates something to the store', () => {
    const paths = spans.map((span) => pathOf(spans, span).join(' > '));
    const noted = 'POST /v1/intents/:intentId/events > update appendEvent > update appendEvent';
    for (const path of [
      'POST /v1/intents > store write',
      `${noted} > activity writeJournal > store write`,
    ]) {
      assert.ok(paths.includes(path), paths.join('\n'));
    }
  });

  it('lead from the answer through its Update to the end, and name the question', () => {
    const end = named('end suspension', false);
    assert.deepEqual(pathOf(spans, end), [
      'POST /v1/intents/:intentId/suspend/respond',
      'update respond',
      'update respond',
      'end suspension',
    ]);
    const { traceId, spanId } = named('workflow suspension');
    const answer = spans.find((span) => span.name === 'update respond' && span.kind === INTERNAL);
    assert.deepEqual(answer?.links, [`${traceId} ${spanId}`]);
    assert.equal(answer.attributes['holdpoint.outcome'], 'settled');
    assert.equal(end.attributes['holdpoint.outcome'], 'responded');
  });

  it('come from API and worker, and none has failed', () => {
    assert.deepEqual(new Set(spans.map(({ service }) => service)), SERVICES);
    assert.deepEqual(
      spans.filter(({ hasFailed }) => hasFailed),
      [],
    );
    assert.ok(spans.every(({ ms }) => ms >= 0));
    assert.ok(spans.every(({ name }) => !name.includes('/health')));
  });

  it('tell ids, kinds, channel and outcome', () => {
    const shown = Object.assign({}, ...spans.map(({ attributes }) => attributes)) as object;
    assert.deepEqual(Object.keys(shown).sort(), [
      'holdpoint.activity.try',
      'holdpoint.activity.type',
      'holdpoint.channel',
      'holdpoint.intent.id',
      'holdpoint.operation',
      'holdpoint.outcome',
      'holdpoint.response_type',
      'holdpoint.rows',
      'holdpoint.suspension.id',
      'holdpoint.workflow.run_id',
      'holdpoint.workflow.type',
      'http.request.method',
      'http.response.status_code',
      'http.route',
    ]);
    const { attributes } = named('activity notify');
    assert.equal(attributes['holdpoint.channel'], 'ops');
    assert.equal(attributes['holdpoint.outcome'], 'delivered');
    assert.equal(attributes['holdpoint.suspension.id'], `${question.suspensionId.slice(0, 8)}…`);
    assert.equal(named('update suspend').attributes['holdpoint.intent.id'], question.intentId);
    assert.equal(named('workflow suspension').attributes['holdpoint.response_type'], 'text');
  });

  it('hold nothing that was written, no key, no name of anybody and no whole id of a question', () => {
    const sent = collector.text();
    const keys = Object.values(KEYS).map(({ key }) => key);
    const written = ['Quintessa', 'Aardvarks', 'money', 'Zanzibar', SECRET, question.receiver.url];
    for (const text of [...keys, ...written, question.suspensionId]) {
      assert.ok(!sent.includes(text), text);
    }
    const withoutIds = sent.replaceAll(RANDOM_ID, '');
    for (const { principal } of Object.values(KEYS)) {
      assert.ok(!withoutIds.includes(principal), principal);
    }
    assert.ok(sent.includes(question.intentId));
  });
});

const SERVICES = new Set(['holdpoint-api', 'holdpoint-worker']);
const INTERNAL = 1;
/** An id of a span or trace, a UUID, or the beginning of one: the digits of some happen to spell a name. */
const RANDOM_ID = /[0-9a-f]{16,}|[0-9a-f]{8}(?:…|(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

function headerOf({ traceId, spanId }: SentSpan): string {
  return `00-${traceId}-${spanId}-01`;
}
