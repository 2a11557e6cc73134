import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';

import fc from 'fast-check';
import type { ChainReport, IntentEvent } from '../../contracts/intent/event.js';
import { sealEvent } from '../../domain/log/seal.js';
import { checkExport, NoLogError } from '../../store/checked-export.js';
import { exportOf, logOfNotes } from '../support/events.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';
import { withFolder } from '../support/temp-folder.js';

const MAIN = scriptOf('store/verify-main.ts');

function check(lines: readonly string[], knownHash?: string): Promise<ChainReport> {
  return checkExport(Readable.from(lines), knownHash);
}

const erasedIf =
  (isErased: (event: IntentEvent) => boolean) =>
  (event: IntentEvent): IntentEvent => {
    if (!isErased(event)) return event;
    const { payload_salt: _, ...left } = event;
    return { ...left, payload: {}, erased: true };
  };

describe('an exported log', () => {
  const events = logOfNotes(8);
  const lines = exportOf(events);

  it('is found whole as it was exported', async () => {
    const report = await check(lines, events[3]?.event_hash);
    assert.equal(report.chain_valid, true);
    assert.deepEqual([report.event_count, report.head_hash], [8, events[7]?.event_hash]);
  });

  it('is never found whole with a line removed, repeated, moved or put elsewhere', async () => {
    const anyEdit = fc.record({
      what: fc.constantFrom('remove', 'repeat', 'swap', 'move'),
      at: fc.nat({ max: lines.length - 1 }),
      other: fc.nat({ max: lines.length - 1 }),
    });
    await fc.assert(
      fc.asyncProperty(anyEdit, async ({ what, at, other }) => {
        const edited = [...lines];
        const [here, there] = [lines[at] ?? '', lines[other] ?? ''];
        if (what === 'remove') edited.splice(at, 1);
        if (what === 'repeat') edited.splice(other, 0, here);
        if (what === 'swap') [edited[at], edited[other]] = [there, here];
        if (what === 'move') edited.splice(other, 0, ...edited.splice(at, 1));
        fc.pre(edited.join('\n') !== lines.join('\n'));
        const isWhole = await check(edited).then(
          ({ chain_valid }) => chain_valid,
          (error: unknown) => !(error instanceof NoLogError),
        );
        assert.equal(isWhole, false);
      }),
      { numRuns: 300 },
    );
  });

  it('is never found whole with a character changed', async () => {
    const text = lines.join('\n');
    const anyChange = fc.tuple(
      fc.nat({ max: text.length - 1 }),
      fc.constantFrom('0', '9', 'a', 'Z', '"', '{', '}', ' '),
    );
    await fc.assert(
      fc.asyncProperty(anyChange, async ([at, character]) => {
        const forged = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        fc.pre(forged !== text);
        const isWhole = await check(forged.split('\n')).then(
          ({ chain_valid }) => chain_valid,
          (error: unknown) => !(error instanceof NoLogError),
        );
        assert.equal(isWhole, false);
      }),
      { numRuns: 500 },
    );
  });

  it('is found whole without payloads that were erased, and tells which', async () => {
    const isErased = erasedIf(({ sequence }) => sequence % 3 === 0);
    const report = await check(exportOf(logOfNotes(8, randomUUID(), 'erasure').map(isErased)));
    assert.deepEqual([report.breaks, report.erased], [[], [3, 6]]);
    const { breaks } = await check(exportOf(events.map(isErased)));
    assert.deepEqual(
      breaks.map(({ kind, sequence }) => `${kind} ${sequence}`),
      ['removed 3', 'removed 6'],
    );
  });

  it('is not found whole without its end, or with that of another', async () => {
    const { breaks } = await check(lines.slice(0, 6));
    assert.deepEqual(
      breaks.map(({ kind, sequence }) => `${kind} ${sequence}`),
      ['missing 7'],
    );
    const shorter = exportOf(events.slice(0, 6)).at(-1) ?? '';
    assert.equal((await check([...lines.slice(0, 8), shorter])).breaks[0]?.kind, 'unexpected');
  });

  it('is not found whole where it lacks the event whose hash is known', async () => {
    const cut = exportOf(events.slice(0, 6));
    assert.equal((await check(cut)).chain_valid, true);
    const { breaks } = await check(cut, events[7]?.event_hash);
    assert.deepEqual(
      breaks.map(({ kind, sequence }) => `${kind} ${sequence}`),
      ['missing 7'],
    );
  });
});

