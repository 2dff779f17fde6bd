import { randomBytes } from 'node:crypto';
import { isInComfortCare, isInStandby, type ComfortCare, type Standby } from '../lib/alerts/pauses';
import { placeOf, type Assignment } from '../lib/assignments/holders';
import { getOrAdd } from '../lib/getOrAdd';
import { withoutZeros } from '../lib/patients/names';
import { longestMrn } from '../lib/patients/schema';
import { unitKey } from '../lib/units/unitKey';
import type { EpochMs } from '../lib/time/epochMs';
import { ageFrom, movedClock, type DeviceClock } from '../lib/vitals/deviceClock';
import { isKindCode } from '../lib/vitals/kinds';
import { OpenAlerts } from './alerts/openAlerts';
import { SilentGateways } from './alerts/silentGateways';
import { heartbeatPatients, heartbeatSite } from './alerts/heartbeatPatient';
import { movedFrom } from './clock/movedFrom';
import type { DeviceRow, PatientRow, UnitRow } from './db/rows';
import { DeviceStays } from './devices/deviceStays';
import { DeviceAlarmBoard } from './deviceAlarms/deviceAlarmBoard';
import { isEarlier } from './hl7/sourceOf';
import { inScope, type Scope } from './http/scope';
import { BedStays, bedOf } from './patients/bedStays';
import { SymptomBoard } from './symptoms/symptomBoard';
import { newest, newestOf } from './vitals/newest';
import { isOfStatingSource, isQuestionable, isStated, isWithdrawn } from './vitals/qualityCode';
import { seriesKey, type Latest, type Sample } from './vitals/sample';
import { SourceTimings } from './vitals/sourceTimings';

/** An assignment as it is stored. The version counts the changes of its role (and patient). */
type KnownAssignment = Assignment & { version: number };

/**
 * The in-process state of all sites, so that neither a poll nor a sample has to read the store: patients, devices,
 * newest values, and a version for each site that goes up with every change. All of it is in the store as well and is
 * loaded at start. It changes only after the commit. One process serves one database, so it is never outdated.
 */
export class LiveState {
  readonly patients = new Map<number, PatientRow>();
  readonly devices = new Map<number, DeviceRow>();
  /** The units in use. */
  readonly units = new Map<number, UnitRow>();
  /** All units, those included that are retired: discharged patients still refer to them. */
  private readonly allUnits = new Map<number, UnitRow>();
  private readonly assignmentsByUnit = new Map<number, KnownAssignment[]>();
  /** The devices that play recordings, by their last call: what comes late of these is no news. */
  readonly replaying = new Set<number>();
  /** What is known of the clocks of devices. Of the others nothing is known. */
  readonly deviceClocks = new Map<number, DeviceClock>();
  readonly deviceStays = new DeviceStays();
  /** For which units gateways to be confirmed last sent, and when; 0: for none, or without the date of birth. */
  readonly sentFor = new Map<number, Map<number, EpochMs>>();
  private readonly idsByMrn = new Map<number, Map<string, number>>();
  private readonly latestByPatient = new Map<number, Map<number, Latest>>();
  /** The latest values of each single device, by `seriesKey`: few devices report the same kind of the same patient. */
  private readonly latestByDevice = new Map<number, Latest[]>();
  readonly bedStays = new BedStays();
  readonly sourceTimings = new SourceTimings();
  /** The oximeter of a patient that counts, if a person has settled that and the rules have not ended it. */
  readonly settledSources = new Map<number, number | undefined>();
  readonly openAlerts = new OpenAlerts((siteId) => this.changed(siteId));
  /** What patients reported last, and today. */
  readonly symptoms = new SymptomBoard((siteId) => this.changed(siteId));
  /** The alarms that devices have not ended. */
  readonly deviceAlarms = new DeviceAlarmBoard((siteId) => this.changed(siteId));
  readonly silentGateways = new SilentGateways((siteId) => this.changed(siteId));
  /** Sources (device, patient, kind) that state a quality with their samples, and when one last did. */
  private readonly statingSources = new Map<number, Map<number, EpochMs>>();
  /** By patient. Some of them may have expired. */
  private readonly standbys = new Map<number, Standby>();
  private readonly comfortCares = new Map<number, ComfortCare>();
  private readonly versions = new Map<number, number>();
  private readonly rosterVersions = new Map<number, number>();

