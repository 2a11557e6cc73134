import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  APPROVAL_ERRORS,
  CONTAINER_ERRORS,
  ERRORS,
  INTENT_ERRORS,
  SERVICE_ERRORS,
} from '../../contracts/constants/errors.js';
import { QUESTION_ERRORS } from '../../contracts/constants/question-errors.js';
import { ERRORS_PAGE, renderErrors } from './errors-doc.js';

describe('page of errors', () => {
  it('takes each code from one table only', () => {
    const tables = [SERVICE_ERRORS, INTENT_ERRORS, QUESTION_ERRORS, APPROVAL_ERRORS];
    const codes = [...tables, CONTAINER_ERRORS].flatMap((table) => Object.keys(table));
    assert.deepEqual(codes.sort(), Object.keys(ERRORS).sort());
  });

  it('is as the script would write it', async () => {
    assert.equal(await readFile(ERRORS_PAGE, 'utf8'), await renderErrors());
  });
});
