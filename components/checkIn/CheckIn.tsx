import { useEffect, useState } from 'react';
import type { LinkKey } from '../../hooks/checkInCalls';
import { useCheckInOutbox } from '../../hooks/useCheckInOutbox';
import { serverNow } from '../../lib/browser/serverClock';
import { dangersOf } from '../../lib/checkIn/dangersOf';
import type { OpenedCheckIn } from '../../lib/checkIn/schema';
import { answersOf, emptyCheckIn, type TypedCheckIn } from '../../lib/checkIn/typedCheckIn';
import { tooLowOf } from '../../lib/checkIn/tooLowOf';
import { formatClock } from '../../lib/time/formatTime';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { CallMe } from './CallMe';
import styles from './checkIn.module.css';
import { CheckInForm } from './CheckInForm';
import { EmergencyAdvice } from './EmergencyAdvice';
import { CallNumber, EmergencyLine } from './EmergencyLine';
import { NotSent } from './NotSent';
import { OutboxNotices } from './OutboxNotices';
import { Sent } from './Sent';
import { lockedText, YearForm } from './YearForm';

/** While a number is typed it passes through others: after so many milliseconds of rest it is the one that is meant. */
const typingRestMs = 1_500;

interface CheckInProps {
  linkKey: LinkKey;
  opened: OpenedCheckIn;
  /** The link was opened again, with another year of birth. */
  onOpened: (key: LinkKey, opened: OpenedCheckIn) => void;
}

