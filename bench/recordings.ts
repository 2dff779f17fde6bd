import type { Entry, Plan } from '../lib/alerts/plan';
import { priorities, type Priority } from '../lib/alerts/priority';
import { evaluateRecording } from '../lib/alerts/retrospective';
import { streamNames, streams } from '../lib/alerts/streams';
import { plansOf } from '../lib/alerts/ruleState';
import { roundVital } from '../lib/vitals/roundVital';
import type { Recording } from '../server/replay/recording';
import { printTable } from './lines';
import { lengthOf, readRecordings, recordingSets } from './recordingSets';

const dayMs = 86_400_000;
const noisiest = 10;

interface Noise {
  days: number;
  alerts: Record<Priority, number>;
  /** How often an alert sounds: it sounds again each time that its condition returns. */
  sounds: number;
}

/** Returns the alerts of the continuous profile, scale 1, in a recording, evaluated in the order of measuring. */
function noiseOf(recording: Recording, hasDelays: boolean): Noise {
  const plans = plansOf({
    scale: 1,
    limits: {},
    isComfortCare: false,
    expectedEveryMs: () => recording.expectedEveryMs,
    evaluatesTrends: true,
  });
  const noise: Noise = { days: lengthOf(recording) / dayMs, alerts: { high: 0, medium: 0, low: 0 }, sounds: 0 };
  for (const name of streamNames) {
    const plan = hasDelays ? plans[name] : withoutDelays(plans[name]);
    const kindsOfStream = [...streams[name].kinds];
    const entries = recording.samples.flatMap(({ kind, value, atMs, quality }): Entry[] => {
      const source = kindsOfStream.findIndex((known) => known === kind);
      return source === -1 || quality === 'invalid' || typeof value !== 'number'
        ? []
        : [
            {
              at: atMs,
              measuredAt: atMs,
              source,
              deviceId: 1,
              isAssigned: false,
              isValid: true,
              value: roundVital(kind, value),
              isDoubtful: quality === 'questionable',
              hasStoppedStating: false,
            },
          ];
    });
    for (const { worst, episode } of evaluateRecording(plan, entries)) {
      noise.alerts[worst.priority] += 1;
      noise.sounds += episode.count;
    }
  }
  return noise;
}

function withoutDelays(plan: Plan): Plan {
  return {
    ...plan,
    groups: plan.groups.map((group) => ({ ...group, rules: group.rules.map((rule) => ({ ...rule, delayMs: 0 })) })),
  };
}

const totalOf = ({ alerts }: Noise): number => priorities.reduce((sum, priority) => sum + alerts[priority], 0);

function cellsOf(name: string, delays: string, noises: readonly Noise[]): (string | number)[] {
  const days = noises.reduce((sum, noise) => sum + noise.days, 0);
  const all = noises.reduce((sum, noise) => sum + totalOf(noise), 0);
  const perDay = priorities.map((priority) =>
    (noises.reduce((sum, { alerts }) => sum + alerts[priority], 0) / days).toFixed(2),
  );
  const sounds = (noises.reduce((sum, noise) => sum + noise.sounds, 0) / days).toFixed(2);
  const loud = [...noises].sort((a, b) => totalOf(b) - totalOf(a)).slice(0, noisiest);
  const share =
    all === 0 ? '-' : `${((100 * loud.reduce((sum, noise) => sum + totalOf(noise), 0)) / all).toFixed(0)} %`;
  return [name, delays, noises.length, days.toFixed(1), ...perDay, (all / days).toFixed(2), sounds, share];
}

/**
 * Prints the alerts that the rules would have raised on the recordings: per patient and day by priority, with and
 * without delays.
 */
export function benchRecordings(): void {
  const head = 'recordings,delays,patients,days,HIGH,MEDIUM,LOW,all,sounds'.split(',');
  const rows: (string | number)[][] = [];
  const both: { noises: Noise[]; label: string; hasDelays: boolean }[] = [
    { noises: [], label: 'yes', hasDelays: true },
    { noises: [], label: 'no', hasDelays: false },
  ];
  for (const set of recordingSets) {
    const { name } = set;
    const recordings = readRecordings(set);
    if (recordings === null) {
      continue;
    }
    for (const { noises, label, hasDelays } of both) {
      const found = recordings.map(({ recording }) => noiseOf(recording, hasDelays));
      noises.push(...found);
      rows.push(cellsOf(name, label, found));
    }
  }
  for (const { noises, label } of both.filter((side) => side.noises.length > 0)) {
    rows.push(cellsOf('all', label, noises));
  }
  process.stdout.write('Alerts per patient and day\n');
  printTable([...head, `the ${noisiest} noisiest`], rows);
}
