import { setImmediate as turn } from 'node:timers/promises';
import { streamsOf } from '../../lib/alerts/ruleState';
import { codeText } from '../../lib/hl7/codes';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { ageFrom } from '../../lib/vitals/deviceClock';
import { kindOfCode, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { RejectionCode } from '../../lib/vitals/schema';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { Alerts } from '../alerts/alerts';
import type { Store } from '../db/open';
import type { BedMappingRow, CodeMappingRow, DeviceRow } from '../db/rows';
import type { Recorder } from '../ingest/record';
import type { LiveState } from '../liveState';
import { codeOf } from '../mappings/mappings';
import { bedKeyOf, type BedKey, type Occupancy } from '../patients/bedStays';
import { readSamples, toSample } from '../vitals/samples';
import { isClockKnown, isWithdrawn } from '../vitals/qualityCode';
import type { Sample } from '../vitals/sample';
import { furthestMs } from './sortValues';

/**
 * A value that came so long after a correction was made was given to its patient by what is right since: nothing waits
 * longer for the store.
 */
const settledMs = 30_000;
/** The times of a mapping move with a step of our clock, those of old values do not. A greater step is looked into. */
const mostStepMs = 7 * 86_400_000;
/** Minutes of a series that are read in one step. */
const minutesPerStep = 60;
const dayMs = 86_400_000;

/** The parts of the server that withdraw values. */
export interface WithdrawParts {
  store: Store;
  liveState: LiveState;
  recorder: Pick<Recorder, 'withdraw'>;
  alerts: Pick<Alerts, 'listOpen' | 'valuesWithdrawn'>;
  now: () => EpochMs;
}

/** Values that are looked at again, because more is known now than when they came. */
interface Correction extends Pass {
  siteId: number;
  madeAt: EpochMs;
  madeBy: number | null;
  /** Their sources. */
  deviceIds: ReadonlySet<number>;
  /** What arrived before is right, and what arrived after `until`. Null: all that came by its sources is wrong. */
  arrived: { since: EpochMs; until: EpochMs } | null;
  /** The values were measured after this. */
  oldest: EpochMs;
  /** The kind that alone is concerned; null: any. */
  kind: VitalKind | null;
  /** Returns whether a value that was on its way may be a patient's, where no latest value says so. */
  mayHave: (patientId: number) => boolean;
  /** Returns whose a value is, or why it is no one's. */
  judge: (sample: Sample) => Occupancy | { code: RejectionCode };
  /** What names it in the audit. */
  audited: Record<string, number>;
  /** What names it in quarantine beside the bed. */
  evidence?: { code: string };
  /** What a person withdrew: until when it raised alerts, and where its values are. */
  withdrawn?: { until: EpochMs; series: Series[] };
}

/** One of the two passes of a correction. */
interface Pass {
  key: string;
  isFirst: boolean;
  /** Notes that it is over. */
  note: () => Promise<unknown>;
}

/**
 * Withdraws what is under a wrong patient or of a wrong kind by what is known now: after a move that is entered late, a
 * release that is taken back, a mapping that is undone, and what a person said of a device or of what was typed in.
 * Notes it in quarantine; alerts that it alone raised are over. It looks at once, and again when every value is in the
 * store that was on its way. What was read again from kept messages comes last: it is of a month, and what is on the
 * screens does not wait for it. `signal` ends it after the current step; the next run goes on. Rejects with the last
 * failure, after the others were tried.
 */
export async function withdrawWrong(parts: WithdrawParts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const begun = new Set<string>();
  /** What is left to do. It grows while it is done. */
  const left: Correction[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => {
      failures.push(error);
    });
  };
  /** Does the passes that are due and not begun yet, but for what was read again. */
  const begin = async (): Promise<void> => {
    for (const correction of signal.aborted ? [] : await readDue(parts)) {
      if (!begun.has(correction.key)) {
        begun.add(correction.key);
        await attempt(async () => {
          await withdraw(parts, correction, correction.withdrawn?.series ?? seriesOf(parts, correction), signal);
          left.push(correction);
        });
      }
    }
  };
  await begin();
  for (const correction of left) {
    await attempt(async () => {
      for (const series of await readEarlierSeries(parts, correction)) {
        await withdraw(parts, correction, [series], signal);
        await begin();
      }
      if (!signal.aborted) {
        await correction.note();
      }
    });
  }
  if (failures.length > 0) {
    throw failures.at(-1);
  }
}

