import type { ResumeRequest } from '../../../contracts/pause-requests.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { resumptionOf } from '../../../domain/suspension/resume.js';
import { demand } from '../../errors.js';
import type { Caller } from '../caller.js';
import { createAnswers } from './answers.js';
import type { RespondOutcome } from './answers.js';

/** Answers to questions, and one way to resume every suspension, for whatever reason it waits. */
export function createResumes(deps: Parameters<typeof createAnswers>[0]) {
  const answers = createAnswers(deps);
  return {
    ...answers,

    /**
     * Resumes a pause with its signal, or answers a question by the rules of an answer. A repetition under the same
     * `Idempotency-Key` gets the first result. Throws `invalid_request`, `forbidden`, `suspension_settled`,
     * `reason_mismatch`, `resume_signal_mismatch`, or what `respond` throws.
     */
    async resume(
      caller: Caller,
      suspension_id: string,
      request: ResumeRequest,
      idempotencyKey?: string,
    ): Promise<RespondOutcome> {
      const resumption = demand(resumptionOf(request));
      if (resumption.kind === 'signal') {
        const { resume_signal, data: value } = resumption;
        const signal = { suspension_id, value, resume_signal };
        return answers.respond(caller, undefined, signal, idempotencyKey);
      }
      demand(authorize(caller, 'respond'));
      const { resume_signal: _signal, data: _data, ...answer } = request;
      const { kind: _kind, ...given } = resumption;
      return answers.respond(
        caller,
        undefined,
        { ...answer, ...given, suspension_id },
        idempotencyKey,
      );
    },
  };
}
