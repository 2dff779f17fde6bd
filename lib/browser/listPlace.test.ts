/** @jest-environment jsdom */
import fc from 'fast-check';
import { carryListPlace, forgetListPlace, keepListPlace, readCarriedPlace, type ListPlace } from './listPlace';

const place: ListPlace = {
  userId: 1,
  address: '/patients?sort=-spo2&page=3',
  text: 'Sample',
  selectedIds: [4, 2],
  scrollY: 900,
};

beforeEach(() => {
  forgetListPlace();
});

describe('the place that is carried over a load of the browser', () => {
  it('is nothing for another user', () => {
    keepListPlace(place);
    carryListPlace();
    expect(readCarriedPlace(2)).toBeNull();
  });

  it('is nothing after it was forgotten', () => {
    keepListPlace(place);
    carryListPlace();
    forgetListPlace();
    expect(readCarriedPlace(1)).toBeNull();
  });

  it('contains nothing that was searched for', () => {
    keepListPlace(place);
    carryListPlace();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('Sample');
    expect(readCarriedPlace(1)).toEqual({ ...place, text: '' });
  });

  it('is nothing if the stored text is of another form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        sessionStorage.setItem('wardlight-list-place', `${text}!`);
        expect(readCarriedPlace(1)).toBeNull();
      }),
    );
  });

  it('is nothing if the storage is closed', () => {
    const closed = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('The storage is closed');
    });
    expect(readCarriedPlace(1)).toBeNull();
    closed.mockRestore();
  });

  it('keeps a place without a selection', () => {
    keepListPlace({ ...place, selectedIds: [], scrollY: 0.4 });
    carryListPlace();
    expect(readCarriedPlace(1)).toEqual({ ...place, text: '', selectedIds: [], scrollY: 0 });
  });
});
