import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { announcementSignal } from '../../../workflows/engine/messages.js';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import type { suspension as suspensionWorkflow } from '../../../workflows/suspension/workflow.js';
import { lookUntil } from '../../support/looks.js';
import { snapshotOf, typesOf, writeStatus } from '../support/intents.js';
import {
  complete,
  inSeconds,
  join,
  newMember,
  openPortfolio,
  portfolioLog,
} from '../support/portfolios.js';
import { BY_ITSELF } from '../support/suspensions.js';
import { World } from '../support/world.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('an answer after the deadline of a portfolio has come', () => {
  let world: World;
  /** Lets the deadline on to the questions that it ends, once it has come there; how often it ended them. */
  let release: (() => void) | undefined;
  let ended = 0;
  before(async () => {
    world = await World.start();
    const { expireQuestions } = world.activities;
    await world.withoutWorker(() => {
      world.activities.expireQuestions = async (batch) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        await expireQuestions(batch);
        ended += 1;
      };
      return Promise.resolve();
    });
  });
  beforeEach(() => {
    [release, ended] = [undefined, 0];
  });
  after(() => world.close());

  async function overdue() {
    const portfolio = await openPortfolio(world, { deadline: 600 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent, LAX);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('601 s');
    return { portfolio, intent, suspension: world.suspension(view.id), view };
  }

  for (const way of ['an Update', 'a Signal'] as const) {
    it(`counts by ${way} if it reaches the question before the deadline [AM-38]`, async () => {
      const { portfolio, intent, suspension, view } = await overdue();
      const reached = await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
      const answer = await world.answer(view);
      const deadline = reached.at(-1)?.created_at ?? assert.fail();
      assert.ok(answer.received_at > deadline, `${answer.received_at} is not after ${deadline}`);
      if (way === 'an Update') await suspension.executeUpdate(respondUpdate, { args: [answer] });
      else await suspension.signal(operatorResponseSignal, answer);
      const letOn = await lookUntil(async () => release, 'the deadline reaches no question');
      letOn();
      const { resolution, response, reason } = await suspension.result();
      assert.deepEqual([resolution, response, reason], ['responded', 'approve', undefined]);
      const log = await portfolioLog(world, portfolio, 'portfolio.member_resumed');
      assert.deepEqual(typesOf(log).slice(-2), [
        'portfolio.deadline_reached',
        'portfolio.member_resumed',
      ]);
      assert.equal((await snapshotOf(intent)).intent.status, 'active');
      await writeStatus(intent, 'completed');
      await complete(portfolio);
      assert.equal(ended, 1);
    });
  }
});

describe('a deadline that is there before the question', () => {
  let world: World;
  /** Tries that were let on, that are over, and that ended all that they were to. */
  let [begun, tried, ended] = [0, 0, 0];
  /** What a try waits for. */
  let mayTry: Promise<void> = Promise.resolve();
  before(async () => {
    world = await World.start();
    const { expireQuestions } = world.activities;
    await world.withoutWorker(async () => {
      world.activities.expireQuestions = async (batch) => {
        await mayTry;
        begun += 1;
        try {
          await expireQuestions(batch);
          ended += 1;
        } finally {
          tried += 1;
        }
      };
    });
  });
  beforeEach(() => {
    [begun, tried, ended] = [0, 0, 0];
    mayTry = Promise.resolve();
  });
  after(() => world.close());

  /** A member that has announced a question which Temporal has not started yet. */
  async function announced() {
    const portfolio = await openPortfolio(world, { deadline: 600 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const { snapshot } = await newMember(world, intent);
    const asked = { question: 'Refund?', response_type: 'text', ...LAX } as const;
    const { record, schedule } = openRecord(asked, randomUUID(), await inSeconds(world, 0));
    const { id: suspension_id, suspended_at } = record;
    const open = { suspended_at, expires_at: null, attempt: 1, resolution: null, settled_at: null };
    const announcement = {
      ...snapshot,
      version: snapshot.version + 1,
      status: 'suspended_awaiting_input' as const,
      held: true,
      suspension: { suspension_id, ...open },
      suspended_since: suspended_at,
    };
    await portfolio.signal(announcementSignal, announcement);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    const start = async (taskQueue: string) => {
      const nobody = { intent_id: null, subject_workflow_id: null, asked_by: 'agent-1' };
      await world.client.start<typeof suspensionWorkflow>('suspension', {
        workflowId: workflowIdOf('suspension', suspension_id),
        taskQueue,
        args: [{ ...nobody, writers: BY_ITSELF, record, schedule }],
      });
    };
    return { portfolio, intent, suspension_id, start };
  }

  /** Lets time pass until something is so. */
  async function passUntil(isSo: () => boolean): Promise<void> {
    await lookUntil(async () => {
      await world.sleep('1 s');
      return isSo();
    }, 'it does not come to that');
  }

  type Member = Awaited<ReturnType<typeof announced>>;

  async function hasEndedOnce({ portfolio, intent, suspension_id }: Member): Promise<void> {
    const { resolution, reason, settled_at } = await world.suspension(suspension_id).result();
    const [reached] = await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    const { deadline } = reached?.payload ?? assert.fail();
    assert.deepEqual([resolution, reason, settled_at], ['expired', 'portfolio_deadline', deadline]);
    const timeline = world.activities.timelineOf(suspension_id);
    assert.equal(timeline.filter(({ kind }) => kind === 'expired').length, 1);
    await writeStatus(intent, 'completed');
    await complete(portfolio);
    assert.equal(ended, 1);
  }

  it('reaches it once its people are asked, and ends it once', async () => {
    const member = await announced();
    await world.sleep('601 s');
    await passUntil(() => tried > 1);
    assert.equal(ended, 0);
    let release = (): void => undefined;
    mayTry = new Promise<void>((resolve) => {
      release = resolve;
    });
    await passUntil(() => begun === tried);
    await member.start(world.taskQueue);
    await world.delivered(member.suspension_id);
    release();
    await passUntil(() => ended > 0);
    await hasEndedOnce(member);
  });

  it('reaches it while its worker is away, and ends it once', async () => {
    const member = await announced();
    await world.sleep('601 s');
    await passUntil(() => tried > 1);
    assert.equal(ended, 0);
    const elsewhere = `${world.taskQueue}-elsewhere`;
    await member.start(elsewhere);
    await passUntil(() => ended > 0);
    await world.startWorkerOf(elsewhere);
    await hasEndedOnce(member);
    const { notified } = world.activities;
    assert.ok(!notified.some(({ suspension_id: id }) => id === member.suspension_id));
  });
});
