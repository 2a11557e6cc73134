import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { REFUND, type KeyName, type RealStack } from '../../support/real-stack.js';

export const CALLS = [{ id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } }];

type Json = Readonly<Record<string, unknown>>;

/** One write, and another that its key may not be used for. */
export interface Write {
  readonly path: string;
  readonly as?: KeyName;
  readonly body?: object;
  readonly other?: object;
  readonly headers?: Record<string, string>;
  /** The repeat gets it as it stands, and it goes on by itself: only what it is counts. */
  readonly moves?: true;
  /** Reads what would show a second effect. */
  readonly effect?: () => Promise<unknown>;
}

export type Scene = (on: Made) => Promise<Write>;

export class Made {
  readonly stack: RealStack;
  constructor(stack: RealStack) {
    this.stack = stack;
  }

  async of(path: string, body: object, as: KeyName = 'agent'): Promise<string> {
    const { status, body: made } = await this.stack.post(path, as, body);
    assert.ok(status < 300, `${path}: ${JSON.stringify(made)}`);
    const { id, approval_id } = made as { id?: string; approval_id?: string };
    return id ?? approval_id ?? '';
  }
  intent = () => this.of('/v1/intents', { title: 'Refund', status: 'active' });
  question = (body: object = REFUND) => this.of('/v1/suspensions', body);
  portfolio = () => this.of('/v1/portfolios', { name: 'Refunds' });
  task = async () => this.of('/v1/tasks', { intent_id: await this.intent(), name: 'review' });
  coordinator = async (intent_id: string) => this.of('/v1/coordinators', { intent_id });
  lease = (intent: string) =>
    this.of(`/v1/intents/${intent}/leases`, { scope: 'refunds', duration_seconds: 600 });

  async approval(approved = true): Promise<string> {
    const body = {
      run_id: randomUUID(),
      decider: 'ursula',
      calls: CALLS,
      checkpoint: { schema_version: '1', state: { step: 1 } },
    };
    const { body: asked, status } = await this.stack.post('/v1/approvals', 'agent', body);
    assert.equal(status, 202, JSON.stringify(asked));
    const { request_id } = asked as { request_id: string };
    if (!approved) return request_id;
    const decision = { action: 'approve' };
    const decided = await this.stack.post(`/v1/requests/${request_id}/resume`, 'user', decision);
    assert.equal(decided.status, 200, JSON.stringify(decided.body));
    return request_id;
  }

  /** How many events of a type the log of an intent has. */
  async events(intent: string, type: string): Promise<number> {
    const reply = await this.stack.get(`/v1/intents/${intent}/events?limit=1000`, 'admin');
    const { events } = reply.body as { events: readonly { event_type: string }[] };
    return events.filter(({ event_type }) => event_type === type).length;
  }

  async read(path: string, as: KeyName = 'admin'): Promise<Json> {
    const reply = await this.stack.get(path, as);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Json;
  }
}