/** Resolves with the corrections whose next pass is due. */
async function readDue(parts: WithdrawParts): Promise<Correction[]> {
  const open = [...(await readBeds(parts)), ...(await readUndone(parts)), ...(await readWithdrawals(parts))];
  return open.filter(({ isFirst, madeAt }) => isFirst || parts.now() >= madeAt + settledMs);
}

const sourcesIn = ({ devices }: LiveState, isSource: (device: DeviceRow) => boolean): Set<number> =>
  new Set([...devices.values()].filter(isSource).map(({ id }) => id));

/** Beds where a move was entered late, or a release was taken back. */
async function readBeds(parts: WithdrawParts): Promise<Correction[]> {
  const { store, liveState } = parts;
  const open = await store.db.selectFrom('bed_replays').selectAll().where('done_at', 'is', null).execute();
  const corrections: Correction[] = [];
  for (const row of open) {
    const bed = bedKeyOf(row.unit_id, row.bed);
    const mappings = await store.db
      .selectFrom('bed_mappings')
      .select(['id', 'unit_id', 'bed'])
      .where('site_id', '=', row.site_id)
      .execute();
    const ids = new Set(mappings.filter((one) => bedKeyOf(one.unit_id, one.bed) === bed).map(({ id }) => id));
    corrections.push({
      ...{ siteId: row.site_id, madeAt: row.made_at, madeBy: row.made_by, audited: { correction: row.id } },
      deviceIds: sourcesIn(liveState, (device) => ids.has(device.bed_mapping_id ?? 0)),
      arrived: { since: row.since, until: row.made_at + settledMs },
      ...{ oldest: row.since - furthestMs, kind: null },
      mayHave: (patientId) => liveState.bedStays.wasIn(patientId, bed, row.since),
      judge: (sample) => occupancyAt(liveState, bed, sample),
      ...passOf(parts, 'bed_replays', row),
    });
  }
  return corrections;
}

/**
 * Returns who was in a bed when a stored value was measured. What arrived late is as old as its device's clock says; of
 * a clock that is not known it is of one of those who were there until it arrived. What was read again arrived long
 * before it was stored: by its clock as it was guessed then; without a guess (0) no one knows.
 */
function occupancyAt(
  liveState: LiveState,
  bed: BedKey,
  { deviceId, takenAt, offsetMs, receivedAt, quality }: Sample,
): Occupancy {
  const isTimed = isClockKnown(quality) || (liveState.isEarlier(deviceId) && offsetMs !== 0);
  const measuredAt = isTimed ? ageFrom(takenAt, offsetMs, receivedAt) : receivedAt;
  return liveState.bedStays.occupantOf(bed, Math.min(takenAt, measuredAt), Math.max(takenAt, measuredAt));
}

/** Mappings that were wrong: nothing but what is wrong comes by their sources, whatever a step of our clock did. */
async function readUndone(parts: WithdrawParts): Promise<Correction[]> {
  const { store, liveState } = parts;
  const beds = store.db.selectFrom('bed_mappings').selectAll().where('undone_at', 'is not', null);
  const codes = store.db.selectFrom('code_mappings').selectAll().where('undone_at', 'is not', null);
  const common = ({ id, site_id, proposed_at, undone_at, undone_by }: BedMappingRow | CodeMappingRow) => ({
    ...{ siteId: site_id, madeAt: undone_at ?? proposed_at, madeBy: undone_by, audited: { mapping: id } },
    ...{ arrived: null, oldest: proposed_at - furthestMs - mostStepMs },
  });
  return [
    ...(await beds.where('done_at', 'is', null).execute()).map((row): Correction => {
      const bed = bedKeyOf(row.unit_id, row.bed);
      const since = (row.undone_at ?? row.proposed_at) - furthestMs;
      return {
        ...{ ...common(row), kind: null },
        deviceIds: sourcesIn(liveState, ({ bed_mapping_id }) => bed_mapping_id === row.id),
        mayHave: (patientId) => liveState.bedStays.wasIn(patientId, bed, since),
        judge: () => ({ code: 'unknown_bed' }),
        ...passOf(parts, 'bed_mappings', row),
      };
    }),
    ...(await codes.where('done_at', 'is', null).execute()).map((row): Correction => ({
      ...{ ...common(row), kind: row.kind, evidence: { code: codeText(codeOf(row)) } },
      deviceIds: sourcesIn(liveState, ({ code_mapping_id }) => code_mapping_id === row.id),
      mayHave: () => true,
      judge: () => ({ code: 'wrong_code' }),
      ...passOf(parts, 'code_mappings', row),
    })),
  ];
}

