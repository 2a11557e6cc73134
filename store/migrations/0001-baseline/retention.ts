import { sql } from 'kysely';

/** Things that retention removes. Without `removed_at` all of a thing is still there; `swept` means that its last row is gone. */
export const tombstones = sql`
  create table retention_tombstones (
    kind text not null,
    id text not null,
    last_sequence integer,
    head_hash text,
    reason text not null,
    marked_at timestamptz not null,
    removed_at timestamptz,
    swept boolean not null default false,
    primary key (kind, id)
  );
  create index retention_tombstones_at_work on retention_tombstones (kind, removed_at, id)
    where not swept;
`;

const OF_INTENT = `('intent', new.intent_id)`;
const OF_DELIVERY = `('suspension', split_part(new.delivery_id, ':', 1))`;

/** By table: the kinds and ids of the things that a row is about. */
const ABOUT: Readonly<Record<string, string>> = {
  intents: `('intent', new.id)`,
  events: `${OF_INTENT}, ('portfolio', new.intent_id)`,
  dependencies: OF_INTENT,
  feed_members: OF_INTENT,
  portfolios: `('portfolio', new.id)`,
  portfolio_memberships: `('portfolio', new.portfolio_id), ${OF_INTENT}`,
  suspensions: `('suspension', new.id), ${OF_INTENT}`,
  suspension_timeline: `('suspension', new.suspension_id)`,
  question_facts: `('suspension', new.suspension_id)`,
  snoozes: `('suspension', new.suspension_id)`,
  deliveries: OF_DELIVERY,
  delivery_tries: OF_DELIVERY,
  approvals: `('approval', new.id), ${OF_INTENT}`,
  tasks: OF_INTENT,
  plans: OF_INTENT,
  coordinators: `${OF_INTENT}, ('portfolio', new.portfolio_id)`,
  subscriptions: `('subscription', new.id)`,
  journal_quarantine: `${OF_INTENT}, ('portfolio', new.intent_id), ('suspension', new.suspension_id), ('approval', new.approval_id)`,
  erasures: `(new.kind, new.id)`,
};

/**
 * Triggers that keep things removed: late rows about them are not written (docs/adr/0042). They run before the trigger `forget`,
 * by their name: a row that is not written need not be erased.
 */
export const keptAway = Object.entries(ABOUT).map(([table, about]) => {
  const name = sql.ref(`holdpoint_removed_${table}`);
  return sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if exists (
        select from retention_tombstones
        where removed_at is not null and (kind, id) in (${sql.raw(about)})
      ) then
        return null;
      end if;
      return new;
    end $$;
    create trigger drop_removed before insert on ${sql.table(table)}
      for each row execute function ${name}();
  `;
});
