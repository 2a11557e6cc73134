import assert from 'node:assert/strict';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { rigOver } from '../support/harness.js';
import type { FakeQueries } from '../support/fakes.js';

const ID = '9d8c7b6a-5f4e-4d3c-8b2a-1f0e9d8c7b6a';
const PATH = `/v1/me/views/${ID}`;
const VIEW = { name: 'Large refunds', filter: { view: 'for_me', text: 'refund', sort: 'risk' } };
const SAVED_AT = '2026-01-01T00:00:00.000Z';

function rigWith(store: FakeQueries = {}) {
  const rig = rigOver({ store });
  const put = (body: object, path = PATH) => rig.send('operator', 'put', path).send(body);
  const written = () => rig.asked.filter(({ name }) => /SavedViews?$/.test(name));
  return { rig, put, written };
}

describe('a saved view', () => {
  it('is stored for the caller, with its name trimmed', async () => {
    const { put, written } = rigWith();
    const reply = await put({ ...VIEW, name: ' Large refunds ' });
    const stored = { id: ID, ...VIEW, saved_at: SAVED_AT };
    assert.deepEqual([reply.status, reply.body], [200, stored]);
    assert.deepEqual(
      written().map(({ name, args }) => [name, args]),
      [['putSavedView', [{ space: 'default', by: 'alice' }, stored]]],
    );
  });

  it('is listed and deleted for the caller alone', async () => {
    const saved = { id: ID, name: 'Mine', filter: {}, saved_at: SAVED_AT };
    const { rig, written } = rigWith({ listSavedViews: async () => [saved] });
    assert.deepEqual((await rig.send('operator', 'get', '/v1/me/views')).body, { views: [saved] });
    assert.equal((await rig.send('operator', 'delete', PATH)).status, 200);
    assert.deepEqual(
      written().map(({ name, args }) => [name, args]),
      [
        ['listSavedViews', ['alice']],
        ['deleteSavedView', [{ space: 'default', by: 'alice' }, ID]],
      ],
    );
  });

  for (const [what, body, field] of [
    ['no name', { filter: {} }, 'name'],
    ['a name that nobody sees', { ...VIEW, name: '\u200b' }, 'name'],
    ['a name too long', { ...VIEW, name: 'n'.repeat(LIMITS.viewNameCharacters + 1) }, 'name'],
    ['an unknown order', { ...VIEW, filter: { sort: 'luck' } }, 'filter.sort'],
    ['too many words', { ...VIEW, filter: { text: 'a b c d e f g h i j k' } }, 'filter.text'],
    ['a place in the list', { ...VIEW, filter: { cursor: 'x' } }, 'filter.cursor'],
  ] as const) {
    it(`is refused with ${what}, and nothing is stored`, async () => {
      const { put, written } = rigWith();
      const { status, body: problem } = await put(body);
      assert.deepEqual([status, problem.code, problem.field], [422, 'invalid_request', field]);
      assert.ok(problem.accepted);
      assert.deepEqual(written(), []);
    });
  }

  it('is refused under an id that is none, with a name of another, and above the limit', async () => {
    const refusals = [
      await rigWith().put(VIEW, '/v1/me/views/mine'),
      await rigWith({ putSavedView: async () => 'name taken' }).put(VIEW),
      await rigWith({ putSavedView: async () => 'too many' }).put(VIEW),
    ];
    assert.deepEqual(
      refusals.map(({ status, body }) => [status, body.code as unknown, body.field as unknown]),
      [
        [404, 'view_not_found', undefined],
        [409, 'view_name_taken', 'name'],
        [409, 'too_many_views', undefined],
      ],
    );
  });
});
