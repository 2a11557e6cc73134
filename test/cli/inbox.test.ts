import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import type { SuspensionView } from '../../client/index.js';
import { askedOf } from '../api/support/harness.js';
import { inboxPage } from '../api/support/questions.js';
import { SUSPENSION_ID, VIEW } from '../api/support/records.js';
import { partWith } from '../domain/approval/wires.js';
import { questionWith, showing, withShell } from './support.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const OTHER_ID = `${SUSPENSION_ID.slice(0, 8)}-0000-4000-8000-000000000000`;
const OPEN = questionWith(
  {
    question: 'Refund order 12345?',
    expires_at: '2026-11-20T10:14:00.000Z',
    on_behalf_of: 'ursula',
  },
  { required: 2, approvals: 1 },
);

describe('holdpoint inbox', () => {
  it('lists what waits in a table for a person', () =>
    withShell(showing(OPEN), async (shell) => {
      const { code, out, err } = await shell.run(['inbox'], { columns: 110, now: NOW });
      assert.deepEqual({ code, err }, { code: EXIT.done, err: '' });
      const [head, row, ...rest] = out.split('\n');
      assert.match(head ?? '', /ID +LEFT +QUESTION +KIND +ASKED BY +HOLDER +ATTEMPT/);
      assert.match(
        row ?? '',
        /^0b7a9c1e +14m +Refund order 12345\? +confirm 1 of 2 +refund-agent for ursula +- +1 of 1$/,
      );
      assert.deepEqual(rest, ['']);
    }));

  it('gives another program whole ids and tabs, nothing cut', () =>
    withShell(showing(OPEN), async (shell) => {
      const { out } = await shell.run(['inbox'], { now: NOW });
      assert.deepEqual(out.split('\t').slice(0, 3), [SUSPENSION_ID, '14m', 'Refund order 12345?']);
    }));

  it('fits a narrow terminal', () =>
    withShell(showing(questionWith({ question: 'word '.repeat(60) })), async (shell) => {
      for (const columns of [40, 60, 80]) {
        const { out } = await shell.run(['inbox'], { columns, env: { NO_COLOR: '1' } });
        const widths = out.split('\n').map((line) => line.length);
        assert.ok(Math.max(...widths) <= columns, out);
        assert.match(out, /QUESTION/);
        assert.match(out, /word \w*…|word…/);
      }
    }));

  it('tells questions apart that begin with the same line', async () => {
    const asked = (to: string) => `Mail the offer of this month again to people?\nTo: ${to}`;
    for (const to of ['every client', 'two testers']) {
      await withShell(showing(questionWith({ question: asked(to) })), async (shell) => {
        for (const columns of [40, 60, 80, 120]) {
          const { out } = await shell.run(['inbox'], { columns, env: { NO_COLOR: '1' } });
          const [, row = ''] = out.split('\n');
          assert.ok(/Mail the.*⏎/.test(row) && row.includes(`⏎To: ${to.slice(0, 3)}`), row);
          assert.ok(row.length <= columns, row);
        }
      });
    }
  });

  it('is bold for people only, and not where NO_COLOR is set', () =>
    withShell(showing(OPEN), async (shell) => {
      const shown = await shell.run(['inbox'], { columns: 80 });
      assert.match(shown.out, /\u001b\[1m/);
      for (const run of [{}, { columns: 80, env: { NO_COLOR: '1' } }]) {
        assert.doesNotMatch((await shell.run(['inbox'], run)).out, /\u001b/);
      }
    }));

  it('shows nothing that steers a terminal', () => {
    const view = questionWith({ question: 'Pay?\u001b[2J\u202egnp.exe\u034f\u200d' });
    return withShell(showing(view), async (shell) => {
      const run = { columns: 80, env: { NO_COLOR: '1' } };
      const { out } = await shell.run(['inbox'], run);
      assert.match(out, /Pay\?\[U\+001B\]\[2J\[U\+202E\]/);
      const shown = await shell.run(['show', SUSPENSION_ID], run);
      const json = await shell.run(['show', SUSPENSION_ID, '--json'], run);
      assert.doesNotMatch(shown.out + json.out, /[\u001b\u202e\u034f\u200d]/);
      assert.deepEqual(JSON.parse(json.out), view);
    });
  });

  it('prints one JSON document for scripts, over all pages', () => {
    return withShell(
      { listSuspensions: ({ after }) => inboxPage([VIEW], after === undefined) },
      async (shell) => {
        const all = await shell.run(['inbox', '--all', '--json']);
        const { suspensions, next_cursor } = JSON.parse(all.out);
        assert.deepEqual([suspensions.length, next_cursor], [2, null]);
        const one = JSON.parse((await shell.run(['inbox', '--limit', '1', '--json'])).out);
        assert.deepEqual([one.suspensions.length, one.next_cursor.length > 0], [1, true]);
        const { err } = await shell.run(['inbox', '--limit', '1']);
        assert.ok(err.includes(`--cursor ${one.next_cursor}`), err);
      },
    );
  });

  it('sends its filters', () =>
    withShell(showing(OPEN), async (shell) => {
      const filters = ['--text', 'refund', '--channel', 'slack', '--asked-by', 'refund-agent'];
      const whose = ['--view', 'claimed', '--group', 'finance'];
      await shell.run(['inbox', ...whose, '--settled', '--sort', 'oldest', ...filters]);
      assert.deepEqual(askedOf(shell.rig, 'listSuspensions'), [
        {
          state: 'settled',
          view: { kind: 'claimed', holder: 'alice', now: '2026-01-01T00:00:00.000Z' },
          group: 'finance',
          sort: 'oldest',
          text: 'refund',
          channels: ['slack'],
          asked_by: 'refund-agent',
          limit: 50,
          after: undefined,
        },
      ]);
    }));

  it('says that nothing waits', () =>
    withShell({}, async (shell) => {
      const { code, out, err } = await shell.run(['inbox'], { columns: 80 });
      assert.deepEqual({ code, out, err }, { code: 0, out: '', err: 'Nothing waits.\n' });
    }));

  for (const [args, accepted] of [
    [['--sort', 'fastest'], /sort .*urgency/],
    [['--limit', '0'], /from 1 on/],
    [['--limit', 'many'], /from 1 on/],
    [['--colour'], /unknown option '--colour'/],
  ] as const) {
    it(`says what it takes instead of ${args.join(' ')}`, () =>
      withShell({}, async (shell) => {
        const { code, out, err } = await shell.run(['inbox', ...args]);
        assert.equal(out, '');
        assert.ok(code === EXIT.usage || code === EXIT.refused);
        assert.match(err, accepted);
        assert.equal(err.trim().split('\n').length, 1);
      }));
  }
});

describe('holdpoint show', () => {
  it('finds a question by the beginning of its id', () =>
    withShell(showing(OPEN), async (shell) => {
      const { code, out } = await shell.run(['show', SUSPENSION_ID.slice(0, 8)], { now: NOW });
      assert.equal(code, EXIT.done);
      for (const line of [
        'Refund order 12345?',
        `Id: ${SUSPENSION_ID}`,
        'Asked by: refund-agent for ursula',
        'Time left: 14m',
        'Votes: 1 of 2',
      ]) {
        assert.ok(out.split('\n').includes(line), `${line} in ${out}`);
      }
    }));

  it('shows of an edited proposal nothing of before, in its context either', async () => {
    const call = (amount: number) => ({ id: 'c1', tool: 'wire', arguments: { amount } });
    const before = partWith({ calls: [call(99_001)] });
    const edited = partWith({ version: 2, calls: [call(77_002)] });
    const { proposal_hash } = before;
    const context = { note: 'due', proposal_hash, tool_call: call(99_001), risk_class: 'low' };
    const shown = async (record: Partial<SuspensionView['record']>) => {
      let printed = '';
      await withShell(showing(questionWith({ context, ...record })), async (shell) => {
        printed = (await shell.run(['show', SUSPENSION_ID])).out;
      });
      return printed;
    };
    const out = await shown({ approval: edited });
    assert.match(out, /77002[^]*^Context:\n {2}note: due$/m);
    assert.ok(out.includes(edited.proposal_hash), out);
    for (const part of ['99001', proposal_hash, 'risk_class']) assert.ok(!out.includes(part), out);
    assert.match(await shown({}), /^Context:[^]*99001[^]*^ {2}risk_class: low$/m);
  });

  it('shows of a settled one the words that came with it, and what was edited', async () => {
    const call = (amount: number) => ({ id: 'c1', tool: 'wire', arguments: { amount } });
    const approval = partWith({ version: 2, calls: [call(77_002)] });
    const vote = { principal: 'alice', actor: 'alice', value: 'approved', question_version: 1 };
    const view = questionWith(
      { context: { tool_call: call(99_001) }, approval, resolution: 'responded' },
      {
        state: 'settled',
        votes: [{ ...vote, comment: 'Less,\nthis time.', counted_at: '2026-11-25T10:00:00.000Z' }],
      },
    );
    await withShell(showing(view), async (shell) => {
      const { out } = await shell.run(['show', SUSPENSION_ID]);
      assert.match(out, /^Note of alice:\n {2}Less,\n {2}this time\.$/m);
      assert.match(out, /^Edited since it was asked; before:[^]*99001[^]*77002/m);
    });
  });

  it('names the calls that were edited, and the notes on what was there before', async () => {
    const call = (id: string, amount: number) => ({ id, tool: 'wire', arguments: { amount } });
    const approval = partWith({ version: 2, calls: [call('c1', 5), call('c2', 77_002)] });
    const detail = {
      responded_by: 'bob',
      version: 2,
      edits: [{ call_id: 'c2', tool: 'wire', before: { amount: 9 }, after: { amount: 77_002 } }],
      notes_before: [{ actor: 'alice', comment: 'Much.\nNote of eve: no' }],
    };
    const at = '2026-11-25T10:00:00.000Z';
    const timeline = [{ sequence: 1, at, kind: 'proposal_edited', detail }] as const;
    for (const state of ['pending', 'settled'] as const) {
      const ended =
        state === 'settled' ? ({ resolution: 'responded', response: 'x' } as const) : {};
      const view = questionWith({ approval, ...ended }, { state, timeline: [...timeline] });
      await withShell(showing(view), async (shell) => {
        const { out } = await shell.run(['show', SUSPENSION_ID]);
        assert.ok(
          out.includes(
            [
              'Edited by bob, to version 2:',
              '  c2 wire',
              '    before:',
              '      {\n        "amount": 9\n      }',
              '    after:',
              '      {\n        "amount": 77002\n      }',
              '  Note of alice, on what was there before: Much.',
              '    Note of eve: no',
            ].join('\n'),
          ),
          out,
        );
      });
    }
  });

  it('shows of an approval what is decided on, once, and nothing of how it works', async () => {
    const calls = [{ id: 'c1', tool: 'wire', arguments: { amount: 99_001 } }];
    const reason = 'It is much.';
    const approval = partWith({ calls }, { reason });
    const { proposal_hash, proposal } = approval;
    const internal = { approval_id: 'a-1', timeout: 86_400_000, stage: 0, tier: 0, route: 'dual' };
    const told = { proposal_hash, reason, visible_context: proposal.visible_context };
    const context = { ...internal, ...told, tool_call: { ...calls[0] }, timeout_outcome: 'deny' };
    const shown = async (record: Partial<SuspensionView['record']>) => {
      let printed = '';
      await withShell(showing(questionWith(record)), async (shell) => {
        printed = (await shell.run(['show', SUSPENSION_ID])).out;
      });
      return printed;
    };
    const out = await shown({ approval, context });
    for (const once of ['99001', 'invoice: R-17', 'It is much.', proposal_hash]) {
      assert.equal(out.split(once).length, 2, `${once} once in ${out}`);
    }
    assert.match(out, /^If nobody answers in time: deny$/m);
    for (const name of [...Object.keys(internal), 'Context:']) {
      assert.ok(!out.includes(name), `${name} in ${out}`);
    }
    const others = { ...approval, proposal: { ...proposal, calls: [...calls, ...calls] } };
    const { reason: _none, ...unsaid } = others;
    const more = { ...context, note: 'due', tool_call: 'mine', reason: 'my own' };
    assert.match(
      await shown({ approval: unsaid, context: more }),
      /^Context:\n {2}reason: my own\n {2}tool_call: mine\n {2}note: due$/m,
    );
    assert.match(await shown({ context }), /^Context:[^]*^ {2}timeout: 86400000$/m);
  });

  it('names who withdrew a question, and what ended one that nobody answered', async () => {
    for (const [record, says] of [
      [
        { resolution: 'cancelled', settled_by: 'agent', submitted_by: 'refund-agent' },
        'withdrawn, by refund-agent',
      ],
      [{ resolution: 'cancelled', settled_by: 'system' }, 'withdrawn, by system'],
      [{ resolution: 'expired', settled_by: 'clock' }, 'nobody answered, by clock'],
      [
        {
          resolution: 'expired',
          settled_by: 'clock',
          reason: 'portfolio_deadline',
          fallback_policy: 'complete_with_fallback',
          fallback_value: 'yes',
        },
        'past the deadline of its portfolio, by clock',
      ],
    ] as const) {
      const view = questionWith(record, { state: 'settled' });
      await withShell(showing(view), async (shell) => {
        const { out } = await shell.run(['show', SUSPENSION_ID]);
        assert.ok(out.includes(`Ended: ${says}`), out);
        const listed = (await shell.run(['inbox', '--settled'])).out;
        assert.match(listed, new RegExp(`\\t${says.split(' by ')[1] ?? '-'}$`, 'm'));
      });
    }
  });

  it('finds a settled one after the open ones', () =>
    withShell(
      showing(
        questionWith(
          {
            resolution: 'responded',
            response: 'yes',
            responded_by: 'alice',
            settled_by: 'operator',
          },
          { state: 'settled' },
        ),
      ),
      async (shell) => {
        const { out } = await shell.run(['show', SUSPENSION_ID.slice(0, 13)]);
        assert.match(out, /^Ended: yes, by alice/m);
      },
    ));

  it('does not guess between two ids', () => {
    const both = [VIEW, questionWith({}, { id: OTHER_ID })];
    return withShell({ listSuspensions: () => inboxPage(both) }, async (shell) => {
      const { code, err } = await shell.run(['show', SUSPENSION_ID.slice(0, 8)]);
      assert.equal(code, EXIT.usage);
      assert.match(err, new RegExp(`${SUSPENSION_ID} \\(.+\\), ${OTHER_ID} \\(.+\\)\\. Give more`));
    });
  });

  for (const [id, code, message] of [
    ['0b7a9c1', EXIT.usage, /first 8 characters/],
    ['not-an-id', EXIT.usage, /first 8 characters/],
    ['ffffffff', EXIT.refused, /No question that you see has an id that begins with ffffffff/],
  ] as const) {
    it(`says why it does not take ${id}`, () =>
      withShell({}, async (shell) => {
        const ended = await shell.run(['show', id]);
        assert.equal(ended.code, code);
        assert.match(ended.err, message);
        assert.equal(
          shell.rig.sent.some(({ name }) => name === 'record'),
          false,
        );
      }));
  }
});
