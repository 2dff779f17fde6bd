import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import type { Answer } from '../../hooks/answer';
import { useAlertActs, type AlertActs } from '../../hooks/useAlertActs';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { OpenAlerts } from './OpenAlerts';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/dashboard' }) }));
jest.mock('../../hooks/useAlertActs');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useNow');

const acknowledge = jest.fn<ReturnType<AlertActs['acknowledge']>, Parameters<AlertActs['acknowledge']>>();
const accept = jest.fn<ReturnType<AlertActs['accept']>, Parameters<AlertActs['accept']>>();
const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(120) };

function show(
  alerts: AlertItem[],
  { user = inventedUser(), ...change }: Partial<Answer<AlertsPage>> & { user?: User } = {},
) {
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useAlertActs).mockReturnValue({ acknowledge, accept });
  jest.mocked(useAlerts).mockReturnValue({
    data: inventedAlerts(alerts),
    error: undefined,
    isLoading: false,
    isRefreshing: false,
    asOf: wardNow,
    refresh: () => Promise.resolve(),
    ...change,
  });
  return render(
    <OpenAlerts
      user={user}
      patients={[inventedPatient(1), inventedPatient(2)]}
      firstAlerts={inventedAlerts([])}
      initialNow={wardNow}
      wayToAll={<button>All</button>}
    />,
  );
}
const rows = () => screen.getAllByRole('listitem');

