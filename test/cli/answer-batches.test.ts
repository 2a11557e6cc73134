import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import type { Gateway } from '../../api/gateway/index.js';
import { EXIT } from '../../cli/exit-codes.js';
import type { SuspensionView } from '../../client/index.js';
import { ANSWERED } from '../api/support/records.js';
import { entryOf, questionWith, withShell } from './support.js';
import type { ShellRig } from './support.js';

const idOf = (n: number): string => `7c1d2e3f-4a5b-4c6d-8e7f-${String(n).padStart(12, '0')}`;
const ALL = ['answer-all', 'yes', '--all'];

type Request = Parameters<Gateway['respondToMany']>[1];
type Outcomes = Awaited<ReturnType<Gateway['respondToMany']>>;

const settled = ({ answers }: Request): Outcomes =>
  answers.map(({ suspension_id }) => ({ suspension_id, outcome: 'settled', result: ANSWERED }));
const refused = ({ answers }: Request): Outcomes =>
  answers.map(({ suspension_id }) => ({
    suspension_id,
    outcome: 'refused',
    refusal: { code: 'not_eligible', detail: 'No.' },
  }));
const failing = (code: 'internal' | 'unauthenticated') => (): Outcomes => {
  throw new RefusalError({ code, detail: 'Not now.' });
};

/** So many questions wait, over pages of 100; each request is answered by the function of its turn. */
function waiting(
  count: number,
  turns: readonly ((request: Request) => Outcomes)[],
  run: (shell: ShellRig) => Promise<void>,
  views = Array.from({ length: count }, (_, n) => questionWith({}, { id: idOf(n) })),
): Promise<void> {
  const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
  let turn = 0;
  return withShell(
    {
      getSuspension: (id) => fresh(views.find((view) => view.id === id) ?? assert.fail()),
      listSuspensions: (_caller, { cursor }) => {
        const from = Number(cursor ?? 0);
        const next_cursor = from + 100 < count ? String(from + 100) : null;
        const suspensions = views.slice(from, from + 100).map(entryOf);
        return fresh({ suspensions, next_cursor });
      },
      respondToMany: async (_caller, request) => {
        const answer = turns[turn] ?? assert.fail('one request too many');
        turn += 1;
        return answer(request);
      },
    },
    run,
  );
}

const sizes = ({ rig }: ShellRig): readonly number[] =>
  rig.calls
    .filter(({ method }) => method === 'respondToMany')
    .map(({ args }) => (args[1] as Request).answers.length);

const count = (out: string, start: string): number =>
  out.split('\n').filter((line) => line.startsWith(start)).length;

describe('holdpoint answer-all, over more than one request takes', () => {
  it('sends 100 at once, in order, and says what became of all', () =>
    waiting(230, [settled, settled, refused], async (shell) => {
      const { code, out, err } = await shell.run(ALL, { typed: ['y'] });
      assert.match(err, /Answer yes to 230 questions\?/);
      assert.deepEqual(sizes(shell), [100, 100, 30]);
      assert.deepEqual([count(out, 'Answered: '), count(out, 'Refused: ')], [200, 30]);
      assert.equal(code, EXIT.notAllowed);
    }));

  it('sends one request for 100', () =>
    waiting(100, [settled], async (shell) => {
      assert.equal((await shell.run(ALL, { typed: ['y'] })).code, EXIT.done);
      assert.deepEqual(sizes(shell), [100]);
    }));

  it('stops where no reply comes, and says that of these nothing is known', () =>
    waiting(
      230,
      [settled, ...Array.from({ length: 20 }, () => failing('internal'))],
      async (shell) => {
        const { code, out, err } = await shell.run(ALL, { typed: ['y'] });
        assert.equal(code, EXIT.unavailable);
        assert.equal(count(out, 'Answered: '), 100);
        assert.equal(count(out, 'Not known whether answered: '), 100);
        assert.equal(count(out, 'Not answered: '), 30);
        assert.match(err, /\(internal\)\n$/);
      },
    ));

  it('stops where a request is refused, of which nothing is answered', () =>
    waiting(230, [refused, failing('unauthenticated')], async (shell) => {
      const bound = ['--yes', '--asked-before', '2030-01-01T00:00:00Z', '--json'];
      const { code, out, err } = await shell.run([...ALL, ...bound]);
      assert.equal(code, EXIT.notAllowed);
      assert.match(err, /\(unauthenticated\)\n$/);
      const { results, unknown, not_answered } = JSON.parse(out) as {
        results: readonly object[];
        unknown: readonly string[];
        not_answered: readonly string[];
      };
      assert.deepEqual([results.length, unknown.length], [100, 0]);
      assert.deepEqual(
        not_answered,
        Array.from({ length: 130 }, (_, n) => idOf(100 + n)),
      );
    }));

  it('sends nothing where one of the last takes other answers', () => {
    const views: SuspensionView[] = Array.from({ length: 101 }, (_, n) =>
      questionWith(n === 100 ? { response_type: 'text' } : {}, { id: idOf(n) }),
    );
    return waiting(
      101,
      [],
      async (shell) => {
        const { code, err } = await shell.run(ALL, { typed: ['y'] });
        assert.equal(code, EXIT.refused);
        assert.match(err, /Nothing was sent. \(mixed_shapes\)/);
        assert.deepEqual(sizes(shell), []);
      },
      views,
    );
  });
});
