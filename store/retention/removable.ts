import { sql, type RawBuilder } from 'kysely';
import type { LogKind } from '../../contracts/log/checkpoint.js';
import type { WorkflowType } from '../../contracts/constants/names.js';

type Condition = RawBuilder<boolean>;

export function tombOf(kind: WorkflowType, id: string, more = sql``): Condition {
  return sql`exists (
    select from retention_tombstones tomb
    where tomb.kind = ${sql.lit(kind)} and tomb.id = ${sql.ref(id)} ${more}
  )`;
}

function removedBefore(kind: WorkflowType, id: string): Condition {
  return tombOf(kind, id, sql`and tomb.removed_at is not null`);
}

const CLOSED = sql`('completed', 'abandoned')`;
const OPEN_COORDINATOR = sql`coordinator.record ->> 'status' not in ('failed_over', 'completed')`;

/** A closed intent is held by a kept portfolio or child, and by all open things that refer to it. */
const INTENT_IS_HELD: Condition = sql`(
  exists (
    select from portfolio_memberships member
    where member.intent_id = thing.id and member.membership is not null
      and not ${tombOf('portfolio', 'member.portfolio_id')}
  ) or exists (
    select from intents child
    where child.parent_id = thing.id and not ${tombOf('intent', 'child.id')}
  ) or exists (
    select from dependencies edge left join intents dependent on dependent.id = edge.intent_id
    where edge.dependency_id = thing.id and edge.present
      and coalesce(dependent.status, 'unknown') not in ${CLOSED}
      and not ${tombOf('intent', 'edge.intent_id')}
  ) or exists (
    select from suspensions question
    where question.intent_id = thing.id and question.state = 'pending'
  ) or exists (
    select from approvals approval
    where approval.intent_id = thing.id and approval.ended_at is null
  ) or exists (
    select from plans plan
    where plan.intent_id = thing.id and plan.state not in ('completed', 'failed', 'cancelled')
  ) or exists (
    select from tasks task
    where task.intent_id = thing.id and task.status not in ('completed', 'cancelled', 'skipped')
      and not (task.status = 'failed' and thing.status = 'abandoned')
  ) or exists (
    select from tasks upstream join tasks waiting on waiting.record -> 'depends_on' ? upstream.id
    where upstream.intent_id = thing.id
      and waiting.status not in ('completed', 'failed', 'cancelled', 'skipped')
  ) or exists (
    select from coordinators coordinator
    where coordinator.intent_id = thing.id and ${OPEN_COORDINATOR}
  ) or exists (
    select from coordinators coordinator
    where coordinator.record ->> 'own_intent_id' = thing.id and ${OPEN_COORDINATOR}
  )
)`;

const PORTFOLIO_IS_HELD: Condition = sql`exists (
  select from coordinators coordinator
  where coordinator.portfolio_id = thing.id and ${OPEN_COORDINATOR}
)`;

/** Whether everything that belongs to an intent has its own tombstone. */
const PARTS_ARE_MARKED: Condition = sql.join(
  (['suspension', 'task', 'plan', 'coordinator', 'approval'] as const).map(
    (kind) => sql`not exists (
      select from ${sql.table(`${kind}s`)} part
      where part.intent_id = thing.id and not ${tombOf(kind, 'part.id')}
    )`,
  ),
  sql` and `,
);

/** The rules for removing one kind of thing. Conditions refer to its row as `thing`. */
export interface Removable {
  readonly kind: WorkflowType;
  /** Rows that are removed by themselves: the candidates, the column that orders them, and what keeps them. */
  readonly alone?: { readonly among: Condition; readonly order: string; readonly held: Condition };
  /** Rows that are removed with something else: whether that has a tombstone. */
  readonly marked?: Condition;
  readonly free: Condition;
}

/** Returns the rules for things that belong to an intent or a portfolio and are removed with it. */
function partOf(kind: WorkflowType, owners: readonly LogKind[], ended: Condition): Removable {
  const any = (of: (owner: LogKind) => Condition) =>
    sql<boolean>`${ended} and (${sql.join(owners.map(of), sql` or `)})`;
  return {
    kind,
    marked: any((owner) => tombOf(owner, `thing.${owner}_id`)),
    free: any((owner) => removedBefore(owner, `thing.${owner}_id`)),
  };
}

