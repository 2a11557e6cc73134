import * as grpc from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';

const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';

/** A call of Temporal's API, and its message. */
export interface Call {
  readonly method: string;
  readonly request: Uint8Array;
}

/** Hands the call on to Temporal, or another one in its place, and resolves with the reply. */
export type Forward = (other?: Call) => Promise<Buffer>;

/** What a front does with a call of this method; a gRPC error that it throws is the reply. */
export type Answer = (call: Call, forward: Forward) => Promise<Buffer>;

/** A server between a worker and Temporal. */
export interface Front {
  /** The worker's connection; it is closed with this. */
  readonly connection: NativeConnection;
  close(): Promise<void>;
}

/** Starts a server in front of the Temporal at an address. Each call of a worker goes through `answer`. */
export async function startFront(address: string, answer: Answer): Promise<Front> {
  const upstream = new grpc.Client(address, grpc.credentials.createInsecure());

  /**
   * In the name of a worker's call, and no longer than that waits: a poll without a deadline is refused, and one that nobody waits for
   * any more would take a task along.
   */
  function forward({ method, request }: Call, from: Unary): Promise<Buffer> {
    const path = SERVICE + method;
    const bytes = Buffer.from(request);
    const options = { deadline: from.getDeadline() };
    return new Promise((resolve, reject) => {
      const replied = (error: grpc.ServiceError | null, reply?: Buffer): void => {
        if (error) reject(error);
        else resolve(reply as Buffer);
      };
      const { metadata } = from;
      const call = upstream.makeUnaryRequest(path, same, same, bytes, metadata, options, replied);
      from.on('cancelled', () => call.cancel());
    });
  }

  const server = new grpc.Server();
  for (const method of methods()) {
    const reply = (from: Unary) => {
      const call = { method, request: from.request };
      return answer(call, (other = call) => forward(other, from));
    };
    server.register(SERVICE + method, handler(reply), same, same, 'unary');
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
    async close() {
      await connection.close();
      server.forceShutdown();
      upstream.close();
    },
  };
}

/** Whose workflow tasks a worker has. */
export class TaskOwners {
  private readonly workflows = new Map<string, string>();

  /** A worker gets a task. */
  note({
    taskToken,
    workflowExecution,
  }: proto.temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse): void {
    const { workflowId } = workflowExecution ?? {};
    if (workflowId) this.workflows.set(keyOf(taskToken), workflowId);
  }

  /** The workflow of a task; empty if nobody has noted it. */
  of(taskToken: Token): string {
    return this.workflows.get(keyOf(taskToken)) ?? '';
  }
}

type Token = Uint8Array | null | undefined;

function keyOf(taskToken: Token): string {
  return Buffer.from(taskToken ?? []).toString('base64');
}

type Unary = grpc.ServerUnaryCall<Buffer, Buffer>;

function handler(reply: (call: Unary) => Promise<Buffer>) {
  return (call: Unary, callback: grpc.sendUnaryData<Buffer>): void => {
    reply(call).then(
      (bytes) => callback(null, bytes),
      (error: unknown) => callback(error as grpc.ServiceError, null),
    );
  };
}

/** Every call of the service has a request of its name. */
function methods(): readonly string[] {
  const { v1 } = proto.temporal.api.workflowservice;
  const requests = Object.keys(v1).filter((name) => name.endsWith('Request'));
  return requests.map((name) => name.slice(0, -'Request'.length));
}

function same(bytes: Buffer): Buffer {
  return bytes;
}
