import assert from 'node:assert/strict';
import { commandElsewhere, commandName } from '../../contracts/constants/command-name.js';

const BUILT = 'file:///project/node_modules/holdpoint/dist/service/start.js';

describe('the name of the command', () => {
  for (const [agent, typed] of [
    ['npm/11.19.1 node/v24.1.0 linux x64 workspaces/false', 'npx holdpoint'],
    ['pnpm/10.2.0 npm/? node/v24.1.0 linux x64', 'pnpm exec holdpoint'],
    ['yarn/4.9.1 npm/? node/v24.1.0 linux x64', 'yarn holdpoint'],
    ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bunx holdpoint'],
    ['constructor/1', 'holdpoint'],
  ] as const) {
    it(`is \`${typed}\` under ${agent}`, () => {
      assert.equal(commandName(BUILT, { npm_config_user_agent: agent }), typed);
    });
  }

  it('is its own where no package manager runs it', () => {
    assert.equal(commandName(BUILT, {}), 'holdpoint');
  });

  it('is the script of npm in a checkout', () => {
    const env = { npm_config_user_agent: 'pnpm/10.2.0' };
    assert.equal(commandName('file:///src/cli/main.ts', env), 'npm run -s holdpoint --');
  });

  it('for another terminal has the data folder, where that is set', () => {
    assert.equal(commandElsewhere(BUILT, {}), 'holdpoint');
    const set = commandElsewhere(BUILT, { HOLDPOINT_DATA_DIR: "/it's here" });
    assert.equal(set, String.raw`HOLDPOINT_DATA_DIR='/it'\''s here' holdpoint`);
  });
});
