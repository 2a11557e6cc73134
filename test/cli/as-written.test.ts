import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { questionLines } from '../../cli/question-text.js';
import { rowsOf } from '../../cli/text.js';
import type { SuspensionView } from '../../client/index.js';
import { visible } from '../../contracts/constants/visible-text.js';
import { partWith } from '../domain/approval/wires.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const AT = '2026-11-25T10:00:00.000Z';
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\t',
        '    ',
        '\u001b[2J',
        '\u202e',
        '\n  amount: 50',
        '\nId: 7',
        '\nbob: yes',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

/** A question that has a text of somebody else wherever one can be. */
function everywhere(text: string): SuspensionView {
  const vote = { principal: 'ana', actor: 'ana', question_version: 1, counted_at: AT };
  return questionWith(
    {
      question: text,
      response_type: 'choice',
      choices: [{ value: 'a', label: text, description: text }],
      context: { note: text, [text]: 1 },
    },
    {
      comments: [{ principal: 'ana', actor: 'ana', text, at: AT }],
      delegations: [{ by: 'ana', to: 'bo', reason: text, at: AT, in_force: true }],
      votes: [{ ...vote, value: text, comment: text }],
      required: 2,
    },
  );
}

/** The texts in lines as a person reads them: what is indented further than a line belongs to it. */
function entriesIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const rest: string[] = [];
    for (const next of lines.slice(index + 1)) {
      if (!next.startsWith(' '.repeat(indent + 2))) break;
      rest.push(next.slice(indent + 2));
    }
    return [[line.slice(indent), ...rest].join('\n')];
  });
}

