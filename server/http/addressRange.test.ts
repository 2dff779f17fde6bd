import { addressRange, isRange } from './addressRange';

describe('addressRange', () => {
  it.each(['gateway.example', '10.1.2', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', 'fe80::1%eth0', ''])(
    'has no range of the text %j',
    (text) => {
      expect(isRange(text)).toBe(false);
    },
  );

  it.each([
    ['10.1.2.0/24', '10.1.3.1'],
    ['10.1.2.3', '10.1.2.4'],
    ['10.1.2.0/24', ''],
    ['10.1.2.0/24', '::1'],
    ['::1', '127.0.0.1'],
    ['::/32', '10.1.2.3'],
  ])('%s does not hold %j', (text, address) => {
    expect(addressRange(text).has(address)).toBe(false);
  });

  it.each([
    ['10.1.2.0/24', '10.1.2.3', 120],
    ['10.1.2.3', '::ffff:10.1.2.3', 128],
    ['fe80::/10', 'fe80::1%eth0', 10],
    ['::/0', '::1', 0],
  ])('%s holds %s', (text, address, bits) => {
    expect(isRange(text)).toBe(true);
    expect(addressRange(text).has(address)).toBe(true);
    expect(addressRange(text).bits).toBe(bits);
  });
});
