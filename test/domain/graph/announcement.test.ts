import assert from 'node:assert/strict';
import fc from 'fast-check';
import { INTENT_STATUSES, RESOLUTIONS } from '../../../contracts/constants/statuses.js';
import type { GraphNode } from '../../../contracts/graph/graph.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { aggregateOf, countStatuses, edgesBetween } from '../../../domain/graph/aggregate.js';
import {
  announcementOf,
  askedAt,
  isAnnouncement,
  isGuardedBy,
  isNewer,
  isPortfolioAnnouncement,
  openQuestionOf,
  unguarded,
} from '../../../domain/graph/announcement.js';
import { isWorkflowId } from '../../../domain/kernel/message-form.js';
import { anIntent, aRecord, SETTLEMENT } from '../../store/rows.js';

const AT = { last_sequence: 3, question: undefined, held_upstream: false, holds: 1 };
const GUARD = {
  owner: 'a',
  access: { default_policy: 'closed', entries: [] },
  askers: [],
} as const;

describe('an announcement', () => {
  const record = aRecord();
  const question = { suspension_id: record.id, attempt: 2 };
  const suspended = anIntent({
    status: 'suspended_awaiting_input',
    version: 3,
    state: { _suspension: record as unknown as JsonObject },
  });

  it('says what the intent is and where its log stands', () => {
    const intent = anIntent({ version: 4 });
    assert.deepEqual(announcementOf(intent, AT), {
      intent_id: intent.id,
      version: 4,
      last_sequence: 3,
      status: 'active',
      held: false,
      holds: 1,
      suspension: null,
    });
  });

  it('names the open question and its attempt', () => {
    const { held, suspension } = announcementOf(suspended, { ...AT, question });
    assert.equal(held, true);
    assert.deepEqual(suspension, {
      ...question,
      suspended_at: record.suspended_at,
      expires_at: record.expires_at,
      resolution: null,
      settled_at: null,
    });
  });

  it('goes by our clock, not by that of an agent which wrote the record itself [R26-26, R26-27]', () => {
    const ours = {
      suspended_at: '2026-11-01T10:00:00.000Z',
      expires_at: '2026-11-01T11:00:00.000Z',
    };
    const { suspended_at: suspended_since } = ours;
    const asked = { ...AT, suspended_since, question: { ...question, ...ours } };
    const announced = announcementOf(suspended, asked);
    assert.equal(announced.suspended_since, suspended_since);
    const { suspended_at, expires_at } = announced.suspension ?? assert.fail();
    assert.deepEqual({ suspended_at, expires_at }, ours);
    const lasting = { ...question, suspended_at, expires_at: null };
    assert.equal(
      announcementOf(suspended, { ...AT, question: lasting }).suspension?.expires_at,
      null,
    );
  });

  it('names the last question with its outcome', () => {
    const settled = { ...record, ...SETTLEMENT } as unknown as JsonObject;
    const resumed = anIntent({ state: { _suspension: settled } });
    const { held, suspension } = announcementOf(resumed, { ...AT, question });
    assert.equal(held, false);
    assert.equal(suspension?.resolution, 'responded');
    assert.equal(suspension.settled_at, SETTLEMENT.settled_at);
  });

  it('takes no record for a question that was not opened', () => {
    assert.equal(announcementOf(suspended, AT).suspension, null);
    const other = { suspension_id: 'another', attempt: 1 };
    assert.equal(announcementOf(suspended, { ...AT, question: other }).suspension, null);
  });

  it('holds others up while it is blocked by what it depends on, not while blocked by hand', () => {
    const blocked = anIntent({ status: 'blocked' });
    assert.equal(announcementOf(blocked, AT).held, false);
    assert.equal(announcementOf(blocked, { ...AT, held_upstream: true }).held, true);
    assert.equal(announcementOf(anIntent(), { ...AT, held_upstream: true }).held, false);
  });

  it('goes by the last change of the intent where a record lacks its instant', () => {
    const { suspended_at: _none, expires_at: _never, ...bare } = record;
    const written = { ...suspended, state: { _suspension: bare as unknown as JsonObject } };
    const { suspension } = announcementOf(written, { ...AT, question });
    assert.equal(suspension?.suspended_at, written.updated_at);
    assert.equal(suspension.expires_at, null);
    assert.equal(askedAt({ ...written, state: { _suspension: 'gone' } }), written.updated_at);
    const changed = { ...suspended, updated_at: SETTLEMENT.settled_at };
    assert.equal(askedAt(changed), record.suspended_at);
  });

  it('takes no record that is no object, and no outcome that is none of ours', () => {
    const written = (_suspension: JsonObject | string) =>
      announcementOf({ ...suspended, state: { _suspension } }, { ...AT, question }).suspension;
    assert.equal(written('gone'), null);
    const odd = { ...record, resolution: 'ignored' } as unknown as JsonObject;
    assert.equal(written(odd)?.resolution, null);
  });

  it('says why the intent was abandoned, and which coordinator holds its phases [R26-33]', () => {
    const gone = anIntent({ status: 'abandoned', abandonment_reason: 'no budget' });
    const announced = announcementOf(gone, { ...AT, dependents_held_by: 'c' });
    assert.deepEqual(
      [announced.abandonment_reason, announced.dependents_held_by],
      ['no budget', 'c'],
    );
  });

  it('has an open question only while the intent is suspended and nobody settled it', () => {
    const asked = { resolution: null };
    for (const status of INTENT_STATUSES) {
      const isSuspended = status === 'suspended_awaiting_input';
      assert.equal(openQuestionOf({ status, suspension: asked }), isSuspended ? asked : null);
    }
    const status = 'suspended_awaiting_input';
    for (const resolution of RESOLUTIONS) {
      assert.equal(openQuestionOf({ status, suspension: { resolution } }), null);
    }
    assert.equal(openQuestionOf({ status, suspension: null }), null);
  });

  const whole = announcementOf(suspended, { ...AT, question });
  const accepted: readonly object[] = [
    {},
    { suspension: null },
    { suspension: { ...whole.suspension, expires_at: null } },
    { suspension: { ...whole.suspension, resolution: 'expired', settled_at: record.suspended_at } },
    { suspended_since: record.suspended_at },
    { abandonment_reason: 'no budget' },
    { dependents_held_by: 'coordinator' },
    { guard: GUARD },
  ];
  it('is recognised by its form', () => {
    for (const fields of accepted) {
      const message = { ...whole, ...fields };
      assert.equal(isAnnouncement(message), true, JSON.stringify(message));
    }
  });

  const broken: Readonly<Record<string, readonly unknown[]>> = {
    intent_id: [undefined, 7],
    version: [undefined, '3', 1.5],
    last_sequence: [undefined, '3', 1.5],
    status: [undefined, 'gone'],
    held: [undefined, 'true'],
    holds: [null, '1', 0.5],
    suspended_since: [null, 'soon'],
    abandonment_reason: [null, 7],
    dependents_held_by: [null, 7],
    guard: [null, 7, { ...GUARD, access: null }],
    suspension: [
      undefined,
      'text',
      [],
      { ...whole.suspension, suspension_id: 7 },
      { ...whole.suspension, suspended_at: 'soon' },
      { ...whole.suspension, expires_at: undefined },
      { ...whole.suspension, expires_at: 'soon' },
      { ...whole.suspension, attempt: '1' },
      { ...whole.suspension, resolution: undefined },
      { ...whole.suspension, resolution: 'ignored' },
      { ...whole.suspension, settled_at: 7 },
    ],
  };
  for (const [field, values] of Object.entries(broken)) {
    it(`is not recognised with another ${field}`, () => {
      for (const value of values) {
        const message = { ...whole, [field]: value };
        assert.equal(isAnnouncement(message), false, JSON.stringify(message));
      }
    });
  }

  it('says who may write what belongs to the intent, to tasks and plans alone', () => {
    const guarded = announcementOf(suspended, { ...AT, question, guard: GUARD });
    assert.deepEqual(guarded, { ...whole, guard: GUARD });
    assert.deepEqual(unguarded(guarded), whole);
    const ID = '6f1cbb0e-4a58-4c4e-9a3c-0d2f6a7b8c9d';
    const guardedOnes = [`task-${ID}`, `plan-${ID}`, `team-b/task-${ID}`];
    const others = [`intent-${ID}`, `coordinator-${ID}`, `my-task-${ID}`, 'task-of-an-agent'];
    assert.deepEqual([...guardedOnes, ...others].filter(isGuardedBy), guardedOnes);
  });

  it('of a portfolio is recognised by its form', () => {
    const news = { portfolio_id: 'p', version: 2, last_sequence: 5 };
    assert.equal(isPortfolioAnnouncement(news), true);
    for (const fields of [{ portfolio_id: 7 }, { version: '2' }, { last_sequence: 1.5 }]) {
      assert.equal(isPortfolioAnnouncement({ ...news, ...fields }), false, JSON.stringify(fields));
    }
  });

  it('is no text, no list and not missing', () => {
    for (const message of [undefined, null, 'text', 7, [], {}]) {
      assert.equal(isAnnouncement(message), false);
      assert.equal(isPortfolioAnnouncement(message), false);
    }
  });
});

