import type { EpochMs } from '../time/epochMs';
import type { Span } from './budgetSteps';
import type { Budget, Waits } from './historySchema';
import { perPriority, totalOf, type Counts, type Priority } from './priority';
import { quantile } from './quantile';

/** What the budget needs of an alert about a patient. Epoch milliseconds; null: it has not happened. */
export interface BudgetAlert {
  patientId: number;
  rule: string;
  /** The most urgent that it had. */
  priority: Priority;
  raisedAt: EpochMs;
  acknowledgedAt: EpochMs | null;
  acceptedAt: EpochMs | null;
  /** The last step of the escalation that was asked. */
  highestStep: number | null;
}

/** A patient's time here; `until` null: the patient is still here. */
export interface Stay {
  patientId: number;
  from: EpochMs;
  until: EpochMs | null;
}

/** The alarm load of a time. What cannot be known is null and never 0. */
export type AlarmBudget = Omit<Budget, 'from' | 'until' | 'isShortened' | 'steps' | 'noisiestPatients'> & {
  steps: (Omit<Budget['steps'][number], keyof Span> & Span)[];
  noisiestPatients: Omit<Budget['noisiestPatients'][number], 'patient'>[];
};

const dayMs = 24 * 3_600_000;
/**
 * A rate per day of a shorter time says nothing, of a ward or of a patient: three alerts in five minutes would be 864 a
 * day. From 4 h on the rules compare a patient with the day before as well (clinical.md section 2.4).
 */
export const leastHours = 4;
const leastMs = leastHours * 3_600_000;
/** The bars of the course are of an hour each. */
const leastOfStepMs = 3_600_000;
/** How many of the noisiest are named. */
const mostNamed = 10;
/** The step that asks the third time: the first two are the nurse, and the buddy and charge nurse. */
const lateStep = 2;

const noCounts = (): Counts => perPriority(() => 0);
/** How long each wait was, in whole seconds, and how often. */
type Histogram = Map<number, number>;

/**
 * Counts alerts one by one, so that a hundred thousand of them are never in memory at once. The steps follow each
 * other.
 */
export class AlarmBudgetCount {
  private readonly ofSteps: { span: Span; counts: Counts }[];
  private readonly ofPatients = new Map<number, Counts>();
  private readonly ofRules = new Map<string, Counts>();
  private readonly responses = perPriority(() => ({
    alerts: 0,
    acknowledged: new Map() as Histogram,
    accepted: new Map() as Histogram,
    reachedStep2: 0,
  }));

  constructor(steps: readonly Span[]) {
    this.ofSteps = steps.map((span) => ({ span, counts: noCounts() }));
  }

  /** Counts an alert if it was raised within the steps. */
  add({ patientId, rule, priority, raisedAt, acknowledgedAt, acceptedAt, highestStep }: BudgetAlert): void {
    const step = this.ofSteps.find(({ span }) => span.from <= raisedAt && raisedAt < span.until);
    if (step === undefined) {
      return;
    }
    for (const counts of [step.counts, known(this.ofPatients, patientId), known(this.ofRules, rule)]) {
      counts[priority] += 1;
    }
    const response = this.responses[priority];
    response.alerts += 1;
    response.reachedStep2 += highestStep !== null && highestStep >= lateStep ? 1 : 0;
    note(response.acknowledged, raisedAt, acknowledgedAt);
    note(response.accepted, raisedAt, acceptedAt);
  }

