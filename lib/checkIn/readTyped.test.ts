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
    ['temperature', '98.6 F', 'Type a number from 10 to 46 °C.'],
    ['weight', '180 lb', 'Type a number from 0.2 to 700 kg.'],
    ['spo2', '%', 'Type a number from 1 to 100 %.'],
    ['spo2', '88 kg', 'Type a number from 1 to 100 %.'],
    ['spo2', 'ninety', 'Type a number from 1 to 100 %.'],
  ] as const)('is refused: %s "%s"', (kind, text, fault) => {
    expect(readTyped(kind, text)).toMatchObject({ fault });
  });

  it('that is refused for being too low is known, because it may be true', () => {
    const fault = 'Type a number from 20 to 300.';
    expect(readTyped('pulseRate', '15')).toEqual({ fault, tooLow: 15 });
    expect(readTyped('pulseRate', '15 bpm')).toMatchObject({ tooLow: 15 });
    expect(readTyped('spo2', '0')).toMatchObject({ tooLow: 0 });
    expect(readTyped('pulseRate', '301')).not.toHaveProperty('tooLow');
    expect(readTyped('pulseRate', 'x')).not.toHaveProperty('tooLow');
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
    ['spo2', '88%', 88],
    ['spo2', '85 %', 85],
    ['spo2', '85 percent', 85],
    ['pulseRate', '140 bpm', 140],
    ['pulseRate', '140/min', 140],
    ['respiratoryRate', '30 per minute', 30],
    ['temperature', '39,2 °C', 39.2],
    ['temperature', '39c', 39],
    ['weight', '80 KG', 80],
  ] as const)('is taken: %s "%s"', (kind, text, value) => {
    expect(readTyped(kind, text)).toEqual({ value });
  });
});
