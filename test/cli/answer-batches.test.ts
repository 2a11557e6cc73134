import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import { EXIT } from '../../cli/failures.js';
import type { SuspensionView } from '../../client/index.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { ANSWERED } from '../api/support/records.js';
import { inboxPage, type Questions } from '../api/support/questions.js';
import { questionWith, withShell, type ShellRig } from './support.js';

const idOf = (n: number): string => `7c1d2e3f-4a5b-4c6d-8e7f-${String(n).padStart(12, '0')}`;
const ALL = ['answer-all', 'yes', '--all'];

/** What becomes of one request: of all that it is about, and of each of its answers. */
interface Turn {
  readonly records?: () => Map<string, SuspensionRecord>;
  readonly respond: NonNullable<Questions['respond']>;
}

const settled: Turn = { respond: async () => ({ accepted: true, result: ANSWERED }) };
const refused: Turn = {
  respond: () => Promise.reject(new RefusalError({ code: 'not_eligible', detail: 'No.' })),
};
/** One that fails as a whole. */
const broken: Turn = {
  ...settled,
  records: () => {
    throw new TypeError('a defect');
  },
};

/** So many questions wait, over pages of 100; each request is taken by the turn that is due. */
function waiting(
  count: number,
  turns: readonly Turn[],
  run: (shell: ShellRig) => Promise<void>,
  views = Array.from({ length: count }, (_, n) => questionWith({}, { id: idOf(n) })),
): Promise<void> {
  const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
  let next = 0;
  let turn: Turn | undefined;
  const recordsOf = async () => {
    turn = turns[next] ?? assert.fail('one request too many');
    next += 1;
    return turn.records?.() ?? new Map(views.map(({ id, record }) => [id, record]));
  };
  return withShell(
    {
      getSuspension: (id) => fresh(views.find((view) => view.id === id) ?? assert.fail()),
      listSuspensions: ({ after }) => {
        const from = after === undefined ? 0 : views.findIndex(({ id }) => id === after.at(-1)) + 1;
        return inboxPage(views.slice(from, from + 100), from + 100 < count);
      },
      respond: (...given) => (turn ?? assert.fail('no request')).respond(...given),
    },
    run,
    {},
    { store: { recordsOf } },
  );
}

/** About how many questions each request was. */
const sizes = ({ rig }: ShellRig): readonly number[] =>
  rig.asked
    .filter(({ name }) => name === 'recordsOf')
    .map(({ args }) => (args[0] as readonly string[]).length);

/** The store knows by now that one of them takes another answer. */
function ofOtherShapes() {
  const { record } = questionWith({ response_type: 'text' }, { id: idOf(102) });
  return new Map([[idOf(102), record]]);
}

const count = (out: string, start: string): number =>
  out.split('\n').filter((line) => line.startsWith(start)).length;

describe('holdpoint answer-all, over more than one request takes', () => {
  it('sends 100 at once, in order, and says what became of all', () =>
    waiting(203, [settled, settled, refused], async (shell) => {
      const { code, out, err } = await shell.run(ALL, { typed: ['y'] });
      assert.match(err, /Answer yes to 203 questions\?/);
      assert.deepEqual(sizes(shell), [100, 100, 3]);
      assert.deepEqual([count(out, 'Answered: '), count(out, 'Refused: ')], [200, 3]);
      assert.equal(code, EXIT.notAllowed);
    }));

  it('sends one request for 100', () =>
    waiting(100, [settled], async (shell) => {
      assert.equal((await shell.run(ALL, { typed: ['y'] })).code, EXIT.done);
      assert.deepEqual(sizes(shell), [100]);
    }));

  it('stops where no reply comes, and says that of these nothing is known', () =>
    waiting(203, [settled, ...Array.from({ length: 20 }, () => broken)], async (shell) => {
      const { code, out, err } = await shell.run(ALL, { typed: ['y'] });
      assert.equal(code, EXIT.unavailable);
      assert.equal(count(out, 'Answered: '), 100);
      assert.equal(count(out, 'Not known whether answered: '), 100);
      assert.equal(count(out, 'Not answered: '), 3);
      assert.match(err, /\(internal\)\n$/);
    }));

  it('stops where a request is refused, of which nothing is answered', () =>
    waiting(103, [refused, { ...settled, records: ofOtherShapes }], async (shell) => {
      const bound = ['--yes', '--asked-before', '2030-01-01T00:00:00Z', '--json'];
      const { code, out, err } = await shell.run([...ALL, ...bound]);
      assert.equal(code, EXIT.notAllowed);
      assert.match(err, /\(mixed_shapes\)\n$/);
      const { results, unknown, not_answered } = JSON.parse(out) as {
        results: readonly object[];
        unknown: readonly string[];
        not_answered: readonly string[];
      };
      assert.deepEqual([results.length, unknown.length], [100, 0]);
      assert.deepEqual(
        not_answered,
        Array.from({ length: 3 }, (_, n) => idOf(100 + n)),
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
