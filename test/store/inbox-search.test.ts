import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import { inSpace } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { countSuspensions, listSuspensions } from '../../store/queries/inbox.js';
import { partWith } from '../domain/approval/wires.js';
import { withStore, type TestStore, useStore } from '../support/store.js';
import { openExplained, rowsRead, type Explained } from './explained.js';
import { SETTLEMENT, aRecord, instant, openedRow, progressRow, settledRow } from './rows.js';

const UUID = '7f3c9a52-0b1e-4d6f-8a77-c2e91d40b3aa';

/** A text, what finds it, and what does not. */
const FOUND: Readonly<Record<string, readonly [text: string, by: string[], not: string[]]>> = {
  'part of a word': ['Refund order #4711?', ['fund', 'ord', '471', '7', '#4'], ['fundo', '4712']],
  Japanese: [
    '東京タワーの請求書を承認',
    ['東京', '請求', '書', 'タワー', '求書を'],
    ['東求', '京東'],
  ],
  Chinese: ['请批准北京分公司的采购', ['北京', '采购', '购', '分公司'], ['京北', '采批']],
  Thai: ['อนุมัติใบสั่งซื้อกรุงเทพ', ['สั่งซื้อ', 'ใบ', 'กรุงเทพ', 'มัติ'], ['เทพกรุง']],
  Korean: ['서울지사의 환불을 승인', ['서울', '지사', '환', '불을'], ['울서', '하']],
  German: [
    'Große Überweisung an Müller',
    ['GROSSE', 'große', 'uberweis', 'Über', 'muller'],
    ['gröse'],
  ],
  French: [
    'Crédit pour l’été à Orléans',
    ['credit', 'CRÉDIT', "l'ete", 'orlea', 'éans'],
    ['credot'],
  ],
  Turkish: [
    'ISPARTA ısı ölçümü, İzmir',
    ['ısparta', 'isi', 'ISI', 'izmir', 'ölçüm', 'olcum'],
    ['ispat'],
  ],
  'Greek and Cyrillic': ['ΟΔΟΣ Ёлочка', ['οδός', 'ΟΔΟ', 'елоч', 'ЁЛОЧКА'], ['οδα']],
  Vietnamese: ['Đường Nguyễn Huệ', ['duong', 'nguyen', 'hue', 'ĐƯỜNG'], ['dưỡngx']],
  'full width': ['ＡＢＣ－１２３　ﾃﾞｰﾀ', ['abc-12', 'データ', 'ＢＣ'], ['acb']],
  'an address': [
    'to ana.lee+ops@mail.example.com',
    ['ana.lee', '@mail', 'lee+ops', 'ample.co'],
    ['ana_lee'],
  ],
  'a path': [
    'rm -rf /var/log/holdpoint-1.log',
    ['/var/log', 'log/hold', '-rf', 'point-1.l'],
    ['/var_log'],
  ],
  'a URL': [
    'see https://x.io/a/b?id=42&ref=%7E#top',
    ['?id=42', 'ref=%7e', '//x.io/a', '#top'],
    ['?id=4%'],
  ],
  'an id': [`run ${UUID}`, [UUID, UUID.slice(9, 20), UUID.slice(-6).toUpperCase()], ['7f3c9a53']],
  wildcards: ['100% of a_b, c\\d', ['0%', 'a_b', 'c\\d', '%'], ['1%0', 'a%b', 'a__b']],
  quotes: [`O'Brien said "a:* | b" & !c`, ["o'b", '"a:*', '|', '!c', "'"], ["''"]],
  'several lines': [
    'DROP\u00a0TABLE\n  pager\u3000now',
    ['drop table', 'pager now', 'table pager'],
    ['tablepager'],
  ],
  'what is invisible': ['in\u200bvis\u00adible', ['invisible', 'VISI\u2060BLE'], ['invisable']],
  'what people type in Arabic': [
    'مراجعة الطلــــب إلى القاهرة ٤٧١١ على',
    ['مراجعه', 'الطلب', 'الي', 'القاهره', '4711', '٤٧', '۴۷۱۱', 'علي', 'أل', 'ٱلى'],
    ['4712', 'الطلت'],
  ],
  'digits of every script': ['क्रम ४२, ๗๘ ৯, ４５', ['42', '78', '9', '45', '４２'], ['43']],
  'characters of compatibility': [
    '½ kg ﬁsh, ⑦ ℡ Ⅷ x² …',
    ['1/2', '½', 'fish', '7', 'tel', 'viii', 'x2', '...'],
    ['1/3'],
  ],
  'half a pair': ['bad \ud800 and \u0000 end', ['\ud800', '\u0000', 'end'], ['\ud801']],
  emoji: ['ship it 🚀🚀', ['🚀', '🚀🚀'], ['🚁', '🚀🚀🚀']],
};

