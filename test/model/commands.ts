import fc from 'fast-check';
import type { IntentStatus } from '../../contracts/intent/intent.js';
import type { CreatePlanRequest } from '../../contracts/plan/plan.js';
import type { FallbackPolicy } from '../../contracts/suspension/retry-policy.js';
import type { PatchTaskRequest } from '../../contracts/plan/task.js';

/** How many intents a whole has, each with a task. */
export const INTENTS = 4;

/** Who depends on whom from the start; intents and tasks alike. */
const EDGES = {
  chain: [
    [1, 0],
    [2, 1],
    [3, 2],
  ],
  diamond: [
    [1, 0],
    [2, 0],
    [3, 1],
    [3, 2],
  ],
  apart: [],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;

export interface Shape {
  readonly edges: readonly (readonly [number, number])[];
  readonly drafts: readonly number[];
  readonly members: readonly number[];
  readonly on_failure: CreatePlanRequest['on_failure'];
}

/** One thing that happens; `of` is the place of an intent, or of its task. */
export type Command =
  | {
      readonly does: 'suspend';
      readonly of: number;
      readonly fallback: FallbackPolicy;
      readonly seconds?: number;
    }
  | {
      readonly does: 'answer';
      readonly of: number;
      readonly value: 'yes' | 'no';
      readonly key: string;
    }
  | { readonly does: 'withdraw'; readonly of: number }
  | { readonly does: 'write'; readonly of: number; readonly status: IntentStatus }
  | { readonly does: 'patch'; readonly of: number; readonly value: number }
  | { readonly does: 'depend' | 'release'; readonly of: number; readonly on: number }
  | { readonly does: 'join' | 'leave'; readonly of: number }
  | { readonly does: 'plan'; readonly state: 'active' | 'paused' }
  | { readonly does: 'deadline' | 'pass'; readonly seconds: number }
  | { readonly does: 'claim'; readonly of: number; readonly agent: string }
  | { readonly does: 'task'; readonly of: number; readonly request: PatchTaskRequest }
  | { readonly does: 'deliver'; readonly picks: readonly number[] }
  | { readonly does: 'repeat' | 'rest'; readonly pick: number };

const of = fc.nat(INTENTS - 1);
const pick = fc.nat(30);
const seconds = fc.constantFrom(1, 5, 20, 60);
const fallback = fc.constantFrom<FallbackPolicy>(
  'fail',
  'use_default_and_continue',
  'complete_with_fallback',
);
const text = fc.constant('something');
const result = fc.constant({ result: 'done' });

const request = fc.oneof(
  fc.record({ status: fc.constant('running' as const), output: result }),
  fc.record({ status: fc.constant('running' as const) }),
  fc.record({ status: fc.constant('blocked' as const), blocked_reason: text }),
  fc.record({ status: fc.constant('completed' as const), output: result }),
  fc.record({ status: fc.constant('failed' as const), error: text }),
  fc.record({ status: fc.constant('failed' as const), error: text }),
  fc.record({ status: fc.constantFrom('ready', 'ready', 'ready', 'cancelled') }),
);

function one<T extends object>(weight: number, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  const arbitrary = fc.record(fields, {
    noNullPrototype: true,
  }) as unknown as fc.Arbitrary<Command>;
  return { weight, arbitrary };
}

const does = <T extends Command['does']>(...names: readonly T[]) => fc.constantFrom(...names);
const status = fc.constantFrom<IntentStatus>(
  'active',
  'active',
  'blocked',
  'draft',
  'abandoned',
  'completed',
  'completed',
  'completed',
  'completed',
  'completed',
);

export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    one(6, { does: does('suspend'), of, fallback, seconds }),
    one(2, { does: does('suspend'), of, fallback }),
    one(6, {
      does: does('answer'),
      of,
      value: fc.constantFrom('yes', 'no', 'maybe'),
      key: fc.constantFrom('k1', 'k2', 'k3'),
    }),
    one(1, { does: does('withdraw'), of }),
    one(6, { does: does('write'), of, status }),
    one(2, { does: does('patch'), of, value: fc.nat(9) }),
    one(2, { does: does('depend', 'release'), of, on: of }),
    one(3, { does: does('join', 'leave'), of }),
    one(1, { does: does('deadline'), seconds }),
    one(2, { does: does('plan'), state: fc.constantFrom('active', 'active', 'paused') }),
    one(3, { does: does('pass'), seconds }),
    one(2, { does: does('claim'), of, agent: fc.constantFrom('worker-1', 'worker-2') }),
    one(9, { does: does('task'), of, request }),
    one(8, { does: does('deliver'), picks: fc.array(pick, { minLength: 1, maxLength: 8 }) }),
    one(2, { does: does('repeat'), pick }),
    one(3, { does: does('rest'), pick }),
  ),
  { maxLength: 120, size: 'max' },
);

export const shapes: fc.Arbitrary<Shape> = fc.record(
  {
    edges: fc.constantFrom<Shape['edges']>(EDGES.chain, EDGES.diamond, EDGES.apart),
    drafts: fc.subarray([0, 1, 2, 3], { maxLength: 1 }),
    members: fc.subarray([0, 1, 2, 3]),
    on_failure: fc.constantFrom<Shape['on_failure']>(
      'notify',
      'fail',
      'retry',
      'pause_and_escalate',
    ),
  },
  { noNullPrototype: true },
);
