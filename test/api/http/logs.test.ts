import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import { SEEDS } from '../../support/secrets.js';
import { createRig, KEYS, rigOver } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const SECRET = SEEDS.context;
const PATH = `/v1/intents/${INTENT_ID}`;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly principal: string | null;
  readonly request_id: string;
  readonly [other: string]: unknown;
}

const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('the log', () => {
  it('tells who did what, how long and how it ended', async () => {
    const rig = createRig();
    await rig.send('operator', 'get', PATH).set('X-Request-Id', 'req-1');
    const [line] = linesOf(rig.logged());
    assert.ok(line);
    const { time, pid, hostname, ms, ...rest } = line;
    assert.deepEqual(rest, {
      level: 30,
      msg: 'request',
      request_id: 'req-1',
      principal: 'alice',
      status: 200,
      method: 'GET',
      route: '/v1/intents/:intentId',
      intent_id: INTENT_ID,
    });
    assert.ok(ms >= 0);
    assert.ok([time, pid, hostname].every((value) => value !== undefined));
  });

  it('shortens the id of a suspension', async () => {
    const rig = createRig();
    await rig.send('operator', 'get', `/v1/suspensions/${SUSPENSION_ID}/wait`);
    const [line] = linesOf(rig.logged());
    assert.equal(line?.route, '/v1/suspensions/:suspensionId/wait');
    assert.equal(line['suspension'], `${SUSPENSION_ID.slice(0, 8)}…`);
    assert.ok(!rig.logged().includes(SUSPENSION_ID));
  });

  it('holds no secret of any request that succeeds or fails', async () => {
    const boom = new Error(`cannot store ${SECRET}`, { cause: new Error(SECRET) });
    const rig = createRig({
      suspend: () => {
        throw boom;
      },
      cancel: () => Promise.reject(new RefusalError({ code: 'internal', detail: SECRET })),
    });
    const question = { question: SECRET, context: { card: SECRET }, response_type: 'text' };
    await rig.send('agent', 'post', `${PATH}/suspend`).send(question);
    await rig.send('agent', 'post', `${PATH}/suspend`).send({ ...question, confidence: SECRET });
    await rig.send('agent', 'post', `${PATH}/suspend/cancel`).send({ reason: SECRET });
    const answer = { suspension_id: SUSPENSION_ID, value: SECRET, metadata: { note: SECRET } };
    const respond = rig.send('operator', 'post', `${PATH}/suspend/respond`);
    await respond.set('Idempotency-Key', SECRET).send(answer);
    const broken = rig
      .send('agent', 'post', `${PATH}/state`)
      .set('Content-Type', 'application/json');
    await broken.send(`{"${SECRET}`);
    await rig.send(undefined, 'get', PATH).set('X-API-Key', SECRET);
    await rig.send('agent', 'get', `/v1/${SECRET}?key=${SECRET}`);
    await rig.send('agent', 'get', `/v1/suspensions/${SECRET}${SUSPENSION_ID}`);
    const lines = linesOf(rig.logged());
    assert.equal(lines.filter(({ msg }) => msg === 'request').length, 8);
    assert.ok(lines.some(({ msg }) => msg === 'unexpected error'));
    for (const secret of [SECRET, SUSPENSION_ID, ...Object.values(KEYS)]) {
      assert.ok(!rig.logged().includes(secret), secret);
    }
  });

  it('leaves probes out', async () => {
    const storeState = async () => ({ missing: ['0001-baseline'], refused_rows: 0 });
    const rig = rigOver({ deps: { stopping: AbortSignal.abort() }, store: { storeState } });
    for (const path of ['/health', '/ready', '/v1/health', '/v1/ready']) {
      await rig.send(undefined, 'get', path);
    }
    assert.equal(rig.logged(), '');
  });

  it('marks failures of the server as errors, and what passes as a warning', async () => {
    const refusal = { code: 'store_unavailable', detail: 'x' } as const;
    const rig = rigOver({
      answers: { intent: () => Promise.reject(new RefusalError(refusal)) },
      store: { listIntents: () => Promise.reject(new RangeError('a defect')) },
    });
    await rig.send('agent', 'get', PATH);
    await rig.send('agent', 'get', '/v1/intents');
    await rig.send('agent', 'get', '/v1/nothing');
    const requests = linesOf(rig.logged()).filter((line) => 'status' in line);
    assert.deepEqual(
      requests.map(({ level, status }) => [level, status]),
      [
        [40, 503],
        [50, 500],
        [30, 404],
      ],
    );
  });
});
