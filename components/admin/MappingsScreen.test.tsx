import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { SenderBed } from '../../lib/mappings/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo } from '../../test/inventedWard';
import { MappingsScreen } from './MappingsScreen';
import { ProposeBedDrawer } from './ProposeBedDrawer';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/mappings' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const proposeBedMapping = callMock<'proposeBedMapping'>();
const confirmBedMapping = callMock<'confirmBedMapping'>();
const endBedMapping = callMock<'endBedMapping'>();
const listed = { items: [], total: 0 };
const by = { by: { id: 3, name: 'Tessa Technician' }, at: secondsAgo(60) };
const unknown: SenderBed = { senderId: 4, sender: 'North gateway', bed: 'ICU^^7', unmapped: 12, mapping: null };
const proposed: SenderBed = {
  ...unknown,
  bed: 'ICU^^8',
  mapping: { id: 9, unit: 'North', bed: '8', proposed: by, confirmed: null, canConfirm: true },
};
const confirmed: SenderBed = {
  ...unknown,
  bed: 'ICU^^9',
  mapping: {
    id: 10,
    unit: 'North',
    bed: '9',
    proposed: by,
    confirmed: { by: { id: 5, name: 'Phil Physician' }, at: secondsAgo(30) },
    canConfirm: false,
  },
};

function show(items: SenderBed[], user = inventedUser({ type: 'physician' })) {
  for (const mock of [proposeBedMapping, confirmBedMapping, endBedMapping]) {
    mock.mockReset().mockResolvedValue(listed);
  }
  setCalls({ proposeBedMapping, confirmBedMapping, endBedMapping });
  setReads({ listMappings: answered({ items, total: items.length }) });
  return render(<MappingsScreen user={user} />);
}
const row = (name: RegExp) => screen.getByRole('row', { name });

describe('MappingsScreen', () => {
  it('says that no sender needs one', () => {
    show([]);
    expect(screen.getByText('No sender of this site has sent values by bed alone.')).toBeTruthy();
  });

  it('says of each bed what becomes of its values, and offers a clinician no proposal', () => {
    show([unknown, proposed, confirmed]);
    expect(within(row(/^ICU\^\^7/)).queryByRole('button')).toBeNull();
    expect(row(/^ICU\^\^7 North gateway 12 Not known Refused/)).toBeTruthy();
    expect(row(/North 8 Proposed by Tessa Technician, waits for a physician or a ward lead/)).toBeTruthy();
    expect(row(/North 9 Confirmed by Phil Physician since /)).toBeTruthy();
    expect(within(row(/^ICU\^\^9/)).queryByRole('button', { name: /^Confirm/ })).toBeNull();
  });

  it('confirms a proposal only after the question, and says why it was refused', async () => {
    show([proposed]);
    confirmBedMapping.mockRejectedValue(new ApiFailure('mapping_ended', 'This mapping has ended.', { status: 409 }));
    await userEvent.click(screen.getByRole('button', { name: 'Confirm that ICU^^8 is North 8' }));
    expect(confirmBedMapping).not.toHaveBeenCalled();
    expect(screen.getByText(/Its values then are those of the patient there\./)).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(confirmBedMapping).toHaveBeenCalledWith({ params: { id: 9 } }));
    await expect(screen.findByText('Not done. This mapping has ended.')).resolves.toBeTruthy();
  });

  it('ends a mapping only after the question', async () => {
    show([confirmed]);
    await userEvent.click(screen.getByRole('button', { name: 'End that ICU^^9 is North 9' }));
    expect(endBedMapping).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('button', { name: 'End' }));
    await waitFor(() => expect(endBedMapping).toHaveBeenCalledWith({ params: { id: 10 } }));
  });

  it('has nothing that a screen reader stumbles over', async () => {
    const { container } = show([unknown, proposed, confirmed], inventedUser({ type: 'technician' }));
    expect(screen.getByRole('button', { name: 'Propose a bed for ICU^^7' })).toBeTruthy();
    await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
  });
});

describe('ProposeBedDrawer', () => {
  it('proposes a bed of a unit', async () => {
    show([]);
    const onClose = jest.fn();
    const unit = { id: 2, name: 'North', patients: 1, people: 0, isOpen: true };
    setReads({ listUnits: answered({ items: [unit], total: 1 }) });
    render(<ProposeBedDrawer bed={unknown} onClose={onClose} />);
    await userEvent.click(screen.getByRole('combobox', { name: /Unit/ }));
    await userEvent.click(await screen.findByTitle('North'));
    await userEvent.type(screen.getByRole('textbox', { name: /Bed/ }), '7');
    await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(proposeBedMapping).toHaveBeenCalledWith({
      body: { senderId: 4, senderBed: 'ICU^^7', unitId: 2, bed: '7' },
    });
  });
});
