import { inventedValue } from '../../test/inventedWard';
import { newestAsOf } from './newestAsOf';

const at = (asOf: string) => inventedValue({ asOf });

it.each([
  ['no patient', []],
  ['patients without a value', [{ latest: {} }]],
  ['an instant that is none', [{ latest: { spo2: at('yesterday') } }]],
])('is unknown for %s', (_, patients) => {
  expect(newestAsOf(patients)).toBeNull();
});

it('is that of the newest value of any kind and any patient', () => {
  const patients = [
    { latest: { spo2: at('2026-03-07T15:00:01Z'), heartRate: at('2026-03-07T15:00:03Z') } },
    { latest: { spo2: at('2026-03-07T15:00:02Z') } },
  ];
  expect(newestAsOf(patients)).toBe(Date.parse('2026-03-07T15:00:03Z'));
});
