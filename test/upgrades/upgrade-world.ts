import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import type { Activities } from '../../activities/types.js';
import { TASK_QUEUE, workflowIdOf } from '../../contracts/constants/names.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import { suspendRequestSchema } from '../../contracts/suspension/requests.js';
import { workerConfigSchema } from '../../contracts/server/worker-config.js';
import { newIntent } from '../../domain/intent/entity.js';
import { resolveQuestion } from '../../domain/suspension/asking/question.js';
import { activate } from '../../temporal-config/deployment.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { createWorkers } from '../../workers/create-workers.js';
import { versionOf, versioned } from '../../workers/versioning.js';
import { suspendUpdate } from '../../workflows/intent/messages.js';
import type { intent } from '../../workflows/intent/workflow.js';
import {
  recordQuery,
  respondUpdate,
  type OperatorAnswer,
} from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { granted } from '../domain/samples.js';
import { caller, sent } from '../support/callers.js';
import { askAgain } from '../support/ask-again.js';
import { lookUntil } from '../support/looks.js';
import { run, startOnFreePort } from '../support/temporal.js';
import { FakeActivities } from '../workflows/support/fake-activities.js';

/** Often enough that every version of a test gets a reminder to send, for two minutes. */
const REMINDED = { retry_policy: { max_attempts: 30, interval_seconds: 4 } };
const ACTIVATE_MS = 120_000;

/** The workers of one version, and what they delivered. */
export interface VersionWorkers {
  readonly buildId: string;
  readonly notified: readonly NotificationRequest[];
  readonly makeCurrent: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A question of an intent. */
export interface AskedIntent {
  readonly intent: WorkflowHandle<typeof intent>;
  readonly question: WorkflowHandle<typeof suspension>;
  readonly view: LiveView;
}

/** A development server for versioned workers. Which version is current outlives a test, so nobody shares it. */
export class UpgradeWorld {
  readonly client: Client;
  readonly address: string;
  readonly #temporal: DevServer;
  readonly #native: NativeConnection;
  readonly #converting: { readonly dataConverter?: DataConverter };

  private constructor(
    temporal: DevServer,
    connection: Connection,
    native: NativeConnection,
    dataConverter?: DataConverter,
  ) {
    this.#temporal = temporal;
    this.#native = native;
    this.#converting = dataConverter ? { dataConverter } : {};
    this.address = temporal.address;
    const interceptors = { workflow: [askAgain] };
    this.client = new Client({ connection, interceptors, ...this.#converting });
  }

  /** @param dataConverter - how payloads are encoded; not at all unless given */
  static async start(dataConverter?: DataConverter): Promise<UpgradeWorld> {
    const temporal = await startOnFreePort();
    const { address } = temporal;
    const connection = await Connection.connect({ address });
    const native = await NativeConnection.connect({ address });
    return new UpgradeWorld(temporal, connection, native, dataConverter);
  }

  async close(): Promise<void> {
    await this.#native.close();
    await this.client.connection.close();
    await this.#temporal.stop();
  }

  /** @param deliver - runs in place of a delivery */
  async startWorkers(
    bundle: WorkflowBundleOption,
    deliver?: FakeActivities['deliver'],
  ): Promise<VersionWorkers> {
    const version = await versionOf(bundle);
    const fakes = new FakeActivities();
    if (deliver) fakes.deliver = deliver;
    const functions = Object.entries(fakes).filter(([, one]) => typeof one === 'function');
    const activities = Object.fromEntries(functions) as unknown as Activities;
    const shared = { connection: this.#native, ...versioned(version), ...this.#converting };
    const config = workerConfigSchema.parse({});
    const workers = (await createWorkers(shared, bundle, activities, config)).map(run);
    const { connection } = this.client;
    return {
      buildId: version.buildId,
      notified: fakes.notified,
      makeCurrent: async () => {
        const log = (): void => undefined;
        const where = { connection, namespace: 'default', version };
        await activate({ ...where, limitMs: ACTIVATE_MS, log });
      },
      stop: async () => {
        await Promise.all(workers.map((worker) => worker.stop()));
      },
    };
  }

  /** Opens an intent and suspends it with a question, which is reminded of all the time unless told otherwise. */
  async ask(reminders: object = REMINDED): Promise<AskedIntent> {
    const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const created_at = new Date().toISOString();
    const id = randomUUID();
    const record = newIntent(request, { id, created_by: 'agent-1', owner: 'agent-1', created_at });
    const handle = await this.client.workflow.start<typeof intent>('intent', {
      workflowId: workflowIdOf('intent', id),
      taskQueue: TASK_QUEUE,
      args: [{ intent: record, log_key: randomUUID() }],
    });
    const choices = ['approve', 'deny'].map((value) => ({ value, label: value }));
    const body = suspendRequestSchema.parse({ question: 'Refund?', choices, ...reminders });
    const { draft } = granted(resolveQuestion(body, null, { contextBytes: 65_536 }));
    const input = { ...sent('agent-1'), draft };
    const { suspension_id } = await handle.executeUpdate(suspendUpdate, { args: [input] });
    const question = this.client.workflow.getHandle<typeof suspension>(
      workflowIdOf('suspension', suspension_id),
    );
    return { intent: handle, question, view: await question.query(recordQuery) };
  }

  async answer({ question, view }: AskedIntent): Promise<void> {
    await question.executeUpdate(respondUpdate, { args: [approvalOf(view)] });
  }
}

/** An operator's approval, as the API would hand it in. */
export function approvalOf({ intent_id }: LiveView): OperatorAnswer {
  return {
    intent_id,
    value: 'approve',
    responded_by: 'alice',
    by: caller('alice', 'operator'),
    received_at: new Date().toISOString(),
    answer: { key: randomUUID(), body_hash: 'hash' },
  };
}

/** Waits until these workers have delivered a message of the question. */
export async function delivers(
  { notified, buildId }: VersionWorkers,
  { view }: AskedIntent,
): Promise<void> {
  await lookUntil(
    async () => notified.some(({ suspension_id }) => suspension_id === view.id),
    `${buildId} delivered nothing`,
  );
}
