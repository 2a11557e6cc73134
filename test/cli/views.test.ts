import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import type { SavedView } from '../../client/index.js';
import { askedOf } from '../api/support/harness.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell, type ShellRig } from './support.js';

const LEGAL: SavedView = {
  id: '7f3c1f43-8c2e-4a5b-9d1b-0c5f0b9c7a11',
  name: 'Legal',
  filter: { view: 'claimed', group: 'legal', sort: 'risk' },
  saved_at: '2026-11-20T10:00:00.000Z',
};
const LOST: SavedView = {
  ...LEGAL,
  id: '7f3c1f43-8c2e-4a5b-9d1b-0c5f0b9c7a12',
  name: 'Nobody came',
  filter: { resolution: 'expired', text: "it's late" },
};

type Outcome = 'saved' | 'name taken' | 'too many';

/** An API whose caller has saved these views; returns what it was asked to write. */
async function withViews(
  saved: readonly SavedView[],
  run: (shell: ShellRig, written: readonly unknown[]) => Promise<void>,
  outcome: Outcome = 'saved',
): Promise<void> {
  const written: unknown[] = [];
  const store = {
    listSavedViews: async () => saved,
    putSavedView: async (_owner: object, { id, name, filter }: SavedView) => {
      written.push({ id, name, filter });
      return outcome;
    },
    deleteSavedView: async (_owner: object, id: string) => {
      written.push(id);
    },
  };
  const view = questionWith();
  await withShell(showing(view), async (shell) => run(shell, written), {}, { store });
}

/** The conditions with which the list was read. */
function listed(shell: ShellRig) {
  const [asked] = askedOf(shell.rig, 'listSuspensions') as readonly Record<string, unknown>[];
  return asked ?? assert.fail('nothing was listed');
}

describe('holdpoint views', () => {
  it('lists what was saved, with the options that show the same', () =>
    withViews([LEGAL, LOST], async (shell) => {
      const { out } = await shell.run(['views']);
      assert.equal(
        out,
        "Legal\t--view claimed --group legal --sort risk\nNobody came\t--resolution expired --text 'it'\\''s late'\n",
      );
      const shown = await shell.run(['views', 'Legal'], { columns: 60, env: { NO_COLOR: '1' } });
      assert.match(shown.out, /^NAME +SHOWS\nLegal +--view claimed --group legal --sort risk\n$/);
      const json = await shell.run(['views', '--json']);
      assert.deepEqual(JSON.parse(json.out), { views: [LEGAL, LOST] });
    }));

  it('says that there is none', () =>
    withViews([], async (shell) => {
      assert.deepEqual(await shell.run(['views']), {
        code: EXIT.done,
        out: '',
        err: 'You have saved no view.\n',
      });
      const { code, err } = await shell.run(['views', 'Legal']);
      assert.equal(code, EXIT.usage);
      assert.match(err, /You have saved no view: `[^`]+ inbox --save <name>` saves one\./);
    }));

  it('renames and deletes one, by its name or its id', () =>
    withViews([LEGAL, LOST], async (shell, written) => {
      const renamed = await shell.run(['views', 'Legal', '--rename', 'Legal and tax']);
      assert.deepEqual([renamed.code, renamed.out], [EXIT.done, 'Renamed: Legal and tax\n']);
      const deleted = await shell.run(['views', LOST.id, '--delete']);
      assert.deepEqual([deleted.code, deleted.out], [EXIT.done, 'Deleted: Nobody came\n']);
      const { id, filter } = LEGAL;
      assert.deepEqual(written, [{ id, name: 'Legal and tax', filter }, LOST.id]);
    }));

  it('is refused a name that another view has', () =>
    withViews(
      [LEGAL],
      async (shell) => {
        const { code, err } = await shell.run(['views', 'Legal', '--rename', 'Nobody came']);
        assert.equal(code, EXIT.refused);
        assert.match(err, /\(view_name_taken\)\n$/);
      },
      'name taken',
    ));

  for (const args of [
    ['--delete'],
    ['--rename', 'Other'],
    ['Legal', '--rename', 'Other', '--delete'],
    ['Lgal', '--delete'],
  ]) {
    it(`does not understand ${args.join(' ')}`, () =>
      withViews([LEGAL], async (shell, written) => {
        const { code, err } = await shell.run(['views', ...args]);
        assert.deepEqual([code, err.trim().split('\n').length], [EXIT.usage, 1]);
        if (args.includes('Lgal')) assert.match(err, /There is: Legal\. Did you mean "Legal"\?/);
        assert.deepEqual(written, []);
      }));
  }
});

describe('holdpoint inbox --view', () => {
  it('shows a saved view, which further options narrow or change', () =>
    withViews([LEGAL, LOST], async (shell) => {
      await shell.run(['inbox', '--view', 'Legal', '--sort', 'oldest', '--text', 'lease']);
      const { view, group, sort, text, state } = listed(shell) as Record<string, { kind?: string }>;
      assert.equal(view?.kind, 'claimed');
      assert.deepEqual([group, sort, text, state], ['legal', 'oldest', 'lease', 'pending']);
    }));

  it('shows one of settled questions as such', () =>
    withViews([LOST], async (shell) => {
      const { out } = await shell.run(['inbox', '--view', LOST.id], { columns: 120 });
      const { state, resolution } = listed(shell);
      assert.deepEqual([state, resolution], ['settled', 'expired']);
      assert.equal(out, '');
    }));

  it('says which view was meant', () =>
    withViews([LEGAL], async (shell) => {
      for (const [typed, meant] of [
        ['legl', 'Legal'],
        ['for-me', 'for_me'],
      ] as const) {
        const { code, err } = await shell.run(['inbox', '--view', typed]);
        assert.equal(code, EXIT.usage);
        const all = 'for_me, claimed, groups, snoozed, answered, all, Legal';
        const line = `No view is called "${typed}". There is: ${all}. Did you mean "${meant}"?\n`;
        assert.equal(err, line);
      }
      const { err } = await shell.run(['inbox', '--view', 'something else']);
      assert.doesNotMatch(err, /Did you mean/);
    }));
});

describe('holdpoint inbox --save', () => {
  it('saves what is shown, and shows it', () =>
    withViews([], async (shell, written) => {
      const filters = ['--view', 'claimed', '--group', 'legal', '--sort', 'risk'];
      const { code, out, err } = await shell.run(['inbox', ...filters, '--save', 'My list']);
      assert.equal(code, EXIT.done);
      assert.match(err, /^Saved\. `[^`]+ inbox --view 'My list'` shows it again\.\n$/);
      assert.ok(out.startsWith(SUSPENSION_ID));
      const [{ id, ...saved } = assert.fail()] = written as readonly SavedView[];
      assert.match(id, /^[\da-f-]{36}$/);
      assert.deepEqual(saved, { name: 'My list', filter: LEGAL.filter });
    }));

  it('takes the place of the view with this name', () =>
    withViews([LEGAL], async (shell, written) => {
      await shell.run(['inbox', '--settled', '--save', 'Legal']);
      assert.deepEqual(written, [{ id: LEGAL.id, name: 'Legal', filter: { state: 'settled' } }]);
    }));

  it('saves nothing of which a view would keep a part only', () =>
    withViews([], async (shell, written) => {
      const { code, err } = await shell.run(['inbox', '--asked-by', 'bot', '--save', 'Bot']);
      assert.equal(code, EXIT.usage);
      assert.match(err, /^A saved view has no --asked-by: it keeps --view, /);
      assert.deepEqual([written, askedOf(shell.rig, 'listSuspensions')], [[], undefined]);
    }));
});
