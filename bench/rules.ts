import type { Alert } from '../lib/alerts/alert';
import type { Parameter } from '../lib/alerts/parameters';
import type { RuleState, RuleSample } from '../lib/alerts/ruleState';
import { createRuleState, plansOf, evaluateSample } from '../lib/alerts/ruleState';
import { kinds } from '../lib/vitals/kinds';
import { compare } from './lines';

const rounds = 5;
const patients = 250;
const seconds = 600;
const wantedPerSecond = 400_000;

/**
 * One second of one patient: nine in ten are well, the tenth has desaturations and fast rates, with gaps and uncertain
 * values.
 */
function sampleOf(patient: number, second: number, kind: 'spo2' | 'heartRate', start: number): RuleSample {
  const isIll = patient % 10 === 0;
  const wave = (second * 7 + patient * 13) % 5;
  const dip = isIll && second % 120 < 40 ? 10 : 0;
  return {
    kind,
    measuredAt: start + second * 1_000,
    deviceId: 1,
    isAssigned: true,
    value: kind === 'spo2' ? 96 + wave - dip : 70 + wave + dip * 8,
    hasStoppedStating: false,
    quality: isIll && second % 97 === 0 ? 'questionable' : 'good',
  };
}

/**
 * Measures how many samples a second the rules evaluate on one core in memory: 250 patients with SpO2 and heart rate at
 * 1 Hz, alerts of the ill ones included. Counts processor time of this process, so that other load on the machine has
 * no effect.
 */
export function benchRules(): void {
  const plans = plansOf({
    scale: 1,
    limits: {},
    isComfortCare: false,
    expectedEveryMs: (kind) => kinds[kind].expectedEveryMs,
    evaluatesTrends: true,
  });
  const perSecond: number[] = [];
  let raised = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const ruleStates: RuleState[] = Array.from({ length: patients }, () => createRuleState(plans));
    const alerts = ruleStates.map(() => new Map<Parameter, Alert>());
    const start = Date.UTC(2026, 2, 7) + round * 86_400_000;
    let microseconds = 0;
    for (let second = 0; second < seconds; second += 1) {
      const samples = ruleStates.map((_, patient) => [
        sampleOf(patient, second, 'spo2', start),
        sampleOf(patient, second, 'heartRate', start),
      ]);
      const before = process.cpuUsage();
      for (const [patient, ofPatient] of samples.entries()) {
        let ruleState = ruleStates[patient];
        for (const sample of ofPatient) {
          if (ruleState !== undefined) {
            const known = alerts[patient];
            const evaluated = evaluateSample(ruleState, plans, sample, sample.measuredAt, {
              isHeld: false,
              alertOf: (parameter) => known?.get(parameter) ?? null,
            });
            ({ ruleState } = evaluated);
            for (const { parameter, change } of evaluated.changes) {
              known?.set(parameter, change.alert);
              raised += change.events.length;
            }
          }
        }
        if (ruleState !== undefined) {
          ruleStates[patient] = ruleState;
        }
      }
      const { user, system } = process.cpuUsage(before);
      microseconds += user + system;
    }
    if (round > 0) {
      perSecond.push((patients * seconds * 2) / (microseconds / 1_000_000));
    }
  }
  if (raised === 0) {
    throw new Error('The rules raised nothing: the bench measures something else');
  }
  compare(
    'the rules in memory, 250 patients x 2 kinds at 1 Hz',
    perSecond,
    perSecond.map(() => wantedPerSecond),
    'samples/s',
    'wanted',
    1,
  );
}