/** What a person said that a device sent, or somebody typed in, while it was on or for the wrong patient. */
async function readWithdrawals(parts: WithdrawParts): Promise<Correction[]> {
  const { store, liveState } = parts;
  const open = await store.db.selectFrom('withdrawals').selectAll().where('done_at', 'is', null).execute();
  return open.map((row) => {
    const { patient_id: patientId, source, taken_at, since, until } = row;
    // Where by its own clock: that may be wrong by years.
    const spans = shiftsOf(liveState, patientId, source).map((shift) =>
      taken_at === null
        ? { oldestAt: since - shift - furthestMs, newestAt: until - shift + furthestMs }
        : { oldestAt: taken_at, newestAt: taken_at },
    );
    const isMeant = ({ takenAt, offsetMs, receivedAt }: Sample): boolean => {
      const measuredAt = ageFrom(takenAt, offsetMs, receivedAt);
      return taken_at === null ? measuredAt >= since && measuredAt <= until : takenAt === taken_at;
    };
    return {
      ...{ siteId: row.site_id, madeAt: row.made_at, madeBy: row.made_by, audited: { withdrawal: row.id } },
      deviceIds: new Set([source]),
      // What was on its way is of the source too.
      arrived: { since, until: row.made_at + settledMs },
      ...{ oldest: since, kind: null, mayHave: () => false },
      judge: (sample) =>
        sample.patientId === patientId && isMeant(sample)
          ? { code: 'not_its_patient' }
          : { patientId: sample.patientId },
      withdrawn: {
        until,
        series: vitalKinds.flatMap((kind) => spans.map((span) => ({ patientId, kind: kinds[kind].code, ...span }))),
      },
      ...passOf(parts, 'withdrawals', row),
    };
  });
}

/**
 * Returns by how many whole days true time may lie after the times of a source, in milliseconds: none, and what its
 * clock and its latest values of a patient say.
 */
function shiftsOf(liveState: LiveState, patientId: number, source: number): number[] {
  const latest = vitalKinds
    .flatMap((kind) => liveState.latestOfDevices(patientId, kinds[kind].code))
    .flatMap(({ sample: { deviceId, takenAt, offsetMs, receivedAt } }) =>
      deviceId === source ? [ageFrom(takenAt, offsetMs, receivedAt) - takenAt] : [],
    );
  const all = [...latest, liveState.deviceClocks.get(source)?.offsetMs ?? 0];
  return [...new Set([0, ...all.map((shift) => Math.round(shift / dayMs) * dayMs)])];
}

/**
 * Resolves with the series that have values of sources of a correction that were read again from kept messages: they
 * are no latest values. What is wrong since a time has none of long before it.
 */
