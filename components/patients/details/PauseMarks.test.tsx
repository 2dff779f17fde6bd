import { render, screen } from '@testing-library/react';
import { secondsAgo, wardNow } from '../../../test/inventedWard';
import { PauseMarks } from './PauseMarks';

jest.mock('../../../hooks/useNow', () => ({ useNow: (initial: number) => initial }));

const inSeconds = (seconds: number): { until: string } => ({ until: secondsAgo(-seconds) });

describe('the marks of standby and comfort care', () => {
  it('are not there if nothing is paused, or the pause is over', () => {
    const { container } = render(
      <PauseMarks patient={{ standby: inSeconds(0), comfortCare: inSeconds(-1) }} initialNow={wardNow} />,
    );
    expect(container.textContent).toBe('');
  });

  it.each([
    [1, '1 min'],
    [60, '1 min'],
    [61, '2 min'],
    [3_600, '60 min'],
  ])('say with %d s of standby that %s are left', (seconds, left) => {
    const { container } = render(
      <PauseMarks patient={{ standby: inSeconds(seconds), comfortCare: null }} initialNow={wardNow} />,
    );
    expect(container.textContent).toBe(`Standby: new alerts held back, ${left} left`);
  });

  it.each([
    [86_400, '24 h'],
    [7_201, '3 h'],
    [7_200, '120 min'],
    [1, '1 min'],
  ])('say with %d s of comfort care that %s are left, beside a standby', (seconds, left) => {
    render(<PauseMarks patient={{ standby: inSeconds(60), comfortCare: inSeconds(seconds) }} initialNow={wardNow} />);
    expect(screen.getAllByText(/left$/).map(({ textContent }) => textContent)).toEqual([
      'Standby: new alerts held back, 1 min left',
      `Comfort care, ${left} left`,
    ]);
  });
});
