import assert from 'node:assert/strict';
import fc from 'fast-check';
import type {
  FallbackPolicy,
  PartialRetryPolicy,
} from '../../../contracts/suspension/retry-policy.js';
import { mergePolicies, resolvePolicy } from '../../../domain/suspension/asking/question.js';
import { granted, refused } from '../samples.js';

const FALLBACKS: readonly FallbackPolicy[] = [
  'fail',
  'complete_with_fallback',
  'use_default_and_continue',
];

const ladder = fc.array(
  fc.record({
    attempt: fc.integer({ min: 1, max: 6 }),
    channel_hint: fc.constantFrom('slack', 'email', 'pagerduty'),
    notify_to: fc.constantFrom(null, 'supervisor@example.com'),
  }),
  { maxLength: 3 },
);

/** Any level of the cascade: each field absent, null or present, or no level at all. */
const level: fc.Arbitrary<PartialRetryPolicy | null | undefined> = fc.option(
  fc.record(
    {
      max_attempts: fc.option(fc.integer({ min: 1, max: 5 })),
      interval_seconds: fc.option(fc.integer({ min: 1, max: 100 })),
      strategy: fc.constantFrom('fixed' as const, null),
      escalation_ladder: fc.option(ladder),
      final_fallback_policy: fc.option(fc.constantFrom(...FALLBACKS)),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

function fieldsOf(policy: PartialRetryPolicy | null | undefined): Map<string, unknown> {
  return new Map(Object.entries(policy ?? {}).filter(([, value]) => value !== null));
}

interface Given {
  platform?: PartialRetryPolicy | null;
  agent?: PartialRetryPolicy | null;
  call?: PartialRetryPolicy | null;
  inherit?: boolean;
  timeout_seconds?: number;
  fallback_policy?: FallbackPolicy;
}

function resolve(given: Given): ReturnType<typeof resolvePolicy> {
  const { platform = null, agent = null, call = null, inherit = true, ...fields } = given;
  return resolvePolicy({ platform, agent, call, inherit }, fields);
}

describe('the cascade of retry policies', () => {
  it('is associative over its levels [R26-64]', () => {
    fc.assert(
      fc.property(level, level, level, (platform, agent, call) => {
        assert.deepEqual(
          mergePolicies(mergePolicies(platform, agent), call),
          mergePolicies(platform, mergePolicies(agent, call)),
        );
      }),
    );
  });

  it('takes each field from the lowest level that gives it [R26-65, R26-66, AM-24]', () => {
    fc.assert(
      fc.property(level, level, (upper, lower) => {
        const expected = new Map([...fieldsOf(upper), ...fieldsOf(lower)]);
        assert.deepEqual(new Map(Object.entries(mergePolicies(upper, lower))), expected);
      }),
    );
  });

  it('is left unchanged by a level that gives nothing [AM-24]', () => {
    fc.assert(
      fc.property(level, fc.constantFrom(null, undefined, {}), (given, nothing) => {
        assert.deepEqual(mergePolicies(given, nothing), mergePolicies(nothing, given));
      }),
    );
  });

  it('takes an undefined field for one that is left out', () => {
    const undefinedField = { interval_seconds: undefined } as unknown as PartialRetryPolicy;
    const merged = mergePolicies({ interval_seconds: 60 }, undefinedField);
    assert.deepEqual(merged, { interval_seconds: 60 });
  });

  it('replaces the ladder whole, also by an empty one [R26-68]', () => {
    const upper = { escalation_ladder: [{ attempt: 2, channel_hint: 'email', notify_to: null }] };
    const lower = { escalation_ladder: [{ attempt: 3, channel_hint: 'pagerduty' }] };
    assert.deepEqual(mergePolicies(upper, lower), lower);
    assert.deepEqual(mergePolicies(upper, { escalation_ladder: [] }), { escalation_ladder: [] });
    assert.deepEqual(mergePolicies(upper, { escalation_ladder: null }), upper);
  });
});

describe('the resolved policy', () => {
  const EXAMPLE = {
    platform: { max_attempts: 3, interval_seconds: 3600 },
    agent: { max_attempts: 2, interval_seconds: 1800 },
    call: { max_attempts: 1, interval_seconds: 300 },
  };

  it('follows the call over agent and platform [R26-64, R26-66, R26-67]', () => {
    const { policy } = granted(resolve(EXAMPLE));
    assert.equal(policy?.max_attempts, 1);
    assert.equal(policy.interval_seconds, 300);
  });

  it('follows the agent over the platform, and the platform alone [R26-02, R26-64, R26-71]', () => {
    const agent = granted(resolve({ ...EXAMPLE, call: null })).policy;
    assert.deepEqual([agent?.max_attempts, agent?.interval_seconds], [2, 1800]);
    const platform = granted(resolve({ ...EXAMPLE, call: null, agent: null })).policy;
    assert.deepEqual([platform?.max_attempts, platform?.interval_seconds], [3, 3600]);
  });

  it('fills a partial call from both levels above [R26-65]', () => {
    const { policy } = granted(
      resolve({
        platform: { interval_seconds: 60, escalation_ladder: [] },
        agent: { max_attempts: 4, interval_seconds: 30 },
        call: { final_fallback_policy: 'complete_with_fallback' },
      }),
    );
    assert.deepEqual(policy, {
      max_attempts: 4,
      interval_seconds: 30,
      strategy: 'fixed',
      escalation_ladder: [],
      final_fallback_policy: 'complete_with_fallback',
    });
  });

  it('takes the defaults where no level says otherwise [R26-35, R26-37, R26-38]', () => {
    assert.deepEqual(granted(resolve({ call: { interval_seconds: 60 } })).policy, {
      max_attempts: 1,
      interval_seconds: 60,
      strategy: 'fixed',
      escalation_ladder: [],
      final_fallback_policy: 'fail',
    });
  });

  it('is absent where no level gives anything [R25-47, R26-52, AM-22]', () => {
    const nothing = [{}, { call: {} }, { call: { max_attempts: null } }, { platform: null }];
    for (const given of nothing) {
      const resolved = granted(resolve({ ...given, timeout_seconds: 60 }));
      assert.deepEqual(resolved, { fallback_policy: 'fail', warnings: [] });
    }
  });

  it('leaves platform and agent out on request [AM-22]', () => {
    const { call, ...above } = EXAMPLE;
    assert.equal(granted(resolve({ ...above, inherit: false })).policy, undefined);
    const own = granted(resolve({ ...above, call: { max_attempts: 1 }, inherit: false })).policy;
    assert.equal(own?.interval_seconds, undefined);
    assert.equal(granted(resolve({ ...above, call })).policy?.interval_seconds, 300);
  });

  it('inherits an interval beside a lone max_attempts [AM-22]', () => {
    const { policy } = granted(
      resolve({ platform: { interval_seconds: 60 }, call: { max_attempts: 1 } }),
    );
    assert.equal(policy?.interval_seconds, 60);
  });
});

describe('the interval of a policy', () => {
  it('may be missing where a timeout gives the window [AM-20]', () => {
    const { policy } = granted(resolve({ call: { max_attempts: 3 }, timeout_seconds: 60 }));
    assert.equal(policy?.max_attempts, 3);
    assert.equal('interval_seconds' in policy, false);
  });

  it('may be missing beside one attempt without timeout [AM-20]', () => {
    const { policy } = granted(resolve({ call: { max_attempts: 1 } }));
    assert.equal(policy?.interval_seconds, undefined);
  });

  it('is demanded by several attempts without any window [AM-20]', () => {
    const refusal = refused(resolve({ platform: { max_attempts: 2 } }));
    assert.equal(refusal.code, 'invalid_retry_policy');
    assert.equal(refusal.field, 'retry_policy.interval_seconds');
  });

  it('is refused over the timeout when both come with the call [AM-21, R26-36]', () => {
    const refusal = refused(resolve({ call: { interval_seconds: 61 }, timeout_seconds: 60 }));
    assert.equal(refusal.code, 'invalid_retry_policy');
    assert.equal(refusal.field, 'retry_policy.interval_seconds');
    assert.equal(refusal.accepted, '<= timeout_seconds (60)');
  });

  it('may equal the timeout, or lie under it [AM-21, R26-36]', () => {
    for (const interval_seconds of [1, 59, 60]) {
      const ruling = resolve({ call: { interval_seconds }, timeout_seconds: 60 });
      assert.equal(granted(ruling).policy?.interval_seconds, interval_seconds);
    }
  });

  it('is shortened to the timeout when inherited [AM-21]', () => {
    const above = { interval_seconds: 3600, max_attempts: 3 };
    for (const given of [{ platform: above }, { agent: above }]) {
      const { policy } = granted(resolve({ ...given, timeout_seconds: 600 }));
      assert.equal(policy?.interval_seconds, 600);
      assert.equal(policy.max_attempts, 3);
    }
  });
});

describe('the effective fallback policy', () => {
  const CWF = 'complete_with_fallback';
  const UDC = 'use_default_and_continue';
  const TABLE: readonly [string, Given, FallbackPolicy][] = [
    [
      'the call policy over the plain field',
      { call: { final_fallback_policy: CWF }, fallback_policy: 'fail' },
      CWF,
    ],
    [
      'the plain field over the agent',
      { agent: { final_fallback_policy: CWF }, fallback_policy: UDC },
      UDC,
    ],
    [
      'an explicit fail over the platform',
      { platform: { final_fallback_policy: CWF }, fallback_policy: 'fail' },
      'fail',
    ],
    [
      'the plain field where the call policy sets none',
      { call: { interval_seconds: 5 }, fallback_policy: CWF },
      CWF,
    ],
    [
      'the agent over the platform',
      { platform: { final_fallback_policy: UDC }, agent: { final_fallback_policy: CWF } },
      CWF,
    ],
    ['the platform where nothing else is said', { platform: { final_fallback_policy: UDC } }, UDC],
    ['the plain field without any policy', { fallback_policy: CWF }, CWF],
    ['fail at the end', { platform: { interval_seconds: 5 } }, 'fail'],
    [
      'nothing inherited on request',
      { platform: { final_fallback_policy: CWF }, inherit: false },
      'fail',
    ],
  ];
  for (const [title, given, expected] of TABLE) {
    it(`is ${title} [AM-23, R26-53, R26-73, R25-46]`, () => {
      const { policy, fallback_policy } = granted(resolve(given));
      assert.equal(fallback_policy, expected);
      assert.equal(policy?.final_fallback_policy ?? fallback_policy, expected);
    });
  }
});

describe('a ladder longer than the attempts', () => {
  it('is kept, with one warning per unreachable entry [AM-27]', () => {
    const escalation_ladder = [2, 3, 4].map((attempt) => ({ attempt, channel_hint: 'email' }));
    const { policy, warnings } = granted(
      resolve({ platform: { escalation_ladder }, call: { max_attempts: 2, interval_seconds: 5 } }),
    );
    assert.deepEqual(policy?.escalation_ladder, escalation_ladder);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /attempt 3 .* max_attempts is 2/);
    assert.match(warnings[1] ?? '', /attempt 4 .* max_attempts is 2/);
  });
});
