import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useServerLost } from '../../../hooks/useServerLost';
import { ApiFailure } from '../../../lib/browser/client';
import { callMock, setCalls } from '../../../test/calls';
import { secondsAgo, wardNow } from '../../../test/inventedWard';
import { PauseMarks } from './PauseMarks';

jest.mock('../../../hooks/useNow', () => ({ useNow: (initial: number) => initial }));
jest.mock('../../../hooks/useCall');
jest.mock('../../../hooks/useServerLost');

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
