import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../runtime/config.js';
import { StartupError } from '../../runtime/program.js';
import { withFolder } from '../support/temp-folder.js';

describe('approvals in the configuration file', () => {
  let folder = '';
  withFolder((made) => (folder = made));
  const load = (text: string) => {
    writeFileSync(path.join(folder, 'openintent.yaml'), text);
    return loadConfig({}, folder).approvals;
  };
  const refusalOf = (text: string): string => {
    let message = '';
    assert.throws(
      () => load(text),
      (error) => {
        assert.ok(error instanceof StartupError);
        message = error.message;
        return true;
      },
    );
    return message;
  };

  it('may be left out: each route waits 24 hours and denies [A54-25, A54-34]', () => {
    const { rules, routes, packs } = load('');
    assert.deepEqual([rules, packs], [[], {}]);
    for (const { approvers, tiers } of Object.values(routes)) {
      assert.deepEqual([approvers, tiers], [{}, [{ timeout_seconds: 86_400, attempts: 1 }]]);
    }
  });

  it('hold rules in order, routes and packs [A54-08, A54-09, A54-25, A54-26]', () => {
    const { rules, routes, packs } = load(`
approvals:
  rules:
    - tool: read_*
      verdict: allow
      risk_class: low
    - tool: wire
      arguments: {amount: {at_least: 10000}}
      verdict: escalate
      risk_class: critical
      route: policy_pack
      pack: finance
      reason: Large transfers need the treasury.
    - tool: mail
      verdict: escalate
      risk_class: low
  routes:
    human_required:
      tiers:
        - timeout_seconds: 600
        - {approvers: {groups: [leads]}, timeout_seconds: 3600, on_timeout: allow}
  packs:
    finance:
      stages:
        - {name: team, approvers: {groups: [finance]}, quorum: 2, sla_seconds: 900}
        - {name: treasury, approvers: {principals: [tina]}}
`);
    assert.deepEqual(
      rules.map(({ tool, route }) => [tool, route]),
      [
        ['read_*', undefined],
        ['wire', 'policy_pack'],
        ['mail', undefined],
      ],
    );
    assert.deepEqual(
      routes.human_required.tiers.map(({ timeout_seconds }) => timeout_seconds),
      [600, 3600],
    );
    assert.deepEqual(
      packs['finance']?.stages.map(({ name, quorum }) => [name, quorum]),
      [
        ['team', 2],
        ['treasury', 1],
      ],
    );
  });

  const HEAD = 'approvals:\n';
  /** The text begins at line 2. */
  const REFUSED: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    [
      'a timeout that allows on a route of high risk [A54-27]',
      '  rules:\n    - tool: a\n      verdict: escalate\n      risk_class: high\n  routes:\n    human_required:\n      tiers: [{on_timeout: allow}]',
      /line 5: approvals\.rules\[0\]\.risk_class is not accepted: it must be low/,
    ],
    [
      'the same of a rule without a risk class [A54-27]',
      '  rules:\n    - tool: a\n      verdict: escalate\n  routes:\n    human_required: {tiers: [{on_timeout: allow}]}',
      /line 3: approvals\.rules\[0\]\.risk_class .*it must be low/,
    ],
    [
      'the same of the second of two rules, with a pack [A54-27]',
      '  rules:\n    - {verdict: escalate, risk_class: low, route: policy_pack, pack: p}\n    - {verdict: escalate, risk_class: medium, route: policy_pack, pack: p}\n  packs: {p: {stages: [{tiers: [{on_timeout: allow}]}]}}',
      /line 4: approvals\.rules\[1\]\.risk_class .*it must be low/,
    ],
    [
      'a timeout that allows where no rule says that the risk is low [A54-27]',
      '  routes:\n    dual_approval:\n      tiers:\n        - on_timeout: allow',
      /line 5: approvals\.routes\.dual_approval\.tiers\[0\]\.on_timeout .*risk_class low/,
    ],
    [
      'a last tier that goes to the next one [A54-28]',
      '  routes:\n    human_required:\n      tiers:\n        - timeout_seconds: 60\n        - on_timeout: next_tier',
      /line 6: approvals\.routes\.human_required\.tiers\[1\]\.on_timeout .*deny, or allow/,
    ],
    [
      'a tier that ends the chain before another [A54-28]',
      '  packs:\n    p:\n      stages:\n        - tiers:\n            - on_timeout: deny\n            - {}',
      /line 6: approvals\.packs\.p\.stages\[0\]\.tiers\[0\]\.on_timeout .*next_tier/,
    ],
    [
      'a policy pack without its name [A54-08]',
      '  rules:\n    - {tool: a, verdict: allow}\n    - tool: b\n      verdict: escalate\n      route: policy_pack',
      /line 4: approvals\.rules\[1\]\.pack is required: it must be the name of one of the packs/,
    ],
    [
      'a policy pack that is not there [A54-08]',
      '  rules:\n    - verdict: escalate\n      route: policy_pack\n      pack: constructor',
      /line 5: approvals\.rules\[0\]\.pack is not accepted: .*one of the packs/,
    ],
    [
      'a pack on another route',
      '  rules: [{verdict: escalate, pack: p}]\n  packs: {p: {stages: [{}]}}',
      /line 2: approvals\.rules\[0\]\.pack .*with the route policy_pack/,
    ],
    [
      'a pack without stages',
      '  packs:\n    p: {stages: []}',
      /line 3: approvals\.packs\.p\.stages .*at least 1 entry/,
    ],
    [
      'a stage without tiers',
      '  packs:\n    p: {stages: [{tiers: []}]}',
      /line 3: approvals\.packs\.p\.stages\[0\]\.tiers .*at least 1 entry/,
    ],
    [
      'a quorum that its approvers cannot reach',
      '  packs:\n    p:\n      stages:\n        - quorum: 2\n          approvers: {principals: [ann, ann]}',
      /line 6: approvals\.packs\.p\.stages\[0\]\.approvers .*at least 2 people/,
    ],
    [
      'the same in a tier of dual_approval',
      '  routes:\n    dual_approval:\n      tiers:\n        - approvers: {principals: [ann]}',
      /line 5: approvals\.routes\.dual_approval\.tiers\[0\]\.approvers .*at least 2 people/,
    ],
    [
      'a quorum of more than one question takes',
      '  packs: {p: {stages: [{quorum: 14}]}}',
      /line 2: approvals\.packs\.p\.stages\[0\]\.quorum .*at most 13/,
    ],
    [
      'approvers by an empty list, which would be everyone',
      '  packs: {p: {stages: [{approvers: {groups: []}}]}}',
      /line 2: approvals\.packs\.p\.stages\[0\]\.approvers .*at least one entry/,
    ],
    [
      'a misspelt field of approvers, which would be everyone',
      '  packs:\n    p:\n      stages:\n        - approvers:\n            group: [finance]',
      /line 6: approvals\.packs\.p\.stages\[0\]\.approvers\.group is not known here/,
    ],
    [
      'an unknown field',
      '  rules:\n    - verdict: deny\n      tools: rm',
      /line 4: approvals\.rules\[0\]\.tools is not known here/,
    ],
    [
      'an unknown comparison',
      '  rules:\n    - verdict: deny\n      arguments:\n        cmd: {matches: "^(a+)+$"}',
      /line 5: approvals\.rules\[0\]\.arguments\.cmd\.matches is not known here/,
    ],
    [
      'an argument without a comparison',
      '  rules:\n    - verdict: deny\n      arguments:\n        cmd: {}',
      /line 5: approvals\.rules\[0\]\.arguments\.cmd .*at least one comparison/,
    ],
    [
      'a path with an empty key',
      '  rules:\n    - verdict: deny\n      arguments:\n        a..b: {equals: 1}',
      /line 5: .*keys joined by dots/,
    ],
    [
      'a rule without a verdict',
      '  rules:\n    - tool: a',
      /line 3: approvals\.rules\[0\]\.verdict/,
    ],
    [
      'a route for what is allowed',
      '  rules: [{verdict: allow, route: dual_approval}]',
      /line 2: approvals\.rules\[0\]\.route .*auto or left out/,
    ],
    [
      'a route for what is denied',
      '  rules: [{verdict: deny, route: auto}]',
      /line 2: approvals\.rules\[0\]\.route .*left out/,
    ],
    [
      'attempts at no equal distance',
      '  routes: {human_required: {tiers: [{timeout_seconds: 100, attempts: 3}]}}',
      /line 2: .*tiers\[0\]\.attempts .*divides timeout_seconds/,
    ],
  ];
  for (const [what, text, message] of REFUSED) {
    it(`refuse ${what}, with the line`, () => {
      assert.match(refusalOf(HEAD + text), message);
    });
  }

  it('may allow and deny calls of any risk: only a timeout is bound to low risk', () => {
    const { rules } = load(`${HEAD}  rules: [{verdict: allow, risk_class: high}]`);
    assert.equal(rules[0]?.verdict, 'allow');
  });
});
