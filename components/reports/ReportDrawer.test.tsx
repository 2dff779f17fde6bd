import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { z } from 'zod';
import { useAlerts } from '../../hooks/useAlerts';
import { keepTextsOf } from '../../hooks/keptTexts';
import { poll } from '../../hooks/poll';
import { usePatientSearch } from '../../hooks/usePatientSearch';
import { ApiFailure } from '../../lib/browser/client';
import { newReport, type IssueReport } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedAlert, inventedAlerts } from '../../test/inventedAlert';
import { inventedReport } from '../../test/inventedReport';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ReportDrawer } from './ReportDrawer';

const mockRouter = { asPath: '/patient_details?ids=4', pathname: '/patient_details', query: { ids: '4' } };
jest.mock('next/router', () => ({ useRouter: () => mockRouter }));
jest.mock('../../hooks/useAlerts');
jest.mock('../../hooks/usePatientSearch');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/poll');

const onClose = jest.fn();

function show(start: { patientId?: number } = {}, change: Partial<User> = {}) {
  const user = inventedUser({ units: [{ id: 3, name: 'East' }], ...change });
  return render(<ReportDrawer user={user} now={wardNow} start={start} onClose={onClose} />);
}
/** What the server does with the report. */
function answer(report: IssueReport | ApiFailure): void {
  jest
    .mocked(poll)
    .mockImplementation(() =>
      report instanceof ApiFailure
        ? Promise.reject(report)
        : Promise.resolve({ data: report as never, serverTime: null }),
    );
}
const sent = () => jest.mocked(poll).mock.calls.map(([, input]) => z.object({ body: newReport }).parse(input).body);
const send = () => userEvent.click(screen.getByText('Send report'));
async function fill(severity: RegExp): Promise<void> {
  await userEvent.click(screen.getByLabelText(severity));
  await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Device');
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Cable loose' } });
}

beforeEach(() => {
  keepTextsOf(0);
  onClose.mockReset();
  jest.mocked(poll).mockReset();
  answer(inventedReport(12, { alarm: 'open', severity: 'S1' }));
  jest.mocked(usePatientSearch).mockReturnValue([]);
  jest
    .mocked(useAlerts)
    .mockReturnValue(
      answered(
        inventedAlerts([
          inventedAlert(1, { patientId: 4, parameter: 'spo2', priority: 'high', raisedAt: secondsAgo(60) }),
        ]),
      ),
    );
  setReads({
    getPatient: answered({ ...inventedPatient(4), news2: null, standby: null, comfortCare: null }),
    listUnits: answered({ items: [{ id: 3, name: 'East', patients: 1, people: 1, isOpen: true }], total: 1 }),
    listDevices: answered({ items: [], total: 0 }),
  });
});

