import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { temporalLogger } from '../../workers/log.js';

const SUSPENSION_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';

function logged(
  run: (logger: ReturnType<typeof temporalLogger>) => void,
): Record<string, unknown>[] {
  const lines = new PassThrough();
  run(temporalLogger(pino({}, lines)));
  const text = (lines.read() as Buffer | null)?.toString() ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log of a worker', () => {
  it('is one JSON line for each entry, without what every line has', () => {
    const [line, ...more] = logged((logger) => {
      logger.warn('late', { attempt: 2, taskToken: 'x', namespace: 'default' });
    });
    const { level, msg, attempt, taskToken, namespace } = line ?? {};
    assert.deepEqual(
      [level, msg, attempt, taskToken, namespace],
      [40, 'late', 2, undefined, undefined],
    );
    assert.deepEqual(more, []);
  });

  it('does not warn of the worker that is to run no workflow', () => {
    const lines = logged((logger) => {
      logger.warn('No workflows registered, not polling for workflow tasks');
    });
    assert.deepEqual(lines, []);
  });

  it('shortens the id of a suspension [R25-100]', () => {
    const [line] = logged((logger) => {
      const workflowId = `suspension-${SUSPENSION_ID}`;
      logger.error('gone', { workflowId, suspension_id: SUSPENSION_ID });
    });
    assert.deepEqual(
      [line?.['workflowId'], line?.['suspension_id']],
      ['suspension-6f1f1e9a…', '6f1f1e9a…'],
    );
  });

  it('keeps the message of an error to itself', () => {
    const [line] = logged((logger) => {
      logger.error('Activity failed', { error: new TypeError('value approve-42 is wrong') });
    });
    assert.doesNotMatch(JSON.stringify(line), /approve-42/);
    assert.match(JSON.stringify(line), /TypeError/);
  });

  it('leaves out what is no warning', () => {
    assert.deepEqual(
      logged((logger) => {
        logger.info('started');
      }),
      [],
    );
  });
});
