import { useMemo, type ReactNode, useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useNotedArrivals, useNotedSamples } from '../../../hooks/PageValuesProvider';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { isMarkedKind, valueMark, type MarkedPatient } from '../../../lib/patients/valueMark';
import { parseInstant } from '../../../lib/time/parseInstant';
import { freshnessOf } from '../../../lib/vitals/freshness';
import { vitalKinds, type VitalKind } from '../../../lib/vitals/kinds';
import { formatVital } from '../../../lib/vitals/roundVital';
import type { LatestValues } from '../../../lib/vitals/schema';
import { Age } from '../../ui/Age';
import { VitalLabel } from '../../ui/VitalLabel';
import { VitalValue } from '../../ui/VitalValue';
import styles from './ValueTiles.module.css';

interface HiddenCount {
  /** The line of things, which wraps and shows its first line only. */
  ref: RefObject<HTMLDListElement | null>;
  /** How many of them do not fit. */
  hidden: number;
  /** Whether all of them are shown. */
  isOpen: boolean;
  toggle: () => void;
}

/** Counts what does not fit into one line, whenever its width or the number of things changes. */
function useHiddenCount(count: number): HiddenCount {
  const ref = useRef<HTMLDListElement>(null);
  const [hidden, setHidden] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isOpen) {
      return undefined;
    }
    const measure = (): void => {
      const top = element.getBoundingClientRect().top;
      const below = [...element.children].filter((child) => child.getBoundingClientRect().top > top + 1);
      setHidden(below.length);
    };
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) {
      observer.observe(each);
    }
    return () => {
      observer.disconnect();
    };
  }, [count, isOpen]);
  return { ref, hidden, isOpen, toggle: useCallback(() => setIsOpen((open) => !open), []) };
}

interface ValueTilesProps {
  patient: Pick<Patient, 'id' | 'state' | 'profile' | 'standby'> & MarkedPatient;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  /** NEWS2, at the end of the line. */
  children: ReactNode;
}

/**
 * The newest value of each kind with its age, in one line: SpO2 and the rate always, the others as they fit. A button
 * shows the rest. Renders each second, without the page around it.
 */
export function ValueTiles({ patient, now: initialNow, timeZone, children }: ValueTilesProps) {
  const { id, latest, state, profile, standby } = patient;
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  const patients = useMemo(() => [{ id, latest }], [id, latest]);
  useNotedSamples(useMemo(() => [{ latest, state, profile, standby }], [latest, state, profile, standby]));
  useNotedArrivals(patients);
  const { first, others } = tilesOf(latest);
  const { ref, hidden, isOpen, toggle } = useHiddenCount(others.length);
  const shared = { patient, now, serverLost, timeZone };
  return (
    <div className={styles.line} data-open={isOpen ? '' : undefined}>
      <dl className={styles.first}>
        {first.map((tile) => (
          <Tile key={tile[0]} kinds={tile} {...shared} />
        ))}
      </dl>
      <dl ref={ref} className={styles.others}>
        {others.map((tile) => (
          <Tile key={tile[0]} kinds={tile} {...shared} />
        ))}
      </dl>
      {others.length === 0 ? null : (
        <button
          type="button"
          className={styles.more}
          data-idle={hidden === 0 && !isOpen ? '' : undefined}
          aria-expanded={isOpen}
          aria-label={isOpen ? 'Fewer values' : `${hidden} more ${hidden === 1 ? 'value' : 'values'}`}
          onClick={toggle}
        >
          {isOpen ? '−' : `+${hidden}`}
        </button>
      )}
      {children}
    </div>
  );
}

/** The kinds of one tile: one, or both blood pressures. */
type TileKinds = readonly [VitalKind, ...VitalKind[]];

/**
 * Returns the tiles that are always there, SpO2 and a rate, so that a missing one is seen to be missing, and those of
 * the other kinds that have a value. The rate is the heart rate, or the pulse rate under its own name if only that has
 * ever arrived.
 */
