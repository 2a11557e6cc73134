import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { lookUntil } from '../support/looks.js';
import { APPROVALS, QUESTIONS } from './support/questions.js';
import {
  PHONE,
  assertAccessible,
  chooseByKey,
  useWebStack,
  writesOf,
  type WebStack,
} from './support/web-stack.js';

describe('one question after the other in the inbox', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  /** Asks questions that a word finds, the most urgent first. */
  async function asked(word: string, ...bodies: readonly object[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const [index, body] of bodies.entries()) {
      const timeout_seconds = 3_600 * (index + 1);
      const question = `${word}, number ${index + 1}?`;
      ids.push((await web.ask({ ...body, question, timeout_seconds })).id);
    }
    return ids;
  }

  /** Opens the first of such questions from the list, by keys. */
  async function walking(word: string, count: number, options = {}): Promise<Page> {
    const page = await web.signedIn('operator', `/?text=${word}`, options);
    await page
      .locator('[data-row]')
      .nth(count - 1)
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await reading(page, `${word}, number 1?`);
    return page;
  }
  const reading = (page: Page, heading: string) =>
    page.getByRole('heading', { level: 1, name: heading }).waitFor();
  const response = async (id: string | undefined) => (await web.read(id ?? '')).record.response;

  it('are answered through the whole list, by keys alone', async () => {
    const ids = await asked('Keys', QUESTIONS.confirm, QUESTIONS.text, QUESTIONS.choice);
    const page = await walking('Keys', 3);
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.locator(':focus', { hasText: /^Your answer settled it/ }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await reading(page, 'Keys, number 2?');
    await page.locator('h1:focus').waitFor();
    const field = page.getByRole('textbox', { name: 'Your answer' }).and(page.locator(':focus'));
    await lookUntil(async () => {
      await page.keyboard.press('Tab');
      return (await field.count()) === 1;
    }, 'no Tab leads to the field');
    await page.keyboard.type('Sorry, j and k');
    // For a moment after the step no key sends, however quickly somebody has typed.
    await lookUntil(async () => {
      await page.keyboard.press('Control+Enter');
      return page.getByText('Your answer settled it').isVisible();
    }, 'it is not settled');
    await page.keyboard.press('j');
    await reading(page, 'Keys, number 3?');
    await page.locator('h1:focus').waitFor();
    await chooseByKey(page, '2');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    assert.deepEqual(await Promise.all(ids.map(response)), ['yes', 'Sorry, j and k', 'half']);
    await web.leave(page);
  });

  it('are looked through without an answer, forth and back', async () => {
    const ids = await asked('Looked', QUESTIONS.confirm, QUESTIONS.text, QUESTIONS.choice);
    const page = await walking('Looked', 3);
    const writes = writesOf(page);
    await page.keyboard.press('j');
    await reading(page, 'Looked, number 2?');
    // Another person answers the third meanwhile, which leaves the list.
    await web.stack.post(`/v1/suspensions/${ids[2]}/respond`, 'admin', { value: 'full' });
    await page.keyboard.press('k');
    await reading(page, 'Looked, number 1?');
    await page.keyboard.press('j');
    await reading(page, 'Looked, number 2?');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator(`[data-row="${ids[2]}"]`).waitFor({ state: 'detached' });
    await page.locator(`[data-row="${ids[1]}"]`).waitFor();
    assert.deepEqual(writes, []);
    await web.leave(page);
  });

  it('take no key at first that was meant for the one before', async () => {
    const ids = await asked('Quick', QUESTIONS.confirm, QUESTIONS.confirm);
    const page = await web.signedIn('operator', `/q/${ids[0]}`);
    await page.clock.install();
    await page.goto(web.url('/?text=Quick'));
    await page.locator('[data-row]').nth(1).getByRole('link').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await reading(page, 'Quick, number 1?');
    const writes = writesOf(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('j');
    await lookUntil(async () => {
      await page.clock.runFor(10);
      return (await page.locator('h1:focus', { hasText: 'number 2' }).count()) > 0;
    }, 'the next one is not in view');
    for (const key of ['1', 'Control+Enter', 'c', 'd', 'Space', 'Enter']) {
      await page.keyboard.press(key);
    }
    await page.clock.runFor(300);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
    // A key that is held down is one press.
    await page.keyboard.down('j');
    await page.keyboard.down('1');
    await page.keyboard.down('1');
    await page.clock.runFor(300);
    await page.getByRole('radio', { name: 'Yes', checked: true }).waitFor();
    await page.keyboard.down('Control');
    await page.keyboard.down('Enter');
    await lookUntil(async () => {
      await page.clock.runFor(100);
      return page.getByText('Your answer settled it').isVisible();
    }, 'it is not settled');
    await page.keyboard.up('Control');
    await page.keyboard.down('Enter');
    await page.clock.runFor(1_000);
    await reading(page, 'Quick, number 2?');
    assert.deepEqual(writes, [`POST /v1/suspensions/${ids[1]}/respond`]);
    await page.context().close();
  });

  it('are answered on a phone, one after the other', async () => {
    const ids = await asked('Thumb', QUESTIONS.confirm, QUESTIONS.confirm);
    const page = await web.signedIn('operator', '/?text=Thumb', PHONE);
    await page.locator(`[data-row="${ids[0]}"]`).getByRole('link').tap();
    await reading(page, 'Thumb, number 1?');
    await page.getByText('Yes', { exact: true }).tap();
    await page.getByRole('button', { name: /^Send/ }).tap();
    await page.getByText('Your answer settled it').waitFor();
    await assertAccessible(page);
    const next = page.getByRole('button', { name: 'Next' });
    const box = await next.boundingBox();
    assert.ok(box && box.height >= 44 && box.y + box.height <= 844, JSON.stringify(box));
    await next.tap();
    await reading(page, 'Thumb, number 2?');
    await web.leave(page);
  });

  describe('whose answer can be undone', () => {
    /** Opens the first of such questions where an answer is held back for five seconds, and stops the clock of the page. */
    async function holding(word: string, ids: readonly string[]): Promise<Page> {
      const page = await web.signedIn('operator', '/settings');
      await page.evaluate("localStorage['holdpoint-settings'] = '{}'");
      await page.clock.install();
      await open(page, word, ids[0]);
      await page.clock.pauseAt(Date.now() + 30_000);
      return page;
    }
    /** Opens one of such questions from the list of them. */
    async function open(page: Page, word: string, id: string | undefined): Promise<void> {
      await page.goto(web.url(`/?text=${word}`));
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator(`[data-row="${id}"]`).getByRole('link').click();
      await page.getByRole('button', { name: 'Claim' }).waitFor();
    }
    /** Lets the page go on, in small steps, until it shows something. */
    const shows = (page: Page, what: Locator, stepMs = 1) =>
      lookUntil(
        async () => {
          await page.clock.runFor(stepMs);
          return (await what.count()) > 0;
        },
        `it does not show ${String(what)}`,
      );
    const text = (page: Page, words: string) => shows(page, page.getByText(words).first());
    /** Has the focus as soon as its keys work. */
    const held = (page: Page) => shows(page, page.locator(':focus', { hasText: /^Not sent yet/ }));
    const answered = async (page: Page, key = '1') => {
      await page.keyboard.press(key);
      await page.keyboard.press('Control+Enter');
      await held(page);
    };
    /** Keeps what the page sends as an answer on its way, until it may arrive. */
    async function delayed(page: Page) {
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      let sent = (): void => undefined;
      const isSent = new Promise<void>((resolve) => (sent = resolve));
      await page.route('**/respond', async (route) => {
        sent();
        await arrived;
        await route.continue();
      });
      return { isSent, arrive: () => arrive() };
    }
    const sends = (id: string | undefined) => `POST /v1/suspensions/${id}/respond`;

    /** Checks what a page shows while its clock hardly moves: axe needs timers. */
    async function assertStillAccessible(page: Page): Promise<void> {
      let isDone = false;
      const checked = assertAccessible(page).finally(() => (isDone = true));
      await lookUntil(async () => {
        await page.clock.runFor(1);
        return isDone;
      }, 'axe does not end');
      await checked;
    }

    it('is not sent while it can be undone, nor afterwards', async () => {
      const ids = await asked('Undo', QUESTIONS.choice);
      const page = await holding('Undo', ids);
      const writes = writesOf(page);
      await answered(page, '2');
      await assertStillAccessible(page);
      await page.keyboard.press('z');
      await text(page, 'Your answer is still here');
      await page.clock.runFor(60_000);
      assert.deepEqual(writes, []);
      await page.getByRole('radio', { name: /Refund half/, checked: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      await held(page);
      await page.clock.runFor(4_000);
      assert.deepEqual(writes, []);
      await shows(page, page.getByText('Your answer settled it'), 50);
      assert.deepEqual([writes, await response(ids[0])], [[sends(ids[0])], 'half']);
      await page.context().close();
    });

    it('is sent at once where somebody goes on, and where the page is closed', async () => {
      const ids = await asked('Leave', QUESTIONS.confirm, QUESTIONS.confirm);
      const page = await holding('Leave', ids);
      const writes = writesOf(page);
      await answered(page);
      await page.keyboard.press('Enter');
      await lookUntil(() => Promise.resolve(writes.length > 0), 'nothing is sent');
      await text(page, 'Leave, number 2?');
      await lookUntil(async () => (await response(ids[0])) === 'yes', 'it does not count');
      await page.clock.runFor(300);
      await answered(page, '2');
      assert.deepEqual(writes, [sends(ids[0])]);
      await page.goto(`${web.gate.url}/session/methods`);
      await lookUntil(async () => (await response(ids[1])) === 'no', 'it does not count');
      await page.context().close();
    });

    it('is not sent once somebody else has answered, or the question was changed', async () => {
      const ids = await asked('Passed', QUESTIONS.confirm, QUESTIONS.confirm);
      const page = await holding('Passed', ids);
      const writes = writesOf(page);
      await answered(page);
      await web.stack.post(`/v1/suspensions/${ids[0]}/respond`, 'admin', { value: 'no' });
      await text(page, 'Answered by root before you');
      await text(page, 'Your draft was not sent');
      await page.keyboard.press('j');
      await shows(page, page.locator('h1:focus', { hasText: 'number 2' }));
      await page.clock.runFor(300);
      await answered(page);
      const amended = await web.stack.patch(`/v1/suspensions/${ids[1]}`, 'agent', {
        question: 'Passed, and changed?',
        reason: 'It was wrong',
        question_version: 1,
      });
      assert.equal(amended.status, 200, JSON.stringify(amended.body));
      await text(page, 'The question was changed while you answered');
      await text(page, 'It was not sent');
      await page.clock.runFor(60_000);
      assert.deepEqual(writes, []);
      await page.context().close();
    });

    it('comes back with its question if it is refused after all, or no reply comes', async () => {
      const ids = await asked('Back', QUESTIONS.confirm, QUESTIONS.text, QUESTIONS.confirm);
      const page = await holding('Back', ids);
      const first = await delayed(page);
      await answered(page);
      await page.keyboard.press('Enter');
      await first.isSent;
      await shows(page, page.locator('h1:focus', { hasText: 'number 2' }));
      await web.stack.post(`/v1/suspensions/${ids[0]}/respond`, 'admin', { value: 'no' });
      first.arrive();
      await text(page, 'Answered by root before you');
      await text(page, 'Your answer was sent, but does not count');
      await reading(page, 'Back, number 1?');
      // Whoever is typing meanwhile is told, and left alone.
      await page.unrouteAll();
      await page.clock.resume();
      await open(page, 'Back', ids[2]);
      await page.clock.pauseAt(Date.now() + 90_000);
      const second = await delayed(page);
      await answered(page, '2');
      await page.keyboard.press('k');
      await second.isSent;
      await text(page, 'Back, number 2?');
      await page.getByRole('textbox', { name: 'Your answer' }).fill('In the middle of a');
      // First of all: a request that is no longer held goes on by itself.
      web.gate.shut();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      second.arrive();
      await text(page, 'An answer was not taken');
      await assertStillAccessible(page);
      await reading(page, 'Back, number 2?');
      web.gate.open();
      await page.getByRole('link', { name: 'Back to: Back, number 3?' }).click();
      await text(page, 'Your answer may not have arrived');
      await page.context().close();
    });

    it('is sent once by two tabs that hold one back at the same time', async () => {
      const ids = await asked('Tabs', QUESTIONS.confirm);
      const page = await holding('Tabs', ids);
      await page.clock.resume();
      const other = await page.context().newPage();
      await open(other, 'Tabs', ids[0]);
      // The clock of one tab is that of both.
      await page.clock.pauseAt(Date.now() + 90_000);
      const writes = writesOf(page);
      await answered(page);
      await answered(other, '2');
      await other.goto(`${web.gate.url}/session/methods`);
      await text(page, 'Answered by alice');
      await page.clock.runFor(60_000);
      assert.deepEqual([writes, await response(ids[0])], [[], 'no']);
      await page.context().close();
    });

    it('is undone, sent and come back to where many questions get one', async () => {
      const ids = await asked('Many', QUESTIONS.confirm, QUESTIONS.confirm);
      const page = await web.signedIn('operator', '/settings');
      await page.evaluate("localStorage['holdpoint-settings'] = '{}'");
      await page.clock.install();
      await page.goto(web.url('/?text=Many'));
      for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Answer together…' }).click();
      await page.getByRole('heading', { name: 'Answer 2 questions together' }).waitFor();
      await page.clock.pauseAt(Date.now() + 30_000);
      const writes = writesOf(page);
      await answered(page);
      await assertStillAccessible(page);
      await page.keyboard.press('z');
      await text(page, 'Your answer is still here');
      await page.clock.runFor(60_000);
      assert.deepEqual(writes, []);
      await page.keyboard.press('Control+Enter');
      await held(page);
      const sending = await delayed(page);
      await page.keyboard.press('Enter');
      await sending.isSent;
      await shows(page, page.getByRole('searchbox'));
      await web.stack.post(`/v1/suspensions/${ids[0]}/respond`, 'admin', { value: 'no' });
      sending.arrive();
      await text(page, '1 taken, 1 refused');
      assert.deepEqual(writes, ['POST /v1/suspensions/respond']);
      assert.deepEqual(await Promise.all(ids.map(response)), ['no', 'yes']);
      await page.context().close();
    });

    it('is sent at once with less than a minute left, and where somebody wants that', async () => {
      const ids = await asked('Soon', QUESTIONS.confirm, QUESTIONS.confirm);
      const page = await web.signedIn('operator', '/settings');
      await page.getByText('For 10 seconds').click();
      await page.route(`**/v1/suspensions/${ids[0]}`, async (route) => {
        const reply = await route.fetch();
        const question = (await reply.json()) as { readonly record: object };
        const expires_at = new Date(Date.now() + 50_000).toISOString();
        await route.fulfill({ json: { ...question, record: { ...question.record, expires_at } } });
      });
      for (const [index, id] of ids.entries()) {
        if (index > 0) {
          await page.goto(web.url('/settings'));
          await page.getByRole('radio', { name: 'For 10 seconds', checked: true }).waitFor();
          await page.getByText('Never').click();
        }
        await page.goto(web.url(`/q/${id}`));
        await page.getByRole('button', { name: 'Claim' }).waitFor();
        await page.evaluate(
          `new MutationObserver(() => (globalThis.held ||= document.body.innerText.includes('Not sent yet'))).observe(document.body, { childList: true, subtree: true })`,
        );
        await page.keyboard.press('1');
        await page.keyboard.press('Control+Enter');
        await page.getByText('Your answer settled it').waitFor();
        assert.equal(await page.evaluate('Boolean(globalThis.held)'), false);
      }
      await web.leave(page);
    });
  });
});
