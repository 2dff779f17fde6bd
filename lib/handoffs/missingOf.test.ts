import { missingOf, type Giveable } from './missingOf';

const sound: Giveable = { severity: 'stable', summary: '', contingencies: [], isCarried: false, isReviewed: false };

describe('what is missing before a handoff is given', () => {
  it.each<[string, Partial<Giveable>, string[]]>([
    ['no severity', { severity: null }, ['severity']],
    ['a watcher without an if-then', { severity: 'watcher' }, ['contingencies']],
    ['an unstable patient without an if-then', { severity: 'unstable' }, ['contingencies']],
    ['yesterday’s text that no one confirmed', { isCarried: true, summary: 'Slept well' }, ['summary']],
    ['yesterday’s if-then that no one confirmed', { isCarried: true, contingencies: [{}] }, ['summary']],
    ['nothing: stable', {}, []],
    ['nothing: unstable with an if-then', { severity: 'unstable', contingencies: [{}] }, []],
    ['nothing: confirmed', { isCarried: true, isReviewed: true, summary: 'Slept well' }, []],
    ['nothing: there was no text', { isCarried: true }, []],
  ])('%s', (_, change, fields) => {
    expect(Object.keys(missingOf({ ...sound, ...change }))).toEqual(fields);
  });
});