const always: Condition = sql`true`;
const question = partOf('suspension', ['intent'], always);
const approval = partOf('approval', ['intent'], sql`thing.ended_at is not null`);

/** A kept approval holds its questions: they show what was decided on. */
const QUESTION_IS_HELD: Condition = sql`exists (
  select from approvals approval
  where approval.id = thing.record #>> '{approval,proposal,approval_id}'
    and not ${tombOf('approval', 'approval.id')}
)`;

/** Everything that retention removes, in this order: nothing is removed before its owner. */
export const REMOVABLES: readonly Removable[] = [
  {
    kind: 'portfolio',
    alone: { among: sql`thing.status in ${CLOSED}`, order: 'created_at', held: PORTFOLIO_IS_HELD },
    free: sql`not ${PORTFOLIO_IS_HELD}`,
  },
  {
    kind: 'intent',
    alone: { among: sql`thing.status in ${CLOSED}`, order: 'updated_at', held: INTENT_IS_HELD },
    free: sql`not ${INTENT_IS_HELD} and ${PARTS_ARE_MARKED}`,
  },
  {
    ...approval,
    alone: {
      among: sql`thing.intent_id is null and thing.ended_at is not null`,
      order: 'ended_at',
      held: sql`false`,
    },
    free: sql`thing.ended_at is not null and (thing.intent_id is null or (${approval.free}))`,
  },
  {
    ...question,
    alone: {
      among: sql`thing.intent_id is null and thing.state = 'settled'`,
      order: 'settled_at',
      held: QUESTION_IS_HELD,
    },
    free: sql`(thing.intent_id is null or (${question.free}))`,
  },
  partOf('plan', ['intent'], always),
  partOf('task', ['intent'], always),
  partOf('coordinator', ['intent', 'portfolio'], always),
  partOf('subscription', ['intent', 'portfolio'], sql`not thing.active`),
];

/**
 * Selects the newest entry of the log of a `thing`, as `sequence`, `event_hash` and `at`; null without a log. An
 * intent is removed with its approvals, so its `at` is the end of the last one, if that is later.
 */
export function newestOf(kind: WorkflowType): RawBuilder<unknown> {
  if (kind === 'suspension') {
    return sql`(
      select sequence, event_hash, at from suspension_timeline
      where suspension_id = thing.id order by sequence desc limit 1
    )`;
  }
  if (kind !== 'intent' && kind !== 'portfolio') {
    return sql`(select null::integer as sequence, null as event_hash, null::timestamptz as at)`;
  }
  const at =
    kind === 'intent'
      ? sql`greatest(created_at, (
          select max(approval.ended_at) from approvals approval where approval.intent_id = thing.id
        ))`
      : sql`created_at`;
  return sql`(
    select sequence, event_hash, ${at} as at from events
    where intent_id = thing.id order by sequence desc limit 1
  )`;
}

const SUSPENSION_OF_DELIVERY = sql`split_part(delivery_id, ':', 1)`;

/** By kind: the further tables with rows of it, and the expression for its id there. */
export const FURTHER_ROWS: Readonly<
  Partial<Record<WorkflowType, readonly (readonly [table: string, id: RawBuilder<unknown>])[]>>
> = {
  intent: [
    ['events', sql`intent_id`],
    ['dependencies', sql`intent_id`],
    ['portfolio_memberships', sql`intent_id`],
    ['feed_members', sql`intent_id`],
    ['journal_quarantine', sql`intent_id`],
    ['erasures', sql`kind = 'intent' and id`],
  ],
  portfolio: [
    ['events', sql`intent_id`],
    ['portfolio_memberships', sql`portfolio_id`],
    ['feed_members', sql`kind = 'portfolio' and audience`],
    ['journal_quarantine', sql`intent_id`],
  ],
  approval: [
    ['journal_quarantine', sql`approval_id`],
    ['erasures', sql`kind = 'approval' and id`],
  ],
  suspension: [
    ['suspension_timeline', sql`suspension_id`],
    ['question_facts', sql`suspension_id`],
    ['snoozes', sql`suspension_id`],
    ['deliveries', SUSPENSION_OF_DELIVERY],
    ['delivery_tries', SUSPENSION_OF_DELIVERY],
    ['journal_quarantine', sql`suspension_id`],
    ['erasures', sql`kind = 'suspension' and id`],
  ],
};
