import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  metadataWithNotes,
  withNotesInPlace,
} from '../../../domain/suspension/answering/response.js';

describe('the notes of an answer', () => {
  it('are moved out of the metadata', () => {
    const answer = { value: 'yes', metadata: { comment: 'ok', data: { a: 1 }, via: 'cli' } };
    assert.deepEqual(withNotesInPlace(answer), {
      value: 'yes',
      comment: 'ok',
      data: { a: 1 },
      metadata: { via: 'cli' },
    });
  });

  it('leave no empty metadata behind', () => {
    assert.deepEqual(withNotesInPlace({ metadata: { comment: 'ok' } }), { comment: 'ok' });
  });

  for (const answer of [
    { value: 'yes' },
    { metadata: { via: 'cli' } },
    { metadata: { comment: 5, data: [1] } },
    { comment: 'mine', data: {}, metadata: { comment: 'other', data: { a: 1 } } },
  ]) {
    it(`leave ${JSON.stringify(answer)} as it is`, () => {
      assert.deepEqual(withNotesInPlace(answer), answer);
    });
  }

  it('are metadata to the OpenIntent API', () => {
    const record = { comment: 'ok', data: { a: 1 }, metadata: { via: 'cli' } };
    assert.deepEqual(metadataWithNotes(record), { via: 'cli', comment: 'ok', data: { a: 1 } });
    assert.deepEqual(metadataWithNotes({ comment: 'ok' }), { comment: 'ok' });
    assert.deepEqual(metadataWithNotes({ metadata: {} }), {});
    assert.equal(metadataWithNotes({}), undefined);
  });
});