async function readEarlierSeries(
  { store, liveState }: WithdrawParts,
  { deviceIds, arrived, oldest }: Correction,
): Promise<Series[]> {
  const earlierIds = [...deviceIds].filter((id) => liveState.isEarlier(id));
  if (earlierIds.length === 0) {
    return [];
  }
  const rows = await store.db
    .selectFrom('earlier_days')
    .innerJoin('devices', 'devices.id', 'earlier_days.device_id')
    .leftJoin('code_mappings', 'code_mappings.id', 'devices.code_mapping_id')
    .select(['patient_id', 'kind'])
    .select(({ fn }) => [fn.min<number>('day').as('first'), fn.max<number>('day').as('last')])
    .where('device_id', 'in', earlierIds)
    .groupBy(['patient_id', 'kind'])
    .execute();
  return rows
    .flatMap(({ patient_id: patientId, kind, first, last }) =>
      (kind === null ? vitalKinds : [kind]).map((name) => ({
        ...{ patientId, kind: kinds[name].code, newestAt: (Number(last) + 1) * dayMs },
        oldestAt: Math.max(Number(first) * dayMs, arrived === null ? 0 : oldest),
      })),
    )
    .filter(({ oldestAt, newestAt }) => oldestAt <= newestAt);
}

/** Returns the pass of a row that comes next: the first, or the last one. */
function passOf(
  { store, now }: WithdrawParts,
  table: 'bed_replays' | 'bed_mappings' | 'code_mappings' | 'withdrawals',
  { id, withdrawn_at }: { id: number; withdrawn_at: EpochMs | null },
): Pass {
  const isFirst = withdrawn_at === null;
  return {
    key: `${table} ${id} ${isFirst ? 'first' : 'last'}`,
    isFirst,
    note: () =>
      store.db
        .updateTable(table)
        .set(isFirst ? { withdrawn_at: now() } : { done_at: now() })
        .where('id', '=', id)
        .execute(),
  };
}

/** Withdraws the values of the sources of a correction that are not of the patient who has them, in these series. */
async function withdraw(
  parts: WithdrawParts,
  correction: Correction,
  wanted: readonly Series[],
  signal: AbortSignal,
): Promise<void> {
  const { store, recorder, alerts, now } = parts;
  const { deviceIds, arrived, siteId } = correction;
  /** The kinds of what is withdrawn, also by a run before this one that was cut off, by patient. */
  const corrected = new Map<number, Set<VitalKind>>();
  for (const { patientId, kind, newestAt, oldestAt } of wanted) {
    let isRecorded = false;
    // The newest first: they are on the screens.
    for (let last = minuteOf(newestAt); last >= minuteOf(oldestAt); last -= minutesPerStep) {
      if (signal.aborted) {
        return;
      }
      // SQLite answers at once: without this everybody else would wait for all of a day.
      await turn();
      const minutes = Array.from({ length: minutesPerStep }, (_, index) => last - index);
      const rows = await readSamples(store.db, store.engine, patientId, kind, minutes);
      const series = { patient_id: patientId, kind, site_id: siteId };
      const came = rows
        .map((row) => toSample({ ...row, ...series }))
        .filter(
          ({ deviceId, receivedAt }) =>
            deviceIds.has(deviceId) &&
            (arrived === null || (receivedAt >= arrived.since && receivedAt <= arrived.until)),
        );
      const wrong = came
        .filter(({ quality }) => !isWithdrawn(quality))
        .map((sample) => ({ sample, is: correction.judge(sample) }))
        .filter(({ is }) => !('patientId' in is && is.patientId === patientId));
      if (wrong.length > 0 || came.some(({ quality }) => isWithdrawn(quality))) {
        corrected.set(patientId, (corrected.get(patientId) ?? new Set()).add(kindOfCode(kind)));
      }
      if (wrong.length > 0) {
        if (!isRecorded) {
          // Before it happens, once for each kind of a patient.
          isRecorded = true;
          await recordCorrection(parts, correction, patientId, wrong);
        }
        if (correction.withdrawn === undefined) {
          await quarantineWrong(parts, correction, wrong);
        }
        await recorder.withdraw(
          wrong.map(({ sample }) => sample),
          now(),
        );
      }
    }
  }
  for (const [patientId, measured] of corrected) {
    const until = correction.withdrawn?.until ?? Infinity;
    // Of a device that was on the wrong patient all is withdrawn; any other correction may leave values of a source.
    const devices = correction.withdrawn === undefined ? new Set<number>() : deviceIds;
    await alerts.valuesWithdrawn(patientId, measured, { since: arrived?.since ?? 0, until, devices });
  }
}

interface WrongSample {
  sample: Sample;
  is: ReturnType<Correction['judge']>;
}

