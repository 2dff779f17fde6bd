import { ApiFailure, clientFailure } from '../lib/browser/client';
import { emptyReport } from '../lib/reports/reportFields';
import type { IssueReport, NewReport, NewReportContext } from '../lib/reports/schema';
import { inventedReport } from '../test/inventedReport';
import { newReport } from '../test/newReport';
import { askForReport, useAskedReport } from './issueReporting';
import { keptComments, keepTextsOf, keptReports } from './keptTexts';
import { createReportKeeper, type ReportKeeper } from './reportKeeper';

const mockPoll = jest.fn<Promise<{ data: unknown; serverTime: null }>, [string, { body: NewReport }]>();
jest.mock('./poll', () => ({ poll: (name: string, input: { body: NewReport }) => mockPoll(name, input) }));
jest.mock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }));

const context: NewReportContext = {
  page: '/patients',
  release: 'wardlight@0.1.0',
  ruleVersion: 2,
  browser: 'Test',
  sound: 'on',
  errorReportId: null,
  tiles: [],
  connection: [],
  requestIds: [],
};
const refused = new ApiFailure('invalid', 'Invalid.', { status: 422, fields: { title: 'is too long' } });

/** What the server does with each call, in their order; the last one goes on. */
function answers(...given: (IssueReport | ApiFailure)[]): void {
  for (const [place, one] of given.entries()) {
    const answer = () =>
      one instanceof ApiFailure ? Promise.reject(one) : Promise.resolve({ data: one, serverTime: null });
    if (place === given.length - 1) {
      mockPoll.mockImplementation(answer);
    } else {
      mockPoll.mockImplementationOnce(answer);
    }
  }
}
const bodyOf = (keeper: ReportKeeper): NewReport => ({
  ...newReport({ clientId: keeper.clientId(), title: keeper.read().fields.title, context }),
  authorId: 7,
});
const sentIds = () => mockPoll.mock.calls.map(([, { body }]) => body.clientId);
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);
const leavesAsked = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

let keeper: ReportKeeper;
let stop: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  mockPoll.mockReset();
  keeper = createReportKeeper();
  keeper.begin(context, {});
  stop = keeper.start();
});
afterEach(() => {
  keeper.forget();
  jest.useRealTimers();
});

describe('an issue report', () => {
  it('is sent to no one before that is pressed, and is asked about before the tab closes', async () => {
    expect(leavesAsked()).toBe(false);
    keeper.change({ title: 'Cable loose' });
    await seconds(60);
    expect(mockPoll).not.toHaveBeenCalled();
    expect(leavesAsked()).toBe(true);
  });

  it('is sent once for a double press', async () => {
    answers(inventedReport(12));
    keeper.change({ title: 'Cable loose' });
    await Promise.all([keeper.send(bodyOf(keeper)), keeper.send(bodyOf(keeper))]);
    expect(mockPoll).toHaveBeenCalledTimes(1);
    expect(keeper.read()).toMatchObject({ fields: emptyReport, isSending: false, filed: { id: 12 } });
    expect(leavesAsked()).toBe(false);
  });

  it('is sent again after a lost answer under the same id, and cannot be changed meanwhile', async () => {
    answers(clientFailure('no_response'), clientFailure('unreachable'), inventedReport(12));
    keeper.change({ title: 'Cable loose' });
    await keeper.send(bodyOf(keeper));
    expect(keeper.read()).toMatchObject({ isSending: true, mayBeFiled: true });
    keeper.change({ title: 'Another text' });
    keeper.stopSending();
    expect(keeper.read()).toMatchObject({ isSending: true, fields: { title: 'Cable loose' } });
    await seconds(11);
    expect(new Set(sentIds()).size).toBe(1);
    expect(keeper.read().filed?.id).toBe(12);
    await seconds(60);
    expect(mockPoll).toHaveBeenCalledTimes(3);
  });

  it('that never left can be changed, and then goes as it is changed', async () => {
    answers(clientFailure('unreachable'));
    keeper.change({ title: 'Cable loose' });
    await keeper.send(bodyOf(keeper));
    keeper.stopSending();
    await seconds(60);
    expect(mockPoll).toHaveBeenCalledTimes(1);
    keeper.change({ title: 'Cable torn' });
    answers(inventedReport(12));
    await keeper.send(bodyOf(keeper));
    expect(mockPoll.mock.calls.at(-1)?.[1].body.title).toBe('Cable torn');
  });

  it('that is refused stays as it was typed, with what is wrong until it is changed', async () => {
    answers(refused);
    keeper.change({ title: 'Cable loose' });
    await keeper.send(bodyOf(keeper));
    await seconds(60);
    expect(mockPoll).toHaveBeenCalledTimes(1);
    expect(keeper.read()).toMatchObject({ isSending: false, fields: { title: 'Cable loose' } });
    expect(keeper.read().failure?.fields).toEqual({ title: 'is too long' });
    keeper.change({ title: 'Cable' });
    expect(keeper.read().failure).toBeNull();
  });

  it('waits while its form is away, as after a lock, and goes on when it is back', async () => {
    answers(clientFailure('unreachable'));
    keeper.change({ title: 'Cable loose' });
    await keeper.send(bodyOf(keeper));
    stop();
    await seconds(60);
    expect(mockPoll).toHaveBeenCalledTimes(1);
    answers(inventedReport(12));
    keeper.start();
    await seconds(0);
    expect(keeper.read().filed?.id).toBe(12);
  });

  it('keeps the page on which it was begun, and the error that was pressed later', () => {
    keeper.change({ title: 'Cable loose' });
    keeper.begin({ ...context, page: '/dashboard', errorReportId: 'abc' }, { patientId: '4' });
    expect(keeper.read()).toMatchObject({
      context: { page: '/patients', errorReportId: 'abc' },
      fields: { title: 'Cable loose', patientId: '' },
    });
  });

  it('begins with the place that was pressed if nothing was typed', () => {
    keeper.begin({ ...context, page: '/patient_details' }, { patientId: '4' });
    expect(keeper.read()).toMatchObject({ context: { page: '/patient_details' }, fields: { patientId: '4' } });
    expect(leavesAsked()).toBe(false);
  });
});

describe('what was typed of reports', () => {
  it('is given back to the same user alone, and its form closes for another one', async () => {
    const own = keptReports.of(7, 'own', createReportKeeper);
    own.begin(context, {});
    own.change({ title: 'Cable loose' });
    keptComments.keep(7, 3, { clientId: 'a', text: 'More' });
    askForReport({});
    answers(clientFailure('unreachable'));
    await own.send(bodyOf(own));
    expect(keptReports.of(7, 'own', createReportKeeper).read().fields.title).toBe('Cable loose');
    keepTextsOf(8);
    expect(useAskedReport()).toBeNull();
    expect(leavesAsked()).toBe(false);
    expect(keptReports.of(8, 'own', createReportKeeper).read().fields.title).toBe('');
    expect(keptComments.of(8, 3)).toBeUndefined();
    await seconds(60);
    expect(mockPoll).toHaveBeenCalledTimes(1);
  });
});
