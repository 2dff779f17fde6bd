import { act, renderHook } from '@testing-library/react';
import { readListPreferences, useListPreferences } from './listPreferences';
import { standardView } from './patientsUrl';

beforeEach(() => {
  localStorage.clear();
});

describe('what a browser remembers of a user’s list', () => {
  it.each(['', '{}', 'mrn,familyName state=discharged&page=7', 'nothing pageSize=9999&sort=password'])(
    'is the usual list if the storage holds %j',
    (text) => {
      localStorage.setItem('wardlight-patients-list-7', text);
      expect(readListPreferences(7)).toEqual({ hidden: [], view: standardView });
    },
  );

  it('is the usual list if nothing can be stored, and choosing does no harm', () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('closed');
    });
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('closed');
    });
    const { result } = renderHook(() => useListPreferences(7));
    act(() => {
      result.current[1]({ hidden: ['profile'] });
    });
    expect(result.current[0]).toEqual({ hidden: [], view: standardView });
  });

  it('keeps columns and view apart from each other and from other users', () => {
    const { result } = renderHook(() => useListPreferences(7));
    act(() => {
      result.current[1]({ hidden: ['profile', 'dateOfBirth'] });
    });
    act(() => {
      result.current[1]({ view: { ...standardView, unit: 7, sort: '-spo2', pageSize: 50 } });
    });
    expect(result.current[0]).toEqual({
      hidden: ['dateOfBirth', 'profile'],
      view: { ...standardView, unit: 7, sort: '-spo2', pageSize: 50 },
    });
    expect(readListPreferences(8)).toEqual({ hidden: [], view: standardView });
  });
});
