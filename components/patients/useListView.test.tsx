import { renderHook } from '@testing-library/react';
import { useRouter } from 'next/router';
import {
  carryListPlace,
  forgetListPlace,
  keepListPlace,
  readCarriedPlace,
  readListPlace,
  type ListPlace,
} from '../../lib/browser/listPlace';
import { useListView } from './useListView';

jest.mock('next/router', () => ({ useRouter: jest.fn() }));

const replace = jest.fn(() => Promise.resolve(true));
function open(query: Record<string, string> = {}, userId = 1) {
  jest.mocked(useRouter).mockReturnValue({ query, replace } as unknown as ReturnType<typeof useRouter>);
  return renderHook(() => useListView(userId));
}
const place: ListPlace = {
  userId: 1,
  address: '/patients?sort=-spo2&page=3',
  text: '',
  selectedIds: [4, 2],
  scrollY: 900,
};

beforeEach(() => {
  localStorage.clear();
  forgetListPlace();
  replace.mockClear();
});

describe('the list of patients', () => {
  it('opens as usual for a user who comes from elsewhere', () => {
    const { result } = open();
    expect(result.current).toMatchObject({ view: { sort: '-alert', page: 1 }, returned: null });
    expect(replace).not.toHaveBeenCalled();
  });

  it('does not come back for another user', () => {
    keepListPlace(place);
    expect(open({}, 2).result.current.returned).toBeNull();
  });

  it('does not come back if the address names another view', () => {
    keepListPlace(place);
    const { result } = open({ unit: '3' });
    expect(result.current).toMatchObject({ view: { unit: 3, page: 1 }, returned: null });
    expect(replace).not.toHaveBeenCalled();
  });

  it('comes back with its page at once, before the address says so', () => {
    keepListPlace(place);
    const { result } = open();
    expect(result.current).toMatchObject({ view: { sort: '-spo2', page: 3 }, returned: place });
    expect(replace).toHaveBeenCalledWith(place.address, undefined, { shallow: true, scroll: false });
  });

  it('comes back by the browser’s own button, whose address names the view', () => {
    keepListPlace(place);
    expect(open({ sort: '-spo2', page: '3' }).result.current.returned).toBe(place);
    expect(replace).not.toHaveBeenCalled();
  });

  describe('after the browser itself has loaded it', () => {
    /** Carries the place over, and forgets what a page keeps in its memory. */
    const load = (): void => {
      keepListPlace(place);
      carryListPlace();
      keepListPlace({ ...place, userId: 99 });
    };

    it('does not come back if the address names another view', () => {
      load();
      expect(open({ unit: '3' }).result.current.returned).toBeNull();
      expect(replace).not.toHaveBeenCalled();
    });

    it('comes back, once', () => {
      load();
      expect(open().result.current.returned).toEqual(place);
      expect(replace).toHaveBeenCalledWith(place.address, undefined, { shallow: true, scroll: false });
      expect(readCarriedPlace(1)).toBeNull();
    });

    it('comes back where the address names the view', () => {
      load();
      expect(open({ sort: '-spo2', page: '3' }).result.current.returned).toEqual(place);
      expect(replace).not.toHaveBeenCalled();
    });
  });

  it('comes back once', () => {
    keepListPlace(place);
    open();
    expect(readListPlace(1)).toBeNull();
  });

  it('follows the address after that', () => {
    keepListPlace(place);
    const { result, rerender } = open();
    jest.mocked(useRouter).mockReturnValue({
      query: { sort: '-spo2', page: '3' },
      replace,
    } as unknown as ReturnType<typeof useRouter>);
    rerender();
    jest.mocked(useRouter).mockReturnValue({ query: {}, replace } as unknown as ReturnType<typeof useRouter>);
    rerender();
    expect(result.current.view).toMatchObject({ sort: '-alert', page: 1 });
  });
});
