import { createShares } from './connectionShares';

describe('the connections of an address', () => {
  it.each([
    ['192.168.1.1', 256],
    ['10.1.2.3', 600],
    ['::ffff:10.1.2.3', 600],
    ['10.1.3.1', 20],
    ['2001:db8::7', 30],
    ['2001:db9::7', 256],
    ['10.9.9.9', Infinity],
  ])(
    'of %s may be %d, as the first range that holds it says, those of a trusted proxy as many as there are',
    (address, most) => {
      const ranges = [
        { range: '10.1.2.0/24', most: 600 },
        { range: '10.0.0.0/8', most: 20 },
        { range: '2001:db8::/32', most: 30 },
      ];
      expect(createShares({ most: 256, ranges }, ['10.9.0.0/16'])(address)).toBe(most);
    },
  );
});