describe('the search of the inbox', () => {
  const store = useStore('emptied');

  const ask = async (question: string, context?: JsonObject): Promise<string> => {
    const record = aRecord({ question, context });
    await writeRows(store.db, [openedRow(randomUUID(), record)]);
    return record.id;
  };
  const find = async (text: string): Promise<string[]> => {
    const page = { state: 'pending', sort: 'oldest', limit: 100, text } as const;
    const { rows } = await listSuspensions(inSpace(store.db, 'default'), page);
    const { pending } = await countSuspensions(store.db, { text });
    assert.equal(pending, rows.length);
    return rows.map(({ entry }) => entry.id);
  };

  for (const [name, [text, by, not]] of Object.entries(FOUND)) {
    it(`finds ${name}, in the question and in the context`, async () => {
      await ask('Something else, 12.5 times');
      const ids = [await ask(text), await ask('See below', { a: [{ deep: text }] })].sort();
      for (const part of [...by, text]) assert.deepEqual((await find(part)).sort(), ids, part);
      for (const part of not) assert.deepEqual(await find(part), [], part);
    });
  }

  it('demands every word, in any order, and finds names, numbers and booleans of a context', async () => {
    const context = { sum: 1234.5, paid: true, none: null, a: [{ Délai: { open: false } }] };
    const id = await ask('Refund order', context);
    await ask('Refund nothing');
    const found = ['order refund', '1234.5', '34.', 'fund 123 ord', 'sum', 'true', 'paid false'];
    for (const text of [...found, 'delai', 'none']) {
      assert.deepEqual(await find(text), [id], text);
    }
    for (const text of ['refund missing', 'null', '\u200b', ' ']) {
      assert.deepEqual(await find(text), [], text);
    }
  });

  it('takes the longest text that a filter can be', async () => {
    const id = await ask('請求書'.repeat(70));
    assert.deepEqual(await find('請求書'.repeat(66)), [id]);
    assert.deepEqual(await find('\ufdfa'.repeat(200)), []);
    assert.deepEqual(await find('a b c d e f g h i j '.repeat(10)), []);
  });

  it('finds what was amended, and no longer what it said before', async () => {
    const id = await ask('Refund order 1');
    const row = progressRow(id, 1, 1);
    const amended = { question: 'Ship parcel 2', context: { to: 'Łódź' }, question_version: 2 };
    await writeRows(store.db, [{ ...row, amended }]);
    assert.deepEqual(await find('parcel lodz'), [id]);
    assert.deepEqual(await find('refund'), []);
  });

  it('finds an answer, its label, comment and data, comments of votes, and why it was withdrawn', async () => {
    const choices = [
      { value: 'a', label: 'Only in part' },
      { value: 'b', label: 'Wholly' },
    ];
    const vote = { principal: 'dana', actor: 'dana', value: 'a', comment: 'Fine by me' };
    const counted = { ...vote, question_version: 1, counted_at: instant(70) };
    const ended: readonly Partial<Settlement>[] = [
      { response: 'a', comment: 'As Müller said', data: { window: 'tonight' } },
      { response: { city: 'Orléans', sum: 4711 }, votes: [counted] },
      { resolution: 'cancelled', reason: 'Found out elsewhere' },
    ];
    const ids: string[] = [];
    for (const settlement of ended) {
      const record = aRecord({ question: 'Refund?', choices });
      const { answer: _answer, ...row } = settledRow(record.id, 1);
      const ending = { ...SETTLEMENT, ...settlement };
      await writeRows(store.db, [openedRow(randomUUID(), record), { ...row, settlement: ending }]);
      ids.push(record.id);
    }
    const settled = async (text: string) => {
      const page = { state: 'settled', sort: 'settled', limit: 100, text } as const;
      const { rows } = await listSuspensions(inSpace(store.db, 'default'), page);
      return rows.map(({ entry }) => entry.id);
    };
    const [choice, form, withdrawn] = ids.map((id) => [id]);
    for (const text of ['in part', 'muller', 'tonight', 'window']) {
      assert.deepEqual(await settled(text), choice, text);
    }
    for (const text of ['orleans 4711', 'city', 'fine by']) {
      assert.deepEqual(await settled(text), form, text);
    }
    assert.deepEqual(await settled('elsewhere'), withdrawn);
    assert.deepEqual(await settled('wholly'), []);
    assert.deepEqual((await settled('refund')).sort(), [...ids].sort());
  });

  it('finds the arguments of several calls, and what they were edited to', async () => {
    const calls = ['Łódź', 'Gdańsk'].map((city, n) => ({
      id: `c${n}`,
      tool: 'ship',
      arguments: { city },
    }));
    const approval = partWith({ calls });
    const record = aRecord({ question: 'Ship both?', approval });
    await writeRows(store.db, [openedRow(randomUUID(), record)]);
    assert.deepEqual(await find('lodz gdansk'), [record.id]);
    const [first, second] = calls as [(typeof calls)[0], (typeof calls)[0]];
    const edited = partWith({ calls: [first, { ...second, arguments: { city: 'Poznań' } }] });
    const row = { ...progressRow(record.id, 1, 1), amended: { approval: edited } };
    await writeRows(store.db, [row]);
    assert.deepEqual(await find('lodz poznan'), [record.id]);
    assert.deepEqual(await find('gdansk'), []);
  });

  it('writes a question of any size, and finds what its first 20,000 characters hold', async () => {
    const han = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const id = await ask('Long', { all: `${han}東京タワー`, odd: '\ufdfa'.repeat(40_000) });
    assert.deepEqual(await find(han.slice(9_000, 9_020)), [id]);
    assert.deepEqual(await find('東京タワー'), []);
  });
});

