import type { ReactNode } from 'react';
import { formatDate, formatDayAndTime, formatTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { otherDeviceNumber } from '../../lib/vitals/disagreement';
import { doubtWords } from '../../lib/vitals/doubtWords';
import { freshnessOf, isAgeKnown, type Freshness } from '../../lib/vitals/freshness';
import type { VitalKind } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import type { ValueMark } from '../../lib/patients/valueMark';
import type { LatestValue } from '../../lib/vitals/schema';
import { Age } from './Age';
import { MarkedNumber } from './MarkedNumber';
import { VitalLabel } from './VitalLabel';
import styles from './VitalValue.module.css';

interface VitalValueProps {
  kind: VitalKind;
  latest: LatestValue | undefined;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** Since when the server has not answered, epoch milliseconds; null while it answers. */
  serverLost: number | null;
  timeZone: string;
  /** How the number shows its alert; omitted where alerts are shown beside it. */
  mark?: ValueMark | null;
  /** Shows the name of the value before the number; otherwise it is only read out, and only with a mark. */
  isNamed?: boolean;
  /** What another device says is shown beside it already. */
  isOtherNamed?: boolean;
  /** A second, small line below the number. */
  below?: ReactNode;
  /** The value's last hour, which is greyed with it. */
  spark?: ReactNode;
}

/**
 * The one place where a vital sign becomes a number on the screen, so that no value looks newer or more certain than it
 * is. A live value has its age; an ageing one says so and is underlined, a stale one is grey and struck through. An old
 * one, or one without a signal, is withdrawn: `--`, with the last value and its time beside it in small type. So is one
 * whose time lies in the future, but without that time. Its alert stays on it in every state.
 */
export function VitalValue({
  kind,
  latest,
  now,
  serverLost,
  timeZone,
  mark = null,
  isNamed = false,
  isOtherNamed = false,
  below,
  spark,
}: VitalValueProps) {
  const shared = { kind, mark, isNamed, below, spark };
  const asOf = latest === undefined ? null : parseInstant(latest.asOf);
  if (latest === undefined || asOf === null) {
    return <Frame {...shared} state="none" number="--" note="no value yet" isWordy />;
  }
  const freshness = freshnessOf(now - asOf, latest.expectedEveryMs);
  if (freshness === 'off' || latest.quality === 'invalid') {
    return (
      <Frame
        {...shared}
        state={freshness === 'off' ? 'off' : 'no-signal'}
        number="--"
        note={<Withdrawn kind={kind} latest={latest} freshness={freshness} now={now} timeZone={timeZone} />}
        isWordy
      />
    );
  }
  const text = formatVital(kind, latest.value);
  const isQuestionable = latest.quality === 'questionable';
  const isSubstitute = latest.isSubstitute === true;
  const isAgeUnknown = latest.ageUnknown === true;
  const isByBed = latest.isByBed === true;
  const doubts = doubtWords(latest, freshness, serverLost);
  const other = isOtherNamed ? null : otherDeviceNumber(kind, latest, now);
  return (
    <Frame
      {...shared}
      state={freshness}
      number={freshness === 'stale' ? <s>{text}</s> : text}
      unit={latest.unit}
      isQuestionable={isQuestionable}
      note={
        <>
          <Doubts words={doubts} />
          {isByBed ? <span title="Matched by bed: it was sent without a patient number">by bed, </span> : null}
          {isSubstitute ? `${latest.source}, ` : null}
          {isAgeUnknown ? (
            'age unknown'
          ) : (
            <>
              <Age since={asOf} now={now} timeZone={timeZone} />
              <span className="visually-hidden"> old</span>
            </>
          )}
          {other === null ? null : (
            <>
              , other<span className="visually-hidden"> source</span> {other}
            </>
          )}
        </>
      }
      isWordy={doubts.length > 0 || isByBed || isSubstitute || isAgeUnknown || other !== null}
    />
  );
}

/** The most serious doubt in words. The others are visible on the number, and are read out. */
function Doubts({ words }: { words: readonly string[] }) {
  return words.map((word, index) => (
    <span key={word} className={index === 0 ? undefined : 'visually-hidden'}>
      {word},{' '}
    </span>
  ));
}

interface WithdrawnProps extends Pick<VitalValueProps, 'kind' | 'now' | 'timeZone'> {
  latest: LatestValue;
  freshness: Freshness;
}

/** The text beside `--`: why, and the last valid value with its time. */
function Withdrawn({ kind, latest, freshness, now, timeZone }: WithdrawnProps) {
  const last = latest.quality === 'invalid' ? latest.lastValid : latest;
  const lastAsOf = last === null ? null : parseInstant(last.asOf);
  const asOf = parseInstant(latest.asOf);
  if (asOf !== null && !isAgeKnown(now - asOf)) {
    return <>time unknown{last === null ? null : `, last ${formatVital(kind, last.value)}`}</>;
  }
  const reason = freshness === 'off' ? 'no data' : 'no signal';
  return (
    <>
      {last === null || lastAsOf === null ? (
        reason
      ) : (
        <>
          <span className={freshness === 'off' ? 'visually-hidden' : undefined}>{reason}, </span>
          last {formatVital(kind, last.value)}, {minuteOf(lastAsOf, now, timeZone)}
        </>
      )}
    </>
  );
}

/** Returns "14:05", with the day if it is not today: yesterday's last value must not look like one of today. */
function minuteOf(instant: number, now: number, timeZone: string): string {
  const isToday = formatDate(instant, timeZone) === formatDate(now, timeZone);
  return isToday ? formatTime(instant, timeZone) : formatDayAndTime(instant, timeZone);
}

interface FrameProps extends Pick<VitalValueProps, 'kind' | 'below' | 'spark'> {
  mark: ValueMark | null;
  isNamed: boolean;
  state: Freshness | 'no-signal' | 'none';
  number: ReactNode;
  unit?: string;
  note: ReactNode;
  /** The note says more than an age: in a narrow column it takes the room of the last hour. */
  isWordy: boolean;
  isQuestionable?: boolean;
}

function Frame(props: FrameProps) {
  const { kind, mark, isNamed, below, spark, state, number, unit, note, isWordy, isQuestionable = false } = props;
  return (
    <span
      className={styles.vital}
      data-vital={kind}
      data-state={state}
      data-uncertain={isQuestionable ? '' : undefined}
      data-wordy={isWordy ? '' : undefined}
    >
      {mark === null ? null : <span className="visually-hidden">{mark.words}, </span>}
      {isNamed || mark !== null ? (
        <span className={isNamed ? styles.name : 'visually-hidden'} data-name={isNamed ? '' : undefined}>
          <VitalLabel kind={kind} />{' '}
        </span>
      ) : null}
      <span className={styles.figure} data-figure="">
        <MarkedNumber mark={mark} className={styles.number}>
          {number}
          {isQuestionable ? (
            <span className={styles.doubt} aria-hidden="true">
              ?
            </span>
          ) : null}
        </MarkedNumber>
        {below}
      </span>
      {unit === undefined ? null : (
        <span className={styles.unit} data-unit="">
          {unit}
        </span>
      )}
      <span className={styles.note} data-note="">
        {note}
      </span>
      {spark}
    </span>
  );
}
