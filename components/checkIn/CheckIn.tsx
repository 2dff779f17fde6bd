import { useEffect, useState, useRef, useSyncExternalStore } from 'react';
import { type LinkKey, sendCheckIn } from '../../hooks/checkInCalls';
import { type WaitingCheckIn, type OutboxState, createOutbox, type Outbox } from '../../hooks/checkInOutbox';
import { fingerprintOf, forgetCheckIn, keepCheckIn, takeKept } from '../../lib/browser/keptCheckIns';
import { serverNow } from '../../lib/browser/serverClock';
import { dangersOf } from '../../lib/checkIn/dangersOf';
import { hasRedFlag } from '../../lib/checkIn/hasRedFlag';
import { keptMs } from '../../lib/checkIn/keptMs';
import { readTyped } from '../../lib/checkIn/readTyped';
import { receivedLines } from '../../lib/checkIn/receivedLines';
import type { OpenedCheckIn, CheckInReadings } from '../../lib/checkIn/schema';
import { answersOf, emptyCheckIn, type TypedCheckIn, readingKinds } from '../../lib/checkIn/typedCheckIn';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { formatClock, formatDayAndTime } from '../../lib/time/formatTime';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { CallMe } from './CallMe';
import { CheckInForm } from './CheckInForm';
import { CallNumber, EmergencyLine } from './EmergencyLine';
import { Sent } from './Sent';
import { lockedText, YearForm } from './YearForm';
import styles from './checkIn.module.css';

/** Returns where a check-in waits and for how long. */
function keptText(waiting: WaitingCheckIn, timeZone: string): string {
  const until = hasRedFlag(waiting) ? 'it is sent' : formatDayAndTime(waiting.at + keptMs, timeZone);
  return waiting.isOnPhone
    ? `Kept on this phone until ${until}. It is sent ${waiting.mayHaveArrived ? 'again ' : ''}as soon as there is a ` +
        'connection and this page is open. If you close it, open the link again.'
    : 'It is kept only as long as this page is open. Do not close or reload it.';
}

interface OutboxNoticesProps {
  outbox: OutboxState;
  /** The check-in that the page shows anyway. */
  latest: string | null;
  timeZone: string;
}

