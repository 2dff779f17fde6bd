import type { CompiledQuery, Kysely } from 'kysely';
import type { ActionFault } from '../../lib/alerts/actions';
import { isOpen, type Alert, type AlertChange } from '../../lib/alerts/alert';
import { recipientsOf, type EscalationStep, type Recipients } from '../../lib/alerts/escalation';
import { evaluateSymptoms } from '../../lib/alerts/evaluateSymptoms';
import { defaultBounds } from '../../lib/alerts/limits';
import { arrivedTooLate } from '../../lib/alerts/retrospective';
import { canEvaluateTrends, type Battery, type Signal } from '../../lib/alerts/technicalRules';
import { streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import { violatesSome, type RuleSample } from '../../lib/alerts/ruleState';
import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import { patientNews2 } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { offAfterMs } from '../../lib/vitals/freshness';
import { kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import { readPeople, type Person } from '../assignments/queries';
import { shiftOf } from '../assignments/shiftOf';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { presentPatient } from '../patients/queries';
import { expectedEveryMs, homeExpectedEveryMs, isCounted } from '../vitals/shownSource';
import { lastReports, newestReports } from '../symptoms/queries';
import { isManual } from '../vitals/manualSource';
import { newestOf } from '../vitals/newest';
import type { LiveState } from '../liveState';
import type { Sample } from '../vitals/sample';
import type { PatientRow } from '../db/rows';
import { queueRetrospective, noWrites, queriesOf, type AlertRecord, type AlertWrites } from './alertWrites';
import {
  closeDevice,
  isSilentGateway,
  createDeviceRuleState,
  evaluateDevice,
  type DeviceFacts,
  type DeviceRuleState,
} from './deviceRuleState';
import { readHolding, type Holding } from './holding';
import { heartbeatPatient, heartbeatSite } from './heartbeatPatient';
import { isPatient, RuleStates } from './ruleStates';
import {
  loadDevices,
  loadPatients,
  newestAlertId,
  patientsWithOpenAlerts,
  readSites,
  ruleSampleOf,
} from './loadRuleStates';
import { findRetrospective, readDueRetrospective, applyRetrospective } from './retrospective';
import {
  closePatient,
  forgetSignals,
  storedRuleStateOf,
  createPatientRuleState,
  partsOf,
  applyToPatient,
  evaluateClock,
  evaluateSamples,
  applySymptoms,
  withRow,
  withSetting,
  type ClockFacts,
  type PatientRuleState,
} from './patientRuleState';
import { applyChange, type Subject, type ChangeContext } from './subject';

/**
 * The result of evaluating a call: the statements for its transaction, and how to publish the result after the commit.
 */
export interface CallEvaluation {
  queries: CompiledQuery[];
  accept(): void;
}

/** The evaluation of a transaction of ingest. Its results count only after `settle`. */
export interface Evaluation {
  /** Evaluates the new and corrected samples of one call. */
  evaluate(samples: readonly Sample[], written: readonly ('new' | 'duplicate' | 'correction')[]): CallEvaluation;
  /** Publishes the results of a committed transaction. */
  settle(): void;
}

export interface Alerts {
  /** Resolves when every patient is as in the store. Await it before `begin`, inside the store's queue. */
  ready(): Promise<void>;
  begin(): Evaluation;
  /**
   * Marks patients of whom it is unknown whether a commit happened. They are read from the store again before the next
   * evaluation.
   */
  doubt(patientIds: Iterable<number>): void;
  /** Notes a call of a device: its time in epoch milliseconds, and the offset of its clock. */
  deviceCalled(deviceId: number, call: { at: EpochMs; offsetMs: number; battery: Battery | null }): void;
  /** Evaluates what depends on time alone: silence, escalation, reminders, the end of standby. */
  evaluateClock(): Promise<void>;
  /**
   * Evaluates samples that arrived too late to sound. What they would have raised becomes a retrospective, closed
   * alert.
   */
  evaluateRetrospective(): Promise<void>;
  /** Ends a retrospective evaluation after its present step; the rest waits for the next start. */
  stop(): Promise<void>;
  /**
   * Runs a user's action on an alert. `action` takes the alert and returns the change or a fault; `audited` writes the
   * audit's row in the same transaction. Resolves with null if the alert is unknown.
   */
  handle(
    id: number,
    action: (alert: Alert, now: EpochMs) => AlertChange | ActionFault,
    audited: ((transaction: Kysely<Database>) => Promise<void>) | null,
  ): Promise<AlertRecord | ActionFault | null>;
  /** Reads a patient's changed settings from the store, and evaluates the clock. */
  reconsider(patientId: number): Promise<void>;
  /** Ends what only the device that was taken off could end: its silence is not missed, and its alerts are closed. */
  takenOff(patientId: number, deviceId: number): Promise<void>;
  /** Evaluates a patient's newest report of symptoms, which is in the store. */
  reported(patientId: number): Promise<void>;
  /** Reads a site again after its rules were switched on, or its settings or limits changed. */
  siteChanged(siteId: number): Promise<void>;
  /** Returns every alert of a site that is not closed. */
  listOpen(siteId: number): AlertRecord[];
  /** Returns an alert that is in memory: every open one, and the last of each parameter. */
  find(id: number): AlertRecord | null;
  /** Returns the rule state of a patient, or null if no rules apply. */
  ruleStateOf(patientId: number): PatientRuleState | null;
  /** Returns the newest call of a device; null if it has not called since this start. */
  callOf(deviceId: number): { at: EpochMs; offsetMs: number; battery: Battery | null } | null;
  timeZoneOf(siteId: number): string;
  /** Returns a number that changes with every alert of the site. */
  version(siteId: number): number;
  /** Calls back after each commit that changed an alert of a site; returns a function that stops it. */
  onChange(listener: (siteId: number, version: number) => void): () => void;
}

export interface AlertsParts {
  store: Store;
  liveState: LiveState;
  /** Epoch milliseconds. */
  now: () => EpochMs;
}

const noHolding: Holding = { limits: {}, bounds: defaultBounds, standby: null, comfortCare: null };
/** How often the users of all sites are read again, in milliseconds. */
const peopleEveryMs = 10_000;
/** The score of each patient is evaluated once in this many ticks. */
const scoreEvery = 5;
/** The signals of a patient's monitor: each is missed if it does not arrive. */
const signalKinds: readonly (readonly VitalKind[])[] = [['spo2'], ['heartRate', 'pulseRate']];
const isSignal = (kind: VitalKind): boolean => signalKinds.some((names) => names.includes(kind));
/**
 * Reports of symptoms up to this age are evaluated again at a start, in milliseconds, because the server may have
 * crashed before.
 */
const evaluatedAgainMs = 24 * 3_600_000;
/** A device without a patient is watched for this long after its last call, in milliseconds. */
const usedForMs = 15 * 60_000;

/** What the samples show of a device. Epoch milliseconds. */
interface Measuring {
  lastSeenAt: EpochMs;
  expectedEveryMs: number;
  /** When the last signal of each patient arrived. */
  patients: Map<number, number>;
}

/**
 * Loads the alerts of every site whose rules are on. Everything in memory is also in the store. Every change runs in
 * the store's queue and is published after its commit.
 */
export async function loadAlerts({ store, liveState, now }: AlertsParts): Promise<Alerts> {
  const { db } = store;
  const committed = new RuleStates(null);
  const byId = new Map<number, AlertRecord>();
  const calls = new Map<number, { at: EpochMs; offsetMs: number; battery: Battery | null }>();
  const doubtful = new Set<number>();
  let areDevicesDoubtful = false;
  let ticking: Promise<void> | null = null;
  let evaluatingRetrospective: Promise<void> | null = null;
  const versions = new Map<number, number>();
  const listeners = new Set<(siteId: number, version: number) => void>();
  const listeningSince = now();
  let sites = await readSites(db);
  let holdings = await readHolding(db, [...liveState.patients.values()]);
  let people = new Map<number, Map<number, Person>>();
  let peopleAt = -Infinity;
  let newestId = await newestAlertId(db);
  let ticks = 0;

  const rulesAreOn = (siteId: number): boolean => sites.get(siteId)?.rulesAreOn ?? false;
  const holdingOf = (patientId: number): Holding => holdings.get(patientId) ?? noHolding;

  const rowOf = (patientId: number): PatientRow | undefined =>
    patientId === heartbeatPatient.id ? heartbeatPatient : liveState.patients.get(patientId);

  const takeOver = (subjects: readonly (PatientRuleState | DeviceRuleState)[]): void => {
    for (const subject of subjects) {
      const before = isPatient(subject) ? committed.patient(subject.patientId) : committed.device(subject.deviceId);
      committed.put(subject);
      if (before?.records !== subject.records) {
        for (const { id } of Object.values(before?.records ?? {})) {
          byId.delete(id);
        }
        for (const record of Object.values(subject.records)) {
          byId.set(record.id, record);
        }
      }
    }
  };

  const load = async (rows: readonly PatientRow[]): Promise<void> => {
    const open = rows.map((row) => createPatientRuleState(row, holdingOf(row.id), paceOf(row), now()));
    takeOver(open.length === 0 ? [] : await loadPatients(store, liveState, open));
  };

  const readPeopleAgain = async (): Promise<void> => {
    if (now() - peopleAt >= peopleEveryMs) {
      const found = new Map<number, Map<number, Person>>();
      for (const [siteId, site] of sites) {
        if (site.rulesAreOn && siteId !== heartbeatSite) {
          found.set(siteId, await readPeople(store, siteId));
        }
      }
      people = found;
      peopleAt = now();
    }
  };

  /** How often the patient's devices send each kind, and whether their clocks are good enough for a trend. */
  const paceOf = (row: PatientRow): Pick<PatientRuleState, 'every' | 'evaluatesTrends'> => {
    const every: Partial<Record<VitalKind, number>> = {};
    let evaluatesTrends = true;
    for (const [code, { sample }] of liveState.latestOf(row.id)) {
      const kind = kindOfCode(code);
      if (kinds[kind].continuous && !isManual(sample.deviceId)) {
        every[kind] = expectedEveryMs(liveState, row, kind, sample.deviceId);
        evaluatesTrends &&= canEvaluateTrends(sample.offsetMs);
      }
    }
    return { every, evaluatesTrends };
  };

  const recipientsOfStep = (subject: Subject, step: EscalationStep, at: EpochMs): Recipients => {
    const row = subject.patientId === null ? undefined : liveState.patients.get(subject.patientId);
    const unit = row === undefined ? null : liveState.unitOf(row);
    const site = sites.get(subject.siteId);
    if (unit === null || site === undefined) {
      return recipientsOf(step, []);
    }
    const held = holders(liveState.assignmentsOf(unit.id), shiftOf(site, 'current', at).start);
    const ofSubject = held.filter(({ patientId }) => patientId === null || patientId === subject.patientId);
    const known = people.get(subject.siteId);
    return recipientsOf(
      step,
      ofSubject.map(({ role, userId }) => {
        const person = userId === null ? undefined : known?.get(userId);
        return { role, userId: person?.isActive === true && canHold(role, person, unit.id) ? person.id : null };
      }),
    );
  };

  const contextAt = (at: EpochMs, writes: AlertWrites): ChangeContext => ({
    writes,
    now: at,
    nextId: () => {
      newestId += 1;
      return newestId;
    },
    recipientsOf: (subject, step) => recipientsOfStep(subject, step, at),
  });

  /** Returns the rule state of a patient by the present settings; null if no rules apply. */
  const patientIn = (states: RuleStates, patientId: number, context: ChangeContext): PatientRuleState | null => {
    const row = rowOf(patientId);
    if (row === undefined || row.state !== 'active' || !rulesAreOn(row.site_id)) {
      return null;
    }
    const known = states.patient(patientId);
    if (known === undefined) {
      // A patient who came back after a restart may have an old state in the store: it is overwritten.
      return {
        ...createPatientRuleState(row, holdingOf(patientId), paceOf(row), now()),
        signalsFrom: row.updated_at,
        kept: [],
      };
    }
    return known.row === row ? known : withRow(known, row, context);
  };

  /** Puts a subject into the transaction's states, and its unsaved parts into the writes. */
  const keep = (states: RuleStates, subject: PatientRuleState | DeviceRuleState, writes: AlertWrites): void => {
    const { siteId } = subject;
    const parts = isPatient(subject) ? partsOf(subject) : [subject.technical];
    const { kept } = subject;
    const isKept = parts.length === kept.length && parts.every((part, index) => part === kept[index]);
    if (!isKept) {
      const state = JSON.stringify(isPatient(subject) ? storedRuleStateOf(subject) : { technical: subject.technical });
      const [patientId, deviceId] = [subject.patientId ?? 0, subject.deviceId ?? 0];
      writes.ruleStates.set(`${patientId} ${deviceId}`, { patientId, deviceId, siteId, state });
    }
    states.put(isKept ? subject : { ...subject, kept: parts });
  };

  /** Takes over the pace of another device. */
  const withPace = (patient: PatientRuleState, kind: VitalKind, deviceId: number): PatientRuleState => {
    if (isManual(deviceId) || !kinds[kind].continuous) {
      return patient;
    }
    const every = expectedEveryMs(liveState, patient.row, kind, deviceId);
    return patient.every[kind] === every
      ? patient
      : withSetting(patient, { every: { ...patient.every, [kind]: every } });
  };

  /**
   * Returns from when on the rules raise alerts for a patient: not before the site's rules were on or the patient was
   * here. Epoch milliseconds.
   */
  const raisesFrom = ({ row, resetAt }: PatientRuleState): number =>
    Math.max(row.created_at, sites.get(row.site_id)?.rulesSince ?? Infinity, resetAt.readings ?? 0);

  /**
   * Returns whether a late value could have raised something: a normal night that is sent in the morning costs nothing.
   */
  const isToBeEvaluated = (patient: PatientRuleState, sample: RuleSample): boolean =>
    patient.profile === 'continuous' && sample.measuredAt >= raisesFrom(patient) && violatesSome(patient.plans, sample);

  const evaluateCall = (
    states: RuleStates,
    samples: readonly Sample[],
    written: readonly string[],
    writes: AlertWrites,
  ): void => {
    const [first] = samples;
    if (first === undefined) {
      return;
    }
    const byPatient = new Map<number, Sample[]>();
    samples.forEach((sample, index) => {
      if (written[index] !== 'duplicate') {
        const ofPatient = byPatient.get(sample.patientId);
        if (ofPatient === undefined) {
          byPatient.set(sample.patientId, [sample]);
        } else {
          ofPatient.push(sample);
        }
      }
    });
    // The samples of a call arrived together.
    const context = contextAt(first.receivedAt, writes);
    for (const [patientId, ofPatient] of byPatient) {
      const known = patientIn(states, patientId, context);
      if (known !== null) {
        let patient = known;
        const counted: RuleSample[] = [];
        for (const sample of ofPatient) {
          const kind = kindOfCode(sample.kind);
          if (isCounted(liveState, known.row, kind, sample.deviceId, sample.receivedAt)) {
            patient = withPace(patient, kind, sample.deviceId);
            const watched = ruleSampleOf(sample);
            counted.push(watched);
            if (arrivedTooLate(watched.measuredAt, sample.receivedAt) && isToBeEvaluated(patient, watched)) {
              queueRetrospective(writes, sample);
            }
          }
        }
        if (counted.length > 0) {
          keep(states, evaluateSamples(patient, counted, context), writes);
        }
      }
    }
  };

  /** Publishes committed states, and notifies the listeners. */
  const settle = (states: RuleStates, changed: Iterable<AlertRecord>): void => {
    takeOver(states.all());
    const siteIds = new Set<number>();
    for (const { siteId } of changed) {
      siteIds.add(siteId);
    }
    for (const siteId of siteIds) {
      const version = (versions.get(siteId) ?? 0) + 1;
      versions.set(siteId, version);
      for (const listener of listeners) {
        listener(siteId, version);
      }
    }
  };

  /** Reads the patients again of whom it is unknown whether a commit happened. */
  const ready = async (): Promise<void> => {
    if (doubtful.size > 0 || areDevicesDoubtful) {
      const rows = [...doubtful].flatMap((id) => rowOf(id) ?? []);
      newestId = Math.max(newestId, await newestAlertId(db));
      await load(rows.filter((row) => rulesAreOn(row.site_id)));
      takeOver(await loadDevices(db));
      doubtful.clear();
      areDevicesDoubtful = false;
    }
  };

  /**
   * Runs `work` in the store's queue. Its states and writes are committed together with what `also` writes, or dropped.
   */
  const transact = async <Result>(
    work: (states: RuleStates, writes: AlertWrites) => Result | Promise<Result>,
    also: ((transaction: Kysely<Database>) => Promise<void>) | null = null,
  ): Promise<Result> =>
    await store.writeQueue(async () => {
      await ready();
      const states = new RuleStates(committed);
      const writes = noWrites();
      const result = await work(states, writes);
      const queries = queriesOf(db, writes);
      if (queries.length > 0) {
        try {
          await db.transaction().execute(async (transaction) => {
            for (const query of queries) {
              await transaction.executeQuery(query);
            }
            await also?.(transaction);
          });
        } catch (error) {
          // The connection may have broken during the commit.
          for (const { patientId } of states.all()) {
            doubtful.add(patientId ?? heartbeatPatient.id);
          }
          areDevicesDoubtful = true;
          throw error;
        }
      }
      settle(states, writes.records.values());
      return result;
    });

  const changePatient = async (
    patientId: number,
    work: (patient: PatientRuleState, context: ChangeContext) => PatientRuleState,
  ): Promise<void> => {
    await transact((states, writes) => {
      const context = contextAt(now(), writes);
      const patient = patientIn(states, patientId, context);
      if (patient !== null) {
        keep(states, work(patient, context), writes);
      }
    });
  };

  const reported = async (patientId: number): Promise<void> => {
    await transact(async (states, writes) => {
      // In the queue, so that the newer of two reports is evaluated last.
      const [newest, before] = await newestReports(db, patientId);
      const active = newest === undefined ? null : evaluateSymptoms(newest, before ?? null);
      const context = contextAt(now(), writes);
      const patient = patientIn(states, patientId, context);
      if (patient !== null) {
        keep(states, applySymptoms(patient, active, context), writes);
      }
    });
  };

  const signalsOf = (row: PatientRow): { signal: Signal; deviceId: number }[] =>
    signalKinds.flatMap((names) => {
      const found = names.flatMap((kind) => {
        // A value typed in by hand must not hide that the monitor is silent.
        const [first, ...others] = liveState
          .latestOfDevices(row.id, kinds[kind].code)
          .filter(({ sample }) => !isManual(sample.deviceId));
        if (first === undefined) {
          return [];
        }
        const latest = newestOf(first, others);
        const { deviceId } = latest.sample;
        const every = expectedEveryMs(liveState, row, kind, deviceId);
        return [
          {
            signal: { expectedEveryMs: every, validAt: latest.valid?.asOf ?? row.created_at, lastSeenAt: latest.asOf },
            deviceId,
          },
        ];
      });
      // A rate from the oximeter is not missing because the ECG is off.
      return found.sort((a, b) => b.signal.validAt - a.signal.validAt).slice(0, 1);
    });

  /** Returns what is known of each device that measures one of these patients or has called a short while ago. */
  const deviceFacts = (rows: readonly PatientRow[], at: EpochMs): Map<number, DeviceFacts & { siteId: number }> => {
    const measuring = new Map<number, Measuring>();
    for (const row of rows) {
      for (const code of liveState.latestOf(row.id).keys()) {
        const kind = kindOfCode(code);
        for (const { sample } of liveState.latestOfDevices(row.id, code)) {
          const { deviceId, receivedAt } = sample;
          if (!isManual(deviceId)) {
            const known = measuring.get(deviceId) ?? {
              lastSeenAt: 0,
              expectedEveryMs: Infinity,
              patients: new Map<number, number>(),
            };
            known.lastSeenAt = Math.max(known.lastSeenAt, receivedAt);
            if (isSignal(kind)) {
              known.expectedEveryMs = Math.min(known.expectedEveryMs, expectedEveryMs(liveState, row, kind, deviceId));
              known.patients.set(row.id, Math.max(known.patients.get(row.id) ?? 0, receivedAt));
            }
            measuring.set(deviceId, known);
          }
        }
      }
    }
    for (const [deviceId, call] of calls) {
      if (at - call.at <= usedForMs && !measuring.has(deviceId)) {
        measuring.set(deviceId, { lastSeenAt: call.at, expectedEveryMs: Infinity, patients: new Map() });
      }
    }
    const facts = new Map<number, DeviceFacts & { siteId: number }>();
    for (const [deviceId, known] of measuring) {
      const device = liveState.devices.get(deviceId);
      if (device !== undefined && rulesAreOn(device.site_id)) {
        const call = calls.get(deviceId);
        const lastAt = Math.max(known.lastSeenAt, call?.at ?? 0);
        // Patients whom it had stopped serving before its last call do not count.
        const served = [...known.patients.values()].filter(
          (servedAt) => lastAt - servedAt <= offAfterMs(known.expectedEveryMs),
        );
        facts.set(deviceId, {
          siteId: device.site_id,
          lastSeenAt: Math.max(lastAt, listeningSince),
          expectedEveryMs: known.expectedEveryMs,
          isGateway: served.length > 1,
          offsetMs: call?.offsetMs ?? null,
          battery: call?.battery ?? null,
          isRevoked: device.revoked_at !== null,
        });
      }
    }
    return facts;
  };

  const clockFactsOf = (row: PatientRow, devices: ReadonlyMap<number, DeviceFacts>, at: EpochMs): ClockFacts => {
    const signals = signalsOf(row);
    const readings = [...liveState.latestOf(row.id).values()].map(({ asOf }) => asOf);
    return {
      signals: signals.map(({ signal }) => signal),
      isGatewaySilent: signals.some(({ deviceId }) => {
        const device = devices.get(deviceId);
        return device !== undefined && isSilentGateway(device, at);
      }),
      isContinuousRequired: signals.some(({ deviceId }) => liveState.assigned.get(deviceId) === row.id),
      // Also covers patients who never sent a reading.
      lastReadingAt: Math.max(row.created_at, ...readings),
      readingsEveryMs: homeExpectedEveryMs,
      news2:
        row.profile === 'continuous' && row.id % scoreEvery === ticks % scoreEvery
          ? patientNews2(presentPatient(liveState, row, at), at)
          : null,
      listeningSince,
    };
  };

  /** Evaluates everything that depends on time alone. */
  const tick = (states: RuleStates, writes: AlertWrites): void => {
    const at = now();
    const context = contextAt(at, writes);
    ticks += 1;
    const rows = [...liveState.patients.values()].filter(({ site_id }) => rulesAreOn(site_id));
    const active = rows.filter(({ state }) => state === 'active');
    const devices = deviceFacts(active, at);
    for (const [deviceId, { siteId, ...facts }] of devices) {
      const before = states.device(deviceId) ?? createDeviceRuleState(siteId, deviceId);
      const device = evaluateDevice(before, facts, context);
      if (device !== before) {
        keep(states, device, writes);
      }
    }
    for (const { deviceId, siteId, alert } of byId.values()) {
      const unused =
        deviceId === null || devices.has(deviceId) || !isOpen(alert) || !rulesAreOn(siteId)
          ? undefined
          : states.device(deviceId);
      if (unused !== undefined) {
        keep(states, closeDevice(unused, 'serves no patient', context), writes);
      }
    }
    for (const row of active) {
      const before = states.patient(row.id);
      const patient = patientIn(states, row.id, context);
      const after =
        patient === null ? null : evaluateClock(withTrust(patient, row), clockFactsOf(row, devices, at), context);
      if (after !== null && after !== before) {
        keep(states, after, writes);
      }
    }
    for (const row of rows) {
      const known = row.state === 'active' ? undefined : states.patient(row.id);
      // Also without an open alert: the old state must not raise anything if the patient comes back.
      if (
        known !== undefined &&
        (known.row.state === 'active' || Object.values(known.records).some(({ alert }) => isOpen(alert)))
      ) {
        keep(states, closePatient(withRow(known, row, context), 'discharged', context), writes);
      }
    }
  };

  /** Returns the streams of a patient that this device measured last and that no other device measures now. */
  const streamsLeft = (row: PatientRow, deviceId: number, at: EpochMs): StreamName[] =>
    streamNames.filter((name) => {
      const measured = streams[name].kinds
        .filter((kind) => row.profile === 'continuous' && kinds[kind].continuous)
        .map((kind) => ({
          kind,
          latest: liveState
            .latestOfDevices(row.id, kinds[kind].code)
            .filter(({ sample }) => !isManual(sample.deviceId)),
        }));
      const isItsOwn = measured.some(({ latest: [first, ...others] }) => {
        return first !== undefined && newestOf(first, others).sample.deviceId === deviceId;
      });
      const isShared = measured.some(({ kind, latest }) =>
        latest.some(
          ({ sample, asOf }) =>
            sample.deviceId !== deviceId &&
            at - asOf <= offAfterMs(expectedEveryMs(liveState, row, kind, sample.deviceId)),
        ),
      );
      return isItsOwn && !isShared;
    });

  /** A clock that is far off is not good enough for a trend. */
  const withTrust = (patient: PatientRuleState, row: PatientRow): PatientRuleState => {
    const { evaluatesTrends } = paceOf(row);
    return evaluatesTrends === patient.evaluatesTrends ? patient : withSetting(patient, { evaluatesTrends });
  };

  /** Returns a patient for whom retrospective entries are made, by the present settings, or null. */
  const retrospectivePatient = (patientId: number): PatientRuleState | null => {
    const row = rowOf(patientId);
    const known = committed.patient(patientId);
    const isHere = row !== undefined && row.state === 'active' && rulesAreOn(row.site_id);
    return isHere && known?.profile === 'continuous' && row.profile === 'continuous'
      ? withSetting(known, { row })
      : null;
  };

  let isStopped = false;
  /** Evaluates the queued minutes of one patient. Resolves with whether there may be more. */
  const evaluateRetrospectiveOnce = async (): Promise<boolean> => {
    const queued = await readDueRetrospective(db, now());
    if (queued === null || isStopped) {
      return false;
    }
    const { patient_id: patientId, touches } = queued;
    const patient = retrospectivePatient(patientId);
    const found =
      patient === null
        ? []
        : await findRetrospective(store, liveState, patient, queued, {
            since: raisesFrom(patient),
            isStopped: () => isStopped,
          });
    if (found === null) {
      return false;
    }
    await transact(async (_layer, writes) => {
      const context = contextAt(now(), writes);
      if (patient !== null) {
        await applyRetrospective(db, patient, found, context);
      }
      writes.evaluatedRetrospectives.push({ patientId, touches, at: context.now });
    });
    return true;
  };
  const evaluateRetrospectiveQueue = async (): Promise<void> => {
    while (await evaluateRetrospectiveOnce()) {
      // Continues with the next patient.
    }
  };

  // A patient may have been discharged at the moment when the server stopped.
  const left = new Set(await patientsWithOpenAlerts(db));
  await load([heartbeatPatient]);
  await load(
    [...liveState.patients.values()].filter(
      (row) => rulesAreOn(row.site_id) && (row.state === 'active' || left.has(row.id)),
    ),
  );
  takeOver(await loadDevices(db));
  await readPeopleAgain();
  // A report is stored before it is evaluated.
  for (const { patient_id, recordedAt } of await lastReports(db, now() - evaluatedAgainMs)) {
    if (recordedAt > (committed.patient(patient_id)?.resetAt.readings ?? 0)) {
      await reported(patient_id);
    }
  }

  return {
    ready,
    begin: () => {
      const states = new RuleStates(committed);
      const changed = new Map<number, AlertRecord>();
      return {
        evaluate: (samples, written) => {
          const ofCall = new RuleStates(states);
          const writes = noWrites();
          evaluateCall(ofCall, samples, written, writes);
          return {
            queries: queriesOf(db, writes),
            accept: () => {
              ofCall.settle();
              for (const [id, record] of writes.records) {
                changed.set(id, record);
              }
            },
          };
        },
        settle: () => {
          settle(states, changed.values());
        },
      };
    },
    doubt: (patientIds) => {
      for (const id of patientIds) {
        doubtful.add(id);
      }
    },
    deviceCalled: (deviceId, { at, offsetMs, battery }) => {
      calls.set(deviceId, { at, offsetMs, battery: battery ?? calls.get(deviceId)?.battery ?? null });
    },
    evaluateClock: async () => {
      // Ticks must not queue up while the store is slow.
      ticking ??= readPeopleAgain()
        .then(() => transact(tick))
        .finally(() => {
          ticking = null;
        });
      await ticking;
    },
    evaluateRetrospective: async () => {
      evaluatingRetrospective ??= evaluateRetrospectiveQueue().finally(() => {
        evaluatingRetrospective = null;
      });
      await evaluatingRetrospective;
    },
    stop: async () => {
      isStopped = true;
      await evaluatingRetrospective;
    },
    handle: async (id, action, audited) =>
      await transact((states, writes) => {
        const record = byId.get(id);
        if (record === undefined) {
          return null;
        }
        const change = action(record.alert, now());
        if (typeof change === 'string') {
          return change;
        }
        const { parameter } = record.alert;
        const context = contextAt(now(), writes);
        const subject =
          record.patientId === null ? states.device(record.deviceId ?? 0) : states.patient(record.patientId);
        if (subject === undefined) {
          return null;
        }
        const after = isPatient(subject)
          ? applyToPatient(subject, parameter, change, context)
          : applyChange(subject, parameter, change, () => record.evidence, context);
        keep(states, after, writes);
        return after.records[parameter] ?? null;
      }, audited),
    reconsider: async (patientId) => {
      await transact(async (states, writes) => {
        const row = liveState.patients.get(patientId);
        if (row === undefined) {
          return;
        }
        // In the queue, so that the later of two changes is read last.
        holdings.set(patientId, (await readHolding(db, [row])).get(patientId) ?? noHolding);
        const patient = patientIn(states, patientId, contextAt(now(), writes));
        if (patient !== null) {
          keep(states, withSetting(patient, { holding: holdingOf(patientId) }), writes);
        }
        tick(states, writes);
      });
    },
    takenOff: async (patientId, deviceId) => {
      await changePatient(patientId, (patient, context) =>
        forgetSignals(patient, streamsLeft(patient.row, deviceId, context.now), context),
      );
    },
    reported,
    siteChanged: async (siteId) => {
      await store.writeQueue(async () => {
        const wereOn = rulesAreOn(siteId);
        sites = await readSites(db);
        holdings = await readHolding(db, [...liveState.patients.values()]);
        peopleAt = -Infinity;
        const rows = [...liveState.patients.values()].filter(
          (row) => row.site_id === siteId && row.state === 'active' && rulesAreOn(siteId),
        );
        if (!wereOn) {
          await load(rows);
        } else {
          takeOver(
            rows.flatMap((row) => {
              const known = committed.patient(row.id);
              return known === undefined ? [] : [withSetting(known, { holding: holdingOf(row.id) })];
            }),
          );
        }
      });
      await readPeopleAgain();
      await transact(tick);
    },
    listOpen: (siteId) => [...byId.values()].filter((record) => record.siteId === siteId && isOpen(record.alert)),
    find: (id) => byId.get(id) ?? null,
    ruleStateOf: (patientId) => committed.patient(patientId) ?? null,
    callOf: (deviceId) => calls.get(deviceId) ?? null,
    timeZoneOf: (siteId) => sites.get(siteId)?.timeZone ?? 'UTC',
    version: (siteId) => versions.get(siteId) ?? 0,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
