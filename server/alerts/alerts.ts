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
import { beginEvaluation, judgeUnstored } from './evaluateSamples';
import { handleActions, undoAction, type Action, type Audited } from './handleActions';
import type { AlertsParts } from './peopleAndSites';
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

/**
 * Reports of symptoms up to this age are evaluated again at a start, in milliseconds, because the server may have
 * crashed before.
 */
const evaluatedAgainMs = 24 * 3_600_000;

/**
 * Loads the alerts of every site whose rules are on. Everything in memory is also in the store. Every change runs in
 * the store's queue and is published after its commit.
 */
export async function loadAlerts(parts: AlertsParts) {
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
    /** Resolves when every patient is as in the store. Await it before `begin`, inside the store's queue. */
    ready: (givenUp: AbortSignal) => state.ready(givenUp),
    begin: () => beginEvaluation(state),
    /**
     * Marks patients of whom it is unknown whether a commit happened. They are read from the store again before the
     * next evaluation.
     */
    doubt: (patientIds: Iterable<number>) => {
      state.doubt(patientIds);
    },
    /**
     * Evaluates samples of one call that the store did not take; none of them came too late to sound. The alerts are
     * shown at once, and stored as soon as the store takes writes. Call it in the store's queue, or while there is
     * something unstored already.
     */
    judgeUnstored: (samples: readonly Sample[]) => {
      judgeUnstored(state, samples);
    },
    /** Returns whether anything was judged that is not stored yet. */
    hasUnstored: () => state.hasUnstored(),
    /** Returns whether an alert, or its last change, is not stored yet. */
    isUnstored: (id: number) => state.isUnstored(id),
    /** Notes a call of a device: its time in epoch milliseconds, and the offset of its clock. */
    deviceCalled: (deviceId: number, call: DeviceCall) => {
      memory.deviceCalled(deviceId, call);
    },
    /** Notes at `at` why values of a monitor's message were refused; null: they were a patient's. */
    monitorHeard: (deviceId: number, reason: MonitorRefusal | null, at: EpochMs) => {
      memory.monitorHeard(deviceId, reason, at);
    },
    /** Moves with a step of the server's clock. The store has moved before; call it inside the store's queue. */
    moveClock: async (moved: ClockStep) => {
      memory.moveClock(moved, now());
      await state.readAgain();
    },
    /** Notes whether the server's clock may be wrong by more than a day: that is an alert of each site. */
    doubtClock: (isDoubted: boolean) => {
      memory.isClockDoubted = isDoubted;
    },
    /** Notes that the server was started again after a fault of its own: that is an alert of each site. */
    endedByFault: () => {
      memory.startedAfterFault = now();
    },
    /** Notes whether the disk with the data is nearly full: that is an alert of each site. */
    noteDisk: (isLow: boolean) => {
      memory.isDiskLow = isLow;
    },
    /** Notes that a connection of the HL7 port got or kept no place; `isKnown`: that of an accepted sender. */
    connectionCut: (isKnown: boolean) => {
      memory.connectionCut(isKnown, now());
    },
    /**
     * Evaluates what depends on time alone: silence, escalation, reminders, the end of standby; also while nothing can
     * be stored. One that was given up does nothing any more, and holds back no other.
     */
    evaluateClock: createTick(state, memory, settings),
    /**
     * Evaluates samples that arrived too late to sound. What they would have raised becomes a retrospective, closed
     * alert.
     */
    evaluateRetrospective: () => retrospectives.evaluate(),
    /**
     * Ends a retrospective evaluation after its present step, whose rest waits for the next start, and stores what was
     * not stored, if it can be.
     */
    stop: async () => {
      await retrospectives.stop();
      await leaving;
      // What could be stored again a moment ago may still wait.
      await store.writeQueue((givenUp) => state.ready(givenUp)).catch(passOver);
    },
    /**
     * Runs a user's actions on alerts, all of them or none. An action takes the alert and returns the change or a
     * fault; `audited` writes the audit's rows in the same transaction.
     */
    handle: async (actions: readonly { id: number; action: Action }[], audited: Audited | null) => {
      const handled = await handleActions(state, actions, audited);
      for (const { alert, patientId } of 'records' in handled ? handled.records : []) {
        if (alert.parameter === 'symptoms' && alert.closed !== null && patientId !== null) {
          // What was reported after the answered reports is raised now. If that fails the clock repeats it.
          await settings.reported(patientId).catch(() => undefined);
        }
      }
      return handled;
    },
    /** Takes back what a user did to an alert, if the line `eventId` of its log is the newest. */
    undo: (what: { id: number; userId: number; eventId: number }, audited: Audited) => undoAction(state, what, audited),
    /** Returns the users on duty who can be asked to accept an alert. */
    candidates: (record: AlertRecord) => state.people.candidatesOf(record, now()),
    /** Returns the alerts that a user holds as they would be after they had signed out: with whom they then ask. */
    afterSignOut: (userId: number) => afterSignOut(state, userId),
    /**
     * Asks again about what users hold who have just signed out, at once. If it fails, the clock repeats it. The next
     * tick reads the users again: one may be disabled, or have another type or unit.
     */
    sessionsChanged: () => {
      state.people.doubtPeople();
      leaving = Promise.allSettled([leaving, releaseLeft(state)]);
    },
    /** Reads a patient's changed settings from the store, and evaluates the clock. If it fails, it repeats it. */
    reconsider: (patientId: number) => settings.patient(patientId),
    /** Marks a patient of whom it is unknown whether a change of settings was committed: the clock reads them again. */
    doubtSettings: (patientId: number) => {
      settings.doubt(patientId);
    },
    /** Ends what only the device that was taken off could end: its silence is not missed, and its alerts are closed. */
    takenOff: (patientId: number, deviceId: number) => takenOff(state, patientId, deviceId),
    /** Returns the MEDIUM alerts that go on without a value once a device is off a patient, by id. */
    leftWithout: (patientId: number, deviceId: number) => leftWithout(state, patientId, deviceId),
    /** Evaluates a patient's reports of symptoms, which are in the store. If it fails, the clock repeats it. */
    reported: (patientId: number) => settings.reported(patientId),
    /** Evaluates the issue reports at once: one was filed or changed. If it fails, the clock repeats it. */
    reportsChanged: () => evaluateReportsNow(state),
    /** Evaluates a patient's score at once: readings were typed in. */
    scored: (patientId: number) => scored(state, patientId),
    /** Evaluates a patient's values and score again after many stored values of some kinds were withdrawn. */
    valuesWithdrawn: async (patientId: number, measured: ReadonlySet<VitalKind>, raised: RaisedWhile) => {
      await evaluateLeft(state, patientId, measured, raised);
      await scored(state, patientId);
    },
    /**
     * Reads a site again after its rules were switched on, or its settings or limits changed. If it fails, the clock
     * repeats it.
     */
    siteChanged: (siteId: number) => settings.site(siteId),
    /** Returns every alert of a site that is not closed. */
    listOpen: (siteId: number) => state.listOpen(siteId),
    /** Returns an alert that is in memory: every open one, and the last of each parameter. */
    find: (id: number) => state.find(id),
    /** Returns the rule state of a patient, or null if no rules apply. */
    ruleStateOf: (patientId: number) => state.shownPatient(patientId),
    /** Returns the newest call of a device; null if it has not called since this start. */
    callOf: (deviceId: number) => memory.callOf(deviceId),
    /** Returns when a device was last seen since this start, whatever became of what it sent; null: not yet. */
    seenAt: (deviceId: number) => memory.seenAt(deviceId),
    /** Returns whether the rules of a site are on: they raise no alert while they are off. */
    rulesAreOn: (siteId: number) => state.people.rulesAreOn(siteId),
    timeZoneOf: (siteId: number) => state.people.timeZoneOf(siteId),
    /** Returns a number that changes with every alert of the site. */
    version: (siteId: number) => state.version(siteId),
    /** Calls back after each commit that changed an alert of a site; returns a function that stops it. */
    onChange: (listener: (siteId: number, version: number) => void) => state.onChange(listener),
  };
}

export type Alerts = Awaited<ReturnType<typeof loadAlerts>>;
