import assert from 'node:assert/strict';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import { tierDraft } from '../../../domain/approval/asking/question.js';
import { approvalRequired } from '../../../domain/approval/deciding/request.js';
import { newApproval, stepOf } from '../../../domain/approval/record/state.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import type { Notes } from '../../../domain/suspension/answering/response.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { caller } from '../../support/callers.js';
import { ID, OPENED_AT, granted, refused } from '../samples.js';
import { approvalWith, proposalWith, resolutionOf } from './samples.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { limit: { type: 'integer', maximum: 500 } },
  required: ['limit'],
};
const CALLS = [{ id: 'call-1', tool: 'wire', arguments: { amount: 500 } }];

function opening(response_schema?: JsonObject, config: object = {}) {
  const asking = { kind: 'tool_approval', run_id: 'run-7', turn_index: 0, agent: 'bot' } as const;
  const shown = { calls: CALLS, visible_context: {}, response_schema };
  return openingOf({ approval_id: ID, ...asking, ...shown }, approvalsConfigSchema.parse(config));
}

/** The question to the first tier. */
function question(response_schema?: JsonObject) {
  const { proposal, plan = { stages: [] }, ...asking } = granted(opening(response_schema));
  const state = newApproval(proposal);
  const step = stepOf(state, plan);
  assert.ok(step.kind === 'ask');
  return tierDraft(state, step, { ...asking, asked_by: 'bot' });
}

function decide(response_schema: JsonObject | undefined, notes?: Notes) {
  const { record } = openRecord(question(response_schema), ID, OPENED_AT);
  return judgeAnswer(
    { intent_id: null, record, attempt: 1 },
    {
      value: 'approved',
      responded_by: 'alice',
      by: caller('alice', 'operator'),
      proposal_hash: record.approval?.proposal_hash ?? '',
      answer: { key: 'r:1', body_hash: '' },
      ...notes,
    },
    toMillis(OPENED_AT),
  );
}

describe('the schema of what comes with a decision', () => {
  it('is part of the question to each tier [JC-36]', () => {
    assert.deepEqual(question(SCHEMA).response_schema, SCHEMA);
    assert.ok(!('response_schema' in question()));
  });

  it('judges the data of an answer, with the path of what does not fit [JC-42]', () => {
    for (const [data, field] of [
      [{ limit: 501 }, 'data.limit'],
      [{ limit: 'much' }, 'data.limit'],
      [{}, 'data'],
    ] as const) {
      const refusal = refused(decide(SCHEMA, { data }));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_value', field]);
    }
    assert.equal(refused(decide(SCHEMA)).code, 'invalid_value');
    assert.equal(granted(decide(SCHEMA, { data: { limit: 500 } })).verdict, 'settled');
    assert.equal(granted(decide(undefined, { data: { limit: 501 } })).verdict, 'settled');
  });

  it('is refused if it could not judge anything', () => {
    const refusal = refused(opening({ properties: { limit: { type: 'number', minimun: 1 } } }));
    assert.deepEqual(
      [refusal.code, refusal.field],
      ['invalid_response_schema', 'response_schema.properties.limit.minimun'],
    );
  });

  it('is refused where more than one person has to approve', () => {
    const dual = { rules: [{ tool: 'wire', verdict: 'escalate', route: 'dual_approval' }] };
    const packed = { tool: 'wire', verdict: 'escalate', route: 'policy_pack', pack: 'two' };
    const staged = { rules: [packed], packs: { two: { stages: [{}, {}] } } };
    for (const config of [dual, staged]) {
      const { code, field, accepted } = refused(opening(SCHEMA, config));
      assert.deepEqual([code, field], ['invalid_response_schema', 'response_schema']);
      assert.match(accepted ?? '', /nothing where more than one/);
      assert.equal(granted(opening(undefined, config)).verdict, 'escalate');
    }
    const alone = { ...staged, packs: { two: { stages: [{}] } } };
    assert.deepEqual(granted(opening(SCHEMA, alone)).response_schema, SCHEMA);
  });

  it('is shown to who decides, as long as somebody has to', () => {
    const proposal = proposalWith();
    const open = { ...approvalWith(proposal), response_schema: SCHEMA };
    const over = { ...approvalWith(proposal, resolutionOf(proposal)), response_schema: SCHEMA };
    assert.deepEqual(approvalRequired(open).response_schema, SCHEMA);
    assert.equal(approvalRequired(over).response_schema, undefined);
  });
});
