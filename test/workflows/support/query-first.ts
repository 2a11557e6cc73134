import * as grpc from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import Long from 'long';
import assert from 'node:assert/strict';

const service = proto.temporal.api.workflowservice.v1;
const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';
const POLL = 'PollWorkflowTaskQueue';
const ANSWER = 'RespondQueryTaskCompleted';

type Task = proto.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;

/** How the worker answered the Query that came before a task. */
export interface EarlyAnswer {
  readonly refused: boolean;
}

/** Lets Queries overtake workflow tasks on the way to a worker. */
export interface Overtaking {
  /** The worker's connection; it is closed with this. */
  readonly connection: NativeConnection;
  /**
   * The next task of a workflow is overtaken by this Query; resolves with how the worker answered, once it has. The
   * worker gets the history as it was just before a worker took the task.
   */
  overtake(workflowId: string, queryType: string): Promise<EarlyAnswer>;
  close(): Promise<void>;
}

interface Wish {
  readonly queryType: string;
  readonly answered: (answer: EarlyAnswer) => void;
}

/** What to do once the worker has answered the Query that overtook a task. */
type Answered = (answer: EarlyAnswer) => void;

/**
 * A server in front of Temporal that hands on every call, and can give a worker a Query before a task. With a real
 * server that happens where a Query waits for a worker, an event comes meanwhile, and a new worker gets the Query first.
 */
export async function startOvertaking(address: string): Promise<Overtaking> {
  const wishes = new Map<string, Wish>();
  const early = new Map<string, Answered>();
  /** Tasks that were overtaken: the next poll waits for one, and gets it after the Query. */
  const owed: Promise<Buffer>[] = [];
  const upstream = new grpc.Client(address, grpc.credentials.createInsecure());

  function forward(path: string, { request, metadata }: Unary): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      upstream.makeUnaryRequest(path, same, same, request, metadata, (error, reply) => {
        if (error) reject(error);
        else resolve(reply as Buffer);
      });
    });
  }

  /** The task itself, or the Query that overtakes it. */
  function overtaken(reply: Buffer): Buffer {
    const task = service.PollWorkflowTaskQueueResponse.decode(reply);
    const wish = wishes.get(task.workflowExecution?.workflowId ?? '');
    if (!wish || task.query) return reply;
    wishes.delete(task.workflowExecution?.workflowId ?? '');
    const token = `early ${wish.queryType} ${early.size}`;
    const answered = new Promise<EarlyAnswer>((resolve) => early.set(token, resolve));
    owed.push(answered.then(() => reply));
    void answered.then(wish.answered);
    return queryBefore(task, wish.queryType, token);
  }

  async function answer(path: string, call: Unary): Promise<Buffer> {
    if (path === SERVICE + POLL) {
      return owed.shift() ?? overtaken(await forward(path, call));
    }
    if (path !== SERVICE + ANSWER) return forward(path, call);
    const { taskToken, completedType } = service.RespondQueryTaskCompletedRequest.decode(
      call.request,
    );
    const answered = early.get(Buffer.from(taskToken).toString());
    if (!answered) return forward(path, call);
    const FAILED = proto.temporal.api.enums.v1.QueryResultType.QUERY_RESULT_TYPE_FAILED;
    answered({ refused: completedType === FAILED });
    return Buffer.alloc(0);
  }

  const server = new grpc.Server();
  for (const method of methods()) {
    const path = SERVICE + method;
    server.register(path, handler(path, answer), same, same, 'unary');
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  const connection = await NativeConnection.connect({ address: `127.0.0.1:${port}` });
  return {
    connection,
    overtake: (workflowId, queryType) =>
      new Promise((answered) => wishes.set(workflowId, { queryType, answered })),
    async close() {
      assert.equal(wishes.size, 0, 'no task came that a Query was to overtake');
      await connection.close();
      server.forceShutdown();
      upstream.close();
    },
  };
}

type Unary = grpc.ServerUnaryCall<Buffer, Buffer>;

function handler(path: string, answer: (path: string, call: Unary) => Promise<Buffer>) {
  return (call: Unary, callback: grpc.sendUnaryData<Buffer>): void => {
    answer(path, call).then(
      (reply) => callback(null, reply),
      (error: unknown) => callback(error as grpc.ServiceError, null),
    );
  };
}

/** The Query as a worker gets it, with the events up to the point at which the task was only scheduled. */
function queryBefore({ history, ...task }: Task, queryType: string, token: string): Buffer {
  const events = [...(history?.events ?? [])];
  const started = events.pop();
  assert.ok(started?.workflowTaskStartedEventAttributes, 'the task does not end with its start');
  const early = {
    ...task,
    startedEventId: Long.ZERO,
    history: { events },
    taskToken: Buffer.from(token),
    query: { queryType },
  };
  return Buffer.from(service.PollWorkflowTaskQueueResponse.encode(early).finish());
}

/** Every call of the service has a request of its name. */
function methods(): readonly string[] {
  const requests = Object.keys(service).filter((name) => name.endsWith('Request'));
  return requests.map((name) => name.slice(0, -'Request'.length));
}

function same(bytes: Buffer): Buffer {
  return bytes;
}
