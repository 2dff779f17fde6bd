import { useRef, useState } from 'react';
import { requestCall, type LinkKey } from '../../hooks/checkInCalls';
import type { ApiFailure } from '../../lib/browser/client';
import { newUuid } from '../../lib/browser/newUuid';
import { formatTime } from '../../lib/time/formatTime';
import dialogStyles from '../ui/dialog.module.css';
import styles from './checkIn.module.css';
import { CallNumber } from './EmergencyLine';

interface CallMeProps {
  linkKey: LinkKey;
  emergencyNumber: string | null;
  /** The ward's; null: the link did not open, so it is not known. */
  timeZone: string | null;
  /** The ward got the request, and has another year of birth. */
  onWrongYear: (triesLeft: number) => void;
}

/** For so long after the answer "Close" ignores a press, in milliseconds: a second tap was meant for "Yes, call me". */
const guardedForMs = 500;

type State = 'asking' | 'sending' | { requestedAt: number; isYearWrong: boolean } | { failure: ApiFailure };

/**
 * Asks the ward to call, after one question. It is never kept for later: a person who needs help has to know at
 * once whether the ward knows.
 */
export function CallMe({ linkKey, emergencyNumber, timeZone, onWrongYear }: CallMeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /**
   * The same one for "Try again", so that a request whose answer was lost does not count twice. A new one each time the
   * dialog opens: the ward may have dealt with the former meanwhile.
   */
  const clientId = useRef<string | null>(null);
  const isUnderWay = useRef(false);
  const answeredAt = useRef(Number.NEGATIVE_INFINITY);
  const [state, setState] = useState<State>('asking');
  const open = (): void => {
    if (!isUnderWay.current) {
      clientId.current = null;
      setState('asking');
    }
    dialog.current?.showModal();
  };
  const send = async (): Promise<void> => {
    if (isUnderWay.current) {
      return;
    }
    isUnderWay.current = true;
    setState('sending');
    clientId.current ??= newUuid();
    try {
      const { requestedAt, yearTriesLeft } = await requestCall(linkKey, clientId.current);
      setState({ requestedAt: Date.parse(requestedAt), isYearWrong: yearTriesLeft !== null });
      if (yearTriesLeft !== null) {
        onWrongYear(yearTriesLeft);
      }
    } catch (problem) {
      setState({ failure: problem as ApiFailure });
    } finally {
      isUnderWay.current = false;
      answeredAt.current = performance.now();
    }
  };
  const close = (): void => {
    if (performance.now() - answeredAt.current > guardedForMs) {
      dialog.current?.close();
    }
  };
  const number =
    emergencyNumber === null ? (
      'Call your local emergency number.'
    ) : (
      <CallNumber number={emergencyNumber} words="Call " />
    );

  return (
    <>
      <button type="button" className={styles.button} onClick={open}>
        I need help - call me
      </button>
      <dialog ref={dialog} className={`${dialogStyles.dialog} ${styles.dialog}`} aria-labelledby="call-me">
        <h2 id="call-me">Ask the ward to call</h2>
        <div role="alert" className={styles.group}>
          {state === 'asking' || state === 'sending' ? null : 'requestedAt' in state ? (
            <p>
              <strong>
                {timeZone === null
                  ? 'Your ward got your request.'
                  : `Your ward got your request at ${formatTime(state.requestedAt, timeZone)}.`}
              </strong>{' '}
              Keep your phone with you and the line free.
              {state.isYearWrong ? ' The year of birth that you typed is not the one that your ward has.' : null}
            </p>
          ) : (
            <p>
              <strong>{failureText(state.failure)}</strong> Do not wait for a call.
            </p>
          )}
        </div>
        {state === 'asking' || state === 'sending' ? (
          <p>The ward gets an alert at once and calls the number that it has. That can take some minutes.</p>
        ) : null}
        <p>If it is an emergency, or gets worse, do not wait: {number}</p>
        {typeof state === 'object' && 'requestedAt' in state ? null : (
          <button
            type="button"
            className={styles.mainButton}
            aria-disabled={state === 'sending'}
            onClick={() => void send()}
          >
            {state === 'sending' ? 'Sending …' : state === 'asking' ? 'Yes, call me' : 'Try again'}
          </button>
        )}
        <button type="button" className={styles.button} onClick={close}>
          {state === 'asking' ? 'No, go back' : 'Close'}
        </button>
      </dialog>
    </>
  );
}

function failureText({ isOutcomeUnknown, code, message }: ApiFailure): string {
  if (isOutcomeUnknown) {
    return 'It is not known whether this reached your ward.';
  }
  return code === 'link_unusable'
    ? 'This did not reach your ward: the link does not work any more.'
    : `This did not reach your ward. ${message}`;
}
