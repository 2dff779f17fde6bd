import { stripPlace } from './stripPlace';

describe('the place of an alert on a locked screen and in a notification', () => {
  it.each([
    [{ unit: 'North', bed: '3', isTrial: false }, 'North · Bed 3'],
    [{ unit: null, bed: null, isTrial: false }, 'No bed'],
    [{ unit: 'North', bed: '3', isTrial: true }, 'Trial · North · Bed 3'],
  ])('of %j is %s', (item, words) => {
    expect(stripPlace(item)).toBe(words);
  });
});