describe('the id of a workflow', () => {
  it('is a text of 1 to 1,000 characters', () => {
    for (const id of ['p', 'portfolio-1', 'x'.repeat(1_000)]) assert.equal(isWorkflowId(id), true);
    for (const broken of ['', 7, undefined, 'x'.repeat(1_001)]) {
      assert.equal(isWorkflowId(broken), false);
    }
  });
});

interface Said {
  readonly intent_id: string;
  readonly version: number;
  readonly last_sequence: number;
}

const INTENTS = ['a', 'b', 'c'];
const said: fc.Arbitrary<Said> = fc.record(
  {
    intent_id: fc.constantFrom(...INTENTS),
    version: fc.integer({ min: 1, max: 6 }),
    last_sequence: fc.integer({ min: 1, max: 6 }),
  },
  { noNullPrototype: true },
);

/**
 * Announcements of several intents in any order. Some come twice, and some are lost unless they are the last.
 */
const deliveries = fc.array(said, { minLength: 1, maxLength: 20 }).chain((all) => {
  const last = INTENTS.flatMap((id) => newestOf(all, id) ?? []);
  return fc
    .tuple(fc.subarray(all), fc.subarray(all))
    .chain(([some, again]) => fc.tuple(fc.constant(last), shuffled([...last, ...some, ...again])));
});

