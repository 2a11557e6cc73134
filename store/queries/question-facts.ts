import { sql, type Compilable } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import { KeptTexts } from '../kept-texts.js';
import type { JournalWriter } from './upsert.js';
import { USUAL_DENIALS } from '../../contracts/constants/denial.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';

/** The SQLSTATE (division by zero) of a batch with a question of another space, which chose the id a moment earlier. */
export const FOREIGN_QUESTION = '22012';

/**
 * Reserves all questions of a batch for its space, even before their opening. It runs after the writers of questions,
 * which do not change the row of another space. Fails with `FOREIGN_QUESTION` if another space has the question, so
 * that nothing of the batch is written.
 */
export const claimQuestions: JournalWriter = (db, rows, space) => {
  const ids = [...new Set(rows.flatMap(questionIn))].sort();
  if (ids.length === 0) return undefined;
  // A row that another transaction has just written is seen here too.
  const values = ids.flatMap((id) => [id, space]);
  const query = CLAIM.statement(ids.length, values, () => claim(db, ids, space));
  return { query, news: () => [] };
};

const CLAIM = new KeptTexts();

function claim(db: Store, ids: readonly string[], space: string): Compilable {
  return db
    .insertInto('suspensions')
    .values(ids.map((id) => ({ id, space })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ space: sql`(1 / (suspensions.space = excluded.space)::int)::text` })
        .whereRef('suspensions.space', '<>', 'excluded.space'),
    );
}

/** Returns the question that a row belongs to, if any. */
export function questionIn(row: JournalRow): readonly string[] {
  switch (row.kind) {
    case 'suspension_opened':
      return [row.record.id];
    case 'suspension_progress':
    case 'suspension_settled':
    case 'timeline':
      return [row.suspension_id];
    default:
      return [];
  }
}

/** Blanks that JavaScript's `trim` removes, and that NFKC does not replace by spaces. */
const BLANKS = '\t\n\v\f\r \u1680\u2028\u2029\ufeff';

/**
 * The answers that deny, if the asker declared them; a test compares this with `isDenial` of
 * `contracts/constants/denial.ts`.
 */
const DECLARED = sql`coalesce(record -> 'denials', nullif(record #> '{decision_rule,denials}', '[]'),
  case record ->> 'response_type' when 'confirm' then '["no"]'::jsonb end)`;
const OFFERED = sql`case record ->> 'response_type'
  when 'confirm' then answer in ('"yes"', '"no"')
  else coalesce(record -> 'choices' @> jsonb_build_array(jsonb_build_object('value', answer)), false) end`;
const USUAL = sql`case when char_length(answer #>> '{}') <= 100 then
  lower(btrim(normalize(answer #>> '{}', NFKC), ${sql.lit(BLANKS)}) collate "C")
    = any(${sql.lit(`{${USUAL_DENIALS.join(',')}}`)}::text[]) else false end`;
const DENIES = sql`coalesce(jsonb_typeof(answer) = 'string' and declared is distinct from '[]'
  and (declared @> answer or ${USUAL} and not (declared is not null and ${OFFERED})), false)`;

/** Whether asking has changed nothing: the answer was the fallback, or approved every call as it was proposed. */
const AS_EXPECTED = sql`coalesce(
  record ->> 'fallback_policy' <> 'fail' and answer = record -> 'fallback_value'
    or record ? 'approval' and answer = '"approved"' and not edited, false)`;

const FACTS = sql`
  select id, space, suspended_at, asked_by,
    array(select distinct call ->> 'tool'
      from holdpoint_elements(record #> '{approval,proposal,calls}') call order by 1),
    array(select substr(name, 3) from unnest(eligible) name where starts_with(name, 'g:') order by 1),
    asked_channels, resolution, settled_at,
    coalesce(resolution = 'responded', false) and ${DENIES},
    edited,
    coalesce(resolution = 'responded', false) and ${AS_EXPECTED},
    claimed_at
  from suspensions
  cross join lateral (
    select coalesce(bool_or(kind = 'proposal_edited'), false) as edited,
      min(at) filter (where kind = 'claimed') as claimed_at
    from suspension_timeline where suspension_id = id
  ) entries
  cross join lateral (
    select record -> 'response' as answer, ${DECLARED} as declared
  ) answers
  where asked_by is not null and suspended_at is not null and pause_reason is null`;

const DERIVED = [
  'asked_at',
  'asked_by',
  'tools',
  'groups',
  'channels',
  'resolution',
  'settled_at',
  'denied',
  'edited',
  'as_expected',
  'claimed_at',
] as const;

/**
 * Returns the statement that writes the facts of these questions again; a repetition changes nothing. The transaction
 * has to hold the rows of the questions, so that no other one writes older facts after it.
 */
function factsOf(db: Store, ids: readonly string[]): Compilable {
  const list = [...ids];
  return TEXT.statement(1, [list], () => factsOfAny(db, list));
}

const TEXT = new KeptTexts();

function factsOfAny(db: Store, ids: string[]): Compilable {
  const columns = DERIVED.map((name) => sql.ref(name));
  const stored = DERIVED.map((name) => sql.ref(`facts.${name}`));
  const fresh = DERIVED.map((name) => sql.ref(`excluded.${name}`));
  const changes = DERIVED.map((_, index) => sql`${columns[index]} = ${fresh[index]}`);
  const statement = sql`
    insert into question_facts as facts (suspension_id, space, ${sql.join(columns)})
    ${FACTS} and id = any(${ids}::text[]) order by id
    on conflict (suspension_id) do update set ${sql.join(changes)}
    where (${sql.join(stored)}) is distinct from (${sql.join(fresh)})`;
  return { compile: () => statement.compile(db) };
}

/** Writes the facts of the questions of a batch. It runs after the writers of questions and timelines, and `claimQuestions`. */
export const writeFacts: JournalWriter = (db, rows) => {
  const ids = [...new Set(rows.flatMap(questionIn))].sort();
  return ids.length === 0 ? undefined : { query: factsOf(db, ids), news: () => [] };
};

/** Writes the facts of erased questions: nothing of their contents remains. */
export async function writeErasedFacts(transaction: Store, ids: readonly string[]): Promise<void> {
  await transaction.executeQuery(factsOf(transaction, ids).compile());
}

/** Notes that somebody who may answer a question has seen it at an instant; only the first time counts. */
export async function noteView(
  db: Store,
  space: string,
  suspension_id: string,
  at: string,
): Promise<void> {
  await wholeStore(db)
    .insertInto('question_facts')
    .values({ suspension_id, space, viewed_at: at })
    .onConflict((conflict) =>
      conflict
        .column('suspension_id')
        .doUpdateSet({ viewed_at: at })
        .where('question_facts.viewed_at', 'is', null)
        .whereRef('question_facts.space', '=', 'excluded.space'),
    )
    .execute();
}