function tilesOf(latest: LatestValues): { first: TileKinds[]; others: TileKinds[] } {
  const known = (kind: VitalKind): boolean => latest[kind] !== undefined;
  const rate = known('pulseRate') && !known('heartRate') ? 'pulseRate' : 'heartRate';
  const rest = vitalKinds.filter((kind) => known(kind) && kind !== 'spo2' && kind !== rate && kind !== 'diastolic');
  // Blood pressure first: it is the one that is looked for beside the two.
  const others = [...rest.filter((kind) => kind === 'systolic'), ...rest.filter((kind) => kind !== 'systolic')];
  const tiles = others.map((kind): TileKinds => (kind === 'systolic' ? ['systolic', 'diastolic'] : [kind]));
  return {
    first: [['spo2'], [rate]],
    others: known('diastolic') && !known('systolic') ? [...tiles, ['diastolic']] : tiles,
  };
}

interface TileProps {
  kinds: TileKinds;
  patient: MarkedPatient;
  now: number;
  serverLost: number | null;
  timeZone: string;
}

/** A value under its name. Its source is named if it is another one than that of SpO2. */
function Tile({ kinds, patient, ...shared }: TileProps) {
  const { latest } = patient;
  const [kind, second] = kinds;
  const mark = isMarkedKind(kind) ? valueMark(patient, kind, shared.now, shared.timeZone) : null;
  const source = latest[kind]?.source;
  const isOther = source !== undefined && source !== (latest.spo2?.source ?? source);
  // Measured together, they are one reading with one age.
  const isOneReading = second !== undefined && latest[kind]?.asOf === latest[second]?.asOf;
  return (
    <div className={styles.tile}>
      <dt>
        <span>{second === undefined ? <VitalLabel kind={kind} /> : 'BP'}</span>
        {isOneReading ? <span className={styles.unit}> mmHg</span> : null}
        {isOther ? <span className={styles.source}>{source}</span> : null}
        <OtherDevice kinds={kinds} latest={latest} now={shared.now} timeZone={shared.timeZone} />
      </dt>
      <dd className={second === undefined ? undefined : styles.pair} data-one={isOneReading ? '' : undefined}>
        <VitalValue kind={kind} latest={latest[kind]} mark={mark} isOtherNamed {...shared} />
        {second === undefined ? null : (
          <>
            <span className={styles.slash}>/</span>
            <VitalValue kind={second} latest={latest[second]} isOtherNamed {...shared} />
          </>
        )}
      </dd>
    </div>
  );
}

interface OtherDeviceProps {
  kinds: TileKinds;
  latest: LatestValues;
  now: number;
  timeZone: string;
}

/**
 * What another device says at the same time, if that is another number: two that disagree are a reason to look at the
 * patient. The value below is of the assigned device, which is the one evaluated (clinical.md section 0, Q1), else the
 * worse one.
 */
function OtherDevice({ kinds, latest, now, timeZone }: OtherDeviceProps) {
  const present = kinds.flatMap((kind) => {
    const shown = latest[kind];
    const asOf = shown?.other === undefined ? null : parseInstant(shown.other.asOf);
    return shown?.other === undefined || asOf === null || freshnessOf(now - asOf, shown.other.expectedEveryMs) === 'off'
      ? []
      : [{ kind, shown, asOf, value: formatVital(kind, shown.other.value), source: shown.other.source }];
  });
  const [first] = present;
  if (first === undefined || present.every(({ kind, shown, value }) => value === formatVital(kind, shown.value))) {
    return null;
  }
  const { source, shown } = first;
  const ofSource = present.filter((each) => each.source === source);
  const number = kinds.map((kind) => ofSource.find((each) => each.kind === kind)?.value ?? '–').join('/');
  return (
    <span className={styles.otherDevice} title={`${source}: ${number} ${shown.unit}. Shown below: ${shown.source}`}>
      {source}: {number}, <Age since={Math.min(...ofSource.map(({ asOf }) => asOf))} now={now} timeZone={timeZone} />
    </span>
  );
}
