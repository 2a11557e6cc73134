import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

/** What there is before anything is refused, by its name in the paths and bodies below. */
type Ids = Readonly<
  Record<
    'first' | 'second' | 'third' | 'portfolio' | 'plan' | 'task' | 'suspension' | 'nobody',
    string
  >
>;
type Method = 'post' | 'patch' | 'delete' | 'get';

interface Case {
  readonly name: string;
  readonly send: (ids: Ids) => readonly [method: Method, path: string, body?: object];
  readonly as?: KeyName;
  readonly version?: string;
  readonly refused: readonly [status: number, code: string, field?: string];
  /** What the refusal names beside. */
  readonly state?: (ids: Ids) => object;
}

const PAST = '2020-01-01T00:00:00Z';
const KINDS = ['portfolio', 'plan', 'task', 'suspension', 'nobody'] as const;
const GIVES_X = { outputs: { x: 'string' } };
const phase = (depends_on: readonly string[], more: object = {}) => ({ depends_on, ...more });

/** Ids that nobody has, or that are of another kind, wherever an id is taken. */
const IDS: readonly Case[] = [
  ...KINDS.flatMap((kind): readonly Case[] => [
    {
      name: `depending on a ${kind}`,
      send: (ids) => [
        'post',
        `/v1/intents/${ids.third}/dependencies`,
        { dependency_id: ids[kind] },
      ],
      version: '1',
      refused: [404, 'intent_not_found', 'dependency_id'],
    },
    {
      name: `a ${kind} that depends`,
      send: (ids) => [
        'post',
        `/v1/intents/${ids[kind]}/dependencies`,
        { dependency_id: ids.first },
      ],
      version: '1',
      refused: [404, 'intent_not_found'],
    },
    {
      name: `a ${kind} as a member`,
      send: (ids) => ['post', `/v1/portfolios/${ids.portfolio}/intents`, { intent_id: ids[kind] }],
      refused: [404, 'intent_not_found', 'intent_id'],
    },
    {
      name: `a child of a ${kind}`,
      send: (ids) => ['post', `/v1/intents/${ids[kind]}/children`, { title: 'Step' }],
      refused: [404, 'intent_not_found'],
    },
    {
      name: `the graph of a ${kind}`,
      send: (ids) => ['get', `/v1/intents/${ids[kind]}/graph`],
      refused: [404, 'intent_not_found'],
    },
    {
      name: `a plan for a ${kind}`,
      send: (ids) => ['post', '/v1/plans', { intent_id: ids[kind] }],
      refused: [404, 'intent_not_found', 'intent_id'],
    },
    {
      name: `a task for a ${kind}`,
      send: (ids) => ['post', '/v1/tasks', { intent_id: ids[kind], name: 'x' }],
      refused: [404, 'intent_not_found', 'intent_id'],
    },
    {
      name: `a coordinator of a ${kind} as an intent`,
      send: (ids) => ['post', '/v1/coordinators', { intent_id: ids[kind] }],
      refused: [404, 'intent_not_found', 'intent_id'],
    },
  ]),
  ...(['first', 'plan', 'task', 'suspension', 'nobody'] as const).flatMap(
    (kind): readonly Case[] => [
      {
        name: `a ${kind} as a portfolio`,
        send: (ids) => ['patch', `/v1/portfolios/${ids[kind]}`, { name: 'x' }],
        refused: [404, 'portfolio_not_found'],
      },
      {
        name: `members of a ${kind}`,
        send: (ids) => ['post', `/v1/portfolios/${ids[kind]}/intents`, { intent_id: ids.third }],
        refused: [404, 'portfolio_not_found'],
      },
      {
        name: `a coordinator of a ${kind} as a portfolio`,
        send: (ids) => ['post', '/v1/coordinators', { portfolio_id: ids[kind] }],
        refused: [404, 'portfolio_not_found', 'portfolio_id'],
      },
    ],
  ),
  ...(['first', 'portfolio', 'plan', 'suspension', 'nobody'] as const).flatMap(
    (kind): readonly Case[] => [
      {
        name: `claiming a ${kind}`,
        send: (ids) => ['post', `/v1/tasks/${ids[kind]}/claim`, {}],
        refused: [404, 'task_not_found'],
      },
      {
        name: `writing a ${kind} as a task`,
        send: (ids) => ['patch', `/v1/tasks/${ids[kind]}`, { status: 'cancelled' }],
        version: '1',
        refused: [404, 'task_not_found'],
      },
      {
        name: `a task that waits for a ${kind}`,
        send: (ids) => [
          'post',
          '/v1/tasks',
          { intent_id: ids.first, name: 'x', depends_on: [ids[kind]] },
        ],
        refused: [404, 'task_not_found', 'depends_on[0]'],
      },
    ],
  ),
  {
    name: 'an intent as a plan',
    send: (ids) => ['patch', `/v1/plans/${ids.first}`, { state: 'active' }],
    version: '1',
    refused: [404, 'plan_not_found'],
  },
  {
    name: 'a plan as a workflow',
    send: (ids) => ['get', `/v1/workflows/${ids.plan}`],
    refused: [404, 'workflow_not_found'],
  },
  {
    name: 'removing who is no member',
    send: (ids) => ['delete', `/v1/portfolios/${ids.portfolio}/intents/${ids.third}`],
    refused: [404, 'member_not_found'],
  },
  {
    name: 'removing an edge that is not there',
    send: (ids) => ['delete', `/v1/intents/${ids.third}/dependencies/${ids.first}`],
    version: '1',
    refused: [404, 'dependency_not_found'],
  },
];

