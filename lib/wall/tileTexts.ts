import { alertLook, numberMark, type AlertLook } from '../alerts/numberMark';
import { parameterLabels } from '../alerts/parameters';
import type { Priority } from '../alerts/priority';
import { markTrial } from '../patients/markTrial';
import type { ValueMark } from '../patients/valueMark';
import { formatTime } from '../time/formatTime';
import { parseInstant } from '../time/parseInstant';
import type { EpochMs } from '../time/epochMs';
import { otherDeviceNumber } from '../vitals/disagreement';
import { shownRate } from '../vitals/shownRate';
import { shownValue, type ShownValue } from '../vitals/shownValue';
import type { WallTile, WallValue } from './schema';

/** A number of a tile. Its note is empty while it is live, unless readings come seldom. */
export type TileNumber = ShownValue & {
  kind: 'spo2' | 'heartRate' | 'pulseRate';
  mark: ValueMark | null;
  /** It is struck through: stale, or of before the server stopped answering, however seldom readings come. */
  isStruck: boolean;
};

/** A tile in texts, so that it is drawn only if one of them changes. */
export interface TileTexts {
  /** Of the patient, with the mark of a trial patient. */
  initials: string;
  spo2: TileNumber;
  rate: TileNumber;
  /** The most urgent open alert; null: none. */
  alert: { priority: Priority; look: AlertLook; words: string } | null;
  /** What holds alerts back, and that a bed has two patients. */
  notes: string;
}

/** From this expected interval on, a live value has its age too, in milliseconds. */
const spotFromMs = 60_000;

interface At {
  now: EpochMs;
  /** Since when the server has not answered, epoch milliseconds; null while it does. */
  serverLost: EpochMs | null;
  timeZone: string;
}

/** Returns what a tile shows at `now`, the server's time. */
export function tileTexts(tile: WallTile, at: At): TileTexts {
  const { latest, alerts } = tile;
  const rate = shownRate(latest, at.now);
  return {
    initials: markTrial(tile.initials, tile),
    spo2: numberOf('spo2', latest.spo2, numberMark(alerts, 'spo2', latest, at.now), at),
    rate: numberOf(rate.kind, rate.latest, numberMark(alerts, 'rate', latest, at.now), at),
    alert: alertOf(alerts),
    notes: notesOf(tile, at),
  };
}

function numberOf(kind: TileNumber['kind'], latest: WallValue | undefined, mark: ValueMark | null, at: At): TileNumber {
  const shown = shownValue(kind, latest, { ...at, isNarrow: true });
  const side = latest?.threePoints ?? null;
  const isShown = shown.state === 'live' || shown.state === 'ageing' || shown.state === 'stale';
  // A reading that comes once a minute or less often says nothing of the time since (clinical.md section 0, S1).
  const isSpot = latest !== undefined && latest.expectedEveryMs >= spotFromMs;
  const isPlain = shown.state === 'live' && !isSpot && at.serverLost === null && !shown.isQuestionable;
  return {
    ...shown,
    kind,
    isStruck: shown.state === 'stale' || (isShown && at.serverLost !== null),
    note: isPlain && !isDoubted(kind, latest, at.now) ? '' : shown.note,
    mark: mark ?? (isShown && side !== null ? { look: 'bold', side, words: '3 points of NEWS2' } : null),
  };
}

/** Its age is not known, or it is another device's than the assigned one's, or another device disagrees. */
function isDoubted(kind: TileNumber['kind'], latest: WallValue | undefined, now: EpochMs): boolean {
  return (
    latest !== undefined &&
    (latest.ageUnknown === true || latest.isSubstitute === true || otherDeviceNumber(kind, latest, now) !== null)
  );
}

/** The server sends the most urgent first. A second alert is named as well: what it is decides who goes. */
function alertOf(alerts: WallTile['alerts']): TileTexts['alert'] {
  const open = alerts.flatMap((alert) => {
    const look = alertLook(alert);
    return look === null ? [] : [{ ...alert, look }];
  });
  const [worst, second, ...others] = open;
  if (worst === undefined) {
    return null;
  }
  const named = second === undefined ? [worst] : [worst, second];
  const words = named.map((alert) => `${nameOf(alert)}${stateOf(alert)}`).join(' · ');
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return { priority: worst.priority, look: worst.look, words: `${words}${more}` };
}

/** Who has it, or that it is over: without, it asks for someone. */
function stateOf({ owner, acknowledged, look }: WallTile['alerts'][number] & { look: AlertLook }): string {
  return owner !== null ? `, ${owner}` : acknowledged ? ', acknowledged' : look === 'dashed' ? ', ended' : '';
}

/** "Symptoms" alone does not tell a sign of immediate danger from a cough that got worse. */
function nameOf({ parameter, priority }: WallTile['alerts'][number]): string {
  return parameter !== 'symptoms' ? parameterLabels[parameter] : priority === 'high' ? 'Red flag' : 'Symptoms worse';
}

function notesOf({ standby, comfortCare, isShared }: WallTile, { timeZone }: At): string {
  const until = standby === null ? null : parseInstant(standby.until);
  return [
    ...(until === null ? [] : [`Standby to ${formatTime(until, timeZone)}`]),
    ...(comfortCare === null ? [] : ['Comfort care']),
    ...(isShared ? ['2 in this bed'] : []),
  ].join(', ');
}
