import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../../hooks/useServerLost';
import { ApiFailure } from '../../../lib/browser/client';
import { noteResponse, thisMoment } from '../../../lib/browser/serverClock';
import { chooseOption, offeredOptions } from '../../../test/antdSelect';
import { answered, callMock, setCalls, setReads } from '../../../test/calls';
import { inventedPatient, secondsAgo, wardNow } from '../../../test/inventedWard';
import { PauseMarks } from './PauseMarks';
import { ReadingsDrawer } from './ReadingsDrawer';

jest.mock('../../../hooks/useNow', () => ({ useNow: (initial: number) => initial }));
jest.mock('../../../hooks/useCall');
jest.mock('../../../hooks/useServerLost');
jest.mock('../../../hooks/useRead');

describe('PauseMarks', () => {
  const endStandby = callMock<'endStandby'>();
  const onEnded = jest.fn();
  beforeEach(() => {
    endStandby.mockReset().mockResolvedValue({ endedAt: secondsAgo(0) });
    onEnded.mockReset();
    setCalls({ endStandby });
    jest.mocked(useServerLost).mockReturnValue(null);
  });

  const inSeconds = (seconds: number): { until: string } => ({ until: secondsAgo(-seconds) });
  type Pauses = Pick<Parameters<typeof PauseMarks>[0]['patient'], 'standby' | 'comfortCare'>;
  const marks = ({ standby, comfortCare }: Pauses, canEnd = false) => (
    <PauseMarks
      patient={{ id: 4, standby, comfortCare }}
      initialNow={wardNow}
      timeZone="UTC"
      canEnd={canEnd}
      onEnded={onEnded}
    />
  );

  describe('the marks of standby and comfort care', () => {
    it('are not there if nothing is paused, or the pause is over', () => {
      const { container } = render(marks({ standby: inSeconds(0), comfortCare: inSeconds(-1) }, true));
      expect(container.textContent).toBe('');
    });

    it.each([
      [1, '1 min'],
      [60, '1 min'],
      [61, '2 min'],
      [3_600, '60 min'],
    ])('say with %d s of standby that %s are left', (seconds, left) => {
      const { container } = render(marks({ standby: inSeconds(seconds), comfortCare: null }));
      expect(container.textContent).toBe(`Standby: new alerts held back, ${left} left`);
    });

    it.each([
      [86_400, '24 h'],
      [7_201, '3 h'],
      [7_200, '120 min'],
      [1, '1 min'],
    ])('say with %d s of comfort care that %s are left, beside a standby', (seconds, left) => {
      render(marks({ standby: inSeconds(60), comfortCare: inSeconds(seconds) }));
      expect(screen.getAllByText(/left$/).map(({ textContent }) => textContent)).toEqual([
        'Standby: new alerts held back, 1 min left',
        `Comfort care, ${left} left`,
      ]);
    });

    it('say until when in place of a countdown while the server does not respond', () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      render(marks({ standby: inSeconds(600), comfortCare: inSeconds(86_400) }));
      expect(screen.getByText('Standby: new alerts held back until 15:10')).toBeTruthy();
      expect(screen.getByText('Comfort care until 08 Mar, 15:00')).toBeTruthy();
    });
  });

  describe('the End of a standby', () => {
    const standby = { standby: inSeconds(600), comfortCare: null };
    const button = () => screen.queryByRole('button', { name: 'End standby' });
    const confirm = async () => {
      await userEvent.click(button() ?? document.body);
      await userEvent.click(await screen.findByRole('button', { name: 'End' }));
    };

    it('is only there for those who may, and only beside a standby', () => {
      const { rerender } = render(marks(standby));
      expect(button()).toBeNull();
      rerender(marks({ standby: null, comfortCare: inSeconds(600) }, true));
      expect(button()).toBeNull();
    });

    it('sends nothing while the server does not respond, and says why', async () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      render(marks(standby, true));
      expect(button()?.hasAttribute('disabled')).toBe(true);
      expect(screen.getByTitle('Not reachable: nothing can be sent now').contains(button())).toBe(true);
      expect(endStandby).not.toHaveBeenCalled();
    });

    it('stays with the reason if it was refused', async () => {
      endStandby.mockRejectedValue(new ApiFailure('no_standby', 'This patient is not in standby.', { status: 409 }));
      render(marks(standby, true));
      await confirm();
      await expect(screen.findByText('Not ended. This patient is not in standby.')).resolves.toBeTruthy();
      expect(onEnded).not.toHaveBeenCalled();
      expect(button()).not.toBeNull();
    });

    it('ends it after a question, says so, and keeps the focus in the patient’s pane', async () => {
      const { rerender } = render(marks(standby, true));
      await confirm();
      await expect(screen.findByText('Standby ended')).resolves.toBeTruthy();
      expect(endStandby.mock.calls).toEqual([[{ params: { id: 4 } }]]);
      expect(onEnded).toHaveBeenCalledTimes(1);
      rerender(marks({ standby: null, comfortCare: null }, true));
      expect(document.activeElement).not.toBe(document.body);
    });
  });
});

describe('ReadingsDrawer', () => {
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
    render(
      <ReadingsDrawer patient={inventedPatient(1)} timeZone="Europe/London" onClose={() => {}} onSaved={onSaved} />,
    );
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
});