describe('the search among 4,000 questions', () => {
  let store: TestStore;
  let explained: Explained;
  before(async () => {
    store = await withStore();
    explained = openExplained(store.url);
    const { db } = explained;
    // The other triggers count and place each row, which takes most of the time.
    await sql`alter table suspensions disable trigger user`.execute(db);
    await sql`
      insert into suspensions (id, asked_by, question, response_type, suspended_at, schedule,
        record, searched, grams)
      select 's' || n, 'agent', asked, 'text', timestamptz '2026-01-01Z' + n * interval '1 second',
        '{"attempts": []}', '{}', folded, holdpoint_grams(folded)
      from generate_series(1, 4000) n
      cross join lateral (select 'Refund order ' || n
        || case when n % 1000 = 77 then ' 東京 /var/log' else '' end as asked) texts
      cross join lateral (select holdpoint_searched(asked, '{}') as folded) searches`.execute(db);
    await sql`alter table suspensions enable trigger user`.execute(db);
    await sql`vacuum analyze suspensions`.execute(db);
  });
  after(async () => {
    await explained.close();
    await store.close();
  });

  for (const text of ['東京', '京', '/var', 'var/lo', 'order 東']) {
    it(`looks at no other question for ${text}`, async () => {
      const page = { state: 'pending', sort: 'oldest', limit: 100, text } as const;
      const list = () => listSuspensions(explained.db, page);
      assert.equal((await list()).rows.length, 4);
      const read = rowsRead(await explained.planOf(list, { analyze: true }));
      assert.ok(read < 50, `${read} rows are read`);
    });
  }
});
