import Link from 'next/link';
import type { ReactNode } from 'react';
import { causeOf, type FailureCause } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import styles from './AsyncView.module.css';

/** What a data hook returns, as far as a view needs it. */
export interface ViewState<Data> {
  data: Data | undefined;
  error: { message: string; code?: string; status?: number | null } | undefined;
  isRefreshing: boolean;
  /** The server's time of the newest response, epoch milliseconds. */
  asOf: number | null;
  refresh: () => void;
}

interface AsyncViewProps<Data> {
  answer: ViewState<Data>;
  /** Omitted if data are never empty. */
  isEmpty?: (data: Data) => boolean;
  /** Shown until the first data arrive: their shape. It keeps their place also if a failure is shown outside. */
  skeleton: ReactNode;
  /** Shown instead of empty data: what to do next. Omitted if that is nothing. */
  empty?: (data: Data) => ReactNode;
  timeZone: string;
  /** Set if a `FailureNotice` outside shows the failure, because several views fail together. */
  isFailureShownOutside?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * The four states of every list and chart: first load; data, which stay while they are refreshed; error, in which old
 * data stay and are marked as old; empty.
 */
export function AsyncView<Data>({
  answer,
  isEmpty = () => false,
  skeleton,
  empty = () => null,
  timeZone,
  isFailureShownOutside = false,
  children,
}: AsyncViewProps<Data>) {
  const { data, error } = answer;
  return (
    <div aria-busy={data === undefined && error === undefined}>
      {isFailureShownOutside ? null : <FailureNotice answer={answer} timeZone={timeZone} />}
      {data === undefined ? (
        error === undefined || isFailureShownOutside ? (
          skeleton
        ) : null
      ) : (
        <div className={error === undefined ? undefined : styles.old} data-old={error === undefined ? undefined : ''}>
          {isEmpty(data) ? empty(data) : children(data)}
        </div>
      )}
    </div>
  );
}

interface FailureNoticeProps {
  answer: ViewState<unknown>;
  timeZone: string;
}

/**
 * Says that the last refresh failed and how old the data are, and offers another try. Empty if there is no error. While
 * the server is out of reach the header says so instead.
 */
export function FailureNotice({ answer: { data, error, asOf, refresh, isRefreshing }, timeZone }: FailureNoticeProps) {
  const isOutOfReach = data !== undefined && error !== undefined && causeFor(error) === 'unreachable';
  return (
    <div
      role="status"
      className={
        error === undefined ? undefined : isOutOfReach ? `${styles.notice} ${styles.outOfReach}` : styles.notice
      }
    >
      {error === undefined ? null : (
        <>
          <span>
            <strong>
              {data === undefined
                ? 'This could not be loaded.'
                : `Old data${asOf === null ? '' : `: as it was at ${formatTimeWithSeconds(asOf, timeZone)}`}.`}
            </strong>{' '}
            {error.message}{' '}
            {needsSignIn(error) ? (
              <Link href={paths.signIn} prefetch={false}>
                Sign in again
              </Link>
            ) : null}
          </span>
          <button type="button" className={styles.again} onClick={refresh} disabled={isRefreshing}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

function causeFor({ code = '', status = null }: { code?: string; status?: number | null }): FailureCause {
  return causeOf({ code, status });
}

/** Returns whether the server responded with something the page cannot use. Then another sign-in may help. */
function needsSignIn(error: { code?: string; status?: number | null }): boolean {
  const cause = causeFor(error);
  return cause === 'refused' || cause === 'unreadable';
}
