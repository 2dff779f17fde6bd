import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { PageValuesProvider, usePageValues } from '../../hooks/PageValuesProvider';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { useSparks } from '../../hooks/useSparks';
import { serverNow } from '../../lib/browser/serverClock';
import type { PatientSort } from '../../lib/patients/listing';
import type { Patient, PatientAlert } from '../../lib/patients/schema';
import { axeViolations } from '../../test/axeViolations';
import { inventedDeviceAlarm } from '../../test/inventedDeviceAlarm';
import { setPageVisibility } from '../../test/inventedStream';
import { inventedSpark, inventedSparks } from '../../test/inventedWard';
import { PatientsTable } from './PatientsTable';
import { useNearBlocks } from './useNearBlocks';

jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useSparks');
jest.mock('../../lib/browser/serverClock');
jest.mock('./useNearBlocks');

const now = Date.parse('2026-03-07T15:00:00Z');

function patient(id: number, value = 97, receivedAt = now - 3_000): Patient {
  const asOf = new Date(receivedAt).toISOString();
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
    news2ExemptFor: null,
    isTrial: false,
    state: 'active',
    version: 1,
    standby: null,
    comfortCare: null,
    symptoms: null,
    deviceAlarms: [],
    alerts: [],
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
function table(
  patients: Patient[],
  {
    sort = 'familyName',
    selectedIds = [],
    unread = new Map(),
  }: { sort?: PatientSort; selectedIds?: number[]; unread?: ReadonlyMap<number, number> } = {},
) {
  return (
    <PatientsTable
      unread={unread}
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
/** Runs until no slice is left: each one schedules the next. */
function everySlice(): void {
  while (jest.getTimerCount() > 0) {
    act(() => jest.runAllTimers());
  }
}
const values = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => within(row as HTMLElement).getByText(/^9\d$/).textContent);

beforeEach(() => {
  jest.mocked(useNow).mockReturnValue(now);
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(useSparks).mockReturnValue(inventedSparks({}));
  jest.mocked(useNearBlocks).mockReturnValue(null);
  onSort.mockClear();
  onSelect.mockClear();
});

it('says before the name that a patient is on trial, also to who selects them', () => {
  const [first, ...others] = ward(2);
  render(table(first === undefined ? [] : [{ ...first, isTrial: true }, ...others]));
  const cells = screen.getAllByRole('link', { name: /Okafor/ }).map((link) => link.closest('td')?.title);
  expect(cells).toEqual(['Trial · Okafor1, Ada', 'Okafor2, Ada']);
  expect(screen.getByLabelText('Select Trial · Okafor1, Ada, MRN MRN-1')).toBeTruthy();
});

it('says under the name how many notes the user has not read, and nothing once they are read', () => {
  jest.useFakeTimers();
  const { rerender } = render(table(ward(3), { unread: new Map([[2, 1]]) }));
  const cell = () => screen.getByRole('link', { name: 'Okafor2, Ada' }).closest('td')?.textContent;
  expect(cell()).toBe('Okafor2, Ada1 unread note');
  expect(screen.getAllByText(/unread/)).toHaveLength(1);
  rerender(table(ward(3)));
  everySlice();
  expect(cell()).toBe('Okafor2, Ada');
  jest.useRealTimers();
});

it('says under the name which gateway is silent, and since when, before what else is there', () => {
  const [first, ...others] = ward(3);
  const silentGateway = { name: 'North gateway', since: new Date(now - 120_000).toISOString() };
  render(table(first === undefined ? [] : [{ ...first, silentGateway }, ...others], { unread: new Map([[1, 1]]) }));
  const cell = screen.getByRole('link', { name: 'Okafor1, Ada' }).closest('td');
  expect(cell?.title).toMatch(/^Okafor1, Ada · Gateway silent since \d\d:\d\d: North gateway · 1 unread note$/);
  expect(screen.getAllByText(/Gateway silent/)).toHaveLength(1);
});

it('says under the name that alerts are held back, until that is over', () => {
  const until = new Date(now + 90_000).toISOString();
  const [first, ...others] = ward(3);
  const held: Patient[] = first === undefined ? [] : [{ ...first, standby: { until } }, ...others];
  const { unmount } = render(table(held));
  expect(screen.getByRole('link', { name: 'Okafor1, Ada' }).closest('td')?.textContent).toBe(
    'Okafor1, AdaStandby, 2 min left',
  );
  expect(screen.getAllByText(/Standby/)).toHaveLength(1);
  jest.mocked(useNow).mockReturnValue(now + 90_000);
  unmount();
  render(table(held));
  expect(screen.queryByText(/Standby/)).toBeNull();
});

describe('sorting', () => {
  it.each([
    ['familyName', 'Name', 'ascending'],
    ['-mrn', 'Born MRN', 'descending'],
    ['-alert', 'Alert', 'descending'],
  ] as const)('by %s is said of %s alone', (sort, name, order) => {
    render(table(ward(1), { sort }));
    const sorted = screen.getAllByRole('columnheader').filter((header) => header.hasAttribute('aria-sort'));
    expect(sorted).toEqual([screen.getByRole('columnheader', { name })]);
    expect(sorted[0]?.getAttribute('aria-sort')).toBe(order);
  });

  it.each(['{Enter}', ' '])('turns round with the key "%s"', async (key) => {
    render(table(ward(1)));
    screen.getByRole('button', { name: 'Name' }).focus();
    await userEvent.keyboard(key);
    expect(onSort.mock.calls).toEqual([['-familyName']]);
  });

  it('does nothing with any other key', async () => {
    render(table(ward(1)));
    screen.getByRole('button', { name: 'Name' }).focus();
    await userEvent.keyboard('a');
    expect(onSort).not.toHaveBeenCalled();
  });

  it('by alerts has one direction: no list ends with the most urgent', async () => {
    render(table(ward(1), { sort: '-alert' }));
    await userEvent.click(screen.getByRole('button', { name: 'Alert' }));
    expect(onSort.mock.calls).toEqual([['-alert']]);
  });

  it('is by the date of birth or by the MRN in the column of both', async () => {
    render(table(ward(1)));
    await userEvent.click(screen.getByRole('button', { name: 'Born' }));
    await userEvent.click(screen.getByRole('button', { name: 'MRN' }));
    expect(onSort.mock.calls).toEqual([['dateOfBirth'], ['mrn']]);
  });
});

describe('alerts', () => {
  const alert = (change: Partial<PatientAlert> = {}): PatientAlert => ({
    id: 1,
    parameter: 'spo2',
    priority: 'high',
    side: 'low',
    condition: 'active',
    acknowledged: false,
    owner: null,
    raisedAt: new Date(now - 53_000).toISOString(),
    confirmBy: null,
    ...change,
  });
  const alerting = (...alerts: PatientAlert[]): Patient[] => [{ ...patient(1, 78), alerts }, patient(2)];
  /** Without the signs of the shape, which no one hears. */
  const alertCells = () =>
    [...document.querySelectorAll('tbody tr')].map((row) => row.children[4]?.textContent.replace(/^!+/, ''));
  const all = (selector: string) => document.querySelectorAll(selector).length;

  it('are no mark at all without an open alert', () => {
    render(table(ward(3)));
    expect(alertCells()).toEqual(['', '', '']);
    expect(all('[data-mark], [data-alert], tr[data-priority]')).toBe(0);
  });

  it('are one mark a patient, with the age, and one filled number if no one has the alert', () => {
    render(table(alerting(alert())));
    expect(alertCells()).toEqual(['high-priority alert: SpO2, raised 53 s ago', '']);
    expect(all('[data-alert]')).toBe(1);
    expect(all('[data-mark="filled"]')).toBe(1);
    expect(all('tr[data-priority="high"]')).toBe(1);
    expect(document.querySelector('tbody tr')?.children[5]?.textContent).toContain('high-priority alert, SpO2 78');
  });

  it('show who has them, and are filled no more', () => {
    render(table(alerting(alert({ owner: 'ND' }))));
    expect(alertCells()[0]).toBe('high-priority alert, taken by ND: SpO2, raised 53 s agoND');
    expect(all('[data-mark="filled"], [data-alert="filled"]')).toBe(0);
    expect(all('[data-mark="outlined"]')).toBe(1);
  });

  it('mark each number with its own alert, and count those that follow the most urgent one', () => {
    const rate = alert({ id: 2, parameter: 'rate', priority: 'medium', side: 'high' });
    const [first, second] = alerting(alert(), rate);
    const heartRate = first?.latest.spo2;
    render(
      table(
        first === undefined || second === undefined
          ? []
          : [{ ...first, latest: { ...first.latest, heartRate } }, second],
      ),
    );
    expect([...document.querySelectorAll('[data-mark]')].map((box) => box.getAttribute('data-priority'))).toEqual([
      'high',
      'medium',
    ]);
    expect(alertCells()[0]).toBe('high-priority alert: SpO2, raised 53 s ago, +1');
  });

  it('mark the score, which has a column', () => {
    render(table(alerting(alert({ parameter: 'news2', priority: 'medium', side: 'high' }))));
    expect(document.querySelector('[data-mark="filled"]')?.closest('td')).toBe(
      document.querySelector('tbody tr')?.children[7],
    );
  });

  it('name what no column shows', () => {
    render(table(alerting(alert({ parameter: 'sensor', priority: 'medium', side: null }))));
    expect(alertCells()[0]).toBe('medium-priority alert: Sensor, raised 53 s ago, Sensor');
    expect(all('[data-mark="filled"]')).toBe(0);
  });

  it('are named before what a device reports, which alone gives a row neither shape nor rank', () => {
    const deviceAlarms = [inventedDeviceAlarm({ lastSeenAt: new Date(now).toISOString() })];
    const [first = patient(1)] = alerting(alert());
    render(table([{ ...first, deviceAlarms }, { ...patient(2), deviceAlarms }, patient(3)]));
    expect(alertCells()).toEqual(['high-priority alert: SpO2, raised 53 s ago, Device alarm', 'Device alarm', '']);
    expect(all('[data-alert]')).toBe(1);
    expect(all('tr[data-priority]')).toBe(1);
    expect(document.querySelector('[data-device-alarm]')?.getAttribute('title')).toContain('**RR 40 >30.');
  });

  it('of devices are not said to last while the server does not answer', () => {
    jest.mocked(useServerLost).mockReturnValue(now - 12_000);
    const deviceAlarms = [inventedDeviceAlarm({ lastSeenAt: new Date(now).toISOString() })];
    render(table([{ ...patient(1), deviceAlarms }]));
    expect(alertCells()).toEqual(['Device alarm?']);
    expect(document.querySelector('[data-device-alarm]')?.getAttribute('title')).toContain('(unknown since ');
  });

  it('say how long a second reading is awaited, and no longer', () => {
    const waiting = (ms: number) => alerting(alert({ confirmBy: new Date(now + ms).toISOString() }));
    const { unmount } = render(table(waiting(40_000)));
    expect(alertCells()[0]).toContain('confirming 0:40');
    unmount();
    render(table(waiting(0)));
    expect(alertCells()[0]).not.toContain('confirming');
  });

  it('that have ended unacknowledged are dashed, without a sign', () => {
    render(table(alerting(alert({ condition: 'ended' }))));
    expect(all('[data-mark="dashed"]')).toBe(1);
    expect(all('[data-sign]')).toBe(0);
    expect(all('[data-alert="dashed"]')).toBe(1);
  });

  it('are none where a value has three points of NEWS2 and the delay still runs', () => {
    render(table([patient(1, 90)]));
    expect(all('[data-mark="bold"] [data-sign="low"]')).toBe(1);
    expect(all('[data-alert], tr[data-priority]')).toBe(0);
  });

  it('have no accessibility violation', async () => {
    const { container } = render(
      table([
        ...alerting(alert(), alert({ id: 2, parameter: 'news2', owner: 'ND' })),
        { ...patient(3), spo2Scale: 2, alerts: [alert({ id: 3, condition: 'ended' })] },
      ]),
    );
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

it('shows the target of scale 2 below the value', () => {
  render(table([{ ...patient(1, 90), spo2Scale: 2 }, patient(2)]));
  const [first, second] = [...document.querySelectorAll('tbody tr')].map((row) => row.children[5]?.textContent);
  expect(first).toContain('90 target 88-92%');
  expect(second).not.toContain('88-92');
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
    everySlice();
    rerender(table(ward(60, 91)));
    everySlice();
    expect(values()).toEqual(Array(60).fill('91'));
  });

  it('changes as a whole when its patients change, so that none is shown twice or not at all', () => {
    const { rerender } = render(table(ward(60)));
    rerender(table(ward(60, 91).reverse()));
    expect(values()).toEqual(Array(60).fill('91'));
    expect(screen.getAllByRole('link')[0]?.textContent).toBe('Okafor60, Ada');
  });
});

describe('the delay that the lamp shows', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    setPageVisibility('visible');
    const start = performance.now();
    jest.mocked(serverNow).mockImplementation(() => now + performance.now() - start);
  });
  afterEach(() => jest.useRealTimers());

  /** Rows on the screen: the first six. */
  const nearBlocks = new Set([0, 1]);
  let delayMs: number | null = null;
  function Lamp() {
    ({ delayMs } = usePageValues());
    return null;
  }
  const page = (patients: Patient[]) => (
    <PageValuesProvider>
      {table(patients)}
      <Lamp />
    </PageValuesProvider>
  );

  /** Brings newer values and returns the server's time when the sixth row shows its own. */
  function bring(patients: Patient[]): number {
    const { rerender } = render(page(ward(12, 97)));
    everySlice();
    rerender(page(patients));
    while (values()[5] !== '91') {
      act(() => jest.advanceTimersByTime(1));
    }
    return serverNow() ?? Number.NaN;
  }

  it('counts to the frame that paints the last row on the screen, not to the response', () => {
    jest.mocked(useNearBlocks).mockReturnValue(nearBlocks);
    const receivedAt = now - 200;
    const drawnAt = bring(ward(12).map(({ id }) => patient(id, 91, receivedAt)));
    expect(delayMs).toBeNull();
    everySlice();
    expect(delayMs).toBeGreaterThanOrEqual(drawnAt - receivedAt);
    expect(delayMs).toBeLessThanOrEqual(drawnAt - receivedAt + 17);
  });

  it('is that of a value on the screen, whatever newer ones wait for their rows to come into view', () => {
    jest.mocked(useNearBlocks).mockReturnValue(nearBlocks);
    bring(ward(12).map(({ id }) => patient(id, 91, id > 6 ? now : now - 1_000)));
    everySlice();
    expect(delayMs).toBeGreaterThanOrEqual(1_000);
  });
});

describe('the last hour', () => {
  /** What each row says of it, in the order of the rows. */
  const said = () =>
    [...document.querySelectorAll('tbody tr')].map((row) => [
      within(row as HTMLElement).getByRole('link').textContent,
      row.querySelector('[data-kind="spo2"]')?.textContent,
    ]);
  const sparks = inventedSparks({ 1: { spo2: inventedSpark('91') }, 2: { spo2: inventedSpark('92') } });

  it('is shown under the name of its patient, whatever the order and the other patients', () => {
    jest.mocked(useSparks).mockReturnValue(sparks);
    const { rerender } = render(table(ward(3)));
    const of = {
      1: ['Okafor1, Ada', ', last hour 91'],
      2: ['Okafor2, Ada', ', last hour 92'],
      3: ['Okafor3, Ada', ''],
    };
    expect(said()).toEqual([of[1], of[2], of[3]]);
    rerender(table(ward(3).reverse()));
    expect(said()).toEqual([of[3], of[2], of[1]]);
    rerender(table(ward(2).slice(1)));
    expect(said()).toEqual([of[2]]);
    expect(jest.mocked(useSparks).mock.lastCall).toEqual([[2]]);
  });

  it('is that of the rate that is shown, and so is its label', () => {
    const rates = { heartRate: inventedSpark('61'), pulseRate: inventedSpark('62') };
    jest.mocked(useSparks).mockReturnValue(inventedSparks({ 1: rates }));
    const rate = (name: 'heartRate' | 'pulseRate') => {
      const [row] = ward(1);
      return row === undefined || row.latest.spo2 === undefined
        ? []
        : [{ ...row, latest: { [name]: row.latest.spo2 } }];
    };
    const { unmount } = render(table(rate('heartRate')));
    expect(screen.getByRole('row', { name: /HR 97.*last hour 61/ })).toBeTruthy();
    unmount();
    render(table(rate('pulseRate')));
    expect(screen.getByRole('row', { name: /PR 97.*last hour 62/ })).toBeTruthy();
  });

  it('moves on with the time while the server does not respond', () => {
    jest.mocked(useSparks).mockReturnValue(sparks);
    jest.mocked(useNow).mockReturnValue(now + 3 * 60_000);
    render(table(ward(1)));
    expect(document.querySelector('[data-kind="spo2"] svg')?.getAttribute('viewBox')).toBe('3 0 60 23');
  });

  it('is in the column of its value, and the legend is there once', () => {
    render(table(ward(2)));
    expect(screen.getByText(/Lines: the last hour/).textContent).toContain(
      'SpO2 from 80 to 100 %, HR and PR from 40 to 160 /min',
    );
    expect(
      [...document.querySelectorAll('tbody tr')].map((row) => row.children[5]?.querySelectorAll('svg').length),
    ).toEqual([1, 1]);
  });
});

it('has no accessibility violation', async () => {
  const { container } = render(table(ward(3), { selectedIds: [2] }));
  await expect(axeViolations(container)).resolves.toEqual([]);
});
