import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import type { SenderBed, SenderCode } from '../../lib/mappings/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo } from '../../test/inventedWard';
import { MappingsScreen } from './MappingsScreen';
import { ProposeBedDrawer } from './ProposeBedDrawer';
import { ProposeCodeDrawer } from './ProposeCodeDrawer';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/mappings' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

const proposeBedMapping = callMock<'proposeBedMapping'>();
const confirmBedMapping = callMock<'confirmBedMapping'>();
const endBedMapping = callMock<'endBedMapping'>();
const proposeCodeMapping = callMock<'proposeCodeMapping'>();
const confirmCodeMapping = callMock<'confirmCodeMapping'>();
const undoCodeMapping = callMock<'undoCodeMapping'>();
const listed = { items: [], total: 0, codes: [], shown: {} };
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

const percent = { id: '%', text: '', system: '' };
const unknownCode: SenderCode = {
  senderId: 4,
  sender: 'North gateway',
  code: { id: 'SAT', text: 'Saturation', system: 'L' },
  unmapped: 40,
  last: [97, 96, 140].map((value) => ({ value, unit: percent })),
  mapping: null,
};
const spo2 = { kind: 'spo2', isUnitless: false } as const;
const proposedCode: SenderCode = {
  ...unknownCode,
  mapping: { id: 21, ...spo2, proposed: by, confirmed: null, canConfirm: true, earlier: null },
};
const confirmedCode: SenderCode = {
  ...proposedCode,
  mapping: {
    ...{ id: 22, ...spo2, proposed: by, canConfirm: false, earlier: 'reading' },
    confirmed: { by: { id: 5, name: 'Phil Physician' }, at: secondsAgo(30) },
  },
};

function show(items: SenderBed[], user = inventedUser({ type: 'physician' }), codes: SenderCode[] = []) {
  for (const mock of [
    ...[proposeBedMapping, confirmBedMapping, endBedMapping],
    ...[proposeCodeMapping, confirmCodeMapping, undoCodeMapping],
  ]) {
    mock.mockReset().mockResolvedValue(listed);
  }
  const ofCodes = { proposeCodeMapping, confirmCodeMapping, undoCodeMapping };
  setCalls({ proposeBedMapping, confirmBedMapping, endBedMapping, ...ofCodes });
  const shown = { spo2: { count: 24, min: 88, middle: 96, max: 99 } };
  setReads({ listMappings: answered({ items, total: items.length, codes, shown }) });
  return render(<MappingsScreen user={user} />);
}
const row = (name: RegExp) => screen.getByRole('row', { name });

