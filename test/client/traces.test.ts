import assert from 'node:assert/strict';
import { Operator } from '../../client/index.js';
import { withServer } from './support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from './support/samples.js';

const ANSWER = { suspension_id: SUSPENSION_ID, value: 'approve' };
const RESPOND = `POST /v1/intents/${INTENT_ID}/suspend/respond`;
const SILENT = { warn: () => undefined };

/** The traces of the requests of one answer, of which the first is lost. */
async function sentWith(traceparent?: () => string | undefined) {
  return withServer(async (server, pauses) => {
    server.on(RESPOND, 'cut', { body: { ...ANSWER, resolution: 'responded' } });
    const options = { baseUrl: server.url, apiKey: 'key', logger: SILENT, traceparent };
    const operator = new Operator({ ...options, timers: { pause: pauses.pause } });
    await operator.respond(INTENT_ID, ANSWER);
    return server.requests(RESPOND).map(({ headers }) => headers['traceparent']);
  });
}

describe('the trace of a client', () => {
  it('is asked for before each try', async () => {
    let asked = 0;
    const spans = ['b7ad6b7169203331', 'b7ad6b7169203332'];
    const traceparent = () => `00-0af7651916cd43dd8448eb211c80319c-${spans[asked++] ?? ''}-01`;
    assert.deepEqual(await sentWith(traceparent), [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01',
    ]);
  });

  it('is not sent where there is none', async () => {
    assert.deepEqual(await sentWith(), [undefined, undefined]);
    assert.deepEqual(await sentWith(() => undefined), [undefined, undefined]);
  });
});