/** What does not fit to what there is. */
const WIRING: readonly Case[] = [
  {
    name: 'an intent that depends on itself',
    send: (ids) => ['post', `/v1/intents/${ids.third}/dependencies`, { dependency_id: ids.third }],
    version: '1',
    refused: [400, 'dependency_cycle', 'dependency_id'],
    state: ({ third }) => ({ path: [third, third] }),
  },
  {
    name: 'a cycle, with its path',
    send: (ids) => ['post', `/v1/intents/${ids.first}/dependencies`, { dependency_id: ids.second }],
    refused: [400, 'dependency_cycle', 'dependency_id'],
    state: ({ first, second }) => ({ path: [first, second, first] }),
  },
  {
    name: 'an edge that is there',
    send: (ids) => ['post', `/v1/intents/${ids.second}/dependencies`, { dependency_id: ids.first }],
    refused: [400, 'dependency_exists', 'dependency_id'],
  },
  {
    name: 'a member that is there',
    send: (ids) => ['post', `/v1/portfolios/${ids.portfolio}/intents`, { intent_id: ids.first }],
    refused: [409, 'member_exists'],
  },
  {
    name: 'a member twice at once',
    send: (ids) => [
      'post',
      '/v1/portfolios',
      { name: 'x', intents: [{ intent_id: ids.third }, { intent_id: ids.third }] },
    ],
    refused: [409, 'member_exists'],
  },
  {
    name: 'phases in a circle',
    send: () => [
      'post',
      '/v1/workflows',
      { title: 'x', phases: { a: phase(['b']), b: phase(['a']) } },
    ],
    refused: [400, 'task_cycle'],
    state: () => ({ cycles: [['a', 'b', 'a']] }),
  },
  {
    name: 'an input that nobody gives',
    send: () => [
      'post',
      '/v1/workflows',
      {
        title: 'x',
        phases: { a: phase([], GIVES_X), b: phase(['a'], { inputs: { y: 'a.nothing' } }) },
      },
    ],
    refused: [422, 'input_wiring'],
  },
  {
    name: 'a claim by the wrong agent',
    send: (ids) => ['post', `/v1/tasks/${ids.task}/claim`, {}],
    as: 'agent2',
    refused: [403, 'wrong_agent'],
  },
  {
    name: 'a deadline in the past',
    send: (ids) => [
      'patch',
      `/v1/portfolios/${ids.portfolio}`,
      { governance_policy: { deadline: PAST } },
    ],
    refused: [422, 'deadline_in_past', 'governance_policy.deadline'],
  },
  {
    name: 'a new portfolio that is late already',
    send: () => ['post', '/v1/portfolios', { name: 'x', governance_policy: { deadline: PAST } }],
    refused: [422, 'deadline_in_past', 'governance_policy.deadline'],
  },
  {
    name: 'a coordinator that is late already',
    send: (ids) => ['post', '/v1/coordinators', { intent_id: ids.first, expires_at: PAST }],
    refused: [422, 'deadline_in_past', 'expires_at'],
  },
];

