import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReadState } from '../../hooks/readState';
import { useAlertPatients } from '../../hooks/useAlertPatients';
import { useAlerts } from '../../hooks/useAlerts';
import { frozenForMs } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { usePatients } from '../../hooks/usePatients';
import { useServerLost } from '../../hooks/useServerLost';
import { useSparks } from '../../hooks/useSparks';
import { useSymptomsToday } from '../../hooks/useSymptomsToday';
import { clientFailure } from '../../lib/browser/client';
import type { AlertItem } from '../../lib/alerts/schema';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import type { SymptomsTodayPage } from '../../lib/symptoms/todaySchema';
import { axeViolations } from '../../test/axeViolations';
import { answered } from '../../test/calls';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedToday } from '../../test/inventedToday';
import {
  inventedPage,
  inventedPatient,
  inventedSpark,
  inventedSparks,
  inventedUser,
  inventedValue,
  secondsAgo,
  wardNow,
} from '../../test/inventedWard';
import { DashboardScreen } from './DashboardScreen';

const replace = jest.fn();
let query: Record<string, string> = {};
jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/dashboard', query, replace }) }));
jest.mock('../../hooks/useAlertPatients');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/usePatients');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useSparks');
jest.mock('../../hooks/useSymptomsToday');

const user = inventedUser();
const reporting = (id: number, value: number): Patient =>
  inventedPatient(id, { latest: { spo2: inventedValue({ value }) } });
const silent = inventedPatient(8, { latest: { spo2: inventedValue({ asOf: secondsAgo(61) }) } });
const noSignal = inventedPatient(9, { latest: { spo2: inventedValue({ value: 0, quality: 'invalid' }) } });
const never = inventedPatient(10, { latest: {}, location: null });

function respondWith(patients: Patient[], change: Partial<ReadState<PatientsPage>> = {}): void {
  jest.mocked(usePatients).mockReturnValue({
    data: inventedPage(patients),
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
    ...change,
  });
}
let alerts: AlertItem[] = [];
let today: Partial<SymptomsTodayPage> = {};
afterEach(() => {
  alerts = [];
  today = {};
});

