import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../../lib/browser/client';
import { noteResponse, thisMoment } from '../../../lib/browser/serverClock';
import { chooseOption, offeredOptions } from '../../../test/antdSelect';
import { answered, callMock, setCalls, setReads } from '../../../test/calls';
import { inventedPatient, wardNow } from '../../../test/inventedWard';
import { ReadingsDrawer } from './ReadingsDrawer';

jest.mock('../../../hooks/useCall');
jest.mock('../../../hooks/useRead');

const add = callMock<'addReadings'>();
const withdraw = callMock<'withdrawReadings'>();

beforeEach(() => {
  noteResponse(wardNow, thisMoment());
  add.mockReset().mockResolvedValue(inventedPatient(1));
  withdraw.mockReset().mockResolvedValue(null);
  setCalls({ addReadings: add, withdrawReadings: withdraw });
  setReads({ listTypedSets: answered({ items: [] }) });
});

function show() {
  const onSaved = jest.fn();
  render(<ReadingsDrawer patient={inventedPatient(1)} timeZone="Europe/London" onClose={() => {}} onSaved={onSaved} />);
  return onSaved;
}
const fill = (label: string, text: string) => userEvent.type(screen.getByLabelText(new RegExp(`^${label}`)), text);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save readings' }));

describe('the form for readings', () => {
  it('names the patient with name and MRN', () => {
    show();
    expect(screen.getByText('Readings: Sample1, Sam · MRN A-1 · born 07 Mar 1950')).toBeTruthy();
  });

  it('sends nothing that is empty or no number, and says so at the field', async () => {
    const onSaved = show();
    await save();
    await expect(screen.findByText('Respiratory rate or another value is needed')).resolves.toBeTruthy();
    await fill('Temperature', 'warm');
    await save();
    await expect(screen.findByText('Temperature is not a number')).resolves.toBeTruthy();
    expect(add).not.toHaveBeenCalled();
    expect(onSaved).not.toHaveBeenCalled();
  });

  it('keeps the time of an attempt for its repeat, and takes a new one for other values', async () => {
    const refusal = new ApiFailure('unavailable', 'Try again later.', { status: 503 });
    add.mockRejectedValueOnce(refusal).mockRejectedValueOnce(refusal);
    show();
    await fill('Respiratory rate', '18');
    await save();
    await expect(screen.findByText('Not saved. Try again later.')).resolves.toBeTruthy();
    noteResponse(wardNow + 600_000, thisMoment());
    await save();
    await fill('Respiratory rate', '{Backspace}9');
    await save();
    const times = add.mock.calls.map(([{ body }]) => Date.parse(body.takenAt ?? '') - wardNow);
    expect(times.map((each) => Math.round(each / 60_000))).toEqual([0, 0, 10]);
  });

  it('withdraws a set of another patient whole, with a reason', async () => {
    const set = { takenAt: '2026-03-07T14:05:00.000Z', by: { id: 9, name: 'Noor Demo' } };
    const readings = [
      { kind: 'respiratoryRate' as const, value: 30 },
      { kind: 'consciousness' as const, value: 1 },
    ];
    setReads({ listTypedSets: answered({ items: [{ ...set, readings }] }) });
    const onSaved = show();
    const choice = screen.getByRole('combobox', { name: /^Readings/ });
    const [label = ''] = await offeredOptions(choice);
    expect(label).toMatch(/14:05, RR 30, .* C, Noor Demo$/);
    await chooseOption(choice, label);
    const confirm = async (): Promise<void> => {
      await userEvent.click(screen.getByRole('button', { name: 'Withdraw the values' }));
      const question = await screen.findByRole('tooltip', { name: /^Withdraw for good: .*RR 30/ });
      expect(withdraw).not.toHaveBeenCalled();
      await userEvent.click(within(question).getByRole('button', { name: 'Withdraw the values' }));
    };
    await confirm();
    await expect(screen.findByText('Why is empty')).resolves.toBeTruthy();
    await fill('Why', 'Of bed 4');
    await confirm();
    const body = { takenAt: set.takenAt, userId: 9, reason: 'Of bed 4' };
    expect(withdraw).toHaveBeenCalledWith({ params: { id: 1 }, body });
    expect(onSaved).toHaveBeenCalledTimes(1);
  });

  it('sends what was typed for this patient, with a comma or a point', async () => {
    const onSaved = show();
    await fill('Respiratory rate', '18');
    await fill('Temperature', '36,8');
    await fill('Oxygen', '0');
    await save();
    expect(onSaved).toHaveBeenCalledTimes(1);
    expect(add).toHaveBeenCalledTimes(1);
    const [input] = add.mock.calls[0] ?? [];
    expect(input).toMatchObject({
      params: { id: 1 },
      body: { readings: { respiratoryRate: 18, temperature: 36.8, oxygenFlow: 0 } },
    });
  });
});
