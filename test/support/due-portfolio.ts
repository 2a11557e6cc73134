import assert from 'node:assert/strict';
import type { RealStack } from './real-stack.js';

/** Milliseconds: a slow machine needs some of them to get the deadline to the portfolio. */
const SOONEST = 1_000;
const LATEST = 32_000;

/** Moves the deadline of a portfolio to a moment that is about to come; returns its policy. */
export async function dueSoon(
  stack: RealStack,
  portfolio: string,
  version: number,
): Promise<{ readonly deadline: string }> {
  for (let ahead = SOONEST; ; ahead *= 2) {
    const governance_policy = { deadline: new Date(Date.now() + ahead).toISOString() };
    const ifMatch = { 'If-Match': String(version) };
    const { status, body } = await stack.patch(portfolio, 'agent', { governance_policy }, ifMatch);
    if (body.code === 'deadline_in_past' && ahead < LATEST) continue;
    assert.equal(status, 200, JSON.stringify(body));
    return body.governance_policy as { deadline: string };
  }
}
