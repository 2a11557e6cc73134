import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { RefusalError, refusalOf } from '../../api/errors.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { updateRefused } from './support/fakes.js';

const REFUSAL: Refusal = { code: 'invalid_value', detail: 'No.', valid_choices: ['yes', 'no'] };

describe('the refusal that an error carries', () => {
  it('is that of a RefusalError', () => {
    assert.deepEqual(refusalOf(new RefusalError(REFUSAL)), REFUSAL);
  });

  it('is found below an Update that a validator refused [TM-04]', () => {
    assert.deepEqual(refusalOf(updateRefused(REFUSAL)), REFUSAL);
  });

  it('is found below an error that wraps it', () => {
    const wrapped = new Error('outer', { cause: new RefusalError(REFUSAL) });
    assert.deepEqual(refusalOf(wrapped), REFUSAL);
  });

  it('is none if the failure type is no error code', () => {
    const failure = ApplicationFailure.create({ type: 'TypeError', details: [REFUSAL] });
    assert.equal(refusalOf(new WorkflowUpdateFailedError('failed', failure)), undefined);
  });

  it('is none if the type is a name every object has', () => {
    const failure = ApplicationFailure.create({ type: 'toString', details: [REFUSAL] });
    assert.equal(refusalOf(failure), undefined);
  });

  it('is none if the details do not match the type', () => {
    const failure = ApplicationFailure.create({ type: 'lease_held', details: [REFUSAL] });
    assert.equal(refusalOf(failure), undefined);
  });

  it('is never read from a text', () => {
    assert.equal(refusalOf(new Error('invalid_value: No.')), undefined);
    assert.equal(refusalOf(ApplicationFailure.create({ message: 'invalid_value' })), undefined);
  });

  it('is none if causes form a circle', () => {
    const error = new Error('round');
    error.cause = error;
    assert.equal(refusalOf(error), undefined);
  });
});