/** What became of earlier check-ins. */
function OutboxNotices({ outbox, latest, timeZone }: OutboxNoticesProps) {
  const { waiting, arrived, refused, tooOld } = outbox;
  const others = <Each extends { clientId: string }>(all: readonly Each[]): Each[] =>
    all.filter(({ clientId }) => clientId !== latest);
  const of = (at: number): string => `Your check-in of ${formatDayAndTime(at, timeZone)}`;
  const unknown = (at: number): string =>
    `It is not known whether your ward got your check-in of ${formatDayAndTime(at, timeZone)}.`;
  const texts = [
    ...tooOld.map(
      ({ at, mayHaveArrived }) =>
        `${
          mayHaveArrived
            ? `${unknown(at)} No answer came within 24 hours.`
            : `${of(at)} could not be sent within 24 hours. Your ward never got it.`
        } It was deleted from this phone. Check in again now.`,
    ),
    ...others(refused).map(
      ({ at, failure, mayHaveArrived }) =>
        `${mayHaveArrived ? unknown(at) : `${of(at)} could not be sent.`} ${failure.message}`,
    ),
    ...others(waiting)
      .filter(({ hasFailed }) => hasFailed)
      .map(
        (each) =>
          `${each.mayHaveArrived ? unknown(each.at) : `${of(each.at)} is not sent yet.`} ${keptText(each, timeZone)}`,
      ),
    ...others(arrived).map(({ at }) => `${of(at)} has reached your ward.`),
  ];
  return (
    <div role="status" className={texts.length === 0 ? undefined : styles.notice}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

interface NotSentProps {
  waiting: WaitingCheckIn;
  timeZone: string;
  onTry: () => void;
  onNew: () => void;
}

/** Says that the ward knows nothing yet of a check-in, or may know nothing, and where it is until it does. */
function NotSent({ waiting, timeZone, onTry, onNew }: NotSentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section className={styles.group} aria-labelledby="not-sent">
      <h2 id="not-sent" ref={heading} tabIndex={-1}>
        {waiting.mayHaveArrived ? 'Not confirmed yet' : 'Not sent yet'}
      </h2>
      <p role="status">
        <strong>
          {waiting.mayHaveArrived ? 'It is not known whether your ward got this.' : 'Your ward does not know this yet.'}
        </strong>{' '}
        {keptText(waiting, timeZone)}
      </p>
      <ul className={styles.lines}>
        {receivedLines(waiting.answers).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <button type="button" className={styles.mainButton} onClick={onTry}>
        Try now
      </button>
      <button type="button" className={styles.button} onClick={onNew}>
        Make a new check-in
      </button>
    </section>
  );
}

interface EmergencyAdviceProps {
  number: string | null;
  /** What it follows from, in words; none: no advice. */
  dangers: readonly string[];
  /** Nothing of that is chosen any more. */
  isTakenBack: boolean;
}

/**
 * Says at once, before anything is sent, whom to call. It takes the focus with each new danger, except from a field in
 * which somebody types, and stays at the top of the window. The region is always there, so that its text is read out.
 */
function EmergencyAdvice({ number, dangers, isTakenBack }: EmergencyAdviceProps) {
  const region = useRef<HTMLDivElement>(null);
  const count = dangers.length;
  useEffect(() => {
    const typing = document.activeElement;
    if (count > 0 && !(typing instanceof HTMLInputElement && typing.type === 'text')) {
      region.current?.focus();
    }
  }, [count]);
  return (
    <div ref={region} role="alert" tabIndex={-1} className={count === 0 ? undefined : styles.advice}>
      {count === 0 ? null : (
        <>
          <p className={styles.adviceWords}>{emergencyAdvice(number)}</p>
          {number === null ? null : <CallNumber number={number} words="Call " />}
          <p>
            {isTakenBack ? 'You took this back. If it is true, call: ' : 'Because of: '}
            {dangers.join('; ')}.
          </p>
        </>
      )}
    </div>
  );
}

/** While a number is typed it passes through others: after so many milliseconds of rest it is the one that is meant. */
const typingRestMs = 1_500;

interface CheckInProps {
  linkKey: LinkKey;
  opened: OpenedCheckIn;
  /** The link was opened again, with another year of birth. */
  onOpened: (key: LinkKey, opened: OpenedCheckIn) => void;
}

/**
 * Returns the readings that are typed and lower than any that the page takes. They are not sent, but they may be true:
 * the limits decide whether somebody has to call.
 */
function tooLowOf(readings: TypedCheckIn['readings']): CheckInReadings {
  const low: CheckInReadings = {};
  for (const kind of readingKinds) {
    const typed = readTyped(kind, readings[kind]);
    if (typed !== null && 'tooLow' in typed && typed.tooLow !== undefined) {
      low[kind] = typed.tooLow;
    }
  }
  return low;
}

/** How often what waits is tried again while the page is open, in milliseconds. */
const tryAgainMs = 15_000;

/**
 * The check-ins of an opened link that wait or have arrived. They are tried again while the page is open. The year of
 * birth in `key` may be corrected meanwhile.
 */
function useCheckInOutbox(key: LinkKey): OutboxState & Pick<Outbox, 'send' | 'tryAll'> {
  const newestKey = useRef(key);
  useEffect(() => {
    newestKey.current = key;
  }, [key]);
  const [outbox] = useState(() =>
    createOutbox({
      post: (checkIn, ageMs) => sendCheckIn(newestKey.current, checkIn, ageMs),
      phone: {
        fingerprint: () => fingerprintOf(key.secret),
        keep: keepCheckIn,
        forget: forgetCheckIn,
        take: takeKept,
      },
      now: () => Date.now(),
      // The response that opened the link said what the ward's clock shows.
      aheadMs: () => (serverNow() ?? Date.now()) - Date.now(),
      elapsed: () => performance.now(),
    }),
  );
  const state = useSyncExternalStore(outbox.subscribe, outbox.getState, outbox.getState);
  useEffect(() => {
    const { tryAll } = outbox;
    const timer = setInterval(tryAll, tryAgainMs);
    // A phone in a pocket runs no timers.
    const look = (): void => {
      if (document.visibilityState === 'visible') {
        tryAll();
      }
    };
    window.addEventListener('online', tryAll);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tryAll);
      document.removeEventListener('visibilitychange', look);
    };
  }, [outbox]);
  return { ...state, send: outbox.send, tryAll: outbox.tryAll };
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
                onReadingDone={() => settle(typed.readings)}
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