/** An opened check-in: the advice, the form or what became of it, and at the foot whom to call. */
export function CheckIn({ linkKey, opened, onOpened }: CheckInProps) {
  const { initials, siteName, emergencyNumber, outOfHoursText, red, timeZone } = opened;
  const shortName = [...initials].map((letter) => `${letter}.`).join(' ');
  const outbox = useCheckInOutbox(linkKey);
  /** How many tries were left when "call me" was answered that the year is wrong. */
  const [triesLeftOfCall, setTriesLeftOfCall] = useState<number | null>(null);
  /** Up to how many answers about check-ins the year has been typed again since. */
  const [answeredTo, setAnsweredTo] = useState(0);
  const [closedText, setClosedText] = useState<string | null>(null);
  const aboutYear = [
    ...outbox.arrived.map(({ answer }) => answer.yearTriesLeft),
    ...outbox.refused.map(({ failure }) => (failure.code === 'wrong_year' ? failure.triesLeft : null)),
  ].filter((left) => left !== null);
  const isYearWrong = triesLeftOfCall !== null || aboutYear.length > answeredTo;
  const lockedNow = triesLeftOfCall === 0 || aboutYear.includes(0) ? lockedText : closedText;
  const [typed, setTyped] = useState(emptyCheckIn);
  const { settled, settle } = useSettledReadings(typed);
  /** The check-in that was sent last from this form, and those from before it, whose advice was seen. */
  const [latest, setLatest] = useState<string | null>(null);
  const [past, setPast] = useState<readonly string[]>([]);
  // The clock of a phone may be a day wrong.
  const [now] = useState(() => serverNow() ?? Date.now());

  const made = [...outbox.waiting.map((each) => ({ ...each, answer: null })), ...outbox.arrived];
  const present = [
    ...dangersOf(answersOf({ ...typed, readings: settled }), red, null),
    ...dangersOf({ ...answersOf(emptyCheckIn), readings: tooLowOf(settled) }, red, null),
    ...made
      .filter(({ clientId }) => !past.includes(clientId))
      .flatMap(({ answers, answer }) => dangersOf(answers, red, answer)),
  ];
  const raised = useRaised(present, past.length);

  const arrived = outbox.arrived.find(({ clientId }) => clientId === latest);
  const waiting = outbox.waiting.find(({ clientId }) => clientId === latest);
  const refused = outbox.refused.find(({ clientId }) => clientId === latest);
  const startNew = (): void => {
    setPast(made.map(({ clientId }) => clientId));
    setTyped(emptyCheckIn);
    settle(emptyCheckIn.readings);
    setLatest(null);
    window.scrollTo(0, 0);
  };

  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <EmergencyAdvice number={emergencyNumber} dangers={raised} isTakenBack={present.length === 0} />
        <ErrorBoundary
          resetKey=""
          fallback={
            <p role="alert" className={styles.notice}>
              Something went wrong on this page. Open the link in your message again. If you need help now, call.
            </p>
          }
        >
          <header className={styles.heading}>
            <h1>
              This check-in is for <span className={styles.initials}>{shortName}</span>
            </h1>
            <p>{siteName}</p>
          </header>
          {isYearWrong ? (
            <section className={styles.notice} aria-label="The year of birth">
              <p role="alert">
                {lockedNow ??
                  'The year of birth that you typed is not the one that your ward has. Type it again or call them.'}
              </p>
              {lockedNow === null ? (
                <YearForm
                  secret={linkKey.secret}
                  hasFocus={false}
                  onOpened={(key, openedNow) => {
                    setTriesLeftOfCall(null);
                    setAnsweredTo(aboutYear.length);
                    onOpened(key, openedNow);
                  }}
                  onClosed={(_year, text) => {
                    setClosedText(text);
                  }}
                />
              ) : null}
            </section>
          ) : null}
          <OutboxNotices outbox={outbox} latest={latest} timeZone={timeZone} />
          {arrived !== undefined ? (
            <Sent sent={arrived} timeZone={timeZone} hasAdvice={raised.length > 0} onNew={startNew} />
          ) : waiting?.hasFailed === true ? (
            <NotSent waiting={waiting} timeZone={timeZone} onTry={outbox.tryAll} onNew={startNew} />
          ) : (
            <>
              <p>
                {opened.for === 'proxy' ? `Answer for ${shortName} ` : ''}Answer what you can.{' '}
                {dueWords(Date.parse(opened.nextDueAt), now, timeZone)}
              </p>
              <CheckInForm
                typed={typed}
                onChange={setTyped}
                onReadingDone={() => {
                  settle(typed.readings);
                }}
                hasDanger={(whole) => dangersOf(answersOf(whole), red, null).length > 0}
                isSending={waiting !== undefined}
                refused={refused ?? null}
                onSend={() => {
                  settle(typed.readings);
                  setLatest(outbox.send(answersOf(typed)));
                }}
              />
            </>
          )}
        </ErrorBoundary>
      </main>
      <footer className={`${styles.foot} ${styles.kept}`}>
        <div className={styles.ways}>
          {emergencyNumber === null ? null : <CallNumber number={emergencyNumber} words="Emergency: call " />}
          <CallMe
            linkKey={linkKey}
            emergencyNumber={emergencyNumber}
            timeZone={timeZone}
            onWrongYear={setTriesLeftOfCall}
          />
        </div>
        {emergencyNumber === null ? (
          <EmergencyLine number={null} />
        ) : (
          <p>
            <strong>This is not an emergency service.</strong>
          </p>
        )}
        {outOfHoursText === null ? null : <p>{outOfHoursText}</p>}
      </footer>
    </div>
  );
}

function dueWords(dueAt: number, now: number, timeZone: string): string {
  const at = formatClock(dueAt, now, timeZone);
  return dueAt <= now ? `This check-in was due at ${at}.` : `Next check-in: ${at}.`;
}

/**
 * Returns the readings as they were when their field was left, or a moment after the last key: the "9" of "95" is no
 * alarm, and no one has to leave the field to get the advice.
 */
function useSettledReadings({ readings }: TypedCheckIn): {
  settled: TypedCheckIn['readings'];
  settle: (readings: TypedCheckIn['readings']) => void;
} {
  const [settled, settle] = useState(readings);
  useEffect(() => {
    const timer = setTimeout(() => {
      settle(readings);
    }, typingRestMs);
    return () => {
      clearTimeout(timer);
    };
  }, [readings]);
  return { settled, settle };
}

/** Returns all dangers since the form was begun, those taken back included: advice never goes by itself. */
function useRaised(present: readonly string[], form: number): readonly string[] {
  const [held, setHeld] = useState<{ form: number; raised: readonly string[] }>({ form, raised: [] });
  const before = held.form === form ? held.raised : [];
  const added = [...new Set(present)].filter((danger) => !before.includes(danger));
  const raised = added.length === 0 ? before : [...before, ...added];
  if (held.form !== form || added.length > 0) {
    setHeld({ form, raised });
  }
  return raised;
}
