import { randomInt } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import { isOpen } from '../../lib/alerts/alert';
import { quietMs, soundedAt } from '../../lib/alerts/outOfReach';
import { plansOf } from '../../lib/alerts/plansOf';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { isStorageUnavailable } from '../http/errors';
import type { LiveState } from '../liveState';
import { newestAlertId, patientsWithOpenAlerts, type UnreadableAlert } from './alertRows';
import type { AlertFaults } from './alertFaults';
import { mergeWrites, noWrites, queriesOf, writesNothing, type AlertRecord, type AlertWrites } from './alertWrites';
import { endStandby, withRow } from './closePatient';
import { heartbeatPatient, heartbeatPatients } from './heartbeatPatient';
import { inTurns } from './inTurns';
import { loadDevices, loadPatients, type Loaded } from './loadRuleStates';
import { openAlertsOf } from './openAlert';
import { paceOf } from './pace';
import { createPatientRuleState, type PatientRuleState } from './patientRuleState';
import { partsOf, patientToKeep } from './patientToKeep';
import { PeopleAndSites, type AlertsParts } from './peopleAndSites';
import { downtimeAt } from './resumePaces';
import { isPatient, RuleStates, type AnyRuleState } from './ruleStates';
import type { ChangeContext, SubjectIds } from './subject';
import { isOf, marksOf, waitOn, writesAbout, type Unstored } from './unstored';

/** What waits for the store is offered to it once in this time, not with every call of a device. In milliseconds. */
const triedEveryMs = 1_000;
/** So far apart, at most, are the ids of alerts before an outage of the store and in it. */
const idsPerOutage = 1_000_000;

/**
 * The committed rule states and alerts, and the transactions that change them. Every change runs in the store's queue
 * and is published after its commit. What was judged while nothing could be stored lies over them (`judgeUnstored`)
 * until it is stored; everything else is also in the store.
 */
export class AlertState {
  readonly store: Store;
  readonly liveState: LiveState;
  /** Epoch milliseconds. */
  readonly now: () => EpochMs;
  readonly committed = new RuleStates(null);
  private readonly byId = new Map<number, AlertRecord>();
  private readonly doubtful = new Set<number>();
  private areDevicesDoubtful = false;
  private unstored: Unstored | null = null;
  private readonly versions = new Map<number, number>();
  private readonly listeners = new Set<(siteId: number, version: number) => void>();
  readonly faults: AlertFaults;
  readonly sessions: AlertsParts['sessions'];
  /** Open alerts that cannot be read, until that is an alert itself. */
  readonly unreadable = new Map<number, UnreadableAlert>();

  private constructor(
    { store, liveState, faults, sessions, now }: AlertsParts,
    readonly people: PeopleAndSites,
    private newestId: number,
  ) {
    this.store = store;
    this.liveState = liveState;
    this.now = now;
    this.faults = faults;
    this.sessions = sessions;
  }

  /** Loads the alerts of every site whose rules are on. */
  static async load(parts: AlertsParts): Promise<AlertState> {
    const { liveState, store } = parts;
    const people = await PeopleAndSites.load(parts);
    const state = new AlertState(parts, people, await newestAlertId(store.db));
    // A patient may have been discharged at the moment when the server stopped.
    const left = new Set(await patientsWithOpenAlerts(store.db));
    await state.loadPatients(heartbeatPatients);
    await state.loadPatients(
      [...liveState.patients.values()].filter(
        (row) => people.rulesAreOn(row.site_id) && (row.state === 'active' || left.has(row.id)),
      ),
      { downMs: downtimeAt(liveState, state.now()) },
    );
    await state.loadDevices();
    await people.readPeopleAgain();
    return state;
  }

