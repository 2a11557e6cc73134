import { sql } from 'kysely';

/**
 * Browsers that are told of questions, also while they are closed. Each belongs to a session and ends with it. `caller` is who
 * the session stands for, as an API process noted it at `noted_at`. `pushes` are the open questions of a browser: it is told
 * of those that are due, and has been told of the others. `mark` grows with each attempt and with a delegation, so that nobody is
 * told twice of the same. `push_news` are questions for which nobody has looked yet whom they are for. Neither holds a word of a
 * question.
 */
export const push = sql`
  create table push_subscriptions (
    session_id text primary key references sessions (id) on delete cascade,
    space text not null,
    caller jsonb not null,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    public_key text not null,
    shows_words boolean not null,
    noted_at timestamptz not null,
    send_at timestamptz,
    tries integer not null default 0
  );
  create index push_subscriptions_by_space on push_subscriptions (space);
  create index push_subscriptions_due on push_subscriptions (send_at) where send_at is not null;

  create table pushes (
    session_id text not null references push_subscriptions (session_id) on delete cascade,
    suspension_id text not null,
    mark integer not null,
    due boolean not null,
    primary key (session_id, suspension_id)
  );
  create index pushes_by_suspension on pushes (suspension_id);

  create table push_news (
    suspension_id text primary key,
    space text not null,
    at timestamptz not null default now()
  );
  create index push_news_by_at on push_news (at);

  create table quiet_hours (
    space text not null,
    principal text not null,
    hours jsonb not null,
    primary key (space, principal)
  );
`;

/** A session that ends takes its browser along, whoever ends it. A question that comes, or comes again, is news to browsers. */
export const pushTriggers = sql`
  create function holdpoint_end_push() returns trigger language plpgsql as $$
  begin
    delete from push_subscriptions where session_id = new.id;
    return null;
  end $$;

  create trigger end_push after update of ended_at on sessions
    for each row when (new.ended_at is not null) execute function holdpoint_end_push();

  create function holdpoint_push_news() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and new.feed_position is not distinct from old.feed_position then
      return null;
    end if;
    if exists (select from push_subscriptions where space = new.space) then
      insert into push_news (suspension_id, space) values (new.id, new.space)
      on conflict (suspension_id) do nothing;
    end if;
    return null;
  end $$;

  create trigger push_news after insert or update on suspensions for each row
    when (
      new.state = 'pending'
      and new.change in ('opened', 'attempt', 'delegated', 'eligibility_changed')
    )
    execute function holdpoint_push_news();
`;
