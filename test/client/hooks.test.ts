import assert from 'node:assert/strict';
import type { Hooks } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { DECISION, INTENT_ID, problem, ROUTES, SUSPENSION_ID } from './support/samples.js';

const FAILURE = new Error('the hook is broken');

const throwing = (): never => {
  throw FAILURE;
};
const rejecting = (): Promise<never> => Promise.reject(FAILURE);

describe('a hook that fails', () => {
  for (const [how, fail] of Object.entries({ throws: throwing, rejects: rejecting })) {
    it(`is reported and breaks nothing where it ${how} [TM-09]`, () =>
      withServer(async (server, pauses) => {
        const reports: unknown[] = [];
        const hooks: Hooks = { onInputRequested: fail, onInputReceived: fail };
        const onHookError = (error: unknown, hook: string): number => reports.push([error, hook]);

        const agent = agentOf(server, pauses, { hooks, onHookError });
        const value = await agent.requestInput(INTENT_ID, { question: 'Refund?' });

        assert.equal(value, 'approve');
        assert.deepEqual(reports, [
          [FAILURE, 'onInputRequested'],
          [FAILURE, 'onInputReceived'],
        ]);
      }));
  }

  it('goes to the console by default, without the suspension [R25-100]', () =>
    withServer(async (server, pauses) => {
      const lines: string[] = [];
      const original = console.error;
      console.error = (...given: unknown[]): void => void lines.push(given.map(String).join(' '));
      try {
        const agent = agentOf(server, pauses, { hooks: { onInputReceived: throwing } });
        await agent.requestInput(INTENT_ID, { question: 'Refund?' });
      } finally {
        console.error = original;
      }

      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /onInputReceived failed.*the hook is broken/);
      assert.ok(!lines[0]?.includes(SUSPENSION_ID));
    }));

  it('ends on the console where its handler fails too', () =>
    withServer(async (server, pauses) => {
      const errors: unknown[] = [];
      const original = console.error;
      console.error = (_text: string, error: unknown): void => void errors.push(error);
      try {
        const hooks = { onInputRequested: throwing };
        const agent = agentOf(server, pauses, { hooks, onHookError: throwing });
        assert.equal(await agent.requestInput(INTENT_ID, { question: 'Q?' }), 'approve');
      } finally {
        console.error = original;
      }

      assert.deepEqual(errors, [FAILURE]);
    }));

  it('is reported where the intent cannot be read for it', () =>
    withServer(async (server, pauses) => {
      const reports: unknown[] = [];
      server.on(ROUTES.intent, problem(403, 'forbidden'));
      const hooks = { onInputRequested: () => undefined };
      const onHookError = (error: unknown): number =>
        reports.push((error as { code?: string }).code);

      const agent = agentOf(server, pauses, { hooks, onHookError });
      const value = await agent.requestInput(INTENT_ID, { question: 'Refund?' });

      assert.equal(value, 'approve');
      assert.deepEqual(reports, ['forbidden']);
    }));
});

describe('a hook that takes its time', () => {
  it('delays neither the answer nor the decision', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, { body: DECISION });
      const never = (): Promise<never> => new Promise(() => undefined);
      const hooks: Hooks = {
        onInputRequested: never,
        onInputReceived: never,
        onEngagementDecision: never,
      };
      const agent = agentOf(server, pauses, { hooks });

      assert.deepEqual(await agent.shouldRequestInput(INTENT_ID, {}), DECISION);
      assert.equal(await agent.requestInput(INTENT_ID, { question: 'Refund?' }), 'approve');
    }));
});
