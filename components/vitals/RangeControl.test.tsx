import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { chartRanges, type ChartRange } from '../../lib/vitals/chartRanges';
import { RangeControl } from './RangeControl';

// user-event looks for the group of a radio button with it, and jsdom has none.
Object.assign(window, { CSS: { escape: (text: string) => text } });

function Chosen() {
  const [range, setRange] = useState<ChartRange>(chartRanges[0]);
  return (
    <>
      <RangeControl value={range} onChange={setRange} />
      <output>{range.key}</output>
    </>
  );
}

describe('RangeControl', () => {
  it('is one group that says what it is for, with six choices in words', () => {
    render(<Chosen />);
    expect(screen.getByRole('group', { name: 'Time shown in the charts' })).toBeInstanceOf(HTMLElement);
    const names = screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'));
    expect(names).toEqual(['1 hour', '4 hours', '12 hours', '24 hours', '7 days', '14 days']);
  });

  it('is reached by Tab and changed by the arrow keys', async () => {
    render(<Chosen />);
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '1 hour' }));
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('status').textContent).toBe('12h');
  });

  it('is changed by the pointer', async () => {
    render(<Chosen />);
    await userEvent.click(screen.getByText('14 d'));
    expect(screen.getByRole('status').textContent).toBe('14d');
  });
});
