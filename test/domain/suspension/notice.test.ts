import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noticesOf } from '../../../domain/suspension/telling/notice.js';
import { SUSPENSION_ID } from './notification-samples.js';

const ASKED = {
  id: SUSPENSION_ID,
  question: 'Refund order A-7?',
  asked_by: 'agent-1',
  attempt: 1,
  max_attempts: 3,
};

describe('a notice in a browser', () => {
  it('says what is asked and by whom, and opens the question', () => {
    assert.deepEqual(noticesOf([ASKED], true), [
      {
        title: 'Input needed: Refund order A-7?',
        body: 'Asked by agent-1',
        tag: `${SUSPENSION_ID}:1`,
        path: `/inbox/q/${SUSPENSION_ID}`,
      },
    ]);
  });

  it('is another one for each reminder', () => {
    const [reminder] = noticesOf([{ ...ASKED, attempt: 2 }], true);
    assert.equal(reminder?.title, 'Reminder (2): Refund order A-7?');
    assert.equal(reminder.tag, `${SUSPENSION_ID}:2`);
  });

  it('has no word of the question where whoever sees the screen may see it', () => {
    const shown = [1, 2].flatMap((attempt) => noticesOf([{ ...ASKED, attempt }], false));
    assert.deepEqual(
      shown.map(({ title, body }) => [title, body]),
      [
        ['A question waits for you', 'Open it in the inbox.'],
        ['A question still waits for you', 'Open it in the inbox.'],
      ],
    );
  });

  it('never shows the id', () => {
    for (const words of [true, false]) {
      const [notice] = noticesOf([ASKED], words);
      assert.ok(notice && !`${notice.title}${notice.body}`.includes(SUSPENSION_ID));
    }
  });

  it('counts questions where there are more than three', () => {
    const ids = ['a', 'b', 'c', 'd'];
    assert.equal(
      noticesOf(
        ids.slice(1).map((id) => ({ ...ASKED, id })),
        true,
      ).length,
      3,
    );
    assert.deepEqual(
      noticesOf(
        ids.map((id) => ({ ...ASKED, id })),
        true,
      ),
      [
        {
          title: '4 questions wait for you',
          body: 'Open the inbox.',
          tag: 'inbox',
          path: '/inbox',
        },
      ],
    );
  });

  it('shows characters that steer text as codes, in one short line', () => {
    const [notice] = noticesOf(
      [
        {
          ...ASKED,
          question: `Pay\n\u202e${'x'.repeat(500)}`,
          asked_by: `a\u202eb${'y'.repeat(200)}`,
        },
      ],
      true,
    );
    assert.match(notice?.title ?? '', /^Input needed: Pay \[U\+202E\]x+…?/);
    assert.ok((notice?.title.length ?? 0) <= 160 && (notice?.body.length ?? 0) <= 100);
    assert.match(notice?.body ?? '', /^Asked by a\[U\+202E\]b/);
  });
});