  /**
   * Reads the rule states of patients from the store, and takes them over unless that was given up meanwhile. `downMs`:
   * at a start, for how long the server was down.
   */
  async loadPatients(
    rows: readonly PatientRow[],
    { downMs = 0, givenUp }: { downMs?: number; givenUp?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { liveState, people, store } = this;
    const open: PatientRuleState[] = [];
    await inTurns(rows, givenUp, (row) => {
      open.push(createPatientRuleState(row, people.holdingOf(row.id), paceOf(liveState, row), this.now()));
    });
    const loaded = open.length === 0 ? null : await loadPatients(store, liveState, open, this.faults, downMs);
    givenUp?.throwIfAborted();
    this.takeLoaded(loaded ?? { subjects: [], unreadable: [] });
  }

  private async loadDevices(givenUp?: AbortSignal): Promise<void> {
    const loaded = await loadDevices(this.store.db, this.faults);
    givenUp?.throwIfAborted();
    this.takeLoaded(loaded);
  }

  private takeLoaded({ subjects, unreadable }: Loaded<AnyRuleState>): void {
    this.takeOver(subjects);
    for (const one of unreadable) {
      this.unreadable.set(one.id, one);
    }
  }

  /** Takes over states that the store has. */
  takeOver(subjects: readonly AnyRuleState[]): void {
    for (const subject of subjects) {
      const before = this.committed.like(subject);
      this.committed.put(subject);
      this.show(before, subject);
    }
  }

  /** Shows the alerts of a subject in place of those before. Returns whether they differ. */
  private show(before: AnyRuleState | undefined, subject: AnyRuleState): boolean {
    const { byId, liveState } = this;
    // Limits that are moved decide again which number is back within them.
    const isSamePlan =
      before === undefined || !isPatient(before) || !isPatient(subject) || before.plans === subject.plans;
    if (before?.records === subject.records && isSamePlan) {
      return false;
    }
    for (const { id } of Object.values(before?.records ?? {})) {
      byId.delete(id);
    }
    for (const record of Object.values(subject.records)) {
      byId.set(record.id, record);
    }
    if (isPatient(subject)) {
      liveState.settledSources.set(subject.patientId, subject.plans.oxygenation.settled?.counts);
      liveState.openAlerts.put(
        subject,
        openAlertsOf(Object.values(subject.records), subject.row.profile === 'home' ? null : subject.plans),
      );
    }
    return true;
  }

  rowOf(patientId: number): PatientRow | undefined {
    return this.liveState.patients.get(patientId) ?? heartbeatPatient(patientId);
  }

  /** `without`: a user who counts as not there. */
  contextAt(at: EpochMs, writes: AlertWrites, without?: number): ChangeContext {
    let known: ReadonlySet<number> | null = null;
    const present = (): ReadonlySet<number> =>
      (known ??= new Set([...this.sessions.present()].filter((id) => id !== without)));
    return {
      writes,
      now: at,
      nextId: () => {
        this.newestId += 1;
        return this.newestId;
      },
      siteOf: (subject, parameter) => {
        const isComfortCare = this.liveState.comfortCareOf(subject.patientId ?? 0, at) !== null;
        return {
          unitId: this.people.unitIdOf(subject),
          times: this.people.timesOf(subject.siteId),
          plansOf: (times) => plansOf(subject.profile, parameter, times, isComfortCare),
          recipientsOf: (step) => this.people.recipientsOf(subject, step, at),
          isPresent: (to) => this.people.isPresent(subject, to, present()),
          widen: (to) => this.people.widen(subject, to, present(), at),
        };
      },
      releaseOf: (subject, alert) => this.people.releaseOf(subject, alert, at),
      quietUntil: (subject) => this.quietUntil(subject, at),
      absentSince: (userId) => this.sessions.absentSince(userId),
    };
  }

  /**
   * Returns until when what came late makes no sound in the unit of a subject, because of its other alerts and of what
   * is over; null: it may.
   */
  private quietUntil(subject: SubjectIds, now: EpochMs): EpochMs | null {
    const unitId = this.people.unitIdOf(subject);
    const sounded = [...this.byId.values()]
      .filter(({ alert, siteId }) => alert.parameter === 'outOfReach' && siteId === subject.siteId)
      .filter((record) => this.people.unitIdOf(record) === unitId)
      .filter(({ alert, patientId }) => patientId !== subject.patientId || !isOpen(alert))
      .map(({ alert }) => soundedAt(alert, now));
    const until = Math.max(0, ...sounded) + quietMs;
    return until > now ? until : null;
  }

  /** Returns the rule state of a patient by the present settings; null if no rules apply. */
  patientIn(states: RuleStates, patientId: number, context: ChangeContext): PatientRuleState | null {
    const { liveState, people } = this;
    const row = this.rowOf(patientId);
    if (row === undefined || row.state !== 'active' || !people.rulesAreOn(row.site_id)) {
      return null;
    }
    const known = states.patient(patientId);
    if (known === undefined) {
      // A patient who came back after a restart may have an old state in the store: it is overwritten.
      return {
        ...createPatientRuleState(row, people.holdingOf(patientId), paceOf(liveState, row), this.now()),
        signalsFrom: row.updated_at,
      };
    }
    if (known.row === row) {
      return known;
    }
    const moved = row.unit_id === known.row.unit_id ? known : endStandby(known, context);
    // The limits of another SpO2 scale come with it.
    return withRow({ ...moved, holding: people.holdingOf(patientId) }, row, context);
  }

  /** Publishes committed states, and notifies the listeners. */
  settle(states: RuleStates, changed: Iterable<AlertRecord>): void {
    this.takeOver(states.all());
    const siteIds = new Set<number>();
    for (const { siteId } of changed) {
      siteIds.add(siteId);
    }
    this.notify(siteIds);
  }

  private notify(siteIds: Iterable<number>): void {
    for (const siteId of siteIds) {
      const version = this.version(siteId) + 1;
      this.versions.set(siteId, version);
      for (const listener of this.listeners) {
        try {
          listener(siteId, version);
        } catch (error) {
          // It is committed: a page that does not hear of it must not make it fail.
          this.faults.failedOnce({ patientId: null, deviceId: null }, 'listener', error);
        }
      }
    }
  }

  /** Marks patients of whom it is unknown whether a commit happened. */
  doubt(patientIds: Iterable<number>): void {
    for (const id of patientIds) {
      this.doubtful.add(id);
    }
  }

  private doubtStates(states: RuleStates): void {
    const all = states.all();
    this.doubt(all.flatMap(({ patientId }) => patientId ?? []));
    this.areDevicesDoubtful ||= all.some(({ patientId }) => patientId === null);
  }

  /**
   * Stores what was judged while nothing could be stored, and reads the patients again of whom it is unknown whether a
   * commit happened. `givenUp` is that of the work in the store's queue that waits for it.
   */
  async ready(givenUp?: AbortSignal): Promise<void> {
    await this.storeUnstored(givenUp);
    if (this.doubtful.size > 0 || this.areDevicesDoubtful) {
      const rows = [...this.doubtful].flatMap((id) => this.rowOf(id) ?? []);
      this.newestId = Math.max(this.newestId, await newestAlertId(this.store.db));
      await this.loadPatients(
        rows.filter((row) => this.people.rulesAreOn(row.site_id)),
        { givenUp },
      );
      await this.loadDevices(givenUp);
      this.doubtful.clear();
      this.areDevicesDoubtful = false;
    }
  }

  /** Reads every state again, because the store has moved with a step of the clock, and notifies all sites. */
  async readAgain(): Promise<void> {
    this.doubt(this.committed.all().flatMap(({ patientId }) => patientId ?? []));
    this.areDevicesDoubtful = true;
    await this.people.readSitesAgain();
    await this.ready();
    this.notify(this.people.sitesWithRules());
  }

  /**
   * Runs `work` in the store's queue. Its states and writes are committed together with what `also` writes, or dropped.
   * If the queue gave it up, it neither commits nor publishes: others went on without it.
   */
  async transact<Result>(
    work: (states: RuleStates, writes: AlertWrites) => Result | Promise<Result>,
    also: ((transaction: Kysely<Database>) => Promise<void>) | null = null,
  ): Promise<Result> {
    const { db } = this.store;
    return await this.store.writeQueue(async (givenUp) => {
      await this.ready(givenUp);
      const states = new RuleStates(this.committed);
      const writes = noWrites();
      const result = await work(states, writes);
      const queries = queriesOf(db, writes);
      await this.commit(queries, states, givenUp, also).catch((error: unknown) => {
        if (!isStorageUnavailable(error)) {
          // The store may have rows that are not in memory.
          this.doubtStates(states);
        }
        throw error;
      });
      givenUp.throwIfAborted();
      for (const { id } of writes.unreadable) {
        this.unreadable.delete(id);
      }
      this.settle(states, writes.records.values());
      return result;
    });
  }

  /** Commits the queries of some states. Doubts these if it is unknown whether that happened. */
  private async commit(
    queries: readonly CompiledQuery[],
    states: RuleStates,
    givenUp: AbortSignal | undefined,
    also: ((transaction: Kysely<Database>) => Promise<void>) | null,
  ): Promise<void> {
    const { db, engine } = this.store;
    if (queries.length === 0) {
      return;
    }
    let isSent = false;
    try {
      await db.transaction().execute(async (transaction) => {
        for (const query of queries) {
          await transaction.executeQuery(query);
        }
        await also?.(transaction);
        givenUp?.throwIfAborted();
        // SQLite says itself whether it has committed; the answer of PostgreSQL can be lost.
        isSent = engine === 'postgres';
      });
      givenUp?.throwIfAborted();
    } catch (error) {
      if (isSent || givenUp?.aborted === true) {
        this.doubtStates(states);
      }
      throw error;
    }
  }

  /**
   * Evaluates samples that the store did not take, over the committed states and what was judged like this before, and
   * shows the alerts. The next work in the store's queue stores it before anything else. Call it in that queue, or
   * while something unstored is there already.
   */
  judgeUnstored(evaluate: (states: RuleStates, writes: AlertWrites) => void): void {
    const unstored = this.openUnstored();
    try {
      evaluate(unstored.states, unstored.writes);
    } finally {
      this.showUnstored(unstored);
    }
  }

  /** Does the same, in the store's queue, with an evaluation that may let others have the thread. */
  async judgeUnstoredInQueue<Result>(
    evaluate: (states: RuleStates, writes: AlertWrites, givenUp: AbortSignal) => Result | Promise<Result>,
  ): Promise<Result> {
    return await this.store.writeQueue(async (givenUp) => {
      const unstored = this.openUnstored();
      try {
        return await evaluate(unstored.states, unstored.writes, givenUp);
      } finally {
        this.showUnstored(unstored);
      }
    });
  }

  private openUnstored(): Unstored {
    if (this.unstored === null) {
      // A page may still show an alert of it when a restart has lost it: no other alert may have its id then.
      this.newestId += randomInt(1, idsPerOutage);
      this.unstored = {
        states: new RuleStates(this.committed),
        shown: new RuleStates(this.committed),
        writes: noWrites(),
        isStoring: false,
        refused: null,
      };
    }
    return this.unstored;
  }

  private showUnstored({ states, shown, writes }: Unstored): void {
    const siteIds = new Set<number>();
    for (const subject of states.all()) {
      if (this.show(shown.like(subject), subject)) {
        siteIds.add(subject.siteId);
      }
      shown.put(subject);
    }
    for (const { id } of writes.unreadable) {
      this.unreadable.delete(id);
    }
    this.notify(siteIds);
  }

  /** Returns the rule state of a patient as the screens show it; null if no rules apply. */
  shownPatient(id: number): PatientRuleState | null {
    return (this.unstored?.states ?? this.committed).patient(id) ?? null;
  }

  /** Returns whether anything was judged that is not stored. */
  hasUnstored(): boolean {
    return this.unstored !== null;
  }

  /** Returns whether an alert, or its last change, is not stored. */
  isUnstored(id: number): boolean {
    return this.unstored?.writes.records.has(id) === true;
  }

  /**
   * Stores what was judged while nothing could be stored, but not of subjects that are in doubt: they are read again,
   * and judged by what their devices send again.
   */
  private async storeUnstored(givenUp: AbortSignal | undefined): Promise<void> {
    const { unstored } = this;
    if (unstored === null) {
      return;
    }
    if (unstored.refused !== null && performance.now() - unstored.refused.at < triedEveryMs) {
      throw unstored.refused.error;
    }
    if (unstored.isStoring) {
      // That was given up, and what the store has of it is unknown.
      this.doubtStates(unstored.states);
    }
    const siteIds = new Set(unstored.states.all().map(({ siteId }) => siteId));
    try {
      // Before all of it is made into statements. It also asks for what has nothing to write.
      await this.store.checkWritable();
      givenUp?.throwIfAborted();
      while (!writesNothing(unstored.writes)) {
        await this.storeWrites(unstored, givenUp);
      }
    } catch (error) {
      unstored.refused = { error, at: performance.now() };
      throw error;
    }
    this.endUnstored(unstored);
    this.notify(siteIds);
  }

  /** Stores what waits so far: more may be judged meanwhile. */
  private async storeWrites(unstored: Unstored, givenUp: AbortSignal | undefined): Promise<void> {
    const { states } = unstored;
    const { unreadable } = unstored.writes;
    const writes = { ...writesAbout(unstored.writes, (subject) => !this.isDoubtful(subject)), unreadable };
    unstored.writes = noWrites();
    unstored.isStoring = true;
    try {
      await this.commit(queriesOf(this.store.db, writes), states, givenUp, null);
    } catch (error) {
      if (this.unstored !== unstored) {
        throw error;
      }
      if (isStorageUnavailable(error)) {
        waitOn(unstored, writes);
        throw error;
      }
      await this.storeOneByOne(unstored, writes, givenUp);
    } finally {
      unstored.isStoring = false;
    }
  }

  /** One subject that cannot be stored holds back no other (clinical.md section 0, P1): it is read again. */
  private async storeOneByOne(
    unstored: Unstored,
    writes: AlertWrites,
    givenUp: AbortSignal | undefined,
  ): Promise<void> {
    const parts = [
      { of: { patientId: null, deviceId: null }, states: new RuleStates(null), own: marksOf(writes) },
      ...unstored.states.all().map((subject) => {
        const states = new RuleStates(null);
        states.put(subject);
        return { of: subject, states, own: writesAbout(writes, isOf(subject)) };
      }),
    ];
    for (const [index, { of, states, own }] of parts.entries()) {
      try {
        await this.commit(queriesOf(this.store.db, own), states, givenUp, null);
      } catch (error) {
        if (isStorageUnavailable(error)) {
          const left = noWrites();
          for (const part of parts.slice(index)) {
            mergeWrites(left, part.own);
          }
          waitOn(unstored, left);
          throw error;
        }
        this.doubtStates(states);
        this.faults.failedOnce(of, 'clock', error);
      }
    }
  }

  private isDoubtful({ patientId }: { patientId: number | null }): boolean {
    return patientId === null || patientId === 0 ? this.areDevicesDoubtful : this.doubtful.has(patientId);
  }

  /** Takes what is stored over into the committed states. Of what is in doubt those show again. */
  private endUnstored(unstored: Unstored): void {
    this.unstored = null;
    for (const subject of unstored.states.all()) {
      if (this.isDoubtful(subject)) {
        this.show(unstored.shown.like(subject), this.committed.like(subject) ?? { ...subject, records: {} });
      } else {
        this.committed.put(subject);
        this.show(unstored.shown.like(subject), subject);
      }
    }
  }

  /** Returns every alert that is in memory: every open one, and the last of each parameter. */
  records(): Iterable<AlertRecord> {
    return this.byId.values();
  }

  find(id: number): AlertRecord | null {
    return this.byId.get(id) ?? null;
  }

  /** Returns every alert of a site that is not closed. */
  listOpen(siteId: number): AlertRecord[] {
    return [...this.byId.values()].filter((record) => record.siteId === siteId && isOpen(record.alert));
  }

  /** Returns a number that changes with every alert of the site. */
  version(siteId: number): number {
    return this.versions.get(siteId) ?? 0;
  }

  /** Calls back after each commit that changed an alert of a site; returns a function that stops it. */
  onChange(listener: (siteId: number, version: number) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Puts a subject into the transaction's states, and its unsaved parts into the writes. */
export function keep(states: RuleStates, subject: AnyRuleState, writes: AlertWrites): void {
  const { siteId } = subject;
  const parts = isPatient(subject) ? partsOf(subject) : [subject.technical];
  const { kept } = subject;
  const isKept = parts.length === kept.length && parts.every((part, index) => part === kept[index]);
  if (!isKept) {
    const state = isPatient(subject) ? patientToKeep(subject) : JSON.stringify({ technical: subject.technical });
    const [patientId, deviceId] = [subject.patientId ?? 0, subject.deviceId ?? 0];
    writes.ruleStates.set(`${patientId} ${deviceId}`, { patientId, deviceId, siteId, state });
  }
  states.put(isKept ? subject : { ...subject, kept: parts });
}
