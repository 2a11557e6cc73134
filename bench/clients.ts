import type { BenchStack } from './bench-stack.js';
import { measureThroughput, type Throughput } from './throughput.js';

/** So many clients at once, one measurement each. */
export const CLIENT_COUNTS = [1, 4, 16, 32, 64] as const;

/** What so many clients reach together. */
export interface ClientsPoint extends Pick<Throughput, 'rates' | 'busy'> {
  readonly clients: number;
}

/** How throughput grows with the number of clients, and where it stops to. */
export async function measureClients(bench: BenchStack, count: number): Promise<ClientsPoint[]> {
  const points: ClientsPoint[] = [];
  for (const clients of CLIENT_COUNTS) {
    const { rates, busy } = await measureThroughput(bench, count, clients);
    points.push({ clients, rates, busy });
  }
  return points;
}