  /** How many values were left out, because this release does not know their kind. */
  unknownKinds = 0;

  /** Distinguishes versions of this process from those of earlier ones, which also counted from zero. */
  readonly boot = randomBytes(4).toString('hex');

  /** The patient of each assigned device, by ids. */
  get assigned(): ReadonlyMap<number, number> {
    return this.deviceStays.assigned;
  }

  /** Returns the version of a site's data. It changes whenever anything on the site's screens may differ. */
  version(siteId: number): number {
    return this.versions.get(siteId) ?? 0;
  }

  /** Returns the version of a site's patients and assignments. Samples do not change it. */
  rosterVersion(siteId: number): number {
    return this.rosterVersions.get(siteId) ?? 0;
  }

  changed(siteId: number): void {
    this.versions.set(siteId, this.version(siteId) + 1);
  }

  /** Adds or changes a unit. A retired one leaves the units in use, and its assignments end. */
  putUnit(row: UnitRow): void {
    const before = this.allUnits.get(row.id);
    if (before !== undefined && before.version > row.version) {
      // Two changes may arrive here in another order than they were committed.
      return;
    }
    this.allUnits.set(row.id, row);
    if (row.retired_at === null) {
      this.units.set(row.id, row);
    } else {
      this.units.delete(row.id);
      this.assignmentsByUnit.delete(row.id);
    }
    this.rosterChanged(row.site_id);
  }

  /** Returns the unit in which a patient is, or null if in none that is in use. */
  unitOf({ unit_id }: Pick<PatientRow, 'unit_id'>): UnitRow | null {
    return unit_id === null ? null : (this.units.get(unit_id) ?? null);
  }

  /** Returns the name of the unit in which a patient is, or was when they were discharged; null if in none. */
  unitNameOf({ unit_id }: Pick<PatientRow, 'unit_id'>): string | null {
    return unit_id === null ? null : (this.allUnits.get(unit_id)?.name ?? null);
  }

  /** Returns unit and bed of a patient, or null if one of the two is not known. */
  locationOf(row: Pick<PatientRow, 'unit_id' | 'bed'>): { unit: string; bed: string } | null {
    const unit = this.unitNameOf(row);
    return unit === null || row.bed === null ? null : { unit, bed: row.bed };
  }

  /** Returns the site's unit in use of this name in any letter case, or null. */
  unitByName(siteId: number, name: string): UnitRow | null {
    const key = unitKey(name);
    return [...this.units.values()].find((row) => row.site_id === siteId && unitKey(row.name) === key) ?? null;
  }

  /** Returns the assignments in a unit: those that hold in the current shift, and those for later ones. */
  assignmentsOf(unitId: number): readonly KnownAssignment[] {
    return this.assignmentsByUnit.get(unitId) ?? [];
  }

  /** Replaces an older assignment by a newer one, and drops those that no shift from `now` on needs. */
  putAssignment(unit: UnitRow, assignment: KnownAssignment, now: number): void {
    const place = placeOf(assignment);
    const before = this.assignmentsOf(unit.id).filter((row) => placeOf(row) === place);
    if (before.some((row) => row.shiftStart === assignment.shiftStart && row.version > assignment.version)) {
      // Two changes may arrive here in another order than they were committed.
      return;
    }
    const ofPlace = [...before.filter((row) => row.shiftStart !== assignment.shiftStart), assignment];
    const holds = Math.max(...ofPlace.map(({ shiftStart }) => shiftStart).filter((start) => start <= now));
    this.assignmentsByUnit.set(unit.id, [
      ...this.assignmentsOf(unit.id).filter((row) => placeOf(row) !== place),
      ...ofPlace.filter(({ shiftStart }) => shiftStart >= holds),
    ]);
    this.rosterChanged(unit.site_id);
  }

