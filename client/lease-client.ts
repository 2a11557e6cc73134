import type { Lease } from '../contracts/intent.js';
import type { Call, Connection } from './connection.js';
import { pathOf } from './connection.js';
import { listIn } from './reply.js';

/** Leases of RFC-0003. Durations are whole seconds; refusals are thrown as HoldpointError. */
export class LeaseClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Takes a lease on a scope; 409 `lease_held` where somebody has it. */
  async acquire(
    intentId: string,
    request: { scope: string; duration_seconds: number },
  ): Promise<Lease> {
    return this.#send({
      method: 'POST',
      path: pathOf('intents', intentId, '/leases'),
      body: request,
      repeatable: 'undelivered',
    });
  }

  /** Prolongs a lease from now on; works while the intent is suspended too (R25-11). */
  async renew(
    intentId: string,
    leaseId: string,
    request: { duration_seconds: number },
  ): Promise<Lease> {
    return this.#send({
      method: 'PATCH',
      path: leasePath(intentId, leaseId),
      body: request,
      repeatable: 'always',
    });
  }

  /** Gives a lease back. */
  async release(intentId: string, leaseId: string): Promise<Lease> {
    return this.#send({
      method: 'DELETE',
      path: leasePath(intentId, leaseId),
      repeatable: 'undelivered',
    });
  }

  /** The leases of an intent that are not over. */
  async list(intentId: string): Promise<readonly Lease[]> {
    const path = pathOf('intents', intentId, '/leases');
    const reply = await this.#connection.send({ method: 'GET', path, repeatable: 'always' });
    return listIn(reply.body, 'leases') as readonly Lease[];
  }

  async #send(call: Call): Promise<Lease> {
    return (await this.#connection.send(call)).body as Lease;
  }
}

function leasePath(intentId: string, leaseId: string): string {
  return pathOf('intents', intentId, `/leases/${encodeURIComponent(leaseId)}`);
}
