import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { COORDINATOR_DECISION } from '../../../domain/coordinator/coordinator.js';
import { ADD, addRecord } from '../event/append.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { recordsOf } from './records.js';

/* Decisions that were made for an intent, and requests to arbitrate. */

export const recordIntentDecision = useCase({
  name: 'recordIntentDecision',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, decision: JsonObject) =>
    addRecord(call, 'recordIntentDecision', intentId, 'decision_recorded', {
      ...decision,
      decision_maker_id: call.caller.principal,
    }),
});

export const listIntentDecisions = useCase({
  name: 'listIntentDecisions',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: (call: Call, intentId: string) => recordsOf(call, intentId, ['decision_recorded']),
});

export const requestArbitration = useCase({
  name: 'requestArbitration',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, request: JsonObject) =>
    addRecord(call, 'requestArbitration', intentId, 'arbitration_requested', {
      ...request,
      requester_id: call.caller.principal,
      status: 'pending',
    }),
});

/** A coordinator's decision that an OpenIntent client reports; it need not hold the coordinator's lease. */
export const logCoordinatorDecision = useCase({
  name: 'logCoordinatorDecision',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, decision: JsonObject) =>
    addRecord(call, 'logCoordinatorDecision', intentId, COORDINATOR_DECISION, decision),
});
