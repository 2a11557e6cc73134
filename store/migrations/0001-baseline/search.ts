import { sql } from 'kysely';
import { MOST } from './folding.js';

/**
 * What a question is found by, besides its own text: the answer with its label, comment and data, why it was withdrawn, comments of
 * votes, calls that its context does not have, and the context. `holdpoint_searched` folds all texts, numbers, booleans and names in it.
 */
export const searched = sql`
  create function holdpoint_searchable(record jsonb) returns jsonb
  language sql immutable parallel safe as $$
    select jsonb_build_array(
      record -> 'response',
      (
        select choice -> 'label' from holdpoint_elements(record -> 'choices') choice
        where choice -> 'value' = record -> 'response' limit 1
      ),
      record -> 'comment', record -> 'data', record -> 'reason',
      jsonb_path_query_array(record, '$.votes[*].comment'),
      case when record #> '{context,tool_call}' is null
        then record #> '{approval,proposal,calls}' end,
      record -> 'context'
    )
  $$;

  create function holdpoint_searched(question text, record jsonb) returns text
  language sql immutable parallel safe as $$
    select left(holdpoint_folded(left(concat_ws(' ', question, (
      select string_agg(part #>> '{}', ' ') from (
        select jsonb_path_query(given, 'strict $.**
          ? (@.type() == "string" || @.type() == "number" || @.type() == "boolean")') part
        union all
        select jsonb_path_query(given, 'strict $.** ? (@.type() == "object").keyvalue().key')
      ) parts
    )), ${MOST})), ${MOST})
    from holdpoint_searchable(record) given
  $$;
`;

/**
 * The grams of a text are the up to three characters from each place to the end of its word. A longer part of a word is found by
 * all of its grams, a shorter one as the beginning of some. `holdpoint_wanted` makes the query for a text; null if it is empty.
 */
export const grams = sql`
  create function holdpoint_parts(given text) returns setof text
  language sql immutable parallel safe as $$
    select case
      when second is null or second = ' ' then first
      when third is null or third = ' ' then first || second
      else first || second || third
    end
    from (
      select letter as first, lead(letter) over places as second, lead(letter, 2) over places as third
      from string_to_array(given, null) letters
      cross join lateral unnest(letters) with ordinality each (letter, place)
      window places as (order by place)
    ) threes
    where first <> ' '
  $$;

  create function holdpoint_grams(folded text) returns tsvector
  language sql immutable parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct part), '{}'))
    from holdpoint_parts(folded) part
  $$;

  create function holdpoint_wanted(given text) returns tsquery
  language sql immutable parallel safe as $$
    select string_agg(distinct
      '''' || replace(replace(part, '\\', '\\\\'), '''', '''''') || '''' ||
        case when length(word) < 3 then ':*' else '' end, ' & ')::tsquery
    from unnest(string_to_array(holdpoint_folded(given), ' ')) word
    cross join lateral holdpoint_parts(word) part
    where length(part) = least(length(word), 3)
  $$;
`;

/**
 * The search finds parts of words, in any script (docs/adr/0090). A trigger keeps both columns; its name comes after that
 * of the trigger that erases, so it sees what is left. No extension of the database is needed.
 */
export const search = sql`
  create index suspensions_by_grams on suspensions using gin (grams);

  create function holdpoint_search_question() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      if (new.question, holdpoint_searchable(new.record))
        is not distinct from (old.question, holdpoint_searchable(old.record))
      then return new; end if;
    end if;
    new.searched := holdpoint_searched(new.question, new.record);
    new.grams := holdpoint_grams(new.searched);
    return new;
  end $$;

  create trigger search before insert or update on suspensions
    for each row execute function holdpoint_search_question();
`;
