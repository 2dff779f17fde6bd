import { ApiFailure, clientFailure } from '../lib/browser/client';
import { newUuid } from '../lib/browser/newUuid';
import { toPlainText } from '../lib/plainText';
import { emptyReport, isUntouched, type ReportFields } from '../lib/reports/reportFields';
import type { IssueReport, NewReport, NewReportContext } from '../lib/reports/schema';
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
export interface ReportKeeper {
  read: () => ReportDraft;
  subscribe: (onChange: () => void) => () => void;
  /** Begins a report on this page, or goes on with the one that is written. */
  begin: (context: NewReportContext, start: Partial<ReportFields>) => void;
  change: (fields: Partial<ReportFields>) => void;
  /** Goes on with what is under way. Returns the function that stops it. */
  start: () => () => void;
  /** Of this report: the same again after a lost answer adds nothing. */
  clientId: () => string;
  send: (report: NewReport) => Promise<void>;
  /** Stops sending, so that the report can be changed. */
  stopSending: () => void;
  /** Begins without a report. */
  drop: () => void;
  forget: () => void;
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
  let state = empty;
  let clientId = newUuid();
  let sent: NewReport | null = null;
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempting: NewReport | null = null;
  const listeners = new Set<() => void>();

  const askBeforeUnload = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
  };
  const put = (next: ReportDraft): void => {
    state = next;
    if (isUntouched(next.fields)) {
      window.removeEventListener('beforeunload', askBeforeUnload);
    } else {
      window.addEventListener('beforeunload', askBeforeUnload);
    }
    for (const listener of listeners) {
      listener();
    }
  };
  const clear = (filed: IssueReport | null): void => {
    clearTimeout(timer);
    sent = null;
    clientId = newUuid();
    put({ ...empty, filed });
  };

  async function attempt(): Promise<void> {
    clearTimeout(timer);
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
      failure = problem instanceof ApiFailure ? problem : clientFailure('unreadable_response');
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
      ...state,
      isSending: isRetried,
      mayBeFiled: isRetried && (state.mayBeFiled || failure.isOutcomeUnknown),
      failure,
    });
    if (isRetried && running > 0) {
      timer = setTimeout(() => void attempt(), retryAfterMs);
    }
  }

  return {
    read: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
      };
    },
    begin: (context, start) => {
      const isNew = state.context === null || (isUntouched(state.fields) && !state.isSending);
      put(
        isNew
          ? { ...empty, context, fields: { ...emptyReport, ...start } }
          : { ...state, context: withError(state.context, context), filed: null },
      );
    },
    change: (fields) => {
      if (!state.isSending) {
        // What the server said is about the report that it refused.
        put({ ...state, fields: toPlainFields({ ...state.fields, ...fields }), failure: null });
      }
    },
    start: () => {
      running += 1;
      void attempt();
      return () => {
        running -= 1;
        clearTimeout(timer);
      };
    },
    clientId: () => clientId,
    send: async (report) => {
      if (!state.isSending) {
        sent = report;
        put({ ...state, isSending: true, failure: null });
        await attempt();
      }
    },
    stopSending: () => {
      // One that the server may have is not changed: the server would keep what it has.
      if (!state.mayBeFiled && attempting === null) {
        clearTimeout(timer);
        sent = null;
        put({ ...state, isSending: false });
      }
    },
    drop: () => clear(null),
    forget: () => {
      clearTimeout(timer);
      running = 0;
      sent = null;
      window.removeEventListener('beforeunload', askBeforeUnload);
      state = empty;
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