describe('npm run verify-log', () => {
  const events = logOfNotes(60);
  const lines = exportOf(events);
  let folder = '';
  withFolder((made) => (folder = made), 'suite');

  async function verify(text: string, ...args: string[]) {
    const file = path.join(folder, 'log.ndjson');
    await writeFile(file, text);
    return run(file, ...args);
  }

  const run = (...args: string[]) => endOf([MAIN, ...args]);

  it('says that a log is whole, how long it is and how it ends', async () => {
    const last = events.at(-1);
    const { code, out, err } = await verify(
      `${lines.join('\n')}\n`,
      '--head',
      last?.event_hash ?? '',
    );
    const ok = `ok: 60 events of intent ${last?.intent_id}, head ${last?.event_hash}\n`;
    assert.deepEqual([code, out, err], [0, ok, '']);
  });

  it('says whose log it is: that of a question, or of a portfolio', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const place = { sequence: 1, payload: {} };
    const id = randomUUID();
    const entry = { suspension_id: id, at, kind: 'opened', ...place };
    const event = { intent_id: id, event_type: 'portfolio.created', created_at: at, ...place };
    const [first, second] = [sealEvent(entry, null, 'a'), sealEvent(event, null, 'b')];
    const end = (owner: object, head_hash: string) => ({
      end_of_log: { ...owner, last_sequence: 1, head_hash, head_from: 'workflow' },
    });
    for (const [kind, sealed, owner] of [
      ['suspension', first, { suspension_id: id }],
      ['portfolio', second, { intent_id: id }],
    ] as const) {
      const { event_hash } = sealed;
      const text = [sealed, end(owner, event_hash)].map((line) => JSON.stringify(line)).join('\n');
      const { out, err } = await verify(text);
      assert.equal(err, '');
      assert.equal(out, `ok: 1 events of ${kind} ${id}, head ${event_hash}\n`);
    }
  });

  it('says of which events the payload was erased', async () => {
    const log = (length: number) => logOfNotes(length, randomUUID(), 'erasure');
    const isNote = ({ event_type }: IntentEvent) => event_type === 'note';
    const left = log(61).map(erasedIf((event) => isNote(event) && event.sequence > 57));
    const some = await verify(exportOf(left).join('\n'));
    assert.match(some.out, /, 3 without their erased payload \(58, 59, 60\)\n$/);
    const all = log(102).map(erasedIf(isNote));
    const many = await verify(exportOf(all).join('\n'));
    assert.match(many.out, /, 101 without their erased payload \(1, 2, .*, 99, 100, …\)\n$/);
  });

  it('names the first event that is not as it was recorded', async () => {
    const forged = lines.map((line, index) =>
      index === 41 ? line.replace('agent-1', 'agent-2') : line,
    );
    const { code, out, err } = await verify(forged.join('\n'));
    const found = 'changed at event 42: Event 42 is not as it was recorded.\n';
    assert.deepEqual([code, out, err], [1, '', found]);
  });

  const bad: Record<string, [string, RegExp]> = {
    'an empty file': ['', /is no log: there is no line in it\.$/],
    'another text': ['hello\nworld\n', /is no log: line 1 is not JSON\.$/],
    'a name that stands twice': [
      '{"sequence": 1, "sequence": 2}\n',
      /line 1 is not kept as it is written: sequence stands twice/,
    ],
    'a number that would be another': [
      '{"sequence": 9007199254740993}\n',
      /line 1 is not kept as it is written: sequence would be kept as another number/,
    ],
    'other JSON': ['{"a": 1}\n', /is no log: line 1 is neither an event nor the end of a log\.$/],
    'lines after the end': [
      [...lines, lines[0]].join('\n'),
      /is no log: line 62 comes after the end of the log\.$/,
    ],
  };
  for (const [name, [text, message]] of Object.entries(bad)) {
    it(`refuses ${name} in one line`, async () => {
      const { code, out, err } = await verify(text);
      assert.deepEqual([code, out, err.split('\n').length], [1, '', 2], err);
      assert.match(err.trimEnd(), message);
    });
  }

  it('refuses a file that is not there, a folder, and what it does not know', async () => {
    const missing = await run(path.join(folder, 'none'));
    assert.deepEqual([missing.code, missing.err.split('\n').length], [1, 2], missing.err);
    assert.match(missing.err, /cannot be read/);
    assert.match((await run(folder)).err, /cannot be read/);
    for (const args of [[], ['a', 'b']]) {
      assert.match((await run(...args)).err, /^Usage: npm run verify-log/);
    }
    const { err } = await run('--other', 'a');
    assert.match(err, /^There is no option --other\. Usage: npm run verify-log/);
  });
});
