import type {
  EngagementDecision,
  EngagementMode,
  EngagementSignals,
} from '../../../contracts/suspension/engagement.js';

/** The thresholds of RFC-0025 §7.2. */
const AUTONOMOUS = { confidence: 0.85, risk: 0.2, reversibility: 0.5 };
const DEFER = { risk: 0.8, reversibility: 0.1 };
const REQUIRE = { confidence: 0.5, risk: 0.5 };

interface Verdict {
  readonly mode: EngagementMode;
  readonly rationale: string;
}

function joined(findings: readonly (string | false)[]): string {
  return findings.filter((finding) => finding !== false).join(' and ');
}

function verdictOn({ confidence, risk, reversibility }: EngagementSignals): Verdict {
  const missed = joined([
    confidence < AUTONOMOUS.confidence && `confidence ${confidence} < ${AUTONOMOUS.confidence}`,
    risk > AUTONOMOUS.risk && `risk ${risk} > ${AUTONOMOUS.risk}`,
    reversibility < AUTONOMOUS.reversibility &&
      `reversibility ${reversibility} < ${AUTONOMOUS.reversibility}`,
  ]);
  if (missed === '') {
    return {
      mode: 'autonomous',
      rationale: `Acting alone is within bounds: confidence ${confidence} >= ${AUTONOMOUS.confidence}, risk ${risk} <= ${AUTONOMOUS.risk} and reversibility ${reversibility} >= ${AUTONOMOUS.reversibility}.`,
    };
  }
  const defer = joined([
    risk >= DEFER.risk && `risk ${risk} >= ${DEFER.risk}`,
    reversibility <= DEFER.reversibility &&
      `reversibility ${reversibility} <= ${DEFER.reversibility}`,
  ]);
  if (defer !== '') return { mode: 'defer', rationale: `Neither act nor ask: ${defer}.` };
  const require = joined([
    confidence < REQUIRE.confidence && `confidence ${confidence} < ${REQUIRE.confidence}`,
    risk > REQUIRE.risk && `risk ${risk} > ${REQUIRE.risk}`,
  ]);
  if (require !== '')
    return { mode: 'require_input', rationale: `A person must decide: ${require}.` };
  return { mode: 'request_input', rationale: `Moderate uncertainty, so ask: ${missed}.` };
}

/**
 * Decides whether an agent may act, should ask, or should do neither (R25-65 to R25-69). The modes overlap, so they
 * are tried in the order autonomous, defer, require_input, request_input. Only autonomous may act.
 */
export function decide(signals: EngagementSignals): EngagementDecision {
  const { mode, rationale } = verdictOn(signals);
  return {
    mode,
    should_ask: mode === 'request_input' || mode === 'require_input',
    may_act: mode === 'autonomous',
    rationale,
    signals,
  };
}
