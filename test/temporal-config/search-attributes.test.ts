import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describeAttributes,
  watchSearchAttributes,
} from '../../temporal-config/missing-attributes.js';
import {
  ensureSearchAttributes,
  type OperatorConnection,
} from '../../temporal-config/search-attributes.js';

const KEYWORD = 2;
const INT = 3;

interface Script {
  /** What is registered, and added to by the fake. */
  known: Record<string, number>;
  list?: (known: Record<string, number>) => Record<string, number>;
  add?: (name: string) => void;
  count?: (query: string) => number;
}

/** In place of a connection to a server: the methods that are called, and no other. */
function fakeConnection(script: Script): { connection: OperatorConnection; added: string[] } {
  const added: string[] = [];
  const operatorService = {
    listSearchAttributes: async () => ({
      customAttributes: script.list?.(script.known) ?? script.known,
    }),
    addSearchAttributes: async (request: { searchAttributes: Record<string, number> }) => {
      for (const [name, type] of Object.entries(request.searchAttributes)) {
        script.add?.(name);
        added.push(name);
        script.known[name] = type;
      }
      return {};
    },
  };
  const workflowService = {
    countWorkflowExecutions: async ({ query }: { query: string }) => {
      if (script.count) return { count: script.count(query) };
      const unknown = query
        .split(' AND ')
        .slice(1)
        .map((part) => part.replace(' IS NULL', ''))
        .find((name) => !(name in script.known));
      if (unknown !== undefined) throw status(3, `${unknown} is not a valid search attribute`);
      return { count: 0 };
    },
  };
  return {
    connection: { operatorService, workflowService } as unknown as OperatorConnection,
    added,
  };
}

/** As gRPC reports a status. */
function status(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
}

const wanted = { A: 'Keyword', B: 'Int' };
const ensure = (script: Script) => {
  const { connection, added } = fakeConnection(script);
  return ensureSearchAttributes(connection, 'n', wanted).then((found) => ({ found, added }));
};
const fails = (code: number, details: string) => () => {
  throw status(code, details);
};

describe('the search attributes of a namespace', () => {
  it('are added where they are missing, and left alone where all are there', async () => {
    const { found, added } = await ensure({ known: { A: KEYWORD } });
    assert.deepEqual([found, added], [{ missing: [], unchecked: [] }, ['B']]);
    assert.deepEqual((await ensure({ known: { A: KEYWORD, B: INT } })).added, []);
  });

  it('may be added by another process meanwhile, or before the second look', async () => {
    const known: Record<string, number> = {};
    const add = (name: string) => {
      known[name] = name === 'A' ? KEYWORD : INT;
      throw status(6, 'already exists');
    };
    await ensure({ known, add });
    assert.deepEqual(known, { A: KEYWORD, B: INT });
    let lists = 0;
    const list = () => (lists++ === 0 ? {} : { A: KEYWORD, B: INT });
    assert.deepEqual((await ensure({ known: {}, list })).added, []);
  });

  it('are awaited where the server takes a moment', async () => {
    let lists = 0;
    await ensure({ known: {}, list: (known) => ((lists += 1) < 5 ? {} : known) });
    assert.equal(lists, 5);
  });

  it('end the start with another type, and where the server fails to add or to list them', async () => {
    const code = 'search_attributes_refused';
    await assert.rejects(ensure({ known: { A: INT } }), {
      code,
      message: 'Namespace n has the search attribute A with another type than Keyword.',
    });
    const full = 'cannot have more than 10 search attribute of type Keyword';
    await assert.rejects(ensure({ known: {}, add: fails(8, full) }), {
      code,
      message:
        `Search attributes of namespace n could not be made sure of: 8: ${full}. ` +
        'Have an administrator add A (Keyword), B (Int), then start again.',
    });
    await assert.rejects(ensure({ known: {}, list: fails(14, 'unavailable') }), { code });
  });

  for (const [refusal, code] of [
    ['denies it', 7],
    ['does not know it', 12],
  ] as const) {
    it(`are compared with the list, found out by queries, or not judged where the server ${refusal}`, async () => {
      const refuse = fails(code, 'Request unauthorized');
      const listed = await ensure({ known: { A: KEYWORD }, add: refuse });
      assert.deepEqual(listed.found, { missing: ['B'], unchecked: [] });
      const asked = await ensure({ known: { B: INT }, list: refuse, add: refuse });
      assert.deepEqual(asked.found, { missing: ['A'], unchecked: [] });
      const blind = await ensure({ known: {}, list: refuse, add: refuse, count: refuse });
      assert.deepEqual(blind.found, { missing: [], unchecked: ['A', 'B'] });
    });
  }

  it('are added blindly where the server offers no list', async () => {
    const { added } = await ensure({ known: {}, list: fails(12, 'unimplemented') });
    assert.deepEqual(added.sort(), ['A', 'B']);
  });
});

describe('what is known of search attributes', () => {
  it('is asked for again while some are missing, at most every two seconds', async () => {
    const known: Record<string, number> = { A: KEYWORD };
    const queries: string[] = [];
    const { connection } = fakeConnection({
      known,
      count: (query) => {
        queries.push(query);
        if (query.includes('B ') && !('B' in known)) throw status(3, 'B is unknown');
        return 0;
      },
    });
    let now = 0;
    const look = watchSearchAttributes(
      connection,
      'n',
      { missing: ['B'], unchecked: ['A'] },
      () => now,
    );
    assert.deepEqual(await look(), { missing: ['B'], unchecked: [] });
    known['B'] = INT;
    now = 1_999;
    assert.deepEqual(await look(), { missing: ['B'], unchecked: [] });
    now = 2_000;
    assert.deepEqual(await look(), { missing: [], unchecked: [] });
    const asked = queries.length;
    now = 10_000;
    assert.deepEqual(await look(), { missing: [], unchecked: [] });
    assert.equal(queries.length, asked);
  });

  it('is said with the types that are needed', () => {
    assert.equal(describeAttributes({ missing: [], unchecked: [] }), undefined);
    assert.equal(
      describeAttributes({ missing: ['HoldpointExpiresAt'], unchecked: ['HoldpointState'] }),
      'search attributes are missing: HoldpointExpiresAt (Datetime); search attributes not checked: HoldpointState',
    );
  });
});
