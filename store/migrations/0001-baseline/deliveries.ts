import { sql } from 'kysely';

/**
 * Deliveries, and every try. The number of tries restarts when the workflow continues as new; `at` does not. Two spaces may
 * choose the same id for a question at the same moment: the deliveries of both are kept. `channel_checks` has the last results
 * of workers' checks of channels' services; it belongs to no space.
 */
export const deliveries = sql`
  create table deliveries (
    delivery_id text not null,
    channel text not null,
    reference text,
    delivered_at timestamptz not null,
    space text not null default 'default',
    person text,
    shows integer,
    due boolean not null default false,
    follow_tries integer not null default 0,
    follow_at timestamptz,
    news integer not null default 0,
    primary key (space, delivery_id)
  );
  create index deliveries_by_suspension on deliveries (split_part(delivery_id, ':', 1));
  -- A reminder goes under the first message of a question, and all of them are told how it ends.
  create index deliveries_of_question on deliveries (space, split_part(delivery_id, ':', 1));
  create index deliveries_followed on deliveries (space, delivery_id) where shows is not null;
  create index deliveries_due on deliveries (follow_at nulls first) where due;

  create table delivery_tries (
    delivery_id text not null,
    at timestamptz not null,
    try_number integer not null,
    channel text not null,
    outcome text not null,
    status_code integer,
    duration_ms integer not null,
    space text not null default 'default',
    primary key (space, delivery_id, at, try_number)
  );
  create index delivery_tries_by_suspension on delivery_tries (split_part(delivery_id, ':', 1));
  create index delivery_tries_delivered on delivery_tries (space, channel, at)
    where outcome = 'delivered';
  create index delivery_tries_failed on delivery_tries (space, channel, at)
    where outcome not in ('delivered', 'called_off', 'channel_not_configured',
      'recipient_not_allowed', 'recipient_unknown');

  create table channel_checks (
    channel text not null,
    worker text not null,
    at timestamptz not null,
    outcome text,
    reason text,
    primary key (channel, worker)
  );
`;

/**
 * Updates of messages (docs/adr/0071). `shows` is the version of the question that a message shows, while it can still be
 * updated; `due` marks a needed update. `news` counts how often one became due: an update that was based on an older count
 * leaves the message due. New changes are due at once with all tries, however often updates failed before. A trigger sets this
 * in the transaction that writes the change, so that nobody has to search all messages.
 */
export const followUps = sql`
  create function holdpoint_question_version(record jsonb) returns integer
  language sql immutable as $$
    select coalesce(
      (record #>> '{approval,proposal,version}')::integer,
      (record ->> 'question_version')::integer,
      1
    )
  $$;

  create function holdpoint_follow_up() returns trigger language plpgsql as $$
  begin
    update deliveries set due = true, news = news + 1, follow_tries = 0, follow_at = null
    where split_part(delivery_id, ':', 1) = new.id and space = new.space and shows is not null;
    return null;
  end $$;

  create trigger follow_up after update on suspensions for each row
    when (
      (new.state = 'settled' and old.state <> 'settled')
      or holdpoint_question_version(new.record) <> holdpoint_question_version(old.record)
    )
    execute function holdpoint_follow_up();
`;
