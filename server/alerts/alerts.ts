import type { MonitorRefusal } from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { VitalKind } from '../../lib/vitals/kinds';
import type { ClockStep } from '../clock/clock';
import { passOver } from '../http/errors';
import { lastReports } from '../symptoms/queries';
import type { Sample } from '../vitals/sample';
import { AlertState } from './alertState';
import type { AlertRecord } from './alertWrites';
import type { DeviceCall } from './clockFacts';
import { ClockMemory } from './clockMemory';
import { evaluateClock } from './evaluateClock';
import { evaluateLeft, type RaisedWhile } from './evaluateLeft';
import { evaluateReportsNow, evaluateReports, readReportAlarms } from './evaluateReports';
import { beginEvaluation, judgeUnstored, type Evaluation } from './evaluateSamples';
import { handleActions, undoAction, type Action, type Audited, type Handled } from './handleActions';
import type { PatientRuleState } from './patientRuleState';
import type { AlertsParts, Candidate } from './peopleAndSites';
import { raiseUnreadable } from './raiseUnreadable';
import { leftWithout, reported, scored, takenOff, reconsider, reconsiderSite } from './reconsider';
import { afterSignOut, releaseLeft } from './releaseLeft';
import { RetrospectiveQueue } from './retrospectiveQueue';

/**
 * Applies settings that people changed, and reports of symptoms, to the rules. A change is in the store before the
 * rules read it: one that could not be read is kept, and read again by the clock until it succeeds, because no request
 * would repeat it.
 */
class ChangedSettings {
  private readonly patients = new Set<number>();
  private readonly sites = new Set<number>();
  private readonly reports = new Set<number>();

  constructor(
    private readonly state: AlertState,
    private readonly memory: ClockMemory,
  ) {}

  /** Marks a patient of whom it is unknown whether a change was committed. */
  doubt(patientId: number): void {
    this.patients.add(patientId);
  }

  async patient(patientId: number): Promise<void> {
    // Taken out before the attempt: what changes during it marks the patient again.
    this.patients.delete(patientId);
    await reconsider(this.state, this.memory, patientId).catch((error: unknown) => {
      this.patients.add(patientId);
      throw error;
    });
  }

  /** Evaluates a patient's reports of symptoms. A call that says that nothing was stored may never be repeated. */
  async reported(patientId: number): Promise<void> {
    this.reports.delete(patientId);
    await reported(this.state, patientId).catch((error: unknown) => {
      this.reports.add(patientId);
      throw error;
    });
  }

  async site(siteId: number): Promise<void> {
    this.sites.delete(siteId);
    await reconsiderSite(this.state, this.memory, siteId).catch((error: unknown) => {
      // Its settings may be read already, and its patients not.
      this.state.doubt(
        [...this.state.liveState.patients.values()].flatMap((row) => (row.site_id === siteId ? row.id : [])),
      );
      this.sites.add(siteId);
      throw error;
    });
  }

  /** Repeats what failed. One patient's failure holds back no other. Rejects if something failed again. */
  async repeat(givenUp: AbortSignal | undefined): Promise<void> {
    const failed: unknown[] = [];
    const again = [
      ...[...this.reports].map((id) => () => this.reported(id)),
      ...[...this.sites].map((id) => () => this.site(id)),
      ...[...this.patients].map((id) => () => this.patient(id)),
    ];
    for (const one of again) {
      givenUp?.throwIfAborted();
      await one().catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0) {
      throw failed[0];
    }
  }
}

type Tick = (givenUp?: AbortSignal) => Promise<void>;

/**
 * Returns the tick of the clock evaluation. Ticks do not queue up while the store is slow: one waits for the other.
 * While nothing can be stored the clock is evaluated all the same, but for issue reports and changed settings, which
 * only the store has.
 */
function createTick(state: AlertState, memory: ClockMemory, settings: ChangedSettings): Tick {
  let ticking: { givenUp: AbortSignal | undefined; done: Promise<void> } | null = null;
  const evaluateAndStore: Tick = async (givenUp) => {
    await state.people.readPeopleAgain();
    await state.transact(async (states, writes) => {
      givenUp?.throwIfAborted();
      const reportAlarms = await readReportAlarms(state);
      givenUp?.throwIfAborted();
      await evaluateClock(state, memory, states, writes, givenUp);
      evaluateReports({ state, states, writes, at: state.now() }, reportAlarms);
    });
  };
  const tick: Tick = async (givenUp) => {
    try {
      await evaluateAndStore(givenUp);
    } catch (error) {
      givenUp?.throwIfAborted();
      passOver(error);
      await state.judgeUnstoredInQueue((states, writes, hung) => {
        const stops = givenUp === undefined ? hung : AbortSignal.any([givenUp, hung]);
        stops.throwIfAborted();
        return evaluateClock(state, memory, states, writes, stops);
      });
      return;
    }
    await settings.repeat(givenUp);
  };
  return async (givenUp) => {
    // One that was given up holds back no other.
    if (ticking === null || ticking.givenUp?.aborted === true) {
      const one = { givenUp, done: Promise.resolve() };
      ticking = one;
      one.done = tick(givenUp).finally(() => {
        ticking = ticking === one ? null : ticking;
      });
    }
    await ticking.done;
  };
}