describe('MappingsScreen', () => {
  it('says that no sender needs one', () => {
    show([]);
    expect(screen.getByText('No sender of this site has sent values by bed alone.')).toBeTruthy();
    expect(screen.getByText('No sender of this site has sent a code that is not known.')).toBeTruthy();
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

  it('keeps each bed and code in its place while the page is open, whatever is confirmed, and adds new ones', () => {
    const other: SenderCode = { ...unknownCode, code: { ...unknownCode.code, id: 'TEMP' } };
    const { rerender } = show([unknown, proposed], undefined, [other, proposedCode]);
    const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
    const before = ['ICU^^7', 'ICU^^8', 'TEMP^Saturation^L', 'SAT^Saturation^L'];
    expect(names()).toEqual(before);
    const answer = (codes: SenderCode[]) =>
      answered({ items: [{ ...proposed, mapping: confirmed.mapping }, unknown], total: 2, codes, shown: {} });
    setReads({ listMappings: answer([confirmedCode, other]) });
    rerender(<MappingsScreen user={inventedUser({ type: 'physician' })} />);
    expect(names()).toEqual(before);
    const later: SenderCode = { ...unknownCode, code: { ...unknownCode.code, id: 'AWRR' } };
    setReads({ listMappings: answer([later, confirmedCode, other]) });
    rerender(<MappingsScreen user={inventedUser({ type: 'physician' })} />);
    expect(names()).toEqual([...before, 'AWRR^Saturation^L']);
  });

  it('says of each code what becomes of its values', () => {
    show([], undefined, [unknownCode]);
    const name = /^SAT\^Saturation\^L North gateway 40 97 % Not known Not used/;
    expect(within(row(name)).queryByRole('button')).toBeNull();
  });

  it.each([
    ['Earlier values are being read', 'reading'],
    ['Earlier values wait: the key of the messages cannot be read', 'key_missing'],
    ['Earlier values read: 1,234', { values: 1_234, leftOut: 0, unread: 0 }],
    [
      'Earlier values read: 0; of no patient here, or refused: 12; messages that could not be read: 3',
      { values: 0, leftOut: 12, unread: 3 },
    ],
  ] as const)('says of what came before a code was confirmed: %s', (words, earlier) => {
    const { mapping } = confirmedCode;
    show([], undefined, [{ ...confirmedCode, mapping: mapping === null ? null : { ...mapping, earlier } }]);
    expect(screen.getByText(new RegExp(`^${words}`))).toBeTruthy();
  });

  it('asks before a code is confirmed, with what its last values would be and what is shown now', async () => {
    show([], undefined, [proposedCode]);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm that SAT^Saturation^L means SpO2' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Confirm that SAT^Saturation^L means SpO2' }));
    expect(drawer.getByText('Its last values would be 96 to 97 %. 1 of 3 would not be taken.')).toBeTruthy();
    // As high as the window, whatever the length of what is above it.
    const footer = drawer.getByRole('button', { name: 'Cancel' }).closest('.ant-drawer-footer');
    expect(footer?.contains(drawer.getByRole('button', { name: 'Confirm' }))).toBe(true);
    expect(
      drawer.getByText('SpO2 is taken from 0 to 100 %. 24 patients here have SpO2 88 to 99 % now, 96 % in the middle.'),
    ).toBeTruthy();
    const rows = within(drawer.getByRole('table', { name: 'Its last values' })).getAllByRole('row');
    expect(rows.at(-1)?.textContent).toBe('140 %No value: outside 0 to 100 %');
    expect(confirmCodeMapping).not.toHaveBeenCalled();
    confirmCodeMapping.mockRejectedValueOnce(
      new ApiFailure('mapping_ended', 'This mapping has ended.', { status: 409 }),
    );
    await userEvent.click(drawer.getByRole('button', { name: 'Confirm' }));
    await expect(drawer.findByText('Not done. This mapping has ended.')).resolves.toBeTruthy();
    await userEvent.click(drawer.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(confirmCodeMapping).toHaveBeenLastCalledWith({ params: { id: 21 } });
  });

  it('undoes what a code meant only after the question', async () => {
    show([], undefined, [confirmedCode]);
    await userEvent.click(screen.getByRole('button', { name: 'Undo that SAT^Saturation^L means SpO2' }));
    expect(screen.getByText(/All values that came by it are withdrawn, earlier ones too\./)).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(undoCodeMapping).toHaveBeenCalledWith({ params: { id: 22 } }));
  });

  it('has nothing that a screen reader stumbles over', async () => {
    const technician = inventedUser({ type: 'technician' });
    const { container } = show([unknown, proposed, confirmed], technician, [unknownCode]);
    expect(screen.getByRole('button', { name: 'Propose a vital sign for SAT^Saturation^L' })).toBeTruthy();
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

describe('ProposeCodeDrawer', () => {
  it('shows what the last values would be as the vital sign that is chosen, and proposes that', async () => {
    show([]);
    const onClose = jest.fn();
    render(<ProposeCodeDrawer code={unknownCode} shown={{}} onClose={onClose} />);
    await userEvent.click(screen.getByRole('combobox', { name: /Vital sign/ }));
    await userEvent.click(await screen.findByTitle('SpO2'));
    await expect(
      screen.findByText('SpO2 is taken from 0 to 100 %. No patient here has SpO2 now.'),
    ).resolves.toBeTruthy();
    const rows = within(screen.getByRole('table', { name: 'Its last values' })).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'SentWould be',
      '97 %97 %',
      '96 %96 %',
      '140 %No value: outside 0 to 100 %',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(proposeCodeMapping).toHaveBeenCalledWith({
      body: { senderId: 4, code: { id: 'SAT', text: 'Saturation', system: 'L' }, kind: 'spo2', isUnitless: false },
    });
  });
});
