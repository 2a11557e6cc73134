import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ensureSearchAttributes } from '../../temporal-config/search-attributes.js';
import type { OperatorConnection } from '../../temporal-config/search-attributes.js';

const KEYWORD = 2;
const INT = 3;

interface Script {
  /** What is registered, and added to by the fake. */
  known: Record<string, number>;
  list?: (known: Record<string, number>) => Record<string, number>;
  add?: (name: string) => void;
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
  return { connection: { operatorService } as unknown as OperatorConnection, added };
}

/** As gRPC reports a status. */
function status(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
}

const wanted = { A: 'Keyword', B: 'Int' };

describe('the search attributes of a namespace', () => {
  it('are added where they are missing', async () => {
    const { connection, added } = fakeConnection({ known: { A: KEYWORD } });
    await ensureSearchAttributes(connection, 'n', wanted);
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

  it('are named when the server refuses to add them', async () => {
    const { connection } = fakeConnection({
      known: {},
      add: () => {
        throw status(7, 'Request unauthorized');
      },
    });
    await assert.rejects(ensureSearchAttributes(connection, 'n', wanted), {
      code: 'search_attributes_refused',
      message:
        'Search attributes of namespace n could not be made sure of: 7: Request unauthorized. ' +
        'Have an administrator add A (Keyword), B (Int), then start again.',
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