describe('the open alerts on the dashboard', () => {
  beforeEach(() => {
    acknowledge.mockReset().mockResolvedValue();
    accept.mockReset().mockResolvedValue();
  });

  it('say how urgent, about whom, where, what and how old, in the order in which they came', () => {
    show([
      inventedAlert(1),
      inventedAlert(2, { priority: 'medium', patientId: 2, sentence: 'Heart rate 135 for 2 min, limit 131' }),
      inventedAlert(3, {
        priority: 'low',
        patientId: null,
        deviceId: 5,
        deviceName: 'monitor 7',
        sentence: 'Battery 15 %',
      }),
    ]);
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^!!!HighSample1, SamEast, 1 · MRN A-1SpO2 86 % for 1 min, limit 88 %Raised 45 s ago/),
      expect.stringMatching(/^!!MediumSample2, SamEast, 2 · MRN A-2Heart rate 135/),
      expect.stringMatching(/^!Lowmonitor 7EquipmentBattery 15 %/),
    ]);
    expect(screen.getByRole('link', { name: 'Sample1, Sam' }).getAttribute('href')).toBe('/patient_details?ids=1');
    expect(screen.getByText('3 open alerts, 1 high')).toBeTruthy();
  });

  it('say what is over and whether anybody has seen it', () => {
    show([
      inventedAlert(1, { condition: 'ended', endedAt: secondsAgo(20), latched: true }),
      inventedAlert(2, { condition: 'ended', endedAt: secondsAgo(20), acknowledged: nia }),
    ]);
    expect(rows()[0]?.textContent).toContain('Ended 20 s ago, not acknowledged · Raised 45 s ago');
    expect(rows()[1]?.textContent).toContain('Ended 20 s ago · Raised');
  });

  it('name who has acknowledged and who has accepted, which is not the same', () => {
    show([inventedAlert(1, { acknowledged: nia }), inventedAlert(2, { acknowledged: nia, accepted: nia })]);
    const [heard, taken] = rows();
    expect(heard?.textContent).toContain('Acknowledged by Nia Newcomer, 2 min ago');
    expect(
      within(heard ?? document.body)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Accept the alert of Sample1, Sam']);
    expect(taken?.textContent).toContain('Accepted by Nia Newcomer, 2 min ago');
    expect(within(taken ?? document.body).queryByRole('button')).toBeNull();
  });

  it('are acknowledged and accepted by who may, once at a time, and a refusal is said where it happened', async () => {
    let end: () => void = () => {};
    acknowledge.mockReturnValue(new Promise((resolve) => (end = resolve)));
    accept.mockRejectedValue(
      new ApiFailure('accepted_by_somebody_else', 'Somebody else has taken this alert on.', { status: 409 }),
    );
    show([inventedAlert(7), inventedAlert(8, { patientId: 2 })]);
    await userEvent.click(screen.getByRole('button', { name: 'Acknowledge the alert of Sample1, Sam' }));
    expect(screen.getByRole('button', { name: 'Accept the alert of Sample1, Sam' })).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByRole('button', { name: 'Accept the alert of Sample2, Sam' }));
    expect([acknowledge.mock.calls, accept.mock.calls]).toEqual([[[7]], [[8]]]);
    const [first, second] = rows();
    await expect(
      within(second ?? document.body).findByText('Not done. Somebody else has taken this alert on.'),
    ).resolves.toBeTruthy();
    expect(first?.textContent).not.toContain('Not done');
    end();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Accept the alert of Sample1, Sam' })).toHaveProperty(
        'disabled',
        false,
      );
    });
  });

  it('keep their places under the pointer while one closes and a worse one comes, until it leaves', async () => {
    const page = (alerts: AlertItem[]) => {
      jest.mocked(useAlerts).mockReturnValue({ ...answer, data: inventedAlerts(alerts) });
      return (
        <OpenAlerts
          user={inventedUser()}
          patients={[inventedPatient(1), inventedPatient(2)]}
          firstAlerts={inventedAlerts([])}
          initialNow={wardNow}
          wayToAll={<button>All</button>}
        />
      );
    };
    const second = inventedAlert(8, { patientId: 2, sentence: 'second' });
    const { rerender } = show([inventedAlert(7, { sentence: 'first' }), second]);
    const answer = jest.mocked(useAlerts)(inventedAlerts([]));
    await userEvent.click(screen.getByRole('button', { name: 'Acknowledge the alert of Sample1, Sam' }));
    rerender(page([inventedAlert(9, { sentence: 'newest' }), second]));
    expect(rows().map(({ textContent }) => /first|second|newest/.exec(textContent ?? '')?.[0])).toEqual([
      'first',
      'second',
      'newest',
    ]);
    expect(rows()[0]?.textContent).toContain('Closed');
    expect(within(rows()[0] ?? document.body).queryByRole('button')).toBeNull();
    // A second click at the same place reaches no other patient.
    expect(acknowledge.mock.calls).toEqual([[7]]);

    await userEvent.click(screen.getByRole('button', { name: 'Show the new order' }));
    expect(rows()[0]?.textContent).toContain('newest');
    expect(rows()[1]?.textContent).toContain('second');
    expect(rows()).toHaveLength(2);
    rerender(page([second, inventedAlert(9, { sentence: 'newest' })]));
    expect(rows()[0]?.textContent).toContain('newest');
    await userEvent.unhover(screen.getAllByRole('list')[0] ?? document.body);
    expect(rows()[0]?.textContent).toContain('second');
  });

  it('are only read by who may not handle them', () => {
    show([inventedAlert(1)], { user: inventedUser({ type: 'viewer' }) });
    expect(screen.queryByRole('button')).toBeNull();
    expect(rows()[0]?.textContent).toMatch(/Not acknowledgedNot accepted$/);
  });

  it('are counted where their patient is not on the page, with the most urgent of them', () => {
    show([inventedAlert(1, { patientId: 40 }), inventedAlert(2), inventedAlert(3, { patientId: 41, priority: 'low' })]);
    expect(rows()).toHaveLength(1);
    expect(screen.getByText('2 more open alerts of patients not on this page, the most urgent high')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'All' })).toBeTruthy();
  });

  it('are none, and are never promised where the rules are off', () => {
    const { unmount } = show([]);
    expect(screen.getByText('None')).toBeTruthy();
    unmount();
    const { site } = inventedUser();
    show([], { user: inventedUser({ site: { ...site, rulesAreOn: false } }) });
    expect(screen.getByText('None. The alert rules are off on this site.')).toBeTruthy();
  });

  it('stay, marked old, where a refresh fails, and are not none before the first answer', () => {
    const { unmount } = show([inventedAlert(1)], { error: clientFailure('unreachable') });
    expect(screen.getByText(/^Old data: as it was at/)).toBeTruthy();
    expect(rows()).toHaveLength(1);
    unmount();
    show([], { data: undefined, isLoading: true });
    expect(screen.queryByText('None')).toBeNull();
    expect(screen.getByText('Loading alerts …')).toBeTruthy();
  });

  it('have no accessibility violation', async () => {
    const { container } = show([
      inventedAlert(1),
      inventedAlert(2, { priority: 'medium', acknowledged: nia }),
      inventedAlert(3, { priority: 'low' }),
    ]);
    // jsdom paints nothing, so contrast is looked at in a real browser.
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations).toEqual([]);
  });
});
