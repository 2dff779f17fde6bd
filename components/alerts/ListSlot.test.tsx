import { act, fireEvent, screen } from '@testing-library/react';
import { useRef } from 'react';
import { useFreeze } from '../../hooks/useFreeze';
import type { AlertItem } from '../../lib/alerts/schema';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedPage, inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { answer } from '../../test/network';
import { inSlot } from '../../test/showOpenAlerts';
import { showScreen } from '../../test/showScreen';
import { ListSlot } from './ListSlot';
import { guardedForMs } from './useMoveGuard';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/patients', push: jest.fn() }) }));

const onShow = jest.fn();
const nia = { by: { id: 4, name: 'Nia Newcomer' }, at: secondsAgo(1) };
/** Patients 1 and 2 are on the page of the list, 3 and 4 are not. */
const patients = [inventedPatient(1), inventedPatient(2)];
const soon = { raisedAt: secondsAgo(-5), lastRaisedAt: secondsAgo(-5) };
const there = inventedAlert(1, { patientId: 3 });
const ofListed = inventedAlert(2, { patientId: 2, ...soon });
const ofOther = inventedAlert(3, { patientId: 4, ...soon });

function List() {
  const { handlers, ...freeze } = useFreeze();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <main {...handlers}>
      <h1 ref={heading} tabIndex={-1}>
        Patients
      </h1>
      <ListSlot
        user={inventedUser()}
        patients={patients}
        freeze={freeze}
        heading={heading}
        onShow={onShow}
        initialNow={wardNow}
      />
    </main>
  );
}

/** Shows the list with these alerts; each poll brings others. */
async function show(alerts: AlertItem[]): Promise<{ poll: (newer: AlertItem[]) => Promise<void> }> {
  const respond = (items: AlertItem[]): void => answer({ listAlerts: () => inventedAlerts(items) });
  answer({ listPatients: () => inventedPage([]) });
  respond(alerts);
  const { poll } = await showScreen(<List />);
  return {
    poll: (newer) => {
      respond(newer);
      return poll();
    },
  };
}
const point = (): void => {
  fireEvent.pointerMove(screen.getByRole('main'));
};
const leave = (): void => {
  fireEvent.pointerOut(screen.getByRole('main'), { relatedTarget: document.body });
};

beforeEach(() => {
  jest.useFakeTimers();
  onShow.mockReset();
});
afterEach(() => jest.useRealTimers());

describe('the slot above the list of patients', () => {
  it('is empty at first, whatever alerts there are, and while the list shows by itself what comes', async () => {
    const { poll } = await show([there]);
    expect(inSlot()).toBeUndefined();
    await poll([ofListed, there]);
    expect(inSlot()).toBeUndefined();
  });

  it('shows what comes while the list holds still, until the list may show it', async () => {
    const { poll } = await show([there]);
    point();
    await poll([ofListed, there]);
    expect(inSlot()?.dataset.alert).toBe('2');
    expect(screen.getByText('New')).toBeTruthy();
    leave();
    expect(inSlot()).toBeUndefined();
  });

  it('shows what becomes more urgent while the list holds still', async () => {
    const { poll } = await show([{ ...ofListed, priority: 'medium', ...{ lastRaisedAt: secondsAgo(60) } }]);
    point();
    await poll([ofListed]);
    expect(inSlot()?.dataset.alert).toBe('2');
    expect(screen.getByText('More urgent')).toBeTruthy();
  });

  it('shows a new alert of a patient off the page, also if nothing holds still, until someone has it', async () => {
    const { poll } = await show([there]);
    await poll([ofOther, there]);
    expect(inSlot()?.textContent).toContain('Sample4, Sam');
    await poll([{ ...ofOther, accepted: nia }, there]);
    expect(inSlot()).toBeUndefined();
  });

  it('keeps LOW alerts of other patients for the list of alerts', async () => {
    const { poll } = await show([there]);
    await poll([{ ...ofOther, priority: 'low' }, there]);
    expect(inSlot()).toBeUndefined();
  });

  it('leads to the list with these patients, and is empty then', async () => {
    const { poll } = await show([there]);
    point();
    await poll([ofOther, ofListed, there]);
    act(() => jest.advanceTimersByTime(guardedForMs));
    fireEvent.pointerMove(inSlot() ?? document.body);
    fireEvent.click(screen.getByRole('button', { name: '+1 more' }), { detail: 1 });
    expect(onShow.mock.calls).toEqual([[[4, 2]]]);
    expect(inSlot()).toBeUndefined();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Patients' }));
  });
});
