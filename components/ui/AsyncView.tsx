import Link from 'next/link';
import type { ReactNode } from 'react';
import { causeOf } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import styles from './AsyncView.module.css';

/** What a data hook answers, as far as a view needs it. */
export interface ViewAnswer<Data> {
  data: Data | undefined;
  error: { message: string; code?: string; status?: number | null } | undefined;
  isRefreshing: boolean;
  /** The server's time of the newest answer, epoch milliseconds. */
  asOf: number | null;
  refresh: () => void;
}

interface AsyncViewProps<Data> {
  answer: ViewAnswer<Data>;
  isEmpty: (data: Data) => boolean;
  /** The shape of what will come, shown until something has. */
  skeleton: ReactNode;
  /** What to do next where there is nothing. */
  empty: (data: Data) => ReactNode;
  timeZone: string;
  /** Set where a `FailureNotice` outside already tells the failure, because several views fail together. */
  isFailureToldOutside?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * The four faces of every list and chart: first load, data (which stays as it is while it is refreshed), error (old
 * data stays and is marked old), empty.
 */
export function AsyncView<Data>({
  answer,
  isEmpty,
  skeleton,
  empty,
  timeZone,
  isFailureToldOutside = false,
  children,
}: AsyncViewProps<Data>) {
  const { data, error } = answer;
  return (
    <div aria-busy={data === undefined && error === undefined}>
      {isFailureToldOutside ? null : <FailureNotice answer={answer} timeZone={timeZone} />}
      {data === undefined ? (
        error === undefined ? (
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
  answer: ViewAnswer<unknown>;
  timeZone: string;
}

/** Says that the last refresh failed, from when the data are, and offers another try. Nothing while all is well. */
export function FailureNotice({ answer: { data, error, asOf, refresh, isRefreshing }, timeZone }: FailureNoticeProps) {
  return (
    <div role="status" className={error === undefined ? undefined : styles.notice}>
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

/** The server answered, but the page cannot use what it said: another sign-in may help where another try does not. */
function needsSignIn({ code = '', status = null }: { code?: string; status?: number | null }): boolean {
  const cause = causeOf({ code, status });
  return cause === 'refused' || cause === 'unreadable';
}