  /** Returns the budget of everything counted so far, for the patients who were here. */
  budget(stays: readonly Stay[]): AlarmBudget {
    const all: Span = { from: this.ofSteps[0]?.span.from ?? 0, until: this.ofSteps.at(-1)?.span.until ?? 0 };
    const present = presenceOf(stays, all);
    const counts = perPriority((priority) => this.responses[priority].alerts);
    const alerts = totalOf(counts);
    const presentMs = [...present.values()].reduce((sum, ms) => sum + ms, 0);
    const urgent = [this.responses.high, this.responses.medium];
    const asked = urgent.reduce((sum, response) => sum + response.alerts, 0);
    return {
      alerts,
      counts,
      patients: present.size,
      patientDays: presentMs / dayMs,
      perDay: all.until - all.from < leastMs ? null : rates(counts, presentMs, leastMs),
      steps: this.ofSteps.map(({ span, counts: ofStep }) => {
        const ms = [...presenceOf(stays, span).values()].reduce((sum, each) => sum + each, 0);
        return { ...span, counts: ofStep, patientDays: ms / dayMs, perDay: rates(ofStep, ms, leastOfStepMs) };
      }),
      responses: perPriority((priority) => {
        const { acknowledged, accepted, ...rest } = this.responses[priority];
        return { ...rest, acknowledged: waitsOf(acknowledged), accepted: waitsOf(accepted) };
      }),
      reachedStep2: asked === 0 ? null : urgent.reduce((sum, response) => sum + response.reachedStep2, 0) / asked,
      noisiestPatients: noisiest(this.ofPatients)
        .slice(0, mostNamed)
        .map(([patientId, ofPatient]) => {
          const ms = present.get(patientId) ?? 0;
          const own = totalOf(ofPatient);
          return {
            patientId,
            counts: ofPatient,
            share: own / alerts,
            patientDays: ms / dayMs,
            perDay: ms < leastMs ? null : (own * dayMs) / ms,
          };
        }),
      noisiestRules: noisiest(this.ofRules)
        .slice(0, mostNamed)
        .map(([rule, ofRule]) => ({ rule, counts: ofRule, share: totalOf(ofRule) / alerts })),
      topTenth: this.topTenth(present, alerts),
    };
  }

  private topTenth(present: ReadonlyMap<number, number>, alerts: number): AlarmBudget['topTenth'] {
    const patients = Math.ceil(new Set([...present.keys(), ...this.ofPatients.keys()]).size / 10);
    const top = noisiest(this.ofPatients).slice(0, patients);
    const ofTop = top.reduce((sum, [, counts]) => sum + totalOf(counts), 0);
    return alerts === 0 ? null : { patients, share: ofTop / alerts };
  }
}

function known<Key>(counts: Map<Key, Counts>, key: Key): Counts {
  const found = counts.get(key) ?? noCounts();
  counts.set(key, found);
  return found;
}

/** A time before the raise cannot be right: the clock was set in between. It is not known then. */
function note(waits: Histogram, from: EpochMs, until: EpochMs | null): void {
  if (until !== null && until >= from) {
    const seconds = Math.ceil((until - from) / 1_000);
    waits.set(seconds, (waits.get(seconds) ?? 0) + 1);
  }
}

function waitsOf(waits: Histogram): Waits {
  const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
  return {
    count: [...waits.values()].reduce((sum, count) => sum + count, 0),
    medianMs: inMs(quantile(waits, 0.5)),
    p90Ms: inMs(quantile(waits, 0.9)),
  };
}

/** Returns for how many milliseconds of a time each patient was here; those who were not are left out. */
function presenceOf(stays: readonly Stay[], { from, until }: Span): Map<number, number> {
  const present = new Map<number, number>();
  for (const stay of stays) {
    const ms = Math.min(stay.until ?? until, until) - Math.max(stay.from, from);
    if (ms > 0) {
      present.set(stay.patientId, (present.get(stay.patientId) ?? 0) + ms);
    }
  }
  return present;
}

function rates(counts: Counts, presentMs: number, atLeastMs: number): Counts | null {
  return presentMs < atLeastMs ? null : perPriority((priority) => (counts[priority] * dayMs) / presentMs);
}

/** The most alerts first; of equal ones those with more HIGH ones. */
function noisiest<Key>(counts: ReadonlyMap<Key, Counts>): [Key, Counts][] {
  return [...counts].sort(([, a], [, b]) => {
    const more = totalOf(b) - totalOf(a);
    return more === 0 ? b.high - a.high : more;
  });
}