/** Writes a row of quarantine for the values of each source, for each reason. */
async function quarantineWrong(
  { store, liveState, now }: WithdrawParts,
  { siteId, evidence: named }: Correction,
  wrong: readonly WrongSample[],
): Promise<void> {
  const groups = new Map<string, { deviceId: number; code: RejectionCode; samples: Sample[] }>();
  for (const { sample, is } of wrong) {
    // Those of the other one of two who swapped are as little this patient's as those of an empty bed.
    const code = 'code' in is ? is.code : 'identity_conflict';
    const key = `${sample.deviceId} ${code}`;
    const group = groups.get(key) ?? { deviceId: sample.deviceId, code, samples: [] };
    group.samples.push(sample);
    groups.set(key, group);
  }
  const rows = [...groups.values()].map(({ deviceId, code, samples }) => {
    const times = samples.map(({ takenAt }) => takenAt);
    const bed = liveState.devices.get(deviceId)?.sender_bed ?? null;
    const evidence = {
      ...(bed === null ? {} : { bed }),
      ...named,
      kind: kindOfCode(samples[0]?.kind ?? 0),
      count: samples.length,
      from: toInstant(times.reduce((a, b) => Math.min(a, b))),
      to: toInstant(times.reduce((a, b) => Math.max(a, b))),
    };
    return { site_id: siteId, device_id: deviceId, received_at: now(), code, sample: JSON.stringify(evidence) };
  });
  await store.db.insertInto('quarantine').values(rows).execute();
}

/** Values of a patient that may be wrong: of one kind, from `newestAt` back to `oldestAt`. */
interface Series {
  patientId: number;
  kind: number;
  newestAt: EpochMs;
  oldestAt: EpochMs;
}

/**
 * Returns the series of patients for which a source of a correction may have a value: those with a latest one; the
 * second time also those of the rules for patients with an open alert, and the last day of those who may have one
 * besides (`mayHave`). All of their values may be withdrawn already, by a run that was cut off before it evaluated what
 * is left, and one that was on its way is no latest value. The latest value is not always the one with the newest time.
 */
function seriesOf({ liveState, alerts, now }: WithdrawParts, correction: Correction): Series[] {
  const { siteId, isFirst, deviceIds, oldest, kind: only, mayHave, madeAt } = correction;
  if (deviceIds.size === 0) {
    return [];
  }
  const alerting = new Set(isFirst ? [] : alerts.listOpen(siteId).map(({ patientId }) => patientId));
  const patients = [...liveState.patients.values()].filter(({ site_id }) => site_id === siteId);
  return patients.flatMap(({ id: patientId }) =>
    vitalKinds.flatMap((name): Series[] => {
      if (only !== null && name !== only) {
        return [];
      }
      const kind = kinds[name].code;
      const times = liveState
        .latestOfDevices(patientId, kind)
        .flatMap(({ sample }) => (deviceIds.has(sample.deviceId) ? [sample.takenAt] : []));
      const isOfRules = alerting.has(patientId) && streamsOf(new Set([name])).length > 0;
      const newestAt = Math.max(now(), ...times) + furthestMs;
      if (times.length > 0 || isOfRules) {
        return [{ patientId, kind, newestAt, oldestAt: oldest }];
      }
      return isFirst || !mayHave(patientId)
        ? []
        : [{ patientId, kind, newestAt, oldestAt: Math.max(oldest, madeAt - furthestMs) }];
    }),
  );
}

async function recordCorrection(
  { store, liveState, now }: WithdrawParts,
  { siteId, madeBy, audited }: Correction,
  patientId: number,
  wrong: readonly WrongSample[],
): Promise<void> {
  const [sender] = wrong.flatMap(({ sample }) => liveState.devices.get(sample.deviceId)?.sender_id ?? []);
  await auditDone(store.db, now(), { ...system, siteId }, 'withdraw_values', ['patient', patientId], {
    ...(sender === undefined ? {} : { sender }),
    ...audited,
    ...(madeBy === null ? {} : { by: madeBy }),
  });
}

const minuteOf = (at: EpochMs): number => Math.floor(at / 60_000);
