import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * In which name a question was asked, if that is another than the principal: who asked may not answer under either. And the
 * workflow of an agent that waits. Of questions from before, the store does not know the name; the workflow is in the
 * timeline of those that have come further than their opening.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suspensions add column asked_as text, add column waiting_workflow text`.execute(db);
  await sql`
    update suspensions question set waiting_workflow = opened.detail ->> 'workflow_id'
    from suspension_timeline opened
    where opened.suspension_id = question.id and opened.kind = 'opened'
      and question.state = 'pending' and question.intent_id is null
      and opened.detail ->> 'workflow_id' !~ '(^|/)(plan|approval)-'`.execute(db);
}
