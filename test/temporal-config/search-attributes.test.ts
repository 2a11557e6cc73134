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

describe('the search attributes of a namespace', () => {
  it('are added where they are missing', async () => {
    const { connection, added } = fakeConnection({ known: { A: KEYWORD } });
    const found = await ensureSearchAttributes(connection, 'n', wanted);
    assert.deepEqual(found, { missing: [], unchecked: [] });
    assert.deepEqual(added, ['B']);
  });

  it('are left alone where all are there', async () => {
    const { connection, added } = fakeConnection({ known: { A: KEYWORD, B: INT } });
    await ensureSearchAttributes(connection, 'n', wanted);
    assert.deepEqual(added, []);
  });

  it('may be added by another process meanwhile', async () => {
    const known: Record<string, number> = {};
    const { connection } = fakeConnection({
      known,
      add: (name) => {
        known[name] = name === 'A' ? KEYWORD : INT;
        throw status(6, 'already exists');
      },
    });
    await ensureSearchAttributes(connection, 'n', wanted);
    assert.deepEqual(known, { A: KEYWORD, B: INT });
  });

  it('are awaited where the server takes a moment', async () => {
    let lists = 0;
    const { connection } = fakeConnection({
      known: {},
      list: (known) => {
        lists += 1;
        return lists < 5 ? {} : known;
      },
    });
    await ensureSearchAttributes(connection, 'n', wanted);
    assert.equal(lists, 5);
  });

  it('are refused with another type', async () => {
    const { connection, added } = fakeConnection({ known: { A: INT } });
    await assert.rejects(ensureSearchAttributes(connection, 'n', wanted), {
      code: 'search_attributes_refused',
      message: 'Namespace n has the search attribute A with another type than Keyword.',
    });
    assert.deepEqual(added, []);
  });

  it('are named when the server fails to add them', async () => {
    const { connection } = fakeConnection({
      known: {},
      add: () => {
        throw status(8, 'cannot have more than 10 search attribute of type Keyword');
      },
    });
    await assert.rejects(ensureSearchAttributes(connection, 'n', wanted), {
      code: 'search_attributes_refused',
      message:
        'Search attributes of namespace n could not be made sure of: 8: cannot have more than 10 search attribute of type Keyword. ' +
        'Have an administrator add A (Keyword), B (Int), then start again.',
    });
  });

  for (const [refusal, code] of [
    ['denies it', 7],
    ['does not know it', 12],
  ] as const) {
    const refuse = () => {
      throw status(code, 'Request unauthorized');
    };

    it(`are only compared with the list where the server ${refusal} to add them`, async () => {
      const { connection } = fakeConnection({ known: { A: KEYWORD }, add: refuse });
      const found = await ensureSearchAttributes(connection, 'n', wanted);
      assert.deepEqual(found, { missing: ['B'], unchecked: [] });
    });

    it(`are found out by queries where the server ${refusal} to list or add them`, async () => {
      const { connection } = fakeConnection({ known: { B: INT }, list: refuse, add: refuse });
      const found = await ensureSearchAttributes(connection, 'n', wanted);
      assert.deepEqual(found, { missing: ['A'], unchecked: [] });
    });

    it(`are not judged where the server ${refusal} even to count`, async () => {
      const script = { known: {}, list: refuse, add: refuse, count: refuse };
      const { connection } = fakeConnection(script);
      const found = await ensureSearchAttributes(connection, 'n', wanted);
      assert.deepEqual(found, { missing: [], unchecked: ['A', 'B'] });
    });
  }

  it('end the start where the server fails to list them', async () => {
    const { connection } = fakeConnection({
      known: {},
      list: () => {
        throw status(14, 'unavailable');
      },
    });
    await assert.rejects(ensureSearchAttributes(connection, 'n', wanted), {
      code: 'search_attributes_refused',
    });
  });

  it('are added blindly where the server offers no list', async () => {
    const { connection, added } = fakeConnection({
      known: {},
      list: () => {
        throw status(12, 'unimplemented');
      },
    });
    await ensureSearchAttributes(connection, 'n', wanted);
    assert.deepEqual(added.sort(), ['A', 'B']);
  });

  it('are not added once another process has added them', async () => {
    let lists = 0;
    const { connection, added } = fakeConnection({
      known: {},
      list: () => (lists++ === 0 ? {} : { A: KEYWORD, B: INT }),
    });
    await ensureSearchAttributes(connection, 'n', wanted);
    assert.deepEqual(added, []);
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
      describeAttributes({ missing: ['HoldpointAttempt'], unchecked: ['HoldpointState'] }),
      'search attributes are missing: HoldpointAttempt (Int); search attributes not checked: HoldpointState',
    );
  });
});