  /** Adds or changes a patient. `placedAt`: when they came to where they are; null if `bedStays` loads that. */
  putPatient(row: PatientRow, placedAt: EpochMs | null = row.updated_at): void {
    const before = this.patients.get(row.id);
    if (before !== undefined && before.version > row.version) {
      // Two changes may arrive here in another order than they were committed.
      return;
    }
    if (before !== undefined && this.mrnsOf(before.site_id).get(before.mrn) === row.id) {
      this.mrnsOf(before.site_id).delete(before.mrn);
    }
    this.patients.set(row.id, row);
    this.bedStays.take(row.id, before === undefined ? null : bedOf(before), bedOf(row), placedAt);
    this.mrnsOf(row.site_id).set(row.mrn, row.id);
    this.rosterChanged(row.site_id);
  }

  private rosterChanged(siteId: number): void {
    this.rosterVersions.set(siteId, this.rosterVersion(siteId) + 1);
    this.changed(siteId);
  }

  /** Returns the standby of a patient at `now`, or null. */
  standbyOf(patientId: number, now: number): Standby | null {
    const standby = this.standbys.get(patientId) ?? null;
    return isInStandby(standby, now) ? standby : null;
  }

  /** Returns the comfort care of a patient at `now`, or null. */
  comfortCareOf(patientId: number, now: number): ComfortCare | null {
    const comfortCare = this.comfortCares.get(patientId) ?? null;
    return isInComfortCare(comfortCare, now) ? comfortCare : null;
  }

  /** Sets or ends (null) a patient's standby or comfort care. */
  putPauses(
    patient: Pick<PatientRow, 'id' | 'site_id'>,
    pauses: { standby?: Standby | null; comfortCare?: ComfortCare | null },
  ): void {
    putOrRemove(this.standbys, patient.id, pauses.standby);
    putOrRemove(this.comfortCares, patient.id, pauses.comfortCare);
    this.rosterChanged(patient.site_id);
  }

  /** Returns a patient, or null if they do not exist or are out of the caller's reach. */
  patientInScope(id: number, scope: Scope): PatientRow | null {
    const row = this.patients.get(id);
    return row !== undefined && inScope(scope, row) ? row : null;
  }

  patientByMrn(mrn: string, siteId: number): PatientRow | null {
    if (siteId === heartbeatSite) {
      return heartbeatPatients.find((patient) => patient.mrn === mrn) ?? null;
    }
    const id = this.mrnsOf(siteId).get(mrn);
    return id === undefined ? null : (this.patients.get(id) ?? null);
  }

  /** Returns who has an MRN, else the only patient, discharged or not, who has it but for leading zeros, else null. */
  patientByNumber(number: string, siteId: number): PatientRow | null {
    const exact = this.patientByMrn(number, siteId);
    const bare = withoutZeros(number);
    if (exact !== null || !/^[1-9]\d{0,63}$/.test(bare)) {
      return exact;
    }
    const alike = Array.from({ length: longestMrn }, (_, zeros) => this.patientByMrn('0'.repeat(zeros) + bare, siteId));
    const [patient, ...others] = alike.filter((one) => one !== null);
    return others.length === 0 ? (patient ?? null) : null;
  }

  /** Returns whether any patient has a value. */
  hasValues(): boolean {
    return [...this.patients.keys()].some((id) => this.latestOf(id).size > 0);
  }

  latestOf(patientId: number): ReadonlyMap<number, Latest> {
    return this.latestByPatient.get(patientId) ?? noValues;
  }

  /** Returns the latest value of each device that ever reported this kind of this patient. */
  latestOfDevices(patientId: number, kind: number): readonly Latest[] {
    return this.latestByDevice.get(seriesKey(patientId, kind)) ?? [];
  }

