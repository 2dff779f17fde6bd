import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { downloadPatientFile } from '../../lib/browser/downloadPatientFile';
import { permissionsOf } from '../../lib/session/permissions';
import { axeViolations } from '../../test/axeViolations';
import { callMock, setCalls } from '../../test/calls';
import { inventedPatient, inventedUser, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { ExportDrawer } from './ExportDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../lib/browser/downloadPatientFile');

const confirmPassword = callMock<'confirmPassword'>();
const download = jest.mocked(downloadPatientFile);
const saved: string[] = [];
const who = { type: 'physician' as const, isAdmin: false, units: [] };
const user = inventedUser({ ...who, permissions: permissionsOf(who) });
const sam = inventedPatient(1);
const file = { name: 'patient-1-notes.csv', content: new Blob(['x']), rows: 3 };
const needed = new ApiFailure('password_needed', 'Confirm your password first.', { status: 403 });

beforeEach(() => {
  saved.length = 0;
  download.mockReset().mockResolvedValue(file);
  confirmPassword.mockReset().mockResolvedValue(user);
  setCalls({ confirmPassword });
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the export of a patient', () => {
  const open = () =>
    render(<ExportDrawer patient={sam} user={user} now={wardNow} onChanged={jest.fn()} onClose={jest.fn()} />);
  const choose = async (...labels: string[]): Promise<void> => {
    for (const label of ['Vital signs', 'Notes', 'Symptoms', 'Alerts'].filter((one) => !labels.includes(one))) {
      await userEvent.click(screen.getByRole('checkbox', { name: label }));
    }
  };
  const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
  const asked = () => download.mock.calls.map(([id, query]) => [id, query]);

  it('is of nothing if nothing is chosen, and says so', async () => {
    open();
    await choose();
    await press('Export');
    expect(screen.getByText('Choose what to export.')).toBeTruthy();
    await choose('Vital signs', 'Symptoms', 'Alerts');
    await userEvent.click(screen.getByRole('radio', { name: 'Other days' }));
    expect(screen.getByText('Choose both days.')).toBeTruthy();
    expect(asked()).toEqual([]);
  });

  it('saves a file for each kind, of the stay unless days are chosen', async () => {
    const { baseElement } = open();
    await choose('Notes', 'Alerts');
    await press('Export');
    await expect(screen.findByText('2 files were given to the browser to save.')).resolves.toBeTruthy();
    expect(asked()).toEqual([
      [1, { kind: 'notes' }],
      [1, { kind: 'alerts' }],
    ]);
    expect(saved).toEqual([file.name, file.name]);
    await expect(axeViolations(baseElement)).resolves.toEqual([]);
  });

  it.each([
    [3, 0, 'In this period nothing was recorded of: alerts.'],
    [
      0,
      0,
      'Nothing was recorded in this period. 2 files were given to the browser to save. Each has a head and no rows.',
    ],
  ])('says of what nothing was recorded, also after a password: %j and %j rows', async (notes, alerts, words) => {
    download
      .mockResolvedValueOnce({ ...file, rows: notes })
      .mockRejectedValueOnce(needed)
      .mockResolvedValueOnce({ ...file, rows: alerts });
    open();
    await choose('Notes', 'Alerts');
    await press('Export');
    await writeInto(await screen.findByLabelText('Your password'), 'a secret of mine');
    await press('Confirm and export');
    await screen.findByText(/given to the browser/);
    expect(screen.getByRole('status').textContent).toContain(words);
    expect(
      screen
        .getAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join(''),
    ).toBe('');
  });

  it('asks for the password in its place, and goes on where it was', async () => {
    download.mockResolvedValueOnce(file).mockRejectedValueOnce(needed);
    open();
    await choose('Notes', 'Symptoms', 'Alerts');
    await press('Export');
    confirmPassword.mockRejectedValueOnce(new ApiFailure('wrong_password', 'The password is wrong.', { status: 401 }));
    await writeInto(await screen.findByLabelText('Your password'), 'a secret of mine');
    await press('Confirm and export');
    await expect(screen.findByText(/is wrong/)).resolves.toBeTruthy();
    expect(asked()).toHaveLength(2);
    await press('Confirm and export');
    await expect(screen.findByText('3 files were given to the browser to save.')).resolves.toBeTruthy();
    expect(asked().map(([, query]) => query)).toEqual([
      { kind: 'notes' },
      { kind: 'symptoms' },
      { kind: 'symptoms' },
      { kind: 'alerts' },
    ]);
  });

  it('shows how far it is, is never full too early, and ends when it is cancelled', async () => {
    let signal: AbortSignal | null = null;
    let onRows: ((rows: number, ofAbout: number | null) => void) | null = null;
    download.mockImplementation((_id, _query, following) => {
      ({ signal, onRows } = following);
      return new Promise(() => undefined);
    });
    open();
    await choose('Vital signs');
    await press('Export');
    const come = (rows: number, ofAbout: number | null): void => {
      act(() => {
        onRows?.(rows, ofAbout);
      });
    };
    come(10, null);
    expect([screen.getByText('Vital signs: 10 rows'), screen.queryByRole('progressbar')]).toEqual([
      expect.anything(),
      null,
    ]);
    come(250, 1_000);
    expect(screen.getByText('Vital signs: 250 rows of about 1,000')).toBeTruthy();
    expect(screen.getByRole('progressbar').ariaValueNow).toBe('25');
    come(1_200, 1_000);
    expect(screen.getByRole('progressbar').ariaValueNow).toBe('99');
    // Beside the other button, above all that comes and goes with each file: it never moves away from the pointer.
    expect(screen.getByRole('button', { name: 'Cancel' }).previousElementSibling?.textContent).toContain('Export');
    await press('Cancel');
    expect(document.activeElement?.textContent).toContain('Export');
    expect(signal).toMatchObject({ aborted: true });
    expect(screen.getByText('Cancelled. The file that was under way was not saved.')).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('saves nothing of a file that breaks off, and tries again from there', async () => {
    download
      .mockResolvedValueOnce(file)
      .mockRejectedValueOnce(new ApiFailure('no_response', 'The connection was lost before the server answered.'));
    open();
    await choose('Notes', 'Alerts');
    await press('Export');
    await expect(screen.findByText(/^Alerts: no file was saved\. The connection was lost/)).resolves.toBeTruthy();
    expect(saved).toHaveLength(1);
    await press('Try again from there');
    await expect(screen.findByText('2 files were given to the browser to save.')).resolves.toBeTruthy();
    expect(asked().at(-1)).toEqual([1, { kind: 'alerts' }]);
  });
});