export interface Alerts {
  /** Resolves when every patient is as in the store. Await it before `begin`, inside the store's queue. */
  ready(givenUp: AbortSignal): Promise<void>;
  begin(): Evaluation;
  /**
   * Marks patients of whom it is unknown whether a commit happened. They are read from the store again before the next
   * evaluation.
   */
  doubt(patientIds: Iterable<number>): void;
  /**
   * Evaluates samples of one call that the store did not take; none of them came too late to sound. The alerts are
   * shown at once, and stored as soon as the store takes writes. Call it in the store's queue, or while there is
   * something unstored already.
   */
  judgeUnstored(samples: readonly Sample[]): void;
  /** Returns whether anything was judged that is not stored yet. */
  hasUnstored(): boolean;
  /** Returns whether an alert, or its last change, is not stored yet. */
  isUnstored(id: number): boolean;
  /** Notes a call of a device: its time in epoch milliseconds, and the offset of its clock. */
  deviceCalled(deviceId: number, call: DeviceCall): void;
  /** Notes at `at` why values of a monitor's message were refused; null: they were a patient's. */
  monitorHeard(deviceId: number, reason: MonitorRefusal | null, at: EpochMs): void;
  /** Moves with a step of the server's clock. The store has moved before; call it inside the store's queue. */
  moveClock(step: ClockStep): Promise<void>;
  /** Notes whether the server's clock may be wrong by more than a day: that is an alert of each site. */
  doubtClock(isDoubted: boolean): void;
  /** Notes that the server was started again after a fault of its own: that is an alert of each site. */
  endedByFault(): void;
  /** Notes whether the disk with the data is nearly full: that is an alert of each site. */
  noteDisk(isLow: boolean): void;
  /** Notes that a connection of the HL7 port got or kept no place; `isKnown`: that of an accepted sender. */
  connectionCut(isKnown: boolean): void;
  /**
   * Evaluates what depends on time alone: silence, escalation, reminders, the end of standby; also while nothing can be
   * stored. One that was given up does nothing any more, and holds back no other.
   */
  evaluateClock(givenUp?: AbortSignal): Promise<void>;
  /**
   * Evaluates samples that arrived too late to sound. What they would have raised becomes a retrospective, closed
   * alert.
   */
  evaluateRetrospective(): Promise<void>;
  /**
   * Ends a retrospective evaluation after its present step, whose rest waits for the next start, and stores what was
   * not stored, if it can be.
   */
  stop(): Promise<void>;
  /**
   * Runs a user's actions on alerts, all of them or none. An action takes the alert and returns the change or a fault;
   * `audited` writes the audit's rows in the same transaction.
   */
  handle(actions: readonly { id: number; action: Action }[], audited: Audited | null): Promise<Handled>;
  /** Takes back what a user did to an alert, if the line `eventId` of its log is the newest. */
  undo(what: { id: number; userId: number; eventId: number }, audited: Audited): Promise<Handled>;
  /** Returns the users on duty who can be asked to accept an alert. */
  candidates(record: AlertRecord): Candidate[];
  /** Returns the alerts that a user holds as they would be after that user had signed out: with whom they then ask. */
  afterSignOut(userId: number): AlertRecord[];
  /** Asks again about what users hold who have just signed out, at once. If it fails, the clock repeats it. */
  sessionsChanged(): void;
  /** Reads a patient's changed settings from the store, and evaluates the clock. If it fails, the clock repeats it. */
  reconsider(patientId: number): Promise<void>;
  /** Marks a patient of whom it is unknown whether a change of settings was committed: the clock reads them again. */
  doubtSettings(patientId: number): void;
  /** Ends what only the device that was taken off could end: its silence is not missed, and its alerts are closed. */
  takenOff(patientId: number, deviceId: number): Promise<void>;
  /** Returns the MEDIUM alerts that go on without a value once a device is off a patient, by id. */
  leftWithout(patientId: number, deviceId: number): number[];
  /** Evaluates a patient's reports of symptoms, which are in the store. If it fails, the clock repeats it. */
  reported(patientId: number): Promise<void>;
  /** Evaluates the issue reports at once: one was filed or changed. If it fails, the clock repeats it. */
  reportsChanged(): Promise<void>;
  /** Evaluates a patient's score at once: readings were typed in. */
  scored(patientId: number): Promise<void>;
  /** Evaluates a patient's values and score again after many stored values of some kinds were withdrawn. */
  valuesWithdrawn(patientId: number, measured: ReadonlySet<VitalKind>, raised: RaisedWhile): Promise<void>;
  /**
   * Reads a site again after its rules were switched on, or its settings or limits changed. If it fails, the clock
   * repeats it.
   */
  siteChanged(siteId: number): Promise<void>;
  /** Returns every alert of a site that is not closed. */
  listOpen(siteId: number): AlertRecord[];
  /** Returns an alert that is in memory: every open one, and the last of each parameter. */
  find(id: number): AlertRecord | null;
  /** Returns the rule state of a patient, or null if no rules apply. */
  ruleStateOf(patientId: number): PatientRuleState | null;
  /** Returns the newest call of a device; null if it has not called since this start. */
  callOf(deviceId: number): DeviceCall | null;
  /** Returns when a device was last seen since this start, whatever became of what it sent; null: not yet. */
  seenAt(deviceId: number): EpochMs | null;
  /** Returns whether the rules of a site are on: they raise no alert while they are off. */
  rulesAreOn(siteId: number): boolean;
  timeZoneOf(siteId: number): string;
  /** Returns a number that changes with every alert of the site. */
  version(siteId: number): number;
  /** Calls back after each commit that changed an alert of a site; returns a function that stops it. */
  onChange(listener: (siteId: number, version: number) => void): () => void;
}