  /** Returns the latest value that one device reported of a kind of a patient. */
  latestOfDevice({ patientId, kind, deviceId }: Pick<Sample, 'patientId' | 'kind' | 'deviceId'>): Latest | undefined {
    return this.latestOfDevices(patientId, kind).find(({ sample }) => sample.deviceId === deviceId);
  }

  /**
   * Returns whether the values of a device are read again from kept messages: they are in charts, and are neither a
   * latest value nor evaluated as of now.
   */
  isEarlier(deviceId: number): boolean {
    return isEarlier(this.devices.get(deviceId)?.source_key);
  }

  /**
   * Adds a sample that is new to the store. It becomes the latest of its kind and device, or the latest that measured
   * something, unless a newer one is known. Corrections of these two are handled by `deriveLatest`.
   */
  takeSample(sample: Sample): void {
    if (!this.isKnown(sample) || isWithdrawn(sample.quality) || this.isEarlier(sample.deviceId)) {
      return;
    }
    const known = this.latestOfDevice(sample);
    this.putOfDevice(withStored(known, sample, newest(known, sample)));
    this.putOfAll(sample, newest(this.latestOf(sample.patientId).get(sample.kind), sample));
    this.noteSource(sample);
    this.sourceTimings.take(sample, ageFrom(sample.takenAt, sample.offsetMs, sample.receivedAt));
  }

  /** Sets the latest values of a kind and device as read from the store. */
  putLatest(latest: Latest): void {
    const { patientId, kind } = latest.sample;
    if (!this.isKnown(latest.sample) || this.isEarlier(latest.sample.deviceId)) {
      return;
    }
    this.putOfDevice(latest);
    this.putOfAll(latest.sample, newestOf(latest, this.latestOfDevices(patientId, kind)));
    this.noteSource(latest.sample);
  }

  /** Removes the latest values of a kind and device: all that was known was entered in error. */
  removeLatest({ patientId, kind, deviceId }: Pick<Sample, 'patientId' | 'kind' | 'deviceId'>): void {
    const [first, ...others] = this.latestOfDevices(patientId, kind).filter(
      ({ sample }) => sample.deviceId !== deviceId,
    );
    if (first === undefined) {
      this.latestByDevice.delete(seriesKey(patientId, kind));
      this.latestByPatient.get(patientId)?.delete(kind);
      return;
    }
    this.latestByDevice.set(seriesKey(patientId, kind), [first, ...others]);
    this.putOfAll(first.sample, newestOf(first, others));
  }

  /** A kind that this release does not know is left out and counted: every screen and rule would fail on it. */
  private isKnown({ kind }: Sample): boolean {
    const isKnown = isKindCode(kind);
    this.unknownKinds += isKnown ? 0 : 1;
    return isKnown;
  }

  private putOfDevice(latest: Latest): void {
    const { patientId, kind, deviceId } = latest.sample;
    const known = this.latestByDevice.get(seriesKey(patientId, kind));
    if (known === undefined) {
      this.latestByDevice.set(seriesKey(patientId, kind), [latest]);
      return;
    }
    const place = known.findIndex(({ sample }) => sample.deviceId === deviceId);
    known[place === -1 ? known.length : place] = latest;
  }

  private putOfAll({ patientId, kind }: Sample, latest: Latest): void {
    getOrAdd(this.latestByPatient, patientId, () => new Map<number, Latest>()).set(kind, latest);
  }

  /**
   * Returns whether a key is that of its device's latest sample of the kind, or of the latest that measured something.
   */
  isLatest(key: Pick<Sample, 'patientId' | 'kind' | 'takenAt' | 'deviceId'>): boolean {
    const known = this.latestOfDevice(key);
    return known?.sample.takenAt === key.takenAt || known?.valid?.takenAt === key.takenAt;
  }