function shuffled(all: readonly Said[]): fc.Arbitrary<Said[]> {
  return fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });
}

function newestOf(all: readonly Said[], id: string): Said | undefined {
  const own = all.filter(({ intent_id }) => intent_id === id);
  return own.sort((a, b) => b.version - a.version || b.last_sequence - a.last_sequence)[0];
}

/** Keeps the newest of each intent, as every observer does. */
function takeAnnouncement(known: readonly Said[], next: Said): readonly Said[] {
  const earlier = known.find(({ intent_id }) => intent_id === next.intent_id);
  if (!isNewer(earlier, next)) return known;
  return [...known.filter((one) => one !== earlier), next];
}

function byId(a: Said, b: Said): number {
  return a.intent_id < b.intent_id ? -1 : 1;
}

describe('announcements', () => {
  it('leave the same behind in any order, repeated, or with older ones lost [TM-07]', () => {
    fc.assert(
      fc.property(deliveries, ([last, delivered]) => {
        const known = delivered.reduce<readonly Said[]>(takeAnnouncement, []);
        assert.deepEqual([...known].sort(byId), [...last].sort(byId));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leave what is known alone where they are not newer', () => {
    const one = { intent_id: 'a', version: 2, last_sequence: 5 };
    const known = [one];
    assert.equal(takeAnnouncement(known, { ...one, last_sequence: 4 }), known);
    assert.equal(takeAnnouncement(known, { ...one, version: 1, last_sequence: 9 }), known);
    assert.equal(takeAnnouncement(known, { ...one }), known);
    assert.equal(isNewer(one, { intent_id: 'a', version: 3, last_sequence: 1 }), true);
  });
});

describe('the aggregate of a graph', () => {
  it('lists every status, also those without an intent [R26-17, R26-18]', () => {
    assert.deepEqual(aggregateOf([{ status: 'active', count: 2 }]), {
      total: 2,
      by_status: {
        draft: 0,
        active: 2,
        blocked: 0,
        suspended_awaiting_input: 0,
        completed: 0,
        abandoned: 0,
      },
      completion_percentage: 0,
    });
  });

  it('adds up rows of the same status', () => {
    const rows = [1, 2].map((count) => ({ status: 'completed' as const, count }));
    const { total, by_status } = aggregateOf([...rows, { status: 'draft', count: 1 }]);
    assert.deepEqual([total, by_status.completed, by_status.draft], [4, 3, 1]);
  });

  it('counts each status as often as it occurs', () => {
    const all = [...INTENT_STATUSES, 'active', 'active'] as const;
    assert.equal(countStatuses(all).active, 3);
    assert.equal(countStatuses(all).draft, 1);
    assert.deepEqual(countStatuses([]), {});
  });
});

describe('the edges of a graph', () => {
  const node = (id: string, links: Partial<GraphNode>): GraphNode => ({
    id,
    title: id,
    status: 'active',
    parent_id: null,
    depends_on: [],
    ...links,
  });

  it('lead from parents and dependencies to each node, in the order of the nodes', () => {
    const nodes = [
      node('root', {}),
      node('child', { parent_id: 'root', depends_on: ['sibling', 'root'] }),
      node('sibling', { parent_id: 'root' }),
    ];
    assert.deepEqual(edgesBetween(nodes), [
      { from: 'root', to: 'child', type: 'parent' },
      { from: 'sibling', to: 'child', type: 'dependency' },
      { from: 'root', to: 'child', type: 'dependency' },
      { from: 'root', to: 'sibling', type: 'parent' },
    ]);
  });

  it('leave out nodes that are not shown', () => {
    const nodes = [node('child', { parent_id: 'hidden', depends_on: ['hidden', 'gone'] })];
    assert.deepEqual(edgesBetween(nodes), []);
  });
});
