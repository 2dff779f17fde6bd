import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { HeldValues as Held } from '../../lib/heldValues/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedPatient, inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { HeldValues } from './HeldValues';
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
    await userEvent.type(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
    await userEvent.click(screen.getByRole('button', { name: 'Release values' }));
    await expect(screen.findByText(/Not released. Compare both/)).resolves.toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('are released by both identifiers, since the bed changed where no time is typed', async () => {
    const { baseElement } = drawer();
    await expect(axeViolations(baseElement)).resolves.toEqual([]);
    await userEvent.type(screen.getByLabelText(/^MRN/), 'M8');
    await userEvent.type(screen.getByLabelText(/^Date of birth/), '7 Mar 1950');
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
