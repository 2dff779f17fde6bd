import { asFailure, type ApiFailure } from '../lib/browser/client';
import { newUuid } from '../lib/browser/newUuid';
import { toPlainText } from '../lib/plainText';
import { emptyReport, isUntouched, type ReportFields } from '../lib/reports/reportFields';
import type { IssueReport, NewReport, NewReportContext } from '../lib/reports/schema';
import { createKept, type Kept } from './kept';
import { poll } from './poll';

/** A report that did not arrive is sent again this long after a failure, in milliseconds. */
const retryAfterMs = 5_000;

export interface ReportDraft {
  fields: ReportFields;
  /** The page as it was when the report was begun; null: not begun. */
  context: NewReportContext | null;
  /** The report is under way, and is sent again until the server has answered. */
  isSending: boolean;
  /** A call has left and no answer came: the server may have the report. */
  mayBeFiled: boolean;
  failure: ApiFailure | null;
  /** The report that was filed last from here. */
  filed: IssueReport | null;
}

/** The issue report that a user writes, as long as the page lives. */
export interface ReportKeeper extends Kept<ReportDraft> {
  /** Begins a report on this page, or goes on with the one that is written. */
  begin: (context: NewReportContext, start: Partial<ReportFields>) => void;
  change: (fields: Partial<ReportFields>) => void;
  /** Of this report: the same again after a lost answer adds nothing. */
  clientId: () => string;
  send: (report: NewReport) => Promise<void>;
  /** Stops sending, so that the report can be changed. */
  stopSending: () => void;
  /** Begins without a report. */
  drop: () => void;
}

const empty: ReportDraft = {
  fields: emptyReport,
  context: null,
  isSending: false,
  mayBeFiled: false,
  failure: null,
  filed: null,
};

/** Keeps a report on the page, outside of the DOM, and sends it until the server has answered. */
export function createReportKeeper(): ReportKeeper {
  let clientId = newUuid();
  let sent: NewReport | null = null;
  let attempting: NewReport | null = null;
  const kept = createKept(empty, {
    isUnsaved: ({ fields }) => !isUntouched(fields),
    send: () => void attempt(),
    endsUnsent: true,
  });
  const { read, put, later, cancel } = kept;
  const clear = (filed: IssueReport | null): void => {
    cancel();
    sent = null;
    clientId = newUuid();
    put({ ...empty, filed });
  };

  async function attempt(): Promise<void> {
    cancel();
    const report = sent;
    if (report === null || attempting === report) {
      return;
    }
    attempting = report;
    let filed: IssueReport | null = null;
    let failure: ApiFailure | null = null;
    try {
      filed = (await poll('fileReport', { body: report })).data;
    } catch (problem) {
      failure = asFailure(problem);
    }
    attempting = null;
    // Dropped meanwhile, or another user has signed in.
    if (sent !== report) {
      return;
    }
    if (failure === null) {
      clear(filed);
      return;
    }
    const isRetried = isRetryable(failure);
    sent = isRetried ? report : null;
    put({
      ...read(),
      isSending: isRetried,
      mayBeFiled: isRetried && (read().mayBeFiled || failure.isOutcomeUnknown),
      failure,
    });
    if (isRetried) {
      later(retryAfterMs);
    }
  }

  return {
    ...kept,
    begin: (context, first) => {
      const isNew = read().context === null || (isUntouched(read().fields) && !read().isSending);
      put(
        isNew
          ? { ...empty, context, fields: { ...emptyReport, ...first } }
          : { ...read(), context: withError(read().context, context), filed: null },
      );
    },
    change: (fields) => {
      if (!read().isSending) {
        // What the server said is about the report that it refused.
        put({ ...read(), fields: toPlainFields({ ...read().fields, ...fields }), failure: null });
      }
    },
    clientId: () => clientId,
    send: async (report) => {
      if (!read().isSending) {
        sent = report;
        put({ ...read(), isSending: true, failure: null });
        await attempt();
      }
    },
    stopSending: () => {
      // One that the server may have is not changed: the server would keep what it has.
      if (!read().mayBeFiled && attempting === null) {
        cancel();
        sent = null;
        put({ ...read(), isSending: false });
      }
    },
    drop: () => clear(null),
    forget: () => {
      sent = null;
      kept.forget();
    },
  };
}

/** Returns whether the same call can succeed later: the server was not reached, was busy, or its answer was lost. */
function isRetryable(failure: ApiFailure): boolean {
  const { status } = failure;
  return status === null || status >= 500 || status === 429 || status === 423 || failure.isOutcomeUnknown;
}

/** A report that is gone on with keeps the page on which it was begun, and takes the error that was pressed now. */
function withError(begun: NewReportContext | null, now: NewReportContext): NewReportContext {
  return begun === null ? now : { ...begun, errorReportId: now.errorReportId ?? begun.errorReportId };
}

function toPlainFields(fields: ReportFields): ReportFields {
  const { title, whatHappened, expected, immediateAction } = fields;
  return {
    ...fields,
    title: toPlainText(title),
    whatHappened: toPlainText(whatHappened),
    expected: toPlainText(expected),
    immediateAction: toPlainText(immediateAction),
  };
}