function show(patients: Patient[], change: Partial<ReadState<PatientsPage>> = {}) {
  jest.mocked(useAlerts).mockImplementation(() => answered(inventedAlerts(alerts)));
  jest.mocked(useAlertPatients).mockReturnValue(answered(inventedPage([])));
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useSparks).mockReturnValue(inventedSparks({}));
  jest.mocked(useSymptomsToday).mockReturnValue(answered(inventedToday(today)));
  respondWith(patients, change);
  const screenOf = () => (
    <DashboardScreen
      user={user}
      now={wardNow}
      firstPage={inventedPage(patients)}
      firstAlerts={inventedAlerts(alerts)}
    />
  );
  const { rerender, container } = render(screenOf());
  return {
    container,
    poll: (newer: Patient[], now = wardNow) => {
      jest.mocked(useNow).mockReturnValue(now);
      respondWith(newer);
      rerender(screenOf());
    },
  };
}
const table = (name: RegExp) => screen.getByRole('table', { name });
const namesIn = (name: RegExp) =>
  within(table(name))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the dashboard', () => {
  it('groups patients who do not report SpO2 by the reason and puts the lowest of the others first', () => {
    show([reporting(1, 97), silent, reporting(2, 88), noSignal, never]);
    expect(namesIn(/^No signal/)).toEqual(['Sample9, Sam']);
    expect(namesIn(/^No data/)).toEqual(['Sample8, Sam']);
    expect(namesIn(/^Never reported/)).toEqual(['Sample10, Sam']);
    expect(namesIn(/^Lowest first/)).toEqual(['Sample2, Sam', 'Sample1, Sam']);
  });

  it('shows two identifiers, the place, both values with their ages and the way to the patient', () => {
    show([reporting(1, 91)]);
    const row = within(table(/^Lowest first/)).getAllByRole('row')[1];
    expect(row?.textContent).toBe(
      'East · Bed 1Sample1, Sam07 Mar 1950MRN A-1SpO2 3 points of NEWS2, SpO2 91%2 s oldHR --no value yetno report',
    );
    expect(screen.getByRole('link', { name: 'Sample1, Sam' }).getAttribute('href')).toBe('/patient_details?ids=1');
  });

  it('shows each patient’s own last hour, also if the value is withdrawn', () => {
    const { poll } = show([reporting(1, 91), silent]);
    const sparkIn = (name: RegExp) => table(name).querySelector('tbody [data-kind="spo2"]');
    expect(sparkIn(/^No data/)?.textContent).toBe('');
    jest
      .mocked(useSparks)
      .mockReturnValue(inventedSparks({ 1: { spo2: inventedSpark('91') }, 8: { spo2: inventedSpark('80-88') } }));
    poll([reporting(1, 91), silent]);
    expect(sparkIn(/^Lowest first/)?.textContent).toBe(', last hour 91');
    expect(sparkIn(/^No data/)?.textContent).toBe(', last hour 80 to 88');
    expect(
      sparkIn(/^No data/)
        ?.closest('[data-state]')
        ?.getAttribute('data-state'),
    ).toBe('off');
    expect(jest.mocked(useSparks).mock.lastCall).toEqual([[1, 8]]);
  });

  it('says how it is sorted and calls no value normal or critical', () => {
    const { container } = show([reporting(1, 70)]);
    expect(screen.getByText('Sorted by lowest SpO2')).toBeTruthy();
    expect(container.textContent).not.toMatch(/normal|critical|danger/i);
  });

  it('moves a patient to the silent ones without a new response', () => {
    const { poll } = show([reporting(1, 97)]);
    poll([reporting(1, 97)], wardNow + 58_000);
    expect(namesIn(/^Lowest first/)).toEqual(['Sample1, Sam']);
    poll([reporting(1, 97)], wardNow + 59_000);
    expect(namesIn(/^No data/)).toEqual(['Sample1, Sam']);
  });

  it('says how many patients did not fit into the response', () => {
    show([reporting(1, 97)], { data: inventedPage([reporting(1, 97)], { total: 501 }) });
    expect(screen.getByText(/500 more patients do not fit/)).toBeTruthy();
  });

  it('keeps a long group short until a user wants all of it', async () => {
    show(Array.from({ length: 12 }, (_, index) => inventedPatient(index + 1, { latest: {} })));
    expect(namesIn(/^Never reported 12/)).toHaveLength(8);
    await userEvent.click(screen.getByRole('button', { name: 'Show all 12' }));
    expect(namesIn(/^Never reported/)).toHaveLength(12);
  });

  it('keeps the values and says how old they are when a refresh fails', () => {
    show([reporting(1, 97)], { error: clientFailure('unreachable') });
    expect(screen.getByText('Old data: as it was at 15:00:00.')).toBeTruthy();
    expect(namesIn(/^Lowest first/)).toHaveLength(1);
  });

  it('shows the shape of what will come at first', () => {
    show([], { data: undefined, isLoading: true });
    expect(screen.getByRole('status', { name: 'Patients are loading' })).toBeTruthy();
  });

  it('leads an empty ward to its first patient', () => {
    show([]);
    expect(screen.getByRole('link', { name: 'Go to Patients' }).getAttribute('href')).toBe('/patients');
  });

  it('marks the place for the walkthrough', () => {
    const { container } = show([reporting(1, 97)]);
    expect(container.querySelector('[data-tour="alerts"]')).not.toBeNull();
  });

  it('has no accessibility violation', async () => {
    const { container } = show([reporting(1, 97), silent, noSignal, never]);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

const counts = { severe: 0, moderate: 0, mild: 0, absent: 0, unanswered: 0, unreadable: 0 };
const cough = { ...counts, symptom: 'cough' as const, severe: 1, absent: 1 };
const fever = { ...counts, symptom: 'fever' as const, mild: 1, unanswered: 1 };
const rowsOf = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the symptoms of today', () => {
  it('say that no report is not the same as no symptoms', () => {
    show([reporting(1, 97)]);
    expect(screen.getByText('0 of 2 reported today. That does not mean no symptoms.')).toBeTruthy();
  });

  it('have the denominator, the red flags and each symptom with how many were asked', async () => {
    const flag = { flag: 'blueLips' as const, patients: 1 };
    today = { total: 18, reported: 12, redFlags: [flag], symptoms: [cough, fever] };
    const { container } = show([reporting(1, 97)]);
    expect(screen.getByText('12 of 18 reported today')).toBeTruthy();
    expect(rowsOf('Red flags today')).toEqual(['◆ Blue lips or face: 1 of 18']);
    expect(rowsOf('Symptoms today')).toEqual([
      'Cough111 of 2 asked: 1 severe, 1 absent',
      'Fever111 of 2 asked: 1 mild, 1 no answer',
    ]);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('say that a report cannot be read, which is neither absent nor not asked', () => {
    today = { total: 4, reported: 4, unreadable: 2, symptoms: [{ ...cough, unreadable: 2 }] };
    show([reporting(1, 97)]);
    expect(screen.getByText(/Of 2 a report cannot be read$/)).toBeTruthy();
    expect(rowsOf('Symptoms today')).toEqual(['Cough111 of 2 asked: 1 severe, 1 absent, 2 cannot be read']);
    expect(screen.getByTitle(/; 0 of 4 not asked$/)).toBeTruthy();
  });

  it('hold their order still under the pointer, with new numbers', () => {
    today = { reported: 2, symptoms: [cough, fever] };
    const { poll } = show([reporting(1, 97)]);
    fireEvent.pointerMove(screen.getByRole('list', { name: 'Symptoms today' }));
    jest
      .mocked(useSymptomsToday)
      .mockReturnValue(answered(inventedToday({ reported: 2, symptoms: [{ ...fever, severe: 2 }, cough] })));
    poll([reporting(1, 97)]);
    expect(rowsOf('Symptoms today').map((text) => text?.slice(0, 5))).toEqual(['Cough', 'Fever']);
    fireEvent.pointerOut(screen.getByRole('list', { name: 'Symptoms today' }), { relatedTarget: document.body });
    expect(rowsOf('Symptoms today').map((text) => text?.slice(0, 5))).toEqual(['Fever', 'Cough']);
  });

  it('are in each patient’s row: the worst, how severe, how old, and that it is a red flag', () => {
    const summary = {
      reportedAt: secondsAgo(2_100),
      worst: { symptom: 'cough' as const, grade: 2 as const },
      redFlags: [],
      redFlagsAt: null,
      breathlessness: null,
      change: 'worse' as const,
      unreadable: false,
    };
    show([
      inventedPatient(1, { symptoms: summary }),
      inventedPatient(2, { symptoms: { ...summary, redFlags: ['blueLips'] } }),
      inventedPatient(3, { symptoms: { ...summary, worst: null, change: null, unreadable: true } }),
    ]);
    const cells = within(table(/^Lowest first/))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.lastElementChild?.textContent);
    expect(cells).toEqual([
      '▲2Symptoms 14:25: Cough moderate, worseCough35 min old',
      '◆2Symptoms 14:25: red flag: Blue lips or face, Cough moderate, worseRed flag35 min old',
      '●?Symptoms 14:25: a report cannot be readCannot be read35 min old',
    ]);
  });
});

describe('the order under the pointer', () => {
  const before = [reporting(1, 90), reporting(2, 95)];
  const after = [reporting(1, 96), reporting(2, 85)];
  const values = () => [...document.querySelectorAll('tbody [data-figure]')].map((value) => value.textContent);

  it('holds still, with new values in it, and says what would move', () => {
    const { poll } = show(before);
    fireEvent.pointerMove(table(/^Lowest first/));
    poll(after);
    expect(namesIn(/^Lowest first/)).toEqual(['Sample1, Sam', 'Sample2, Sam']);
    expect(values()).toEqual(['96', '--', '85', '--']);
    expect(screen.getByText('Held still: 2 patients now at another place.')).toBeTruthy();
  });

  it('is the new one when a user asks for it, and then holds still again', async () => {
    const { poll } = show(before);
    fireEvent.pointerMove(table(/^Lowest first/));
    poll(after);
    await userEvent.click(screen.getByRole('button', { name: 'Show the new order' }));
    expect(namesIn(/^Lowest first/)).toEqual(['Sample2, Sam', 'Sample1, Sam']);
  });

  it('is the new one when the pointer has left', () => {
    const { poll } = show(before);
    fireEvent.pointerMove(table(/^Lowest first/));
    poll(after);
    fireEvent.pointerOut(table(/^Lowest first/), { relatedTarget: document.body });
    expect(namesIn(/^Lowest first/)).toEqual(['Sample2, Sam', 'Sample1, Sam']);
    expect(screen.queryByText(/Held still/)).toBeNull();
  });

  it('holds still for the keyboard too', () => {
    const { poll } = show(before);
    act(() => {
      screen.getByRole('link', { name: 'Sample1, Sam' }).focus();
    });
    poll([...after, silent]);
    expect(namesIn(/^Lowest first/)).toEqual(['Sample1, Sam', 'Sample2, Sam']);
    act(() => {
      screen.getByRole('link', { name: 'Sample1, Sam' }).blur();
    });
    expect(namesIn(/^Lowest first/)).toEqual(['Sample2, Sam', 'Sample1, Sam']);
  });

  it('does not hold for ever under a pointer that was left there', () => {
    jest.useFakeTimers();
    const { poll } = show(before);
    fireEvent.pointerMove(table(/^Lowest first/));
    poll(after);
    act(() => jest.advanceTimersByTime(frozenForMs - 1));
    expect(namesIn(/^Lowest first/)).toEqual(['Sample1, Sam', 'Sample2, Sam']);
    act(() => jest.advanceTimersByTime(1));
    expect(namesIn(/^Lowest first/)).toEqual(['Sample2, Sam', 'Sample1, Sam']);
    jest.useRealTimers();
  });

  it('holds still together with the alerts, which would move the table', () => {
    alerts = [inventedAlert(1)];
    const { poll } = show(before);
    fireEvent.pointerMove(table(/^Lowest first/));
    alerts = [inventedAlert(1), inventedAlert(2, { patientId: 2 })];
    poll(after);
    const region = within(screen.getByRole('region', { name: 'Open alerts' }));
    expect(region.getAllByRole('listitem')).toHaveLength(1);
    expect(region.getByText('New')).toBeTruthy();
  });

  it('counts patients who change the group before those who change the place', () => {
    const { poll } = show([reporting(1, 90), reporting(2, 95), silent]);
    fireEvent.pointerMove(table(/^Lowest first/));
    poll([inventedPatient(1, { latest: noSignal.latest }), reporting(2, 95), silent]);
    expect(screen.getByText('Held still: 1 patient now in another group.')).toBeTruthy();
  });
});

describe('the patients that the dashboard shows', () => {
  beforeEach(() => {
    query = {};
    localStorage.clear();
    replace.mockReset();
  });
  afterEach(() => {
    query = {};
  });
  const asked = () => jest.mocked(usePatients).mock.lastCall?.[0];

  it('are all at first, and nothing says otherwise', () => {
    show([reporting(1, 97)]);
    expect(asked()).toMatchObject({ mine: false, unit: undefined, bed: undefined });
    expect(screen.queryByText(/^Showing/)).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  it('are those of the address, and the page says that they are not all', async () => {
    query = { mine: 'true', unit: '3', bed: 'b00000000004' };
    show([reporting(1, 97)], {
      data: inventedPage([reporting(1, 97)], { beds: [{ id: 'b00000000004', name: '4' }] }),
    });
    expect(asked()).toMatchObject({ mine: true, unit: 3, bed: 'b00000000004', sort: 'spo2', pageSize: 500 });
    expect(screen.getByText('Showing your 1 patient · East · Bed 4')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show all patients' }));
    expect(replace).toHaveBeenLastCalledWith('/dashboard', undefined, { shallow: true, scroll: false });
  });

  it('go into the address and come back for users who open the page without one', async () => {
    show([reporting(1, 97)]);
    await userEvent.click(screen.getByRole('button', { name: 'Mine' }));
    expect(replace).toHaveBeenLastCalledWith('/dashboard?mine=true', undefined, { shallow: true, scroll: false });
    await userEvent.selectOptions(screen.getByLabelText('Unit'), 'East');
    expect(replace).toHaveBeenLastCalledWith('/dashboard?unit=3', undefined, { shallow: true, scroll: false });
    replace.mockReset();
    show([reporting(1, 97)]);
    expect(replace).toHaveBeenCalledWith('/dashboard?unit=3', undefined, { shallow: true, scroll: false });
  });

  it('leave out no alert: the list has those of all patients, with their names', () => {
    query = { mine: 'true' };
    alerts = [inventedAlert(1, { patientId: 2 })];
    show([]);
    const region = within(screen.getByRole('region', { name: 'Open alerts' }));
    expect(region.getByRole('link', { name: 'Sample2, Sam' })).toBeTruthy();
  });

  it('may be none, with what to do next', () => {
    query = { mine: 'true' };
    show([]);
    expect(screen.getByText('No patient here is assigned to you in this shift.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See assignments' }).getAttribute('href')).toBe('/assignments');
  });
});
