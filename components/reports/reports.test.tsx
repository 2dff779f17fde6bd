import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepTextsOf } from '../../hooks/keptTexts';
import type { ReadState } from '../../hooks/readState';
import { useServerLost } from '../../hooks/useServerLost';
import { ApiFailure } from '../../lib/browser/client';
import { changeableFields, type IssueReport, type ReportsResponse } from '../../lib/reports/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedEntry, inventedReport } from '../../test/inventedReport';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { ReportDetailDrawer } from './ReportDetailDrawer';
import { ReportsScreen } from './ReportsScreen';
import { readReportsAddress, reportsParameters } from './reportsAddress';

const mockReplace = jest.fn(() => Promise.resolve(true));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');
jest.mock('../../hooks/useServerLost');
jest.mock('next/router', () => ({ useRouter: () => ({ query: {}, replace: mockReplace }) }));

describe('ReportDetailDrawer', () => {
  const calls = {
    changeReport: callMock<'changeReport'>(),
    commentReport: callMock<'commentReport'>(),
    markReportRead: callMock<'markReportRead'>(),
  };
  const user = inventedUser({ type: 'ward_lead' });
  const managed: Partial<IssueReport> = {
    mayChange: [...changeableFields],
    nextStatuses: ['triaged'],
    mayComment: true,
    assignees: [{ id: 7, name: 'Ines Moreau', kinds: ['device', 'software'] }],
  };

  function drawer(change: Partial<IssueReport>) {
    setReads({ readReport: answered(inventedReport(12, change)) });
    return <ReportDetailDrawer id={12} user={user} now={wardNow} onClose={() => undefined} />;
  }
  const factOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;

  beforeEach(() => {
    keepTextsOf(0);
    jest.mocked(useServerLost).mockReturnValue(null);
    calls.changeReport.mockReset().mockResolvedValue(inventedReport(12));
    calls.commentReport.mockReset().mockResolvedValue(inventedReport(12));
    calls.markReportRead.mockReset().mockResolvedValue(null);
    setCalls(calls);
  });

  describe('an issue report', () => {
    it('names what its reader may not see, and never as nothing', () => {
      render(
        drawer({ sight: 'software', kind: 'software', title: null, harm: null, whatHappened: null, expected: null }),
      );
      expect(factOf('Physical harm')).toBe('Not shown to you');
      expect(factOf('Patient')).toBe('Not shown to you');
      expect(factOf('What happened')).toBe('Not shown to you');
      expect(factOf('Happened at')).toBe('Not shown to you');
      expect(screen.queryByText('Change')).toBeNull();
      expect(screen.queryByLabelText('Comment')).toBeNull();
    });

    it('keeps harm that was not stated apart from none', () => {
      render(drawer({ harm: { physical: 'none', psychological: null } }));
      expect([factOf('Physical harm'), factOf('Psychological harm')]).toEqual(['None', 'Not stated']);
    });

    it('tells its history in words, and a hidden reporter by no name', () => {
      render(
        drawer({
          reporter: null,
          entries: [
            inventedEntry(1, { by: null }),
            inventedEntry(2, {
              by: { id: 7, name: 'Ines Moreau' },
              isByReporter: false,
              is: 'status',
              from: 'new',
              to: 'triaged',
            }),
          ],
        }),
      );
      expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^14:50:01, the reporterReported$/),
        expect.stringMatching(/, Ines MoreauStatus: Triaged$/),
      ]);
      expect(factOf('Reported')).toMatch(/a colleague whose name is hidden$/);
    });

    it('is marked as seen once, when its reporter opens it', () => {
      const { rerender } = render(drawer({ isOwn: true, isUnread: true, version: 3 }));
      rerender(drawer({ isOwn: true, isUnread: true, version: 3 }));
      expect(calls.markReportRead.mock.calls).toEqual([[{ params: { id: 12 }, body: { version: 3 } }]]);
    });
  });

  describe('a change of a report', () => {
    const save = () => userEvent.click(screen.getByText('Save changes'));

    it('offers what this user may change, and the statuses that may follow', () => {
      render(drawer({ ...managed, mayChange: ['status'] }));
      const form = within(screen.getByRole('region', { name: 'Change' }));
      expect(form.getAllByRole('combobox')).toHaveLength(1);
      expect(form.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['New', 'Triaged']);
    });

    it('sends what was chosen alone, with the version that was seen', async () => {
      render(drawer({ ...managed, version: 4 }));
      await userEvent.selectOptions(screen.getByLabelText('Status'), 'Triaged');
      await userEvent.selectOptions(screen.getByLabelText('Assignee'), 'Ines Moreau');
      expect(screen.getByText('Not saved yet')).toBeTruthy();
      await save();
      const body = { version: 4, authorId: 7, status: 'triaged', assigneeId: 7 };
      expect(calls.changeReport.mock.calls).toEqual([[{ params: { id: 12 }, body }]]);
    });

    it('to S1 asks first, because it alarms the unit', async () => {
      render(drawer(managed));
      await userEvent.selectOptions(screen.getByLabelText('Service severity'), 'S1');
      await save();
      expect(calls.changeReport).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByText('Alert and save'));
      expect(calls.changeReport.mock.calls[0]?.[0].body).toMatchObject({ severity: 'S1', alarmsUnit: true });
    });

    it('to S1 says that the unit is alerted where the patient is now, who may have moved', async () => {
      render(
        drawer({
          ...managed,
          patient: { mrnEnd: '07', isTrial: false, identity: null },
          unit: { id: 3, name: 'Ward 4' },
        }),
      );
      await userEvent.selectOptions(screen.getByLabelText('Service severity'), 'S1');
      await save();
      await expect(screen.findByText(/to the unit where the patient is now, else to Ward 4\.$/)).resolves.toBeTruthy();
    });

    it('shows both sides when another user was first, and sends nothing before one is chosen', async () => {
      calls.changeReport.mockRejectedValueOnce(new ApiFailure('changed_meanwhile', 'Changed.', { status: 409 }));
      const { rerender } = render(drawer({ ...managed, severity: 'S3', version: 1 }));
      await userEvent.selectOptions(screen.getByLabelText('Service severity'), 'S2');
      await save();
      rerender(drawer({ ...managed, severity: 'S4', version: 2 }));
      const both = within(screen.getByText(/another user has changed/).closest('[role="alert"]') ?? document.body);
      expect(both.getByText('Service severity: here S2, there S4')).toBeTruthy();
      await save();
      expect(calls.changeReport).toHaveBeenCalledTimes(1);
      await userEvent.click(both.getByText('Keep what is here'));
      await save();
      expect(calls.changeReport.mock.calls[1]?.[0].body).toMatchObject({ version: 2, severity: 'S2' });
    });

    it('takes what another user has changed elsewhere in the report without a question', async () => {
      const { rerender } = render(drawer({ ...managed, version: 1 }));
      await userEvent.selectOptions(screen.getByLabelText('Status'), 'Triaged');
      rerender(drawer({ ...managed, version: 2, severity: 'S2' }));
      expect(screen.queryByText(/another user has changed/)).toBeNull();
      await save();
      expect(calls.changeReport.mock.calls[0]?.[0].body).toEqual({ version: 2, authorId: 7, status: 'triaged' });
    });

    it('that is refused is said at its field, and stays chosen', async () => {
      calls.changeReport.mockRejectedValueOnce(
        new ApiFailure('invalid', 'Invalid.', { status: 422, fields: { assigneeId: 'is not on this site' } }),
      );
      render(drawer(managed));
      await userEvent.selectOptions(screen.getByLabelText('Assignee'), 'Ines Moreau');
      await save();
      await screen.findByText('Assignee is not on this site');
      expect(screen.getByLabelText('Assignee')).toHaveProperty('value', '7');
    });
  });

  describe('a comment', () => {
    it('stays after a failure and after the report was closed, and is sent under the same id', async () => {
      calls.commentReport.mockRejectedValueOnce(new ApiFailure('no_response', 'Lost.'));
      const { unmount } = render(drawer(managed));
      fireEvent.change(screen.getByLabelText('Comment'), { target: { value: 'Cable changed' } });
      await userEvent.click(screen.getByText('Add comment'));
      await screen.findByText(/It is not known whether this was sent/);
      expect(screen.getByLabelText('Comment')).toHaveProperty('readOnly', true);
      unmount();
      render(drawer(managed));
      expect(screen.getByLabelText('Comment')).toHaveProperty('value', 'Cable changed');
      await userEvent.click(screen.getByText('Add comment'));
      await waitFor(() => expect(screen.getByLabelText('Comment')).toHaveProperty('value', ''));
      const [first, second] = calls.commentReport.mock.calls;
      expect(second?.[0].body).toEqual(first?.[0].body);
    });

    it('has no accessibility violations, beside all that can be changed', async () => {
      render(drawer({ ...managed, occurredAt: secondsAgo(900) }));
      await expect(axeViolations(document.body)).resolves.toEqual([]);
    });
  });
});

describe('ReportsScreen', () => {
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
});

describe('reportsAddress', () => {
  describe('the address of the reports', () => {
    it('leaves out what it does not know', () => {
      const unknown = { status: 'lost', kind: '<b>', severity: 'S5', unit: 'East', assignee: '0', page: '-1', id: 'x' };
      expect(readReportsAddress(unknown)).toEqual(readReportsAddress({}));
      expect(readReportsAddress({}).status).toBe('open');
    });

    it('says again what it was made from', () => {
      const query = {
        status: 'all',
        kind: 'device',
        severity: 'S1',
        unit: '3',
        assignee: 'none',
        mine: 'true',
        page: '2',
      };
      expect(reportsParameters(readReportsAddress({ ...query, id: '12' }))).toEqual({ ...query, id: '12' });
      expect(reportsParameters(readReportsAddress({}))).toEqual({});
    });
  });
});