describe('a text on the command line', () => {
  it('keeps every character and line break, wherever it stands', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = questionLines(everywhere(text), Date.parse(AT)).map(visible);
        const entries = entriesIn(lines);
        const shown = visible(text);
        for (const entry of [
          `note: ${shown}`,
          `a  ${shown}: ${shown}`,
          `ana: ${shown}`,
          `Passed on by ana to bo: ${shown}`,
        ]) {
          assert.ok(
            entries.some((one) => one.startsWith(entry)),
            JSON.stringify({ entry, lines }),
          );
        }
        const names = lines.flatMap((line) => /^ {2}(.*): 1$/.exec(line)?.[1] ?? []);
        assert.ok(
          names.some(
            (name) => name === shown || (name.startsWith('"') && JSON.parse(name) === text),
          ),
          JSON.stringify({ text, names }),
        );
        const [first = '', ...rest] = lines.slice(0, lines.indexOf('', 1));
        assert.equal([first, ...rest.map((line) => line.slice(2))].join('\n'), shown);
      }),
    );
  });

  it('cannot look like an entry of ours, whatever its lines begin with', () => {
    const headsOf = ([, ...lines]: readonly string[]) =>
      lines.filter((line) => !line.startsWith(' '));
    const ours = questionLines(everywhere('x'), Date.parse(AT));
    fc.assert(
      fc.property(texts, (text) => {
        const lines = questionLines(everywhere(text), Date.parse(AT));
        assert.equal(headsOf(lines).length, headsOf(ours).length, JSON.stringify(lines));
      }),
    );
  });

  const show = async (view: SuspensionView, columns?: number): Promise<string> => {
    let printed = '';
    await withShell(showing(view), async (shell) => {
      const run = { now: Date.parse(AT), ...(columns && { columns, env: { NO_COLOR: '1' } }) };
      printed = (await shell.run(['show', SUSPENSION_ID], run)).out;
    });
    return printed;
  };

  it('is marked with what is unusual about it, a line for each, and nothing hidden', async () => {
    const warnings = ['The label of a\u202e is blank.', 'One\nUnusual: two'];
    const out = await show(questionWith({}, { warnings }));
    assert.ok(
      out.includes('\nUnusual: The label of a[U+202E] is blank.\nUnusual: One\n  Unusual: two\n'),
      out,
    );
    assert.doesNotMatch(await show(questionWith({})), /Unusual/);
  });

  it('stands below who wrote it', async () => {
    const forged = 'fine\nbob: yes\n  bob: yes';
    const vote = { principal: 'ana', actor: 'ana', value: 'yes', question_version: 1 };
    const out = await show(
      questionWith(
        {},
        {
          comments: [{ principal: 'ana', actor: 'ana', text: forged, at: AT }],
          votes: [{ ...vote, comment: forged, counted_at: AT }],
          required: 2,
        },
      ),
    );
    assert.ok(
      out.includes('  ana: yes\n    Note of ana:\n      fine\n      bob: yes\n        bob: yes\n'),
      out,
    );
    assert.ok(out.includes('Comments:\n  ana: fine\n    bob: yes\n      bob: yes\n'), out);
  });

  it('is the whole answer, below how the question ended', async () => {
    const response = 'no,\tthen   yes\nEnded: no, by bob, ';
    const ended = { resolution: 'responded', responded_by: 'ana', settled_at: AT } as const;
    const settled = { state: 'settled' } as const;
    assert.ok(
      (await show(questionWith({ ...ended, response_type: 'text', response }, settled))).includes(
        `\nEnded: answered, by ana, ${AT}\nAnswer: no,\tthen   yes\n  Ended: no, by bob, \n`,
      ),
    );
    const late = { resolution: 'expired', settled_by: 'clock', settled_at: AT } as const;
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'a\nb' } as const;
    assert.ok(
      (await show(questionWith({ ...late, ...fallback, response_type: 'text' }, settled))).includes(
        `\nEnded: nobody answered, by clock, ${AT}\nFallback: a\n  b\n`,
      ),
    );
  });

  it('says why a question was withdrawn', async () => {
    const withdrawn = { resolution: 'cancelled', settled_by: 'agent', settled_at: AT } as const;
    const out = await show(
      questionWith({ ...withdrawn, reason: 'not now\nId: 7' }, { state: 'settled' }),
    );
    assert.ok(out.includes(`\nEnded: withdrawn, by agent, ${AT}\nWhy: not now\n  Id: 7\n`), out);
  });

  it('has marks for its line breaks and tabs where it stands in one line', () =>
    withShell(showing(questionWith({ question: 'Pay?\n-- keep  fax\tnow' })), async (shell) => {
      const { out } = await shell.run(['inbox']);
      assert.match(out, /\tPay\?⏎-- keep {2}fax⇥now\t/);
      const table = await shell.run(['inbox'], { columns: 120, env: { NO_COLOR: '1' } });
      assert.match(table.out, / Pay\?⏎-- keep {2}fax⇥now /);
    }));

  it('is in rows of which none is wider than the terminal, and loses nothing', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 100 }), (text, columns) => {
        const line = `  ${visible(text).replaceAll('\n', '')}`;
        const rows = rowsOf(line, columns);
        const [first = '', ...rest] = rows;
        assert.equal(first + rest.map((row) => row.replace(/^ +↳ /, '')).join(''), line);
      }),
    );
  });

  it('leaves a long line without rows of blanks to the terminal, so that it is copied whole', () => {
    const line = `https://hold.example.com/${'a'.repeat(200)}`;
    assert.deepEqual(rowsOf(line, 80), [line]);
  });

  it('of a proposal keeps what its tools and reasons say', async () => {
    const call = { id: 'c1', tool: 'wire\nHash: 0000', arguments: {} };
    const approval = partWith(
      { calls: [call], visible_context: { memo: 'a\nHash: 0000' } },
      { reason: 'much\nHash: 0000' },
    );
    const out = await show(questionWith({ approval }));
    for (const part of [
      '  c1 wire\n    Hash: 0000',
      '  memo: a\n    Hash: 0000',
      'gated: much\n  Hash: 0000',
    ])
      assert.ok(out.includes(part), `${part} in ${out}`);
  });
});