/**
 * Reports of symptoms up to this age are evaluated again at a start, in milliseconds, because the server may have
 * crashed before.
 */
const evaluatedAgainMs = 24 * 3_600_000;

/**
 * Loads the alerts of every site whose rules are on. Everything in memory is also in the store. Every change runs in
 * the store's queue and is published after its commit.
 */
export async function loadAlerts(parts: AlertsParts): Promise<Alerts> {
  const { store, now, step = null } = parts;
  const memory = new ClockMemory(now(), step === null ? null : { jumpedMs: step.jumpedMs, at: now() });
  const state = await AlertState.load(parts);
  const settings = new ChangedSettings(state, memory);
  let leaving: Promise<unknown> = Promise.resolve();
  const retrospectives = new RetrospectiveQueue(state);

  await state.transact((states, writes) => {
    raiseUnreadable({ state, states, writes, at: now() });
  });
  // A report is stored before it is evaluated.
  for (const { patient_id } of await lastReports(store.db, now() - evaluatedAgainMs)) {
    await reported(state, patient_id);
  }

  return {
    ready: (givenUp) => state.ready(givenUp),
    begin: () => beginEvaluation(state),
    doubt: (patientIds) => {
      state.doubt(patientIds);
    },
    judgeUnstored: (samples) => {
      judgeUnstored(state, samples);
    },
    hasUnstored: () => state.hasUnstored(),
    isUnstored: (id) => state.isUnstored(id),
    deviceCalled: (deviceId, call) => {
      memory.deviceCalled(deviceId, call);
    },
    monitorHeard: (deviceId, reason, at) => {
      memory.monitorHeard(deviceId, reason, at);
    },
    moveClock: async (moved) => {
      memory.moveClock(moved, now());
      await state.readAgain();
    },
    doubtClock: (isDoubted) => {
      memory.isClockDoubted = isDoubted;
    },
    endedByFault: () => {
      memory.startedAfterFault = now();
    },
    noteDisk: (isLow) => {
      memory.isDiskLow = isLow;
    },
    connectionCut: (isKnown) => {
      memory.connectionCut(isKnown, now());
    },
    evaluateClock: createTick(state, memory, settings),
    evaluateRetrospective: () => retrospectives.evaluate(),
    stop: async () => {
      await retrospectives.stop();
      await leaving;
      // What could be stored again a moment ago may still wait.
      await store.writeQueue((givenUp) => state.ready(givenUp)).catch(passOver);
    },
    handle: async (actions, audited) => {
      const handled = await handleActions(state, actions, audited);
      for (const { alert, patientId } of 'records' in handled ? handled.records : []) {
        if (alert.parameter === 'symptoms' && alert.closed !== null && patientId !== null) {
          // What was reported after the answered reports is raised now. If that fails the clock repeats it.
          await settings.reported(patientId).catch(() => undefined);
        }
      }
      return handled;
    },
    undo: (what, audited) => undoAction(state, what, audited),
    candidates: (record) => state.people.candidatesOf(record, now()),
    afterSignOut: (userId) => afterSignOut(state, userId),
    sessionsChanged: () => {
      leaving = Promise.allSettled([leaving, releaseLeft(state)]);
    },
    reconsider: (patientId) => settings.patient(patientId),
    doubtSettings: (patientId) => {
      settings.doubt(patientId);
    },
    takenOff: (patientId, deviceId) => takenOff(state, patientId, deviceId),
    leftWithout: (patientId, deviceId) => leftWithout(state, patientId, deviceId),
    reported: (patientId) => settings.reported(patientId),
    reportsChanged: () => evaluateReportsNow(state),
    scored: (patientId) => scored(state, patientId),
    valuesWithdrawn: async (patientId, measured, raised) => {
      await evaluateLeft(state, patientId, measured, raised);
      await scored(state, patientId);
    },
    siteChanged: (siteId) => settings.site(siteId),
    listOpen: (siteId) => state.listOpen(siteId),
    find: (id) => state.find(id),
    ruleStateOf: (patientId) => state.shownPatient(patientId),
    callOf: (deviceId) => memory.callOf(deviceId),
    seenAt: (deviceId) => memory.seenAt(deviceId),
    rulesAreOn: (siteId) => state.people.rulesAreOn(siteId),
    timeZoneOf: (siteId) => state.people.timeZoneOf(siteId),
    version: (siteId) => state.version(siteId),
    onChange: (listener) => state.onChange(listener),
  };
}
