import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReadState } from '../../hooks/readState';
import { ApiFailure } from '../../lib/browser/client';
import type { ReportsResponse } from '../../lib/reports/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, setReads } from '../../test/calls';
import { inventedReport } from '../../test/inventedReport';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { ReportsScreen } from './ReportsScreen';

const mockReplace = jest.fn(() => Promise.resolve(true));
jest.mock('next/router', () => ({ useRouter: () => ({ query: {}, replace: mockReplace }) }));
jest.mock('../../hooks/useRead');

const listed = (...ids: number[]): ReportsResponse => ({
  items: ids.map((id) => inventedReport(id)),
  total: ids.length,
  units: [],
  assignees: [],
});

function screenOf(response: ReportsResponse, change: Partial<ReadState<ReportsResponse>> = {}) {
  setReads({ listReports: answered(response, change) });
  return <ReportsScreen user={inventedUser()} now={wardNow} />;
}
const titles = () => screen.getAllByRole('button', { name: /Open report/ }).map(({ title }) => title);

beforeEach(() => mockReplace.mockClear());

describe('the list of issue reports', () => {
  it('holds still while someone points at it, and says what is new afterwards', () => {
    const { rerender } = render(screenOf(listed(2, 1)));
    const table = screen.getByRole('table');
    fireEvent.pointerEnter(table);
    fireEvent.pointerMove(table);
    const [first, second] = listed(2, 1).items;
    const changed = first === undefined ? [] : [{ ...first, status: 'closed' as const }];
    rerender(
      screenOf({ ...listed(3), items: [...listed(3).items, ...changed, ...(second === undefined ? [] : [second])] }),
    );
    expect(titles()).toEqual(['Report 2', 'Report 1']);
    expect(screen.getByRole('cell', { name: 'Closed' })).toBeTruthy();
    fireEvent.pointerLeave(table.closest('[role="region"]')?.parentElement?.parentElement?.parentElement ?? table);
    rerender(screenOf(listed(3, 2, 1)));
    expect(titles()).toEqual(['Report 3', 'Report 2', 'Report 1']);
  });

  it('says that a title is withheld, and of whom no one may know only the end of the MRN', () => {
    const report = inventedReport(1, {
      title: null,
      sight: 'device',
      patient: { mrnEnd: '17', isTrial: false, identity: null },
    });
    render(screenOf({ ...listed(), items: [report], total: 1 }));
    expect(titles()).toEqual(['Title not shown to you']);
    expect(screen.getByRole('cell', { name: 'East, MRN …17' })).toBeTruthy();
  });

  it('keeps old data after a failure, and marks them as old', () => {
    const error = new ApiFailure('internal_error', 'Something failed.', { status: 500 });
    const { container } = render(screenOf(listed(1), { error }));
    expect(container.querySelector('[data-old]')?.textContent).toContain('Report 1');
    expect(screen.getByText(/^Old data/)).toBeTruthy();
  });

  it('says what to do when it is empty', async () => {
    render(screenOf(listed()));
    expect(screen.getByText('No open reports')).toBeTruthy();
    await userEvent.click(screen.getByText('Show all'));
    expect(mockReplace).toHaveBeenCalledWith('/reports?status=all', undefined, expect.anything());
  });

  it('has no accessibility violations', async () => {
    const { container } = render(screenOf(listed(2, 1)));
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});
