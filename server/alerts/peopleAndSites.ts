import { holderOf, type Alert, type Release } from '../../lib/alerts/alert';
import { recipientsOf, type EscalationStep, type Recipients } from '../../lib/alerts/escalation';
import { defaultEscalationTimes, type EscalationTimes } from '../../lib/alerts/escalationTimes';
import { releaseOf, type Holder } from '../../lib/alerts/releaseOf';
import { isOfEquipment } from '../../lib/alerts/parameters';
import { canHold, rolesFor } from '../../lib/assignments/canHold';
import { holders, type Assignment } from '../../lib/assignments/holders';
import { patientRoles, unitRoles, type AssignmentRole } from '../../lib/assignments/roles';
import type { DueTimes } from '../../lib/checkIn/dueTimes';
import { reachOf } from '../../lib/session/permissions';
import type { UserType } from '../../lib/session/userTypes';
import { compareText, firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { readPeople, type Person } from '../assignments/queries';
import type { ClockStep } from '../clock/clock';
import { shiftOf } from '../assignments/shiftOf';
import type { PatientRow, UnitRow } from '../db/rows';
import type { Store } from '../db/open';
import type { LiveState } from '../liveState';
import type { Sessions } from '../session/sessions';
import type { AlertFaults } from './alertFaults';
import type { AlertRecord } from './alertWrites';
import { noCheckIn } from './checkInFacts';
import { heartbeatSite } from './heartbeatPatient';
import { readHolding, type Holding } from './holding';
import { readSites, type RuleSite } from './loadRuleStates';
import type { PatientRuleState } from './patientRuleState';
import { isOfReports, unitOfReports } from './reportSubject';
import { isServer } from './serverSubject';
import type { SubjectIds } from './subject';

export interface AlertsParts {
  store: Store;
  liveState: LiveState;
  faults: AlertFaults;
  sessions: Pick<Sessions, 'isSignedIn' | 'isOpened' | 'absentSince' | 'countPresence' | 'present'>;
  /** Epoch milliseconds. */
  now: () => EpochMs;
  /** A step of the clock while the server was down, or null. */
  step?: ClockStep | null;
}

const noHolding: Holding = {
  limits: {},
  ownLimits: {},
  standby: null,
  comfortCare: null,
  handoffGivenAt: null,
  monitorLostAt: null,
  checkIn: noCheckIn,
  timeZone: 'UTC',
};
/** How often the users of all sites are read again, in milliseconds. */
const peopleEveryMs = 10_000;

/** Users who see patients and handle their alerts. */
const isClinical = (type: UserType): boolean =>
  [reachOf({ type, isAdmin: false }, 'readPatients'), reachOf({ type, isAdmin: false }, 'handleAlerts')].every(
    (reach) => reach !== null,
  );

/** Returns whether a user belongs to a unit, or to no unit and so to the whole site; null: the patient has no unit. */
const covers = ({ units }: Person, unit: UnitRow | null): boolean =>
  units.length === 0 || unit === null || units.some(({ id }) => id === unit.id);

function canHandle(person: Person, unit: UnitRow | null): boolean {
  const reach = reachOf({ type: person.type, isAdmin: false }, 'handleAlerts');
  return reach === 'site' || (reach === 'unit' && covers(person, unit));
}

/** A user who can be asked to accept an alert, with their roles in the patient's unit. */
export interface Candidate {
  id: number;
  name: string;
  type: UserType;
  roles: AssignmentRole[];
}

const allRoles: readonly AssignmentRole[] = [...patientRoles, ...unitRoles];
const roleRank = ({ roles }: Candidate): number =>
  roles.length === 0 ? allRoles.length : Math.min(...roles.map((role) => allRoles.indexOf(role)));

/** What alerts need to know beside values, in memory: the sites, the users, and the settings of patients. */
export class PeopleAndSites {
  private people = new Map<number, Map<number, Person>>();
  private peopleAt = -Infinity;
  private changes = 0;
  private changesRead = 0;

  private constructor(
    private readonly parts: AlertsParts,
    private sites: Map<number, RuleSite>,
    private holdings: Map<number, Holding>,
  ) {}

  static async load(parts: AlertsParts): Promise<PeopleAndSites> {
    const { store, liveState, faults } = parts;
    return new PeopleAndSites(
      parts,
      await readSites(store.db, faults),
      await readHolding(store.db, [...liveState.patients.values()], faults),
    );
  }

  rulesAreOn(siteId: number): boolean {
    return this.sites.get(siteId)?.rulesAreOn ?? false;
  }

  /** Returns the sites whose rules are on, without that of the heartbeat. */
  sitesWithRules(): number[] {
    return [...this.sites].flatMap(([id, site]) => (site.rulesAreOn && id !== heartbeatSite ? id : []));
  }

  holdingOf(patientId: number): Holding {
    return this.holdings.get(patientId) ?? noHolding;
  }

  /** Returns the escalation times of a site. */
  timesOf(siteId: number): EscalationTimes {
    return this.sites.get(siteId)?.times ?? defaultEscalationTimes;
  }

  timeZoneOf(siteId: number): string {
    return this.sites.get(siteId)?.timeZone ?? 'UTC';
  }

  /** Returns when check-ins from home are due in a site. */
  dueTimesOf(siteId: number): DueTimes {
    return { times: this.sites.get(siteId)?.checkInTimes ?? [], timeZone: this.timeZoneOf(siteId) };
  }

  /**
   * Returns from when on the rules raise alerts for a patient: not before the site's rules were on or the patient was
   * here. Epoch milliseconds.
   */
  raisesFrom({ row, resetAt }: PatientRuleState): EpochMs {
    return Math.max(row.created_at, this.sites.get(row.site_id)?.rulesSince ?? Infinity, resetAt.readings ?? 0);
  }

  /**
   * Returns the people whom a step asks at `at` (epoch milliseconds). For a patient without a unit these are everyone
   * on duty in the site who may see them.
   */
  recipientsOf(subject: SubjectIds, step: EscalationStep, at: EpochMs): Recipients {
    const unit = this.unitOf(subject);
    if (subject.deviceId !== null && isServer(subject.deviceId)) {
      return this.recipientsAboutServer(subject.siteId, step, at);
    }
    if (isOfReports(subject.deviceId)) {
      return this.recipientsOfReports(subject.siteId, unit, step, at);
    }
    if (unit === null) {
      const to = recipientsOf(step, []);
      if (!to.wholeUnit || subject.patientId === null) {
        return to;
      }
      const able = this.activeIn(subject.siteId).filter(({ type }) => isClinical(type));
      return { ...to, userIds: this.onDuty(able, subject.siteId, at).map(({ id }) => id) };
    }
    const ofSubject = this.heldIn(unit, at).filter(
      ({ patientId }) => patientId === null || patientId === subject.patientId,
    );
    return recipientsOf(step, ofSubject);
  }

  /**
   * Returns whether any of those whom a step asked is there (clinical.md section 00, A1). Of a site whose users are not
   * known it is taken for granted, and of a contact outside.
   */
  isPresent(subject: SubjectIds, { userIds, wholeUnit }: Recipients, present: ReadonlySet<number>): boolean {
    if (!this.people.has(subject.siteId) || (userIds.length === 0 && !wholeUnit)) {
      return true;
    }
    return userIds.some((id) => present.has(id)) || (wholeUnit && this.hearers(subject, present).ofUnit.length > 0);
  }

  /**
   * Returns these people with the whole unit, and with those on duty in the site who may see the patient if no one of
   * it is there; null: no one is there at all.
   */
  widen(
    subject: SubjectIds,
    { roles, unheld, contact, userIds }: Recipients,
    present: ReadonlySet<number>,
    at: EpochMs,
  ): Recipients | null {
    const { ofUnit, able } = this.hearers(subject, present);
    const to = { roles, unheld, contact, userIds, wholeUnit: true };
    if (ofUnit.length > 0 || able.length === 0) {
      return ofUnit.length > 0 ? to : null;
    }
    const onDuty = this.onDuty(able, subject.siteId, at).map(({ id }) => id);
    return { ...to, userIds: [...new Set([...userIds, ...onDuty])] };
  }

  /** Returns those of the users who are there who may handle a subject's alerts, and who of them is of the unit. */
  private hearers(subject: SubjectIds, present: ReadonlySet<number>): { able: Person[]; ofUnit: Person[] } {
    const unit = this.unitOf(subject);
    const able = [...present]
      .flatMap((id) => this.people.get(subject.siteId)?.get(id) ?? [])
      .filter((person) => {
        const isOfEquipment = subject.patientId === null && person.type === 'technician';
        return person.isActive && (isOfEquipment || (isClinical(person.type) && canHandle(person, unit)));
      });
    return { able, ofUnit: able.filter((person) => covers(person, unit)) };
  }

  /** Returns the users of a site who can sign in. */
  private activeIn(siteId: number): Person[] {
    return [...(this.people.get(siteId)?.values() ?? [])].filter(({ isActive }) => isActive);
  }

  /**
   * Returns why the acceptance of an alert, or else its acknowledgement, ends at `at` (epoch milliseconds); null: it
   * lasts, or there is none.
   */
  releaseOf(subject: SubjectIds, alert: Alert, at: EpochMs): Release | null {
    const { responsibility } = alert;
    const holder = holderOf(alert);
    const isSignedIn = holder === null || this.parts.sessions.isSignedIn(holder);
    const known = this.people.get(subject.siteId);
    const person = responsibility?.is === 'accepted' ? known?.get(responsibility.by) : undefined;
    // What was known before the acceptance may be out of date: a new user, or one of another unit now.
    if (responsibility?.is !== 'accepted' || person === undefined || responsibility.at >= this.peopleAt) {
      return !isSignedIn ? 'signed_out' : holder !== null && this.wasEmergency(subject, alert) ? 'out_of_reach' : null;
    }
    const { id, isActive } = person;
    const unit = this.unitOf(subject);
    return releaseOf(
      responsibility,
      {
        isActive,
        isSignedIn,
        canSee: canHandle(person, unit),
        coversUnit: covers(person, unit),
        unitId: unit?.id ?? null,
        shift: unit === null || rolesFor(person, unit.id).length === 0 ? null : this.shiftOf(id, unit, at),
      },
      at,
    );
  }

  /** Returns whether an alert was acknowledged by an emergency access that is over (clinical.md section 00, A13). */
  private wasEmergency(subject: SubjectIds, { acknowledged, escalation }: Alert): boolean {
    const person = acknowledged === null ? undefined : this.people.get(subject.siteId)?.get(acknowledged.by);
    const isOutside = person !== undefined && isClinical(person.type) && !canHandle(person, this.unitOf(subject));
    // The unit that the patient has just left may acknowledge it as well.
    return isOutside && escalation.former === null && !this.parts.sessions.isOpened(person.id);
  }

  /** Returns the unit's shift and whether the user, and anyone else, has a role in it. */
  private shiftOf(userId: number, unit: UnitRow, at: EpochMs): Holder['shift'] {
    const site = this.sites.get(unit.site_id);
    const assigned = this.heldIn(unit, at).flatMap((held) => held.userId ?? []);
    return site === undefined
      ? null
      : {
          start: shiftOf(site, 'current', at).start,
          isAssigned: assigned.includes(userId),
          isAnyoneElseAssigned: assigned.some((id) => id !== userId),
        };
  }

  /** Returns the roles of a unit in the present shift; without a user if that user can no longer hold it. */
  private heldIn(unit: UnitRow, at: EpochMs): Assignment[] {
    const site = this.sites.get(unit.site_id);
    const known = this.people.get(unit.site_id);
    const held =
      site === undefined
        ? []
        : holders(this.parts.liveState.assignmentsOf(unit.id), shiftOf(site, 'current', at).start);
    return held.map((one) => {
      const person = one.userId === null ? undefined : known?.get(one.userId);
      const isHere = person?.isActive === true && canHold(one.role, person, unit.id);
      return isHere ? one : { ...one, userId: null };
    });
  }

  /** Returns those of some users of a site with a role in the present shift, or all if none of them has one. */
  private onDuty(able: readonly Person[], siteId: number, at: EpochMs): readonly Person[] {
    const assigned = new Set(this.unitsOf(siteId).flatMap((unit) => this.heldIn(unit, at).map(({ userId }) => userId)));
    const onDuty = able.filter(({ id }) => assigned.has(id));
    return onDuty.length === 0 ? able : onDuty;
  }

  /**
   * Returns the users who can be asked to accept an alert at `at` (epoch milliseconds): they may handle it and have a
   * role in this shift, or all who may handle it if none of them has one. Those with a role for the patient or the unit
   * come first. Technicians look after equipment and have no shifts.
   */
  candidatesOf({ siteId, patientId, deviceId, alert }: AlertRecord, at: EpochMs): Candidate[] {
    const unit = this.unitOf({ patientId, deviceId });
    const known = this.activeIn(siteId);
    const able = known.filter((person) => isClinical(person.type) && canHandle(person, unit));
    const technicians = known.filter(({ type }) => type === 'technician' && isOfEquipment(alert.parameter));
    const held = unit === null ? [] : this.heldIn(unit, at);
    return [...this.onDuty(able, siteId, at), ...technicians]
      .map(({ id, name, type }) => ({
        id,
        name,
        type,
        roles: held
          .filter((one) => one.userId === id && (one.patientId === null || one.patientId === patientId))
          .map(({ role }) => role),
      }))
      .sort((a, b) => firstDifference(roleRank(a) - roleRank(b), compareText(a.name, b.name), a.id - b.id));
  }

  private unitsOf(siteId: number): UnitRow[] {
    return [...this.parts.liveState.units.values()].filter(({ site_id }) => site_id === siteId);
  }

  /** Returns the unit of a patient, or of a place of issue reports, now; null: none. */
  unitIdOf(subject: Omit<SubjectIds, 'siteId'>): number | null {
    return this.unitOf(subject)?.id ?? null;
  }

  private unitOf({ patientId, deviceId }: Omit<SubjectIds, 'siteId'>): UnitRow | null {
    const { liveState } = this.parts;
    const row = patientId === null ? { unit_id: unitOfReports(deviceId) } : liveState.patients.get(patientId);
    return row === undefined ? null : liveState.unitOf(row);
  }

  /** Without a unit, and if no one is ward lead of this shift, the ward leads of the site are asked. */
  private recipientsOfReports(siteId: number, unit: UnitRow | null, step: EscalationStep, at: EpochMs): Recipients {
    const held = unit === null ? [] : this.heldIn(unit, at).filter(({ patientId }) => patientId === null);
    const { unheld, ...to } = recipientsOf(unit === null ? { ...step, roles: ['ward_lead'] } : step, held);
    const leads = this.activeIn(siteId).flatMap(({ id, type }) => (type === 'ward_lead' ? id : []));
    return unheld.includes('ward_lead') && leads.length > 0
      ? {
          ...to,
          userIds: [...new Set([...to.userIds, ...leads])],
          wholeUnit: unit !== null && step.wholeUnit === true,
          unheld: unheld.filter((role) => role !== 'ward_lead'),
        }
      : { ...to, unheld };
  }

  /** Technicians and the charge nurses of all units are asked about the server (clinical.md section 0, C1). */
  private recipientsAboutServer(siteId: number, step: EscalationStep, at: EpochMs): Recipients {
    const held = this.unitsOf(siteId)
      .flatMap((unit) => this.heldIn(unit, at))
      .filter(({ role }) => role === 'charge_nurse');
    const inCharge = new Set(held.map(({ userId }) => userId));
    const asked = this.activeIn(siteId).filter(({ id, type }) => type === 'technician' || inCharge.has(id));
    return asked.length === 0
      ? recipientsOf(step, [])
      : { userIds: asked.map(({ id }) => id), roles: [], wholeUnit: false, unheld: [], contact: null };
  }

  /** Marks the users of all sites as changed: the next read takes them from the store. */
  doubtPeople(): void {
    this.changes += 1;
  }

  /** Reads the users of all sites again if some changed, or what is known of them is as old as this, in ms. */
  async readPeopleAgain(ageMs = peopleEveryMs): Promise<void> {
    const { store, now } = this.parts;
    const [at, { changes }] = [now(), this];
    if (changes !== this.changesRead || at - this.peopleAt >= ageMs) {
      const found = new Map<number, Map<number, Person>>();
      for (const [siteId, site] of this.sites) {
        if (site.rulesAreOn && siteId !== heartbeatSite) {
          found.set(siteId, await readPeople(store, siteId));
        }
      }
      this.people = found;
      for (const ofSite of found.values()) {
        this.parts.liveState.openAlerts.putNames(ofSite.values());
      }
      this.peopleAt = at;
      this.changesRead = changes;
    }
  }

  /** Reads the sites and the settings of all patients again; the users are due then. */
  async readSitesAgain(): Promise<void> {
    const { store, liveState, faults } = this.parts;
    this.sites = await readSites(store.db, faults);
    this.holdings = await readHolding(store.db, [...liveState.patients.values()], faults);
    this.doubtPeople();
  }

  /** Reads the settings of a patient again. */
  async readHoldingAgain(row: PatientRow): Promise<void> {
    const { store, faults } = this.parts;
    this.holdings.set(row.id, (await readHolding(store.db, [row], faults)).get(row.id) ?? noHolding);
  }
}