  /**
   * Returns when this source last stated a quality, by its own clock; null if it never has. Then its samples without
   * one are good; else questionable for a while (clinical.md section 0, Q2).
   */
  qualityStatedAt(deviceId: number, patientId: number, kind: number): EpochMs | null {
    return this.statingSources.get(deviceId)?.get(seriesKey(patientId, kind)) ?? null;
  }

  /**
   * Moves the times of the newest values and of pauses with a step of the server's clock, and new entries
   * (`movedFrom`). `until` is the time after the step, epoch milliseconds. The store has moved them before.
   */
  moveClock(ms: number, until: EpochMs): void {
    const move = ({ sample, asOf, valid, stored }: Latest): Latest => ({
      ...(stored === undefined ? {} : { stored: move(stored) }),
      sample: { ...sample, receivedAt: sample.receivedAt + ms, offsetMs: sample.offsetMs + ms },
      asOf: asOf + ms,
      valid: valid === null ? null : { ...valid, asOf: valid.asOf + ms },
    });
    for (const kinds of this.latestByPatient.values()) {
      for (const [kind, latest] of kinds) {
        kinds.set(kind, move(latest));
      }
    }
    for (const [key, devices] of this.latestByDevice) {
      this.latestByDevice.set(key, devices.map(move));
    }
    this.sourceTimings.moveClock(ms);
    for (const [deviceId, clock] of this.deviceClocks) {
      this.deviceClocks.set(deviceId, movedClock(clock, ms));
    }
    for (const [id, standby] of this.standbys) {
      this.standbys.set(id, { ...standby, startedAt: standby.startedAt + ms, until: standby.until + ms });
    }
    for (const [id, comfortCare] of this.comfortCares) {
      this.comfortCares.set(id, { ...comfortCare, confirmedAt: comfortCare.confirmedAt + ms });
    }
    this.symptoms.moveClock(ms, until);
    this.deviceAlarms.moveClock(ms);
    this.silentGateways.moveClock(ms);
    this.bedStays.moveClock(ms, until);
    const from = movedFrom(ms, until);
    const known = (at: EpochMs): EpochMs => (at > from ? at + ms : at);
    this.deviceStays.moveClock(known);
    for (const row of this.patients.values()) {
      if (Math.max(row.created_at, row.updated_at) > from) {
        this.patients.set(row.id, { ...row, created_at: known(row.created_at), updated_at: known(row.updated_at) });
      }
    }
    for (const siteId of new Set([...this.patients.values()].map(({ site_id }) => site_id))) {
      this.rosterChanged(siteId);
    }
  }

  private noteSource({ deviceId, patientId, kind, quality, takenAt }: Sample): void {
    if (!isOfStatingSource(quality)) {
      return;
    }
    const sources = getOrAdd(this.statingSources, deviceId, () => new Map<number, EpochMs>());
    const series = seriesKey(patientId, kind);
    const known = sources.get(series);
    // After a start the newest sample may be one without a quality: one that was questionable was not long after.
    const statedAt = isStated(quality) ? takenAt : known === undefined ? (isQuestionable(quality) ? takenAt : 0) : 0;
    sources.set(series, Math.max(known ?? 0, statedAt));
  }

  private mrnsOf(siteId: number): Map<string, number> {
    return getOrAdd(this.idsByMrn, siteId, () => new Map<string, number>());
  }
}

/** Keeps what the store has of a device while its newest sample, `after` taking `sample`, is not stored. */
function withStored(before: Latest | undefined, sample: Sample, after: Latest): Latest {
  if (after.sample.isUnstored !== true) {
    return after;
  }
  const known = before?.sample.isUnstored === true ? before.stored : before;
  const stored = sample.isUnstored === true ? known : newest(known, sample);
  return stored === undefined ? after : { ...after, stored };
}

function putOrRemove<T>(map: Map<number, T>, id: number, value: T | null | undefined): void {
  if (value === null) {
    map.delete(id);
  } else if (value !== undefined) {
    map.set(id, value);
  }
}

const noValues: ReadonlyMap<number, Latest> = new Map();
