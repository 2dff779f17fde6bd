import { pauseWords } from './pauseWords';

const now = Date.parse('2026-03-07T15:00:00Z');
const inSeconds = (seconds: number): { until: string } => ({ until: new Date(now + seconds * 1_000).toISOString() });

it.each([
  ['nothing without a pause', null, null, null],
  ['nothing of what is over', inSeconds(0), inSeconds(-1), null],
  ['never less than is left', inSeconds(61), null, 'Standby, 2 min left'],
  ['hours where minutes say little', null, inSeconds(82_801), 'Comfort care, 24 h left'],
  ['both', inSeconds(60), inSeconds(3_600), 'Standby, 1 min left; Comfort care, 60 min left'],
])('say %s', (_, standby, comfortCare, words) => {
  expect(pauseWords({ standby, comfortCare }, now)).toBe(words);
});

it('say until when, in the site’s time, while the server does not answer', () => {
  const pauses = { standby: inSeconds(60), comfortCare: inSeconds(82_800) };
  expect(pauseWords(pauses, now, 'Europe/Berlin')).toBe('Standby until 16:01; Comfort care until 08 Mar, 15:00');
});