describe('the form of an issue report', () => {
  it('says at its fields what is missing, and sends nothing', async () => {
    show();
    await writeInto(screen.getByLabelText(/^What happened/), 'It fell');
    await send();
    expect(screen.getByText('Service severity is not chosen')).toBeTruthy();
    expect(screen.getByText('Kind is not chosen')).toBeTruthy();
    expect(screen.getByText('Title is empty')).toBeTruthy();
    expect(screen.getByLabelText(/^What happened/)).toHaveProperty('value', 'It fell');
    expect(screen.getByText('Not sent yet')).toBeTruthy();
    expect(poll).not.toHaveBeenCalled();
  });

  it('is about no patient unless one is chosen, and never says that there was no harm', async () => {
    show();
    await fill(/^S3/);
    await send();
    await screen.findByText('Report 12 is sent.');
    expect(sent()).toMatchObject([
      { patientId: null, harm: { physical: null, psychological: null }, unitId: 3, alertIds: [], alarmsUnit: false },
    ]);
    expect(JSON.stringify(sent())).not.toContain('Sample4');
  });

  it('offers the patient of the page, and only then the alerts of this patient', async () => {
    show();
    expect(screen.getByText('No open alert to link').closest('details')).toBeNull();
    await userEvent.click(screen.getByText('About Sample4, Sam, MRN A-4'));
    await userEvent.click(screen.getByText('Link to an open alert'));
    await userEvent.click(await screen.findByLabelText('SpO2, high, raised 14:59'));
    await fill(/^S3/);
    await send();
    await screen.findByText('Report 12 is sent.');
    expect(sent()).toMatchObject([{ patientId: 4, unitId: null, alertIds: [1] }]);
  });

  it('of a patient’s notes is about this patient, by name', () => {
    show({ patientId: 4 });
    expect(screen.getByText('Sample4, Sam, MRN A-4')).toBeTruthy();
  });

  it('asks before S1 alarms the unit, and is sent with a confirmation alone', async () => {
    show();
    await fill(/^S1/);
    await send();
    await screen.findByText('This alarms the unit now');
    await userEvent.click(screen.getByText('Cancel'));
    expect(poll).not.toHaveBeenCalled();
    await send();
    await userEvent.click(await screen.findByText('Alert and send'));
    await screen.findByText(/East is alerted now/);
    expect(sent()).toMatchObject([{ severity: 'S1', alarmsUnit: true }]);
  });

  it('says before S1 without a unit that it alerts only the ward leads, and offers to choose a unit', async () => {
    show({}, { units: [] });
    await fill(/^S1/);
    await send();
    await screen.findByText(/^No unit is chosen: only the ward leads of the site are alerted/);
    expect(screen.queryByText('Cancel')).toBeNull();
    await userEvent.click(screen.getByText('Choose a unit'));
    expect(poll).not.toHaveBeenCalled();
    await userEvent.selectOptions(screen.getByLabelText('Unit'), 'East');
    await send();
    await screen.findByText('Cancel');
    expect(screen.queryByText(/^No unit is chosen/)).toBeNull();
  });

  it('says that no one was alerted while the rules of the site are off', async () => {
    answer(inventedReport(12, { alarm: 'rules_off', severity: 'S1' }));
    show({}, { site: { ...inventedUser().site, rulesAreOn: false } });
    await fill(/^S1/);
    await send();
    await screen.findByText(/so no one is alerted/);
    await userEvent.click(screen.getByText('Alert and send'));
    await expect(screen.findByText(/No one was alerted/)).resolves.toBeTruthy();
  });

  it('shows a refusal at its field and keeps what was typed', async () => {
    answer(new ApiFailure('invalid', 'Invalid.', { status: 422, fields: { bed: 'is not known' } }));
    show();
    await fill(/^S3/);
    await send();
    await screen.findByText('Bed is not known');
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Cable loose');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('says of S1 over a lost connection not to count on the alert', async () => {
    answer(new ApiFailure('unreachable', 'The server cannot be reached.'));
    show();
    await fill(/^S1/);
    await send();
    await userEvent.click(await screen.findByText('Alert and send'));
    await screen.findByText(/Do not count on the alert/);
    expect(screen.getByLabelText('Title')).toHaveProperty('readOnly', true);
  });

  it('asks before what was typed is discarded', async () => {
    show();
    await writeInto(screen.getByLabelText('Title'), 'Cable');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await screen.findByText('Discard what you typed?');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('shows all that it sends of the page, which names no patient', async () => {
    render(
      <p>
        <span data-vital="spo2" data-state="no-signal">
          Sample4 --
        </span>
        <span data-vital="heartRate" data-state="live">
          88
        </span>
      </p>,
    );
    show();
    await userEvent.click(screen.getByText('What is sent with it'));
    const page = screen.getByText('Page').nextElementSibling?.textContent;
    await fill(/^S3/);
    await send();
    await screen.findByText('Report 12 is sent.');
    expect(sent()[0]?.context).toMatchObject({
      page: '/patient_details',
      errorReportId: null,
      tiles: [
        { kind: 'spo2', state: 'off', count: 1 },
        { kind: 'heartRate', state: 'live', count: 1 },
      ],
    });
    expect(page).toBe('/patient_details');
  });

  it('has no accessibility violations', async () => {
    show();
    await waitFor(() => expect(screen.getByLabelText('Title')).toBeTruthy());
    await expect(axeViolations(document.body)).resolves.toEqual([]);
  });
});
