import assert from 'node:assert/strict';
import pg from 'pg';
import { failureOf, isPermanent, isStoreAway } from '../../store/failures.js';

function serverError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused "a secret"', 1, 'error'), { code });
}

describe('a failure of the store', () => {
  it('is passing if it is the connection, the server, or a lost race', () => {
    const codes = ['08006', '40001', '40P01', '53300', '55P03', '57014', '57P01', '58030', '25006'];
    for (const code of codes) assert.equal(isPermanent(serverError(code)), false, code);
    for (const message of ['connect ECONNREFUSED', 'Connection terminated unexpectedly']) {
      assert.equal(isPermanent(new Error(message)), false);
    }
    assert.equal(isPermanent(new AggregateError([new Error('no answer')])), false);
  });

  it('is permanent if the server refuses the statement, its values or its rights', () => {
    const codes = ['22P02', '22021', '23505', '25P02', '28P01', '42P01', '42501', '0A000', 'XX000'];
    for (const code of codes) assert.equal(isPermanent(serverError(code)), true, code);
  });

  it('is permanent if it is a defect of ours', () => {
    assert.equal(isPermanent(new TypeError('x is undefined')), true);
    assert.equal(isPermanent(new SyntaxError('Unexpected token')), true);
  });

  it('says that the store is away, and not only one statement refused', () => {
    const lost = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const terminated = new Error('Connection terminated unexpectedly');
    const errors = [...['08006', '53300', '57P01'].map(serverError), lost, terminated];
    for (const error of errors) assert.equal(isStoreAway(error), true, String(error));
    const others = [...['57014', '40P01', '22P02'].map(serverError), new Error('x'), 'x'];
    for (const error of others) assert.equal(isStoreAway(error), false, String(error));
  });

  it('is logged without what the server quotes', () => {
    assert.deepEqual(failureOf(serverError('22P02')), { sqlstate: '22P02' });
    const lost = new Error('connect ECONNREFUSED');
    assert.deepEqual(failureOf(lost), { err: lost });
  });
});
