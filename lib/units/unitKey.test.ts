import { unitKey } from './unitKey';

describe('unitKey', () => {
  it.each(['bed 1', ' BED  1', 'Bed\u00a01', 'Bed\u200b 1', '\uff22ed 1'])('takes %j for "Bed 1"', (name) => {
    expect(unitKey(name)).toBe(unitKey('Bed 1'));
  });

  it.each(['Bed 11', 'Bed l', 'Bed1', 'Béd 1'])('does not take %j for it', (name) => {
    expect(unitKey(name)).not.toBe(unitKey('Bed 1'));
  });
});
