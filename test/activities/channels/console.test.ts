import assert from 'node:assert/strict';
import {
  createConsoleChannel,
  type ConsoleWriter,
} from '../../../activities/channels/console/channel.js';
import { redact } from '../../../domain/suspension/telling/redaction.js';
import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import {
  ANYONE,
  SUSPENSION_ID,
  alertWith,
  requestWith,
} from '../../domain/suspension/notification-samples.js';

function recordingWriter(): { writer: ConsoleWriter; writes: string[] } {
  const writes: string[] = [];
  const writer: ConsoleWriter = {
    write(text, done) {
      writes.push(text);
      done();
    },
  };
  return { writer, writes };
}

async function written(
  overrides: Partial<NotificationRequest>,
  context_keys: readonly string[] = [],
): Promise<string[]> {
  const { writer, writes } = recordingWriter();
  const rules = { context_keys, personal_data_keys: [], e2e_encrypted: false };
  const message = redact(requestWith(overrides), rules);
  const signal = new AbortController().signal;
  const pasted = { inbox: 'http://127.0.0.1:4000/inbox', command: 'npx holdpoint' };
  await createConsoleChannel('slack', writer, pasted).deliver(message, {
    idempotencyKey: 'd',
    signal,
  });
  return writes;
}

const commandFor = (words: string): string => `answer: npx holdpoint ${words}`;

