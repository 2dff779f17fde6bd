import { act, renderHook } from '@testing-library/react';
import type { ListLook } from './listPreferences';
import { standardView } from './patientsUrl';
import { isSameLook, longestViewName, mostSavedViews, nameProblem, useSavedViews } from './useSavedViews';

const key = 'wardlight-patients-views-7';
const usual: ListLook = { hidden: [], view: standardView };
const night: ListLook = {
  hidden: ['profile'],
  view: { ...standardView, view: 'not_reporting', unit: 7, sort: '-spo2' },
};

beforeEach(() => {
  localStorage.clear();
});

const open = (userId = 7) => renderHook(() => useSavedViews(userId)).result;

describe('nameProblem', () => {
  it.each([
    ['', 'is missing'],
    ['   ', 'is missing'],
    ['night round', 'is already the name of another view'],
    [' Night Round ', 'is already the name of another view'],
    ['Night rounds', null],
  ])('of %j is %j', (name, problem) => {
    expect(nameProblem(name, ['All patients', 'Night round'])).toBe(problem);
  });
});

describe('isSameLook', () => {
  it('does not look at the page and at the order in which columns were hidden', () => {
    const one: ListLook = { hidden: ['profile', 'spo2'], view: { ...standardView, page: 3 } };
    expect(isSameLook(one, { hidden: ['spo2', 'profile'], view: standardView })).toBe(true);
  });

  it.each<[string, ListLook]>([
    ['columns', { ...usual, hidden: ['spo2'] }],
    ['filter', { ...usual, view: { ...standardView, unit: 3 } }],
    ['order', { ...usual, view: { ...standardView, sort: '-familyName' } }],
    ['state', { ...usual, view: { ...standardView, state: 'discharged' } }],
  ])('sees another %s', (_, other) => {
    expect(isSameLook(usual, other)).toBe(false);
  });
});

describe('the views that a browser keeps for a user', () => {
  it.each(['', '=', '{}', '[]', '%', 'a', '=hidden', ' =profile', `${'x'.repeat(longestViewName + 1)}=profile`])(
    'are none, or usual ones, if the storage holds %j',
    (text) => {
      localStorage.setItem(key, text);
      expect(
        open().current[0].filter(
          ({ name, ...look }) => name.length > longestViewName || name === '' || !isSameLook(look, usual),
        ),
      ).toEqual([]);
    },
  );

  it('are twelve at most and no two of one name, whatever it holds', () => {
    const names = ['East', 'east', ...Array.from({ length: 20 }, (_, index) => `View ${index}`)];
    localStorage.setItem(key, names.map((name) => `${name}=`).join('&'));
    const held = open().current[0].map(({ name }) => name);
    expect(held).toHaveLength(mostSavedViews);
    expect(held.slice(0, 2)).toEqual(['East', 'View 0']);
  });

  it('stay as they are if the storage is full, and a change says so', () => {
    const { current } = open();
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    expect(current[1](() => [{ name: 'Night', ...night }])).toBe(false);
  });

  it('are read back as they were saved, by the same user only', () => {
    const mine = open();
    act(() => void mine.current[1](() => [{ name: 'Night & day = 24 h?', ...night }]));
    act(
      () =>
        void mine.current[1]((held) => [
          ...held,
          { name: 'Left', hidden: [], view: { ...standardView, state: 'discharged', page: 9 } },
        ]),
    );
    expect(mine.current[0]).toEqual([
      { name: 'Night & day = 24 h?', ...night },
      { name: 'Left', hidden: [], view: { ...standardView, state: 'discharged' } },
    ]);
    expect(open(8).current[0]).toEqual([]);
  });

  it('keep what another tab has saved meanwhile', () => {
    const mine = open();
    localStorage.setItem(key, 'Other=');
    act(() => void mine.current[1]((held) => [...held, { name: 'Night', ...night }]));
    expect(mine.current[0].map(({ name }) => name)).toEqual(['Other', 'Night']);
  });
});
