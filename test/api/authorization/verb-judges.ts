import type { Caller } from '../../../contracts/people/caller.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Relation } from '../../../domain/policy/rules.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { judgeAmendment } from '../../../domain/suspension/asking/amendment.js';
import { judgeClaim, judgeRelease } from '../../../domain/suspension/people/claim.js';
import { judgeComment } from '../../../domain/suspension/people/comments.js';
import type { Attended } from '../../../domain/suspension/people/verb.js';
import { partWith } from '../../domain/approval/wires.js';
import { OPENED_AT, recordWith } from '../../domain/samples.js';

type Related = Readonly<Partial<Record<Relation, string>>>;

const SOMEBODY = 'somebody';
const AT = toMillis(OPENED_AT);
const doing = (by: Caller) => ({ by, actor: by.principal });

/** An open question of an agent, which asks for a user, and which somebody may have claimed. */
function attended({ initiator = SOMEBODY, asker = SOMEBODY, claimer }: Related): Attended {
  const record = recordWith({ approval: partWith({ on_behalf_of: initiator }) });
  const expires_at = '2027-01-01T00:00:00.000Z';
  const claim = claimer && { holder: claimer, claimed_at: OPENED_AT, expires_at };
  const state = { intent_id: null, record, attempt: 1, ...(claim && { claim }) };
  return { state, timeline: [], asker, isAmendable: true, askers: [asker] };
}

/** What people do to a question, judged by its rule. */
export const VERB_JUDGES = {
  claimed: (by: Caller, related: Related): Ruling<unknown> =>
    judgeClaim(attended(related), doing(by), AT),
  released: (by: Caller, { claimer = SOMEBODY }: Related): Ruling<unknown> =>
    judgeRelease(attended({ claimer }), doing(by), AT),
  commented: (by: Caller, related: Related): Ruling<unknown> =>
    judgeComment(attended(related), { ...doing(by), text: 'Yes.' }),
  amended: (by: Caller, { asker = SOMEBODY }: Related): Ruling<unknown> => {
    const { state, ...rest } = attended({ asker });
    const question = { ...rest, state: { ...state, record: recordWith() } };
    const amendment = { question: 'Refund it in part?' };
    return judgeAmendment(question, { ...doing(by), question_version: 1, amendment }, AT);
  },
};
