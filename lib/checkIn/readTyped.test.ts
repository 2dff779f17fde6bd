import { readTyped } from './readTyped';

describe('a typed reading', () => {
  it.each([
    ['spo2', '101', 'Type a number from 1 to 100 %.'],
    ['spo2', '0', 'Type a number from 1 to 100 %.'],
    ['pulseRate', '19', 'Type a number from 20 to 300.'],
    ['temperature', '98.6', 'Type a number from 10 to 46 °C.'],
    ['temperature', '3 7', 'Type a number from 10 to 46 °C.'],
    ['respiratoryRate', '-4', 'Type a number from 0 to 150.'],
    ['weight', '1e2', 'Type a number from 0.2 to 700 kg.'],
    ['spo2', 'ninety', 'Type a number from 1 to 100 %.'],
  ] as const)('is refused: %s "%s"', (kind, text, fault) => {
    expect(readTyped(kind, text)).toEqual({ fault });
  });

  it('is nothing as long as nothing is typed', () => {
    expect(readTyped('spo2', '  ')).toBeNull();
  });

  it.each([
    ['spo2', '92', 92],
    ['respiratoryRate', '0', 0],
    ['temperature', '36,8', 36.8],
    ['temperature', ' 37. ', 37],
    ['weight', '81.25', 81.25],
  ] as const)('is taken: %s "%s"', (kind, text, value) => {
    expect(readTyped(kind, text)).toEqual({ value });
  });
});