describe('console channel', () => {
  it('links to the question in the inbox, by the beginning of its id', async () => {
    const [text = ''] = await written({ intent_id: null });
    assert.ok(text.includes('\n  open: http://127.0.0.1:4000/inbox/q/5f0c8a52\n'), text);
  });

  it('prints the command that shows an approval and decides on it', async () => {
    const proposal_hash = 'a1'.repeat(32);
    const context = { proposal_hash, tool_call: { tool: 'wire' } };
    const [text = ''] = await written({ context, approval: { proposal_hash } });
    assert.ok(text.endsWith(`\n  ${commandFor('approve 5f0c8a52')}\n`), text);
    assert.ok(!text.includes('wire'), text);
  });

  it('is for those who may decide where nobody is notified by name', async () => {
    const eligible = { principals: ['carol'], groups: ['leads'] };
    const [text = ''] = await written({ deciders: { ...ANYONE, eligible } });
    assert.match(text, /^\[slack\] to carol, group leads, attempt 1\/3\n/);
    const [named = ''] = await written({ notify_to: 'bo', deciders: { ...ANYONE, eligible } });
    assert.match(named, /^\[slack\] to bo, attempt/);
    const [anyone = ''] = await written({ deciders: ANYONE });
    assert.match(anyone, /^\[slack\] to anyone, attempt/);
  });

  it('only says who can answer where it is for somebody who cannot', async () => {
    const deciders = { ...ANYONE, eligible: { principals: ['carol'] } };
    const [text = ''] = await written({ notify_to: 'bo', deciders, informs: true });
    assert.match(text, /\n {2}only carol can answer\n/);
    assert.doesNotMatch(text, /answer: npx|open: http/);
  });

  it('prints a message in one write', async () => {
    const context = { amount: 120, card: '4111' };
    const writes = await written({ attempt: 2, notify_to: 'lead', context }, ['amount']);

    assert.deepEqual(writes, [
      [
        '[slack] to lead, attempt 2/3',
        '  Reminder (2): Refund 120 EUR?',
        '  answer with "approve" (Approve the refund) or "deny" (Deny it)',
        '  expires 2026-11-21T13:00:00.000Z',
        '  next reminder 2026-11-21T11:00:00.000Z',
        '  context {"amount":120}',
        '  1 of its context entries not shown',
        '  open: http://127.0.0.1:4000/inbox/q/5f0c8a52',
        `  ${commandFor('answer 5f0c8a52 approve')}`,
        '',
      ].join('\n'),
    ]);
  });

  it('says who has claimed the question', async () => {
    const [text = ''] = await written({ attempt: 2, held_by: 'alice' });
    assert.ok(text.includes('  claimed by alice\n'), text);
  });

  it('tells of a breached SLA, and asks for nothing [A54-29]', async () => {
    const writes = await written(alertWith({ notify_to: 'lead' }));
    assert.deepEqual(writes, [
      [
        '[slack] to lead, alert',
        '  SLA breached: stage 2 is undecided after 600 s: Refund 120 EUR?',
        '  was due 2026-11-21T10:00:00.000Z; run run-7, approval 3f2e1d0c-9b8a-4765-8432-10fedcba9876',
        '  suspension 5f0c8a52… is still open: this decides nothing, its answers do',
        '',
      ].join('\n'),
    ]);
  });

  it('never shows the suspension id in full [R25-100]', async () => {
    const [text = ''] = await written({});
    assert.ok(text.includes(SUSPENSION_ID.slice(0, 8)));
    assert.ok(!text.includes(SUSPENSION_ID));
  });

  for (const [response_type, expected] of [
    ['confirm', 'answer with "yes" or "no"'],
    ['text', 'answer with text'],
    ['form', 'answer with an object of form fields'],
  ] as const) {
    it(`says what a ${response_type} question accepts`, async () => {
      const [text = ''] = await written({ response_type, choices: [] });
      assert.ok(text.includes(`  ${expected}\n`), text);
    });
  }

  for (const [response_type, words] of [
    ['confirm', 'answer 5f0c8a52 yes'],
    ['text', "answer 5f0c8a52 'your answer'"],
    ['form', 'answer 5f0c8a52 --field name=value'],
    ['choice', 'show 5f0c8a52'],
  ] as const) {
    it(`prints a whole command to answer a ${response_type} question`, async () => {
      const [text = ''] = await written({ response_type, choices: [] });
      assert.ok(text.endsWith(`  ${commandFor(words)}\n`), text);
    });
  }

  it('takes no choice into the command that a shell would read otherwise', async () => {
    for (const value of ["a'; rm -rf ~", '$(id)', '--yes', '~root', 'a\u202eb', 'zwei Wörter']) {
      const [text = ''] = await written({ choices: [{ value, label: 'A' }] });
      assert.ok(text.endsWith(`  ${commandFor('show 5f0c8a52')}\n`), text);
    }
    const choices = ['$(id)', 'eu-1'].map((value) => ({ value, label: value }));
    const [text = ''] = await written({ choices });
    assert.ok(text.endsWith(`  ${commandFor('answer 5f0c8a52 eu-1')}\n`), text);
  });

  it('names the command alone where nothing is known of the service', async () => {
    const { writer, writes } = recordingWriter();
    const rules = { context_keys: [], personal_data_keys: [], e2e_encrypted: false };
    const signal = new AbortController().signal;
    const message = redact(requestWith({ response_type: 'confirm', choices: [] }), rules);
    await createConsoleChannel('slack', writer).deliver(message, { idempotencyKey: 'd', signal });
    assert.match(writes.join(), /\n {2}answer: holdpoint answer 5f0c8a52 yes\n$/);
    assert.doesNotMatch(writes.join(), /open:/);
  });

  it('names no reminder after the last attempt', async () => {
    const [text = ''] = await written({ attempt: 3, next_attempt_at: null });
    assert.ok(text.includes('URGENT — final reminder: Refund 120 EUR?'));
    assert.ok(!text.includes('next reminder'));
  });

  it('keeps a question from forging lines or colours', async () => {
    const question = 'Pay?\n[slack] to lead\u001b[31m\u2028x\u202ey\u200f\u061cz';
    const [text = ''] = await written({ question, notify_to: 'a\r\nb' });
    assert.ok(text.startsWith('[slack] to a b, attempt 1/3\n  Input needed: Pay? [slack] to lead'));
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u2028\p{Bidi_Control}]/u);
    assert.match(text, /lead\[U\+001B\]\[31m\[U\+2028\]x\[U\+202E\]y/);
  });

  it('shows the lines of a question, each with a mark, and what choices mean', async () => {
    const question = '-- keep fax\nALTER TABLE x\n  DROP pager';
    const choices = [{ value: 'a "b"', label: 'Run', description: 'at once' }];
    const [text = ''] = await written({ question, choices });
    const asked = '  | Input needed: -- keep fax\n  | ALTER TABLE x\n  |   DROP pager\n';
    assert.ok(text.includes(asked), text);
    assert.match(text, /answer with "a \\"b\\"" \(Run: at once\)\n/);
  });

  it('shows what nobody would see by its code', async () => {
    const value = "pay\u200bpal\u{e0041}s'\ufe0fx\u034f\u200dy";
    const [text = ''] = await written({ choices: [{ value, label: 'A\u2060' }] });
    assert.match(
      text,
      /"pay\[U\+200B\]pal\[U\+E0041\]s'\ufe0fx\[U\+034F\]\[U\+200D\]y" \(A\[U\+2060\]\)/,
    );
  });

  it('fails where the writer fails', async () => {
    const writer: ConsoleWriter = { write: (_text, done) => done(new Error('pipe closed')) };
    const message = redact(requestWith(), {
      context_keys: [],
      personal_data_keys: [],
      e2e_encrypted: false,
    });
    const signal = new AbortController().signal;

    const delivery = createConsoleChannel('slack', writer).deliver(message, {
      idempotencyKey: 'd',
      signal,
    });

    await assert.rejects(delivery, { message: 'pipe closed' });
  });

  it('writes nothing once the delivery is aborted', async () => {
    const { writer, writes } = recordingWriter();
    const message = redact(requestWith(), {
      context_keys: [],
      personal_data_keys: [],
      e2e_encrypted: false,
    });

    const delivery = createConsoleChannel('slack', writer).deliver(message, {
      idempotencyKey: 'd',
      signal: AbortSignal.abort(),
    });

    await assert.rejects(delivery, { name: 'AbortError' });
    assert.deepEqual(writes, []);
  });
});
