import { runSaga, stdChannel } from 'redux-saga';
import { takeEvery } from 'redux-saga/effects';
import { expectConsole } from '../test/expectConsole';
import { safely } from './safely';

describe('safely', () => {
  it('keeps the watchers beside a worker that throws, and logs no more than the action’s name', () => {
    const lines = expectConsole('error');
    const channel = stdChannel();
    const heard: string[] = [];
    const task = runSaga({ channel }, function* watch() {
      yield takeEvery('BAD', safely(throwing));
      yield takeEvery('GOOD', safely(hearing));
    });
    function* throwing(): Generator<never, void, never> {
      heard.push('bad');
      throw new Error('Mr Secret');
    }
    function* hearing(): Generator<never, void, never> {
      heard.push('good');
    }
    channel.put({ type: 'BAD' });
    channel.put({ type: 'GOOD' });
    channel.put({ type: 'BAD' });
    expect(heard).toEqual(['bad', 'good', 'bad']);
    expect(task.isRunning()).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('Secret');
    expect(lines[0]).toEqual(['Failed to carry out an action:', { code: 'BAD' }]);
    task.cancel();
  });
});
