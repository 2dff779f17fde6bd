import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { Chart, EntryStatus } from '../../lib/chart/schema';
import type { HeldValues as Held } from '../../lib/heldValues/schema';
import { chooseOption, offeredOptions } from '../../test/antdSelect';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedChart } from '../../test/inventedChart';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { HeldValues } from './HeldValues';
import { PatientDevicesDrawer } from './PatientDevicesDrawer';
import { ReleaseDrawer } from './ReleaseDrawer';

jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useNow', () => ({ useNow: () => wardNow }));

const releaseValues = callMock<'releaseValues'>();
const takeBackRelease = callMock<'takeBackRelease'>();
const onChanged = jest.fn();
const onClose = jest.fn();
const patient = inventedPatient(4);
const held: Held = {
  ...{ unit: 'North', bed: '7', change: 'begin', release: null },
  stay: { from: secondsAgo(90), until: null },
  ...{ first: secondsAgo(80), last: secondsAgo(1) },
};
const released: Held = {
  ...held,
  release: {
    ...{ id: 9, by: { id: 1, name: 'Ann Lee' }, releasedAt: secondsAgo(5), at: secondsAgo(90), read: 'reading' },
  },
};
const show = (items: Held[], canRelease = true) => {
  setReads({ listHeldValues: answered({ patientId: 4, items }) });
  const user = inventedUser();
  return render(<HeldValues {...{ patient, user, canRelease, onChanged }} initialNow={wardNow} />);
};
const drawer = () =>
  render(<ReleaseDrawer {...{ held, patient, onChanged, onClose }} user={inventedUser()} now={wardNow} />);

beforeEach(() => {
  [releaseValues, takeBackRelease].forEach((mock) => mock.mockReset());
  [onChanged, onClose].forEach((mock) => mock.mockReset());
  releaseValues.mockResolvedValue({ patientId: 4, items: [released] });
  takeBackRelease.mockResolvedValue({ patientId: 4, items: [held] });
  setCalls({ releaseValues, takeBackRelease });
});

describe('values of a bed that are held', () => {
  it('are not mentioned where none are', () => {
    expect(show([]).container.textContent).toBe('');
  });

  it('are said to users who may not release them, without a button', () => {
    show([held, { ...released, change: 'end', stay: { from: null, until: secondsAgo(90) } }], false);
    expect(screen.getAllByRole('status')).toHaveLength(2);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('are not released by a wrong pair, and what was typed stays', async () => {
    releaseValues.mockRejectedValueOnce(new ApiFailure('patient_not_matched', 'Compare both.', { status: 422 }));
    drawer();
    const mrn = screen.getByLabelText(/^MRN/);
    expect([mrn, screen.getByLabelText(/^Date of birth/)].map((field) => (field as HTMLInputElement).value)).toEqual([
      '',
      '',
    ]);
    await userEvent.type(mrn, 'M7');
    await writeInto(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
    await userEvent.click(screen.getByRole('button', { name: 'Release values' }));
    await expect(screen.findByText(/Not released. Compare both/)).resolves.toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('are released by both identifiers, since the bed changed where no time is typed', async () => {
    const { baseElement } = drawer();
    await expect(axeViolations(baseElement)).resolves.toEqual([]);
    await userEvent.type(screen.getByLabelText(/^MRN/), 'M8');
    await writeInto(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
    await userEvent.click(screen.getByRole('button', { name: 'Release values' }));
    expect(releaseValues).toHaveBeenCalledWith({
      params: { id: 4 },
      body: { mrn: 'M8', dateOfBirth: '1950-03-07', stay: held.stay, change: 'begin', at: held.stay.from },
    });
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('are held again when the release is taken back', async () => {
    show([released]);
    await userEvent.click(screen.getByRole('button', { name: 'Take back the release' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Take back$/ }));
    expect(takeBackRelease).toHaveBeenCalledWith({ params: { id: 4 }, body: { release: 9 } });
    expect(onChanged).toHaveBeenCalledTimes(1);
  });
});

describe('values of a device that was on the wrong patient', () => {
  it('are withdrawn for one of the times when it was there, once that is confirmed', async () => {
    const stay = (id: number, status: EntryStatus, to: number | null): Chart['sections']['devices'][number] => ({
      ...{ id, section: 'devices', value: { deviceId: 7, name: 'Monitor' }, source: null, author: null },
      ...{ effectiveAt: secondsAgo(900), recordedAt: secondsAgo(900), replaces: null, reason: null, status },
      mark: to === null ? null : { by: null, at: secondsAgo(to), reason: null },
    });
    const devices = [stay(33, 'current', null), stay(32, 'ended', 60), stay(31, 'entered_in_error', 90)];
    setReads({
      listDevices: answered({ items: [], total: 0 }),
      readChart: answered(inventedChart(4, { devices })),
    });
    const withdrawDevice = callMock<'withdrawDevice'>().mockResolvedValue(null);
    setCalls({ withdrawDevice, assignDevice: callMock<'assignDevice'>() });
    render(<PatientDevicesDrawer {...{ patient, onChanged, onClose }} user={inventedUser()} now={wardNow} />);
    const choice = screen.getByRole('combobox', { name: /^Values of/ });
    const labels = await offeredOptions(choice);
    expect(labels).toEqual([
      expect.stringMatching(/^Monitor, .* to now$/),
      expect.stringMatching(/^Monitor, .* to .*:/),
    ]);
    await chooseOption(choice, labels[1] ?? '');
    await writeInto(screen.getByLabelText(/^Why/), 'Of bed 4');
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw the values' }));
    const question = within(await screen.findByRole('tooltip'));
    expect(question.getByText(`Withdraw for good: ${labels[1]}?`)).toBeTruthy();
    expect(withdrawDevice).not.toHaveBeenCalled();
    await userEvent.click(question.getByRole('button', { name: 'Withdraw the values' }));
    const body = { patientId: 4, stayId: 32, reason: 'Of bed 4' };
    expect(withdrawDevice).toHaveBeenCalledWith({ params: { id: 7 }, body });
  });
});
