import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/exit-codes.js';
import type { RunsSetAside } from '../../contracts/set-aside.js';
import { withShell } from './support.js';

const since = '2026-03-24T10:00:00.000Z';
const RUN = { workflow_id: 'intent-7', run_id: 'run-7', since, tries: 5 };

describe('holdpoint doctor, of workflows that are set aside', () => {
  const says = (found: RunsSetAside, key: 'admin' | 'operator' = 'admin') => {
    const ended = { code: -1, out: '' };
    return withShell({ runsSetAside: () => Promise.resolve(found) }, async (shell) => {
      Object.assign(ended, await shell.run(['doctor'], { key }));
    }).then(() => ended);
  };

  it('names each with its run, and says what to do', async () => {
    const unheard = { ...RUN, workflow_id: 'team-b/intent-8', tries: null };
    const { code, out } = await says({ workflows: [RUN, unheard], more: false });
    assert.equal(code, EXIT.no);
    assert.match(
      out,
      /^BAD {2}workflow +intent-7 \(run run-7\) is set aside since 2026-03-24T10:00:00\.000Z, and its task was tried 5 times\n +Reset or terminate it, .*"A workflow that is set aside" in docs\/operations\.md\.$/m,
    );
    assert.match(
      out,
      /^BAD {2}workflow +team-b\/intent-8 \(run run-7\) is set aside since \S+Z\n/m,
    );
    assert.doesNotMatch(out, /there may be more/);
  });

  it('says that there may be more', async () => {
    const { code, out } = await says({ workflows: [RUN], more: true });
    assert.equal(code, EXIT.no);
    assert.match(out, /^BAD {2}workflow +there may be more that are set aside$/m);
  });

  it('says that there is none', async () => {
    const { code, out } = await says({ workflows: [], more: false });
    assert.equal(code, EXIT.done);
    assert.match(out, /^ok {3}workflow +none is set aside$/m);
  });

  it('does not ask with a key that may not see them', async () => {
    const { code, out } = await says({ workflows: [RUN], more: false }, 'operator');
    assert.equal(code, EXIT.done);
    assert.doesNotMatch(out, /workflow/);
  });
});

describe('holdpoint doctor, of approvers in the configuration', () => {
  it('names whom nobody can be, with the path, and says what to do', () => {
    const told = 'approvals.packs.pay.stages[0]: No key lets the group financ answer.';
    return withShell({ unknownApprovers: () => [told] }, async (shell) => {
      const { code, out } = await shell.run(['doctor'], { key: 'admin' });
      assert.equal(code, EXIT.no);
      assert.ok(out.includes(`BAD  approvers ${told}\n`), out);
      assert.match(out, /Correct the name in the configuration/);
    });
  });
});
