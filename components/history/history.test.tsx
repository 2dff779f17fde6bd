import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRead } from '../../hooks/useRead';
import type { Budget, HistoryItem } from '../../lib/alerts/historySchema';
import { clientFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { chooseOption } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { HistoryScreen } from './HistoryScreen';
import { historyPlace, historySubject } from './historySubject';

let mockQuery: Record<string, string> = {};
const mockReplace = jest.fn<void, [string, undefined, object]>();
jest.mock('next/router', () => ({
  useRouter: () => ({ pathname: '/alerts', query: mockQuery, replace: mockReplace }),
}));
jest.mock('../../hooks/useRead');

describe('HistoryScreen', () => {
  const instant = (secondsAgo: number): string => new Date(wardNow - secondsAgo * 1_000).toISOString();
  const alert: HistoryItem = {
    id: 9,
    patientId: 1,
    deviceName: null,
    patient: {
      familyName: 'Sample1',
      givenName: 'Sam',
      isTrial: false,
      mrn: 'M1',
      unit: 'West',
      bed: '4',
      profile: 'continuous',
    },
    parameter: 'spo2',
    rule: 'spo2.low',
    condition: 'ended',
    startedAt: instant(620),
    endedAt: instant(400),
    outcome: null,
    closedAt: instant(300),
    closedBecause: 'acknowledged',
    sentence: 'SpO2 low, ended at 13:58, lowest 84',
    raisedAt: instant(600),
    priority: 'high',
    acknowledgedAt: instant(554),
    acceptedAt: null,
    highestStep: 2,
  };
  const open: HistoryItem = {
    ...alert,
    id: 10,
    condition: 'active',
    endedAt: null,
    closedAt: null,
    closedBecause: null,
    acknowledgedAt: null,
    highestStep: 0,
  };
  const ofEquipment: HistoryItem = {
    ...alert,
    id: 11,
    patient: null,
    sentence: 'No SpO2 signal',
    outcome: 'sensor_fixed',
  };

  const noWaits = { count: 0, medianMs: null, p90Ms: null };
  const nothing = { alerts: 0, acknowledged: noWaits, accepted: noWaits, reachedStep2: 0 };
  const counts = { high: 3, medium: 1, low: 0 };
  const budget: Budget = {
    from: instant(86_400),
    until: instant(0),
    isShortened: false,
    alerts: 4,
    counts,
    patients: 2,
    patientDays: 2,
    perDay: { high: 1.5, medium: 0.5, low: 0 },
    steps: [
      {
        from: instant(86_400),
        until: instant(3_600),
        counts,
        patientDays: 1.9,
        perDay: { high: 1.5, medium: 0.5, low: 0 },
      },
      { from: instant(3_600), until: instant(0), counts: { high: 0, medium: 0, low: 0 }, patientDays: 0, perDay: null },
    ],
    responses: {
      high: {
        alerts: 3,
        acknowledged: { count: 2, medianMs: 46_000, p90Ms: 190_000 },
        accepted: noWaits,
        reachedStep2: 1,
      },
      medium: { ...nothing, alerts: 1 },
      low: nothing,
    },
    reachedStep2: 0.25,
    noisiestPatients: [{ patientId: 1, patient: alert.patient, counts, share: 1, patientDays: 1, perDay: 4 }],
    noisiestRules: [{ rule: 'spo2.low', counts, share: 1 }],
    topTenth: { patients: 1, share: 1 },
  };

  const nurse = inventedUser({ type: 'nurse' });

  function show(items: HistoryItem[] = [alert], more: { next?: string | null; user?: User; budget?: Budget } = {}) {
    setReads({
      listAlertHistory: answered({ items, next: more.next ?? null, from: instant(86_400), to: instant(0) }),
      listAlertHistoryPeople: answered({ items: [{ id: 3, name: 'Ada Example' }] }),
      listUnits: answered({ items: [], total: 0 }),
      readAlarmBudget: answered(more.budget ?? budget),
      listAlertEvents: answered({
        items: [{ is: 'acknowledged', at: instant(554), by: { id: 3, name: 'Ada Example' } }],
      }),
    });
    return render(<HistoryScreen user={more.user ?? nurse} now={wardNow} />);
  }
  const asked = (name: string): unknown => {
    const last = jest.mocked(useRead).mock.calls.findLast(([read]) => read === name);
    return last?.[1] !== undefined && 'query' in last[1] ? last[1].query : undefined;
  };

  beforeEach(() => {
    mockQuery = {};
    mockReplace.mockReset();
  });

  describe('the history of alerts', () => {
    it('says for each alert whom it is about, how long it waited and what came of it', async () => {
      const { container } = show([open, alert, ofEquipment]);
      const rows = screen.getAllByRole('row').slice(1);
      expect(rows.map((row) => row.textContent)).toEqual([
        expect.stringContaining('Sample1, Sam'),
        expect.stringContaining('Acknowledged after 46 sNot takenReached step 2Closed: acknowledged'),
        expect.stringContaining('Name not shown'),
      ]);
      expect(rows[0]?.textContent).toContain('ongoingNot acknowledgedNot takenOpen');
      expect(rows[1]?.textContent).toContain('Bed 4 · West · MRN\u00a0M1');
      expect(rows[1]?.textContent).toContain('lasted 3 min 40 s');
      expect(rows[2]?.textContent).toContain('Closed: Sensor fixed');
      await expect(axeViolations(container)).resolves.toEqual([]);
    });

    it('ends with the moment at which it was opened, so that no row moves', () => {
      show();
      expect(asked('listAlertHistory')).toEqual({ to: new Date(wardNow).toISOString() });
    });

    it('keeps its filters in the address, with ids and without names', async () => {
      show();
      await chooseOption(screen.getByLabelText('Person'), 'Ada Example');
      expect(mockReplace).toHaveBeenLastCalledWith('/alerts?person=3', undefined, { shallow: true, scroll: false });
      await chooseOption(screen.getByLabelText('Priority'), 'High');
      expect(mockReplace).toHaveBeenLastCalledWith('/alerts?priority=high', undefined, {
        shallow: true,
        scroll: false,
      });
    });

    it('takes its filters from the address, days by the site’s calendar, and for the file too', () => {
      mockQuery = { unit: '5', rule: 'spo2.low', state: 'open', from: '2026-03-01', to: '2026-03-02' };
      show();
      const query = {
        unitId: '5',
        rule: 'spo2.low',
        state: 'open',
        from: '2026-03-01T00:00:00.000Z',
        to: '2026-03-03T00:00:00.000Z',
      };
      expect(asked('listAlertHistory')).toEqual(query);
      const file = new URL(screen.getByRole('link', { name: 'Export as CSV' }).getAttribute('href') ?? '', 'http://x');
      expect(Object.fromEntries(file.searchParams)).toEqual(query);
      expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy();
    });

    it('turns to older pages and back', async () => {
      show([alert], { next: '5-9' });
      await userEvent.click(screen.getByRole('button', { name: 'Next Page' }));
      expect(asked('listAlertHistory')).toMatchObject({ before: '5-9' });
      await userEvent.click(screen.getByRole('button', { name: 'Previous Page' }));
      expect(asked('listAlertHistory')).not.toHaveProperty('before');
    });

    it('shows the log of one alert in words, and leads to the history of its patient', async () => {
      show();
      await userEvent.click(screen.getByRole('button', { name: 'Log of the alert of Sample1, Sam' }));
      const log = within(await screen.findByRole('dialog'));
      expect(log.getByText(/Ada Example acknowledged it/)).toBeTruthy();
      await userEvent.click(log.getByRole('button', { name: 'All alerts of this patient' }));
      expect(mockReplace).toHaveBeenLastCalledWith('/alerts?patient=1', undefined, { shallow: true, scroll: false });
    });

    it('says when nothing matches, and when it could not be read', () => {
      show([]);
      expect(screen.getByText('No alerts in this time with these filters')).toBeTruthy();
      setReads({
        listAlertHistory: answered<never>(undefined as never, { data: undefined, error: clientFailure('unreachable') }),
        listAlertHistoryPeople: answered({ items: [] }),
        listUnits: answered({ items: [], total: 0 }),
      });
      render(<HistoryScreen user={nurse} now={wardNow} />);
      expect(screen.getByText('This could not be loaded.')).toBeTruthy();
    });

    it('offers a technician no filter by patient or unit', () => {
      show([ofEquipment], { user: inventedUser({ type: 'technician' }) });
      expect(screen.queryByLabelText('Patient')).toBeNull();
      expect(screen.queryByLabelText('Unit')).toBeNull();
    });
  });

  describe('the alarm budget', () => {
    beforeEach(() => {
      mockQuery = { view: 'budget' };
    });

    it('shows rates, times and where the alerts come from, also to those who do not see the bars', async () => {
      const { container } = show();
      expect(screen.getByText('High 1.5 · Medium 0.5 · Low 0.0')).toBeTruthy();
      const high = screen.getByRole('row', { name: /^High Acknowledged/ });
      expect(high.textContent).toContain('46 s3 min 10 s2 of 31 of 3');
      expect(screen.getByText(/high 3, medium 1, low 0/)).toBeTruthy();
      const patients = within(screen.getByRole('region', { name: 'Noisiest patients' }));
      expect(patients.getByRole('listitem').textContent).toContain('Sample1, Sam4, West4 (100 %)4.0 a day');
      await expect(axeViolations(container)).resolves.toEqual([]);
    });

    it('never shows what is unknown as 0', () => {
      show([], { budget: { ...budget, perDay: null, reachedStep2: null, topTenth: null, alerts: 0 } });
      const tiles = screen.getAllByRole('term').map((term) => term.parentElement?.textContent);
      expect(tiles).toEqual([
        'Alerts per patient and day--Too little data: a rate needs 4 hours.',
        'Alerts02 patients, 2.0 patient-days',
        expect.stringMatching(/^Reached step 2--/),
        'From the noisiest tenth--No alerts',
      ]);
      expect(screen.getByRole('row', { name: /^Low Acknowledged/ }).textContent).toContain('----0 of 0asks no steps');
      expect(screen.getByText(/: no patients$/)).toBeTruthy();
    });

    it('draws no bar for a wait that is unknown, and says how few patient-days there were', () => {
      const { container } = show([], { budget: { ...budget, patientDays: 0.01 } });
      // Of six waits one is known, with its median and its ninetieth percentile.
      expect(container.querySelectorAll('td .p90, td .median')).toHaveLength(2);
      expect(screen.getByText('2 patients, < 0.1 patient-days')).toBeTruthy();
      expect(container.querySelectorAll('li .low')).toHaveLength(1);
    });

    it('says that there were no patients', () => {
      show([], { budget: { ...budget, alerts: 0, patients: 0 } });
      expect(screen.getByText('No patients in this time')).toBeTruthy();
    });

    it('leads from a rule and a patient to their alerts, and to another time', async () => {
      show();
      await userEvent.click(screen.getByRole('button', { name: 'SpO2 low' }));
      expect(mockReplace.mock.lastCall?.[0]).toBe('/alerts?rule=spo2.low');
      await userEvent.click(screen.getByRole('button', { name: 'Sample1, Sam' }));
      expect(mockReplace.mock.lastCall?.[0]).toBe('/alerts?patient=1');
      await userEvent.click(screen.getByText('14 days'));
      expect(mockReplace.mock.lastCall?.[0]).toBe('/alerts?view=budget&days=14');
    });
  });
});

describe('historySubject', () => {
  const noPatient = { patient: null, patientId: null };

  it.each([
    [{ ...noPatient, deviceName: 'Hub 7', parameter: 'battery' }, 'Hub 7', 'Equipment'],
    [{ ...noPatient, deviceName: 'Ward 4', parameter: 'report' }, 'Ward 4', 'Issue report'],
    [{ patient: null, patientId: 5, deviceName: null, parameter: 'spo2' }, 'Patient', 'Name not shown'],
  ] as const)('an alert of %j is about "%s", at "%s"', (item, subject, place) => {
    expect(historySubject(item)).toBe(subject);
    expect(historyPlace(item)).toBe(place);
  });
});
