import assert from 'node:assert/strict';
import { Supervisor } from '../../service/supervisor.js';
import { FakeProcess } from './fakes.js';

describe('the supervisor', () => {
  it('stops the last added process first', async () => {
    const order: string[] = [];
    const supervisor = new Supervisor<'store' | 'api'>({ log: () => undefined });
    for (const [index, name] of (['store', 'api'] as const).entries()) {
      supervisor.add(name, () => {
        const process = new FakeProcess(index);
        process.sayReady();
        void process.ended.then(() => order.push(name));
        return process;
      });
      await supervisor.start(name);
    }
    await supervisor.stop();
    assert.deepEqual(order, ['api', 'store']);
  });

  it('starts nothing once it was stopped', async () => {
    const supervisor = new Supervisor<'api'>({ log: () => undefined });
    let launches = 0;
    supervisor.add('api', () => {
      launches += 1;
      return new FakeProcess(1);
    });
    await supervisor.stop();
    await assert.rejects(supervisor.start('api'), /api is not started: stopping/);
    assert.equal(launches, 0);
  });
});
