import { mrnEnd } from './mrnEnd';
import { readBattery } from './readBattery';

describe('mrnEnd', () => {
  it.each([
    ['', ''],
    ['7', ''],
    ['42', '2'],
    ['A-1', '-1'],
    ['A-17', '-17'],
    ['MRN-00417', '417'],
    ['MRN-😀😀😀', '😀😀😀'],
  ])('returns of %j no more than %j', (mrn, shown) => {
    expect(mrnEnd(mrn)).toBe(shown);
  });
});

describe('what a device says about its battery', () => {
  it.each([
    [{ percent: -1 }, 'battery.percent is not a number from 0 to 100'],
    [{ percent: 100.5 }, 'battery.percent is not a number from 0 to 100'],
    [{ percent: '80' }, 'battery.percent is not a number from 0 to 100'],
    [{ percent: 80, minutesLeft: -1 }, 'battery.minutesLeft is not a number from 0 on'],
    [
      { percent: Number.NaN, minutesLeft: Infinity },
      'battery.percent is not a number from 0 to 100; battery.minutesLeft is not a number from 0 on',
    ],
    [80, 'battery is not an object'],
    ['80 %', 'battery is not an object'],
    [[80], 'battery is not an object'],
    [{}, 'battery says neither percent nor minutesLeft'],
    [{ percent: null, level: 80 }, 'battery says neither percent nor minutesLeft'],
  ])('is left out with a reason: %j', (raw, fault) => {
    expect(readBattery(raw)).toEqual({ battery: null, fault });
  });

  it.each([undefined, null])('may be nothing: %j', (raw) => {
    expect(readBattery(raw)).toEqual({ battery: null });
  });

  it.each([
    [{ percent: 0 }, { percent: 0, minutesLeft: null }],
    [
      { percent: 100, minutesLeft: null },
      { percent: 100, minutesLeft: null },
    ],
    [{ minutesLeft: 0 }, { percent: null, minutesLeft: 0 }],
    [
      { percent: 12.5, minutesLeft: 45, isCharging: true },
      { percent: 12.5, minutesLeft: 45 },
    ],
  ])('is taken as it is, 0 as well: %j', (raw, battery) => {
    expect(readBattery(raw)).toEqual({ battery });
  });
});
