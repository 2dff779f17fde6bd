import { render, screen } from '@testing-library/react';
import { OpenAlerts } from '../components/alerts/OpenAlerts';
import type { ReadState } from '../hooks/readState';
import { useAlertPatients } from '../hooks/useAlertPatients';
import { useAlerts } from '../hooks/useAlerts';
import { useFreeze } from '../hooks/useFreeze';
import type { AlertItem, AlertsPage } from '../lib/alerts/schema';
import type { Patient } from '../lib/patients/schema';
import type { User } from '../lib/session/schema';
import { answered, callMock, setCalls } from './calls';
import { inventedAlerts } from './inventedAlert';
import { inventedPage, inventedPatient, inventedUser, wardNow } from './inventedWard';

interface Shown {
  user?: User;
  patients?: readonly Patient[];
  /** Those that are not on the screen and are read for their alerts. */
  others?: Patient[];
  change?: Partial<ReadState<AlertsPage>>;
}

const ward = [inventedPatient(1), inventedPatient(2), inventedPatient(3)];

/** The calls of the list; a test says what each answers. */
export const alertActs = {
  takeAlerts: callMock<'takeAlerts'>(),
  acknowledgeAlert: callMock<'acknowledgeAlert'>(),
  pauseAlertAudio: callMock<'pauseAlertAudio'>(),
  settleAlertSource: callMock<'settleAlertSource'>(),
  undoAlertAction: callMock<'undoAlertAction'>(),
};

/**
 * Shows the list of open alerts as the dashboard does. The test mocks `useAlerts`, `useCall` and what reads the time.
 */
export function showOpenAlerts(
  alerts: AlertItem[],
  { user = inventedUser(), patients = ward, others = [], change = {} }: Shown = {},
) {
  setCalls(alertActs);
  jest.mocked(useAlertPatients).mockReturnValue(answered(inventedPage(others)));
  const respond = (items: AlertItem[], more: Partial<ReadState<AlertsPage>>): void => {
    jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts(items), more));
  };
  const element = <Screen user={user} patients={patients} />;
  respond(alerts, change);
  const { rerender, ...rendered } = render(element);
  return {
    ...rendered,
    /** What the next poll brings. */
    poll: (newer: AlertItem[], more: Partial<ReadState<AlertsPage>> = change): void => {
      respond(newer, more);
      rerender(<Screen user={user} patients={patients} />);
    },
  };
}

function Screen({ user, patients }: { user: User; patients: readonly Patient[] }) {
  const { frozen, renew, handlers } = useFreeze();
  return (
    <main {...handlers}>
      <OpenAlerts
        user={user}
        firstAlerts={inventedAlerts([])}
        values={{ patients: new Map(patients.map((patient) => [patient.id, patient])), sparks: undefined }}
        freeze={{ frozen, renew }}
        initialNow={wardNow}
      />
    </main>
  );
}

/** The alerts on the screen, the one in the slot above the list included. */
export const lines = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-alert]')];
export const listed = (): HTMLElement[] => lines().filter((line) => line.closest('li') !== null);
export const inSlot = (): HTMLElement | undefined => lines().find((line) => line.closest('li') === null);
/** The ids of the alerts in the list, in their order. */
export const order = (): string[] => listed().map(({ dataset }) => dataset.alert ?? '');
export const line = (id: number): HTMLElement =>
  listed().find(({ dataset }) => dataset.alert === String(id)) ?? document.body;
export const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });
