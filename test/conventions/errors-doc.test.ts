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
import { ERRORS_PAGE, errorsByStatus, renderErrors } from './errors-doc.js';

/** Returns the cells of each row of the page's table, without header and rule. */
async function rowsOfPage(): Promise<readonly (readonly string[])[]> {
  const page = await readFile(ERRORS_PAGE, 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('page of errors', () => {
  it('holds the table of errors, row by row', async () => {
    const rows = errorsByStatus().map(([code, [status, title, meaning]]) => [
      String(status),
      `\`${code}\``,
      title,
      meaning,
    ]);
    assert.deepEqual(await rowsOfPage(), rows);
  });

  it('takes each code from one table only', () => {
    const tables = [SERVICE_ERRORS, INTENT_ERRORS, QUESTION_ERRORS, APPROVAL_ERRORS];
    const codes = [...tables, CONTAINER_ERRORS].flatMap((table) => Object.keys(table));
    assert.deepEqual(codes.sort(), Object.keys(ERRORS).sort());
  });

  it('is as the script would write it', async () => {
    assert.equal(await readFile(ERRORS_PAGE, 'utf8'), await renderErrors());
  });
});
