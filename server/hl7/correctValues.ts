import { setImmediate as turn } from 'node:timers/promises';
import { streamsOf } from '../../lib/alerts/ruleState';
import { codeText } from '../../lib/hl7/codes';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { ageFrom } from '../../lib/vitals/deviceClock';
import { kindOfCode, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { RejectionCode } from '../../lib/vitals/schema';
import { audit } from '../audit';
import { system } from '../audit/actor';
import type { BedMappingRow, CodeMappingRow, DeviceRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { codeOf } from '../mappings/mappings';
import { bedKey, type Occupancy } from '../patients/bedStays';
import type { Server } from '../server';
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

type Parts = Pick<Server, 'store' | 'liveState' | 'recorder' | 'alerts' | 'now'>;

/** What is wrong with values that came by a sender, and until when it is not mended. */
interface Correction extends Pass {
  siteId: number;
  /** What arrived before is right, and what arrived after `until`. Null: all that came by its sources is wrong. */
  arrived: { since: EpochMs; until: EpochMs } | null;
  /** The values were measured after this. */
  oldest: EpochMs;
  /** The kind that alone is concerned; null: any. */
  kind: VitalKind | null;
  /** Returns whether a value that was on its way may be a patient's, where no latest value says so. */
  mayHave: (patientId: number) => boolean;
  madeAt: EpochMs;
  madeBy: number | null;
  /** Returns whether a device is a source of such values. */
  isSource: (device: DeviceRow) => boolean;
  /** Returns whose a value is, or why it is no one's. */
  judge: (sample: Sample) => Occupancy | { code: RejectionCode };
  /** What names it in the audit, and in quarantine beside the bed. */
  named: { audit: Record<string, number>; evidence: Record<string, string> };
  /** What a person withdrew: by which source, between when it raised alerts, and where its values are. Null: others. */
  withdrawn: { source: number; until: EpochMs; series: Series[] } | null;
}

/** One of the two passes of a correction. */
interface Pass {
  key: string;
  isFirst: boolean;
  /** Notes that it is over. */
  note: (at: EpochMs) => Promise<unknown>;
}

/**
 * Withdraws values of HL7 senders that are under a wrong patient, because a move was entered late, a mapping of a bed
 * was wrong or a release was taken back, or of a wrong kind, because a mapping of a code was wrong. Notes it in
 * quarantine; alerts that they alone raised are over. It looks at once, and again when every value is in the store that
 * was on its way. What was read again from kept messages comes last: it is of a month, and what is on the screens does
 * not wait for it. `signal` ends it after the current step; the next run goes on. Rejects with the last failure, after
 * the other corrections were tried.
 */
export async function correctValues(parts: Parts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const begun = new Set<string>();
  /** What is left to do. It may grow while it is done. */
  const left: { correction: Correction; earlier: Series[] }[] = [];
  /** Does the passes that are due and not begun yet, but for what was read again. */
  const begin = async (): Promise<void> => {
    for (const correction of await readDue(parts)) {
      if (signal.aborted) {
        return;
      }
      if (!begun.has(correction.key)) {
        begun.add(correction.key);
        await correct(correction).catch((error: unknown) => {
          failures.push(error);
        });
      }
    }
  };
  const correct = async (correction: Correction): Promise<void> => {
    await withdrawWrong(parts, correction, correction.withdrawn?.series ?? seriesOf(parts, correction), signal);
    const earlier = await readEarlierSeries(parts, correction);
    if (earlier.length > 0) {
      left.push({ correction, earlier });
    } else if (!signal.aborted) {
      await correction.note(parts.now());
    }
  };
  const correctEarlier = async (correction: Correction, earlier: readonly Series[]): Promise<void> => {
    for (const series of earlier) {
      await withdrawWrong(parts, correction, [series], signal);
      if (signal.aborted) {
        return;
      }
      await begin();
    }
    if (!signal.aborted) {
      await correction.note(parts.now());
    }
  };
  await begin();
  for (const { correction, earlier } of left) {
    await correctEarlier(correction, earlier).catch((error: unknown) => {
      failures.push(error);
    });
  }
  if (failures.length > 0) {
    throw failures.at(-1);
  }
}

/** Resolves with the corrections whose next pass is due. */
async function readDue(parts: Parts): Promise<Correction[]> {
  const open = [
    ...(await readBeds(parts)),
    ...(await readUndoneBeds(parts)),
    ...(await readUndoneCodes(parts)),
    ...(await readWithdrawals(parts)),
  ];
  return open.filter(({ isFirst, madeAt }) => isFirst || parts.now() >= madeAt + settledMs);
}

async function readBeds({ store, liveState }: Parts): Promise<Correction[]> {
  const open = await store.db
    .selectFrom('bed_replays')
    .selectAll()
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
  const corrections: Correction[] = [];
  for (const row of open) {
    const bed = bedKey(row.unit_id, row.bed);
    const mappings = await store.db
      .selectFrom('bed_mappings')
      .select(['id', 'unit_id', 'bed'])
      .where('site_id', '=', row.site_id)
      .execute();
    const ids = new Set(mappings.filter((one) => bedKey(one.unit_id, one.bed) === bed).map(({ id }) => id));
    corrections.push({
      ...{ siteId: row.site_id, madeAt: row.made_at, madeBy: row.made_by, kind: null },
      arrived: { since: row.since, until: row.made_at + settledMs },
      oldest: row.since - furthestMs,
      mayHave: createWasIn(liveState, row, row.since),
      isSource: (device) => ids.has(device.bed_mapping_id ?? 0),
      judge: createOccupancyAt(liveState, row),
      withdrawn: null,
      named: { audit: { correction: row.id }, evidence: {} },
      ...passOf(store, 'bed_replays', row),
    });
  }
  return corrections;
}

async function readUndoneBeds({ store, liveState }: Parts): Promise<Correction[]> {
  const open = await store.db
    .selectFrom('bed_mappings')
    .selectAll()
    .where('undone_at', 'is not', null)
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
  return open.map((row) => {
    const undone = undoneOf(row);
    return {
      ...undone,
      kind: null,
      mayHave: createWasIn(liveState, row, undone.madeAt - furthestMs),
      isSource: (device) => device.bed_mapping_id === row.id,
      judge: () => ({ code: 'unknown_bed' }),
      withdrawn: null,
      named: { audit: { mapping: row.id }, evidence: {} },
      ...passOf(store, 'bed_mappings', row),
    };
  });
}

/** Returns what says whether a patient was in a bed at any time since a time, or is. */
function createWasIn(
  { bedStays }: Pick<LiveState, 'bedStays'>,
  { unit_id, bed }: Pick<BedMappingRow, 'unit_id' | 'bed'>,
  since: EpochMs,
): Correction['mayHave'] {
  const key = bedKey(unit_id, bed);
  return (patientId) => key !== null && bedStays.wasIn(patientId, key, since);
}

async function readUndoneCodes({ store }: Parts): Promise<Correction[]> {
  const open = await store.db
    .selectFrom('code_mappings')
    .selectAll()
    .where('undone_at', 'is not', null)
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
  return open.map((row) => ({
    ...undoneOf(row),
    kind: row.kind,
    mayHave: () => true,
    isSource: (device) => device.code_mapping_id === row.id,
    judge: () => ({ code: 'wrong_code' }),
    withdrawn: null,
    named: { audit: { mapping: row.id }, evidence: { code: codeText(codeOf(row)) } },
    ...passOf(store, 'code_mappings', row),
  }));
}

/** What a person said that a device sent, or somebody typed in, while it was on or for the wrong patient. */
async function readWithdrawals({ store, liveState }: Parts): Promise<Correction[]> {
  const open = await store.db
    .selectFrom('withdrawals')
    .selectAll()
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
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
      ...{ siteId: row.site_id, madeAt: row.made_at, madeBy: row.made_by, kind: null },
      // What was on its way is of the source too.
      arrived: { since, until: row.made_at + settledMs },
      ...{ oldest: since, mayHave: () => false },
      isSource: ({ id }) => id === source,
      judge: (sample) =>
        sample.patientId === patientId && isMeant(sample)
          ? { code: 'not_its_patient' }
          : { patientId: sample.patientId },
      named: { audit: { withdrawal: row.id }, evidence: {} },
      withdrawn: {
        ...{ source, until },
        series: vitalKinds.flatMap((kind) => spans.map((span) => ({ patientId, kind: kinds[kind].code, ...span }))),
      },
      ...passOf(store, 'withdrawals', row),
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
  { store, liveState }: Parts,
  { isSource, arrived, oldest }: Correction,
): Promise<Series[]> {
  const sources = [...liveState.devices.values()].filter(
    (device) => isSource(device) && liveState.isEarlier(device.id),
  );
  if (sources.length === 0) {
    return [];
  }
  const rows = await store.db
    .selectFrom('earlier_days')
    .innerJoin('devices', 'devices.id', 'earlier_days.device_id')
    .leftJoin('code_mappings', 'code_mappings.id', 'devices.code_mapping_id')
    .select(['patient_id', 'kind'])
    .select(({ fn }) => [fn.min<number>('day').as('first'), fn.max<number>('day').as('last')])
    .where(
      'device_id',
      'in',
      sources.map(({ id }) => id),
    )
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

/**
 * Returns what a mapping of a bed and one of a code have in common once they are undone. Nothing but what is wrong
 * comes by their sources, whatever a step of the clock did to the times.
 */
function undoneOf({ site_id, proposed_at, undone_at, undone_by }: BedMappingRow | CodeMappingRow) {
  return {
    ...{ siteId: site_id, madeAt: undone_at ?? proposed_at, madeBy: undone_by },
    arrived: null,
    oldest: proposed_at - furthestMs - mostStepMs,
  };
}

/** Returns the pass of a row that comes next: the first, or the last one. */
function passOf(
  { db }: Parts['store'],
  table: 'bed_replays' | 'bed_mappings' | 'code_mappings' | 'withdrawals',
  { id, withdrawn_at }: { id: number; withdrawn_at: EpochMs | null },
): Pass {
  const isFirst = withdrawn_at === null;
  return {
    key: `${table} ${id} ${isFirst ? 'first' : 'last'}`,
    isFirst,
    note: (at) =>
      db
        .updateTable(table)
        .set(isFirst ? { withdrawn_at: at } : { done_at: at })
        .where('id', '=', id)
        .execute(),
  };
}

/** Withdraws the values of the sources of a correction that are not of the patient who has them, in these series. */
async function withdrawWrong(
  parts: Parts,
  correction: Correction,
  wanted: readonly Series[],
  signal: AbortSignal,
): Promise<void> {
  const { store, liveState, recorder, alerts, now } = parts;
  const { arrived, siteId } = correction;
  const deviceIds = sourcesOf(liveState, correction).add(correction.withdrawn?.source ?? 0);
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
        if (correction.withdrawn === null) {
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
    await alerts.valuesWithdrawn(patientId, measured, { since: arrived?.since ?? 0, until });
  }
}

const sourcesOf = ({ devices }: Pick<LiveState, 'devices'>, { isSource }: Correction): Set<number> =>
  new Set([...devices.values()].filter(isSource).map(({ id }) => id));

interface WrongSample {
  sample: Sample;
  is: ReturnType<Correction['judge']>;
}

/**
 * Returns what finds out who was in the bed when a stored value was measured. What arrived late is as old as its
 * device's clock says; of a clock that is not known it is of one of those who were there until it arrived. What was
 * read again arrived long before it was stored: by its clock as it was guessed then; without a guess (0) no one knows.
 */
function createOccupancyAt(
  liveState: LiveState,
  { unit_id, bed }: Pick<BedMappingRow, 'unit_id' | 'bed'>,
): Correction['judge'] {
  const { bedStays } = liveState;
  const key = bedKey(unit_id, bed);
  return ({ deviceId, takenAt, offsetMs, receivedAt, quality }) => {
    const isTimed = isClockKnown(quality) || (liveState.isEarlier(deviceId) && offsetMs !== 0);
    const measuredAt = isTimed ? ageFrom(takenAt, offsetMs, receivedAt) : receivedAt;
    return key === null
      ? { code: 'unknown_bed' }
      : bedStays.occupantOf(key, Math.min(takenAt, measuredAt), Math.max(takenAt, measuredAt));
  };
}

/** Writes a row of quarantine for the values of each source, for each reason. */
async function quarantineWrong(
  { store, liveState, now }: Pick<Parts, 'store' | 'liveState' | 'now'>,
  { siteId, named }: Correction,
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
      ...named.evidence,
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
function seriesOf(
  { liveState, alerts, now }: Pick<Parts, 'liveState' | 'alerts' | 'now'>,
  correction: Correction,
): Series[] {
  const { siteId, isFirst, oldest, kind: only, mayHave, madeAt } = correction;
  const deviceIds = sourcesOf(liveState, correction);
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
  { store, liveState, now }: Pick<Parts, 'store' | 'liveState' | 'now'>,
  { siteId, madeBy, named }: Correction,
  patientId: number,
  wrong: readonly WrongSample[],
): Promise<void> {
  const [sender] = wrong.flatMap(({ sample }) => liveState.devices.get(sample.deviceId)?.sender_id ?? []);
  await audit(
    store.db,
    now(),
    { ...system, siteId },
    {
      action: 'withdraw_values',
      outcome: 'done',
      objectType: 'patient',
      objectId: patientId,
      details: {
        ...(sender === undefined ? {} : { sender }),
        ...named.audit,
        ...(madeBy === null ? {} : { by: madeBy }),
      },
    },
  );
}

const minuteOf = (at: EpochMs): number => Math.floor(at / 60_000);
