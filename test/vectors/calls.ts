import {
  ApprovalClient,
  HoldpointError,
  InexactJsonError,
  parseExact,
} from '../../client/index.js';
import { findUnstorable } from '../../api/http/json-body.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';

/*
 * The arguments of tool calls, and what both clients make of them. `make-calls.ts` writes `calls.json`;
 * test/client/call-vectors.test.ts and python/tests/test_vectors.py check it.
 */

/** Arguments as JSON, with the key of their call or the code of the refusal. */
export interface CallVector {
  /** JSON; `NaN`, `Infinity` and `-Infinity` in it stand for these numbers if `no_json` is expected. */
  readonly text: string;
  readonly key?: string;
  /** The code of the service, `malformed_json`, or `no_json` for a value that JSON does not have. */
  readonly refused?: string;
  /** The place of the fault within the arguments. */
  readonly field?: string;
}

const RUN = 'run-7';
const CALL_ID = 'call-1';
const REPLY = { request_id: 'id', status: 'suspended', task: { tool_calls: [] } };
const PLACE = /^calls\[0\]\.arguments\.?/;

/** Asks about a call with these arguments, at a service that only reads the request as the real one does. */
export async function outcomeOf(text: string): Promise<Omit<CallVector, 'text'>> {
  try {
    const { key } = await client.ask({
      run: RUN,
      toolCallId: CALL_ID,
      tool: 'wire',
      arguments: argumentsIn(text),
    });
    return { key };
  } catch (error) {
    if (error instanceof HoldpointError) {
      return { refused: error.code, field: (error.field ?? '').replace(PLACE, '') };
    }
    if (error instanceof InexactJsonError) {
      return { refused: 'invalid_request', field: error.fault.field };
    }
    if (error instanceof SyntaxError) return { refused: 'malformed_json' };
    if (error instanceof TypeError) return { refused: 'no_json' };
    throw error;
  }
}

const NO_JSON = /^\{"x":(NaN|-?Infinity)\}$/;

function argumentsIn(text: string): JsonObject {
  const [, number] = NO_JSON.exec(text) ?? [];
  return number === undefined ? (parseExact(text) as JsonObject) : { x: Number(number) };
}

const client = new ApprovalClient({
  baseUrl: 'http://127.0.0.1:1',
  apiKey: 'key',
  fetch: async (_url, { body }) => {
    const refusal = refusalOf(body as string);
    if (refusal === undefined) return Response.json(REPLY, { status: 202 });
    return Response.json(refusal, { status: 422 });
  },
});

function refusalOf(body: string) {
  try {
    return findUnstorable(parseExact(body));
  } catch (error) {
    if (!(error instanceof InexactJsonError)) throw error;
    return { code: 'invalid_request', ...error.fault };
  }
}