/** Versions that are not the current one, and words that nobody knows. */
const VALUES: readonly Case[] = [
  ...(
    [
      ['an intent', (ids) => ['post', `/v1/intents/${ids.first}/status`, { status: 'blocked' }]],
      ['an edge', (ids) => ['delete', `/v1/intents/${ids.second}/dependencies/${ids.first}`]],
      ['a task', (ids) => ['patch', `/v1/tasks/${ids.task}`, { status: 'cancelled' }]],
      ['a plan', (ids) => ['patch', `/v1/plans/${ids.plan}`, { state: 'active' }]],
    ] as const satisfies readonly (readonly [string, Case['send']])[]
  ).flatMap(([what, send]): readonly Case[] => [
    {
      name: `a version of ${what} that is not there yet`,
      send,
      version: '99',
      refused: [409, 'version_conflict', 'If-Match'],
    },
    {
      name: `no version of ${what}`,
      send,
      version: '',
      refused: [428, 'precondition_required', 'If-Match'],
    },
  ]),
  {
    name: 'an unknown status of an intent',
    send: (ids) => ['post', `/v1/intents/${ids.first}/status`, { status: 'asleep' }],
    refused: [422, 'invalid_request', 'status'],
  },
  {
    name: 'an unknown status of a portfolio',
    send: (ids) => ['patch', `/v1/portfolios/${ids.portfolio}/status`, { status: 'suspended' }],
    refused: [422, 'invalid_request', 'status'],
  },
  {
    name: 'an unknown status of a task',
    send: (ids) => ['patch', `/v1/tasks/${ids.task}`, { status: 'asleep' }],
    refused: [422, 'invalid_request', 'status'],
  },
  {
    name: 'an unknown state of a plan',
    send: (ids) => ['patch', `/v1/plans/${ids.plan}`, { state: 'suspended' }],
    refused: [422, 'invalid_request', 'state'],
  },
  {
    name: 'an unknown suspension policy',
    send: (ids) => ['post', '/v1/coordinators', { intent_id: ids.first, suspension_policy: 'x' }],
    refused: [422, 'invalid_request', 'suspension_policy'],
  },
  {
    name: 'an event without a type',
    send: (ids) => ['post', `/v1/intents/${ids.first}/events`, { event_type: '' }],
    refused: [422, 'invalid_request', 'event_type'],
  },
  {
    name: 'an event of a type that the server alone writes',
    send: (ids) => ['post', `/v1/intents/${ids.first}/events`, { event_type: 'intent.resumed' }],
    refused: [422, 'invalid_request', 'event_type'],
  },
];

describe('containers refuse over HTTP, and nothing changes:', () => {
  let stack: RealStack;
  let ids: Ids;
  let whole: unknown;
  before(async () => {
    stack = await RealStack.start();
    ids = await setUp(stack);
    await recorded(stack, ids);
    whole = await all(stack, ids);
  });
  after(() => stack.close());

  for (const { name, send, as = 'agent', version, refused, state } of [
    ...IDS,
    ...WIRING,
    ...VALUES,
  ]) {
    it(name, async () => {
      const [method, path, body = {}] = send(ids);
      const read = await readFresh<{ version?: number }>(
        stack,
        path.split('/').slice(0, 4).join('/'),
      );
      const current = String(read.version ?? 1);
      const given = version ?? current;
      const headers: Record<string, string> = given === '' ? {} : { 'If-Match': given };
      const reply = await (method === 'get'
        ? stack.get(path, as)
        : method === 'delete'
          ? stack.delete(path, as, headers)
          : stack[method](path, as, body, headers));
      const [status, code, field] = refused;
      const shown = [reply.status, reply.body.code, field && reply.body.field];
      assert.deepEqual(shown, [status, code, field], JSON.stringify(reply.body));
      if (state) assert.deepEqual(reply.body.state, { ...reply.body.state, ...state(ids) });
      assert.deepEqual(await all(stack, ids), whole);
    });
  }
});

async function setUp(stack: RealStack): Promise<Ids> {
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: record } = await stack.post(path, 'agent', body);
    assert.equal(status, 201, JSON.stringify(record));
    return record.id as string;
  };
  const idOf = (path: string) => path.slice('/v1/intents/'.length);
  const first = idOf(await createIntent(stack));
  const step = { title: 'Step', status: 'active', depends_on: [first] };
  const second = await made('/v1/intents', step);
  const third = idOf(await createIntent(stack));
  const portfolio = await made('/v1/portfolios', { name: 'x', intents: [{ intent_id: first }] });
  const plan = await made('/v1/plans', { intent_id: first });
  const named = { intent_id: first, name: 'x', assigned_agent: 'agent-1' };
  const task = await made('/v1/tasks', named);
  const asked = await createIntent(stack);
  const { id: suspension } = await ask(stack, asked);
  return { first, second, third, portfolio, plan, task, suspension, nobody: randomUUID() };
}

/** Waits until the intent has heard of its task and its plan, and the lists show these. */
async function recorded(stack: RealStack, { first }: Ids): Promise<void> {
  const sizeOf = async (list: 'plans' | 'tasks') =>
    ((await stack.get(`/v1/intents/${first}/${list}`)).body[list] as readonly object[]).length;
  await lookUntil(async () => {
    const { events } = (await stack.get(`/v1/intents/${first}/events`)).body as {
      events: readonly IntentEvent[];
    };
    const heard = events.filter(({ event_type }) => /^(plan|task)\./.test(event_type));
    return heard.length === 2 && (await sizeOf('plans')) === 1 && (await sizeOf('tasks')) === 1;
  }, 'the task and the plan are not recorded');
}

/** All that a refused request could have changed, and all that it could have made. */
async function all(stack: RealStack, { first, portfolio }: Ids): Promise<readonly object[]> {
  const paths = [
    '/v1/intents',
    '/v1/portfolios',
    `/v1/intents/${first}/events`,
    `/v1/portfolios/${portfolio}/events`,
    `/v1/portfolios/${portfolio}/intents`,
    ...['plans', 'tasks', 'coordinators'].map((list) => `/v1/intents/${first}/${list}`),
  ];
  return Promise.all(paths.map((path) => readFresh<object>(stack, path)));
}
