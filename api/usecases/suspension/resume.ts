import type { ResumeRequest } from '../../../contracts/suspension/pause-requests.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { resumptionOf } from '../../../domain/suspension/answering/resume.js';
import { demand } from '../../errors.js';
import { useCase, type Call } from '../usecase.js';
import { ANSWER_REFUSALS, respond, type RespondOutcome } from './respond.js';

/**
 * Resumes a suspension: a pause with its signal, a question with an answer, by the rules of an answer. A repetition
 * under the same `Idempotency-Key` gets the first result. Throws `invalid_request` and `forbidden` besides.
 */
export const resumeSuspension = useCase({
  name: 'resumeSuspension',
  resource: 'suspension',
  refusals: ['resume_signal_mismatch', ...ANSWER_REFUSALS],
  async run(
    call: Call,
    suspension_id: string,
    request: ResumeRequest,
    idempotencyKey?: string,
  ): Promise<RespondOutcome> {
    const resumption = demand(resumptionOf(request));
    if (resumption.kind === 'signal') {
      const { resume_signal, data: value } = resumption;
      return respond.run(call, undefined, { suspension_id, value, resume_signal }, idempotencyKey);
    }
    demand(authorize(call.caller, 'respond'));
    const { resume_signal: _signal, data: _data, ...answer } = request;
    const { kind: _kind, ...given } = resumption;
    return respond.run(call, undefined, { ...answer, ...given, suspension_id }, idempotencyKey);
  },
});
