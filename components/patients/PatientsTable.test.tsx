import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { PatientSort } from '../../lib/patients/listing';
import type { Patient } from '../../lib/patients/schema';
import { PatientsTable } from './PatientsTable';

jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');

const now = Date.parse('2026-03-07T15:00:00Z');

function patient(id: number, value = 97): Patient {
  const asOf = new Date(now - 3_000).toISOString();
  return {
    id,
    mrn: `MRN-${id}`,
    givenName: 'Ada',
    familyName: `Okafor${id}`,
    dateOfBirth: '1950-12-31',
    sex: 'female',
    location: { unit: 'East', bed: String(id) },
    profile: 'continuous',
    spo2Scale: 1,
    state: 'active',
    version: 1,
    latest: {
      spo2: {
        value,
        unit: '%',
        takenAt: asOf,
        receivedAt: asOf,
        asOf,
        quality: 'good',
        source: 'monitor',
        expectedEveryMs: 1_000,
        lastValid: null,
      },
    },
  };
}
const ward = (count: number, value?: number) => Array.from({ length: count }, (_, index) => patient(index + 1, value));

const onSort = jest.fn();
const onSelect = jest.fn();
function table(patients: Patient[], { sort = 'familyName', selectedIds = [] }: { sort?: PatientSort; selectedIds?: number[] } = {}) {
  return (
    <PatientsTable
      patients={patients}
      sort={sort}
      onSort={onSort}
      selectedIds={selectedIds}
      onSelect={onSelect}
      initialNow={now}
      timeZone="Europe/London"
    />
  );
}
const values = () => [...document.querySelectorAll('tbody tr')].map((row) => within(row as HTMLElement).getByText(/^9\d$/).textContent);

beforeEach(() => {
  jest.mocked(useNow).mockReturnValue(now);
  jest.mocked(useServerLost).mockReturnValue(null);
  onSort.mockClear();
  onSelect.mockClear();
});

describe('sorting', () => {
  it.each([
    ['familyName', 'Name', 'ascending'],
    ['-mrn', 'MRN', 'descending'],
  ] as const)('by %s is said of %s alone', (sort, name, order) => {
    render(table(ward(1), { sort }));
    const sorted = screen.getAllByRole('columnheader').filter((header) => header.hasAttribute('aria-sort'));
    expect(sorted).toEqual([screen.getByRole('columnheader', { name })]);
    expect(sorted[0]?.getAttribute('aria-sort')).toBe(order);
  });

  it.each([
    ['Enter', '-familyName'],
    [' ', '-familyName'],
  ])('turns round with the key %j', (key, wanted) => {
    render(table(ward(1)));
    fireEvent.keyDown(screen.getByRole('columnheader', { name: 'Name' }), { key });
    expect(onSort).toHaveBeenCalledWith(wanted);
  });

  it('does nothing with any other key', () => {
    render(table(ward(1)));
    fireEvent.keyDown(screen.getByRole('columnheader', { name: 'Name' }), { key: 'a' });
    expect(onSort).not.toHaveBeenCalled();
  });
});

describe('selecting', () => {
  it('all of the page keeps what another page holds', async () => {
    render(table(ward(2), { selectedIds: [9, 1] }));
    expect(screen.getByRole('checkbox', { name: 'Select all' })).toHaveProperty('indeterminate', true);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(onSelect).toHaveBeenCalledWith([9, 1, 2]);
  });

  it('none of the page keeps what another page holds', async () => {
    render(table(ward(2), { selectedIds: [9, 1, 2] }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(onSelect).toHaveBeenCalledWith([9]);
  });

  it('takes a row once when its checkbox is pressed', async () => {
    render(table(ward(2)));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Okafor2, Ada, MRN MRN-2' }));
    expect(onSelect.mock.calls).toEqual([[[2]]]);
  });
});

describe('a poll that changes every row', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reaches all of them within a few tasks', () => {
    const { rerender } = render(table(ward(60, 97)));
    act(() => jest.runAllTimers());
    rerender(table(ward(60, 91)));
    act(() => jest.runAllTimers());
    expect(values()).toEqual(Array(60).fill('91'));
  });

  it('with others in it changes the whole list at once, so that nobody stands there twice or not at all', () => {
    const { rerender } = render(table(ward(60)));
    rerender(table(ward(60, 91).reverse()));
    expect(values()).toEqual(Array(60).fill('91'));
    expect(screen.getAllByRole('link')[0]?.textContent).toBe('Okafor60, Ada');
  });
});

it('has no accessibility violation', async () => {
  const { container } = render(table(ward(3), { selectedIds: [2] }));
  // jsdom paints nothing, so contrast is looked at in a real browser.
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations).toEqual([]);
});
