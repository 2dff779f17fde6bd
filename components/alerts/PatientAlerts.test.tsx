import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAlertLog } from '../../hooks/useAlertLog';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import { usePatient } from '../../hooks/usePatient';
import { useServerLost } from '../../hooks/useServerLost';
import type { AlertItem } from '../../lib/alerts/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setCalls } from '../../test/calls';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedPatient, inventedUser, inventedValue, wardNow } from '../../test/inventedWard';
import { alertActs, lines } from '../../test/showOpenAlerts';
import { PatientAlerts } from './PatientAlerts';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/useAlertLog');
jest.mock('../../hooks/useNow');
jest.mock('../../hooks/usePatient');
jest.mock('../../hooks/useServerLost');

const user = inventedUser();
const strip = () => <PatientAlerts patientId={1} user={user} initialNow={wardNow} />;

function show(alerts: AlertItem[]) {
  setCalls(alertActs);
  jest.mocked(useAlertLog).mockReturnValue(undefined);
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(usePatient).mockReturnValue(answered(inventedPatient(1)));
  const respond = (items: AlertItem[]): void => {
    jest.mocked(useAlerts).mockReturnValue(answered(inventedAlerts(items)));
  };
  respond(alerts);
  const { rerender, container } = render(strip());
  return {
    container,
    poll: (newer: AlertItem[]): void => {
      respond(newer);
      rerender(strip());
    },
  };
}

describe('the alerts on the page of a patient', () => {
  it('are those of the patient alone, and nothing if there are none', () => {
    const { container, poll } = show([inventedAlert(2, { patientId: 2 })]);
    expect(container.textContent).toBe('');
    poll([inventedAlert(2, { patientId: 2 }), inventedAlert(1, { values: { spo2: inventedValue({ value: 78 }) } })]);
    expect(lines().map(({ dataset }) => [dataset.alert, dataset.look])).toEqual([['1', 'strip']]);
    expect(lines()[0]?.textContent).toMatch(/^(!!!)+78SpO2 %2 sSpO2 86 % < 88 for 1 min/);
  });

  it('fold to the worst one and say how many more there are', async () => {
    const { container } = show([
      inventedAlert(1),
      inventedAlert(3, { parameter: 'rate', priority: 'medium' }),
      inventedAlert(2, { patientId: 2 }),
    ]);
    expect(lines()).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: '+1 alert' }));
    expect(lines().map(({ dataset }) => dataset.alert)).toEqual(['1', '3']);
    await expect(axeViolations(container)).resolves.toEqual([]);
  });

  it('hold still under the pointer, and say that another one has come', async () => {
    const { poll } = show([inventedAlert(1, { priority: 'medium' })]);
    fireEvent.pointerMove(lines()[0] ?? document.body);
    poll([inventedAlert(3, { parameter: 'rate' }), inventedAlert(1, { priority: 'medium' })]);
    expect(lines().map(({ dataset }) => dataset.alert)).toEqual(['1']);
    await userEvent.click(screen.getByRole('button', { name: '+1 new alert' }));
    expect(lines()[0]?.dataset.alert).toBe('3');
  });
});
