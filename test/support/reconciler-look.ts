import assert from 'node:assert/strict';
import type { Found } from '../../activities/look.js';
import { reconcile } from '../../activities/reconcile.js';
import type { Finding } from '../../activities/types.js';
import { reconciliation, storedQuestions } from '../../workers/reconciliation.js';
import type { RealStack } from './real-stack.js';

/** Longer than whoever should write something has for it. */
const LATER_MS = 120_000;

/** One look of the reconciler, as of two minutes from now. `found` gets what it finds; others use this Temporal too. */
export async function lookFrom(
  { store: { db }, client }: RealStack,
  since: string | null,
  found: (one: Found, finding: Finding) => unknown,
): Promise<void> {
  await reconcile(
    {
      reconciliation: reconciliation(db, () => client),
      store: storedQuestions(db),
      now: () => new Date(Date.now() + LATER_MS),
    },
    { since },
    { goOn: () => undefined, found, warn: (event) => assert.fail(event) },
  );
}
