import { acknowledge, take } from '../lib/alerts/actions';
import { isSounding } from '../lib/alerts/alert';
import { alertEvent } from '../lib/alerts/alertFacts';
import { isTechnical, type Parameter } from '../lib/alerts/parameters';
import type { Priority } from '../lib/alerts/priority';
import type { EpochMs } from '../lib/time/epochMs';
import { toInstant } from '../lib/time/schema';
import { roundVital } from '../lib/vitals/roundVital';
import type { Action } from '../server/alerts/handleActions';
import type { RecordedSample, Recording } from '../server/replay/recording';
import { startTestServer, type TestServer } from '../test/testServer';
import { atMost } from './lines';
import { lengthOf, readRecordings, recordingSets } from './recordingSets';

const second = 1_000;
const dayMs = 86_400_000;
/** A ward has about ten alarms a patient and day (clinical.md section 2.2, S24). */
const mostPerDay = 10;
/** What people may do about an alert that has sounded for a minute, and the most starts of sound a patient and day. */
const responders = [
  ['takes', 4],
  ['acknowledges', 10],
  ['nobody', null],
] as const;
type Responder = (typeof responders)[number][0];
/** Only this set is long enough, and of enough patients, for the limits of responders. */
const measuredSet = 'physionet-2019';
/** The recordings of eight minutes are too short for a rate. */
const mostInShortSet = 3;
/** Below this an alert of SpO2 is HIGH, after the delay (clinical.md section 2.4). */
const low = { below: 88, delayMs: 15 * second };

type Set = (typeof recordingSets)[number];

/** A recording as the patient of a server. */
interface Bed {
  file: string;
  patientId: number;
  token: string;
  recording: Recording;
  lengthMs: number;
}

/** A time at which an alert sounded: HIGH or MEDIUM was raised, raised again, or reached. */
interface Sound {
  patientId: number;
  parameter: Parameter;
  rule: string;
  priority: Priority;
}

/** When a HIGH alert of SpO2 was active, since the start of the recordings. */
interface HighTime {
  patientId: number;
  from: number;
  until: number;
}

interface Played {
  /** Each time at which something began to sound, or sounded for others as well. */
  starts: number;
  beds: Bed[];
  sounds: Sound[];
  highs: HighTime[];
}

/** Plays all recordings of a set side by side on one server, whose clock moves by `stepMs` a step. */
async function play(
  set: Set,
  recordings: readonly { file: string; recording: Recording }[],
  responder: Responder,
): Promise<Played> {
  const test = await startTestServer('sqlite');
  try {
    const siteId = await test.addSite('Burden', 'UTC');
    await test.startRules(siteId);
    const beds: Bed[] = [];
    for (const { file, recording } of recordings) {
      const patientId = await test.addPatient(siteId);
      const { id, token } = await test.addDevice(siteId, { expectedEveryMs: recording.expectedEveryMs });
      if (set.isMonitor) {
        test.server.liveState.deviceStays.assigned.set(id, patientId);
      }
      beds.push({ file, patientId, token, recording, lengthMs: lengthOf(recording) });
    }
    const begun = test.now();
    const stepMs = Math.min(60 * second, ...recordings.map(({ recording }) => recording.expectedEveryMs));
    const firsts = beds.map(({ recording }) => Math.min(...recording.samples.map(({ atMs }) => atMs)));
    const waiting = beds.map(({ recording }, index) =>
      recording.samples
        .map((sample) => ({ ...sample, atMs: sample.atMs - (firsts[index] ?? 0) }))
        .sort((a, b) => a.atMs - b.atMs),
    );
    const ward = responder === 'nobody' ? null : await person(test, siteId, responder);
    const heard = new Map<number, EpochMs>();
    let starts = 0;
    const longest = Math.max(...beds.map(({ lengthMs }) => lengthMs));
    for (let at = 0; at <= longest; at += stepMs) {
      for (const [index, bed] of beds.entries()) {
        const samples = waiting[index] ?? [];
        const due = samples.findIndex(({ atMs }) => atMs > at);
        const sent = samples.splice(0, due === -1 ? samples.length : due);
        await send(test, bed, sent, begun);
        if (sent.length > 0) {
          await test.server.alerts.scored(bed.patientId);
        }
        if (at - stepMs < bed.lengthMs && at >= bed.lengthMs) {
          discharge(test, bed.patientId);
        }
      }
      await ward?.isThere();
      await test.server.alerts.evaluateClock();
      starts += countStarts(test, siteId, heard);
      await ward?.acts(heard);
      if (at % (60 * second) === 0) {
        await test.server.rollups.catchUp(test.server.recorder.inFlight);
      }
      test.advance(stepMs);
    }
    return { starts, beds, ...(await heardFrom(test, siteId, begun, beds)) };
  } finally {
    await test.stop();
  }
}

/**
 * Returns how many sounds have begun: of alerts that did not sound before, that were raised again, that remind, or that
 * ask others or their owner. `heard` keeps when each of those that sound began to.
 */
function countStarts(test: TestServer, siteId: number, heard: Map<number, EpochMs>): number {
  let starts = 0;
  for (const { id, alert } of test.server.alerts.listOpen(siteId)) {
    const { asked, ownerAskedAt, answerBy } = alert.escalation;
    const times = [alert.lastRaisedAt, alert.remindedAt ?? 0, ownerAskedAt ?? 0, ...asked.map(({ at }) => at)];
    const before = heard.get(id);
    if (alert.priority === 'low' || !(isSounding(alert, test.now()) || answerBy !== null)) {
      heard.delete(id);
    } else if (before === undefined || Math.max(...times) > before) {
      starts += 1;
      heard.set(id, test.now());
    }
  }
  return starts;
}

/** Signs in a nurse of the site, who stays there and does the same about each alert that has sounded for a minute. */
async function person(test: TestServer, siteId: number, does: 'takes' | 'acknowledges') {
  const { alerts, sessions } = test.server;
  const { userId: by } = await test.signIn(siteId, 'nurse');
  const renewed = async () => {
    const [before = null] = sessions.ofUser(by);
    const { session, secret } = await sessions.start(by, { ip: '', userAgent: null, before }, { now: async () => {} });
    return { session, secret, until: test.now() + 11 * 3_600 * second };
  };
  let known = await renewed();
  return {
    isThere: async (): Promise<void> => {
      known = test.now() > known.until ? await renewed() : known;
      sessions.find(known.session.token, known.secret);
      await sessions.noteInput(known.session);
    },
    acts: async (heard: ReadonlyMap<number, EpochMs>): Promise<void> => {
      for (const [id, since] of heard) {
        if (test.now() - since >= 60 * second) {
          const how = { unitId: null, takeOver: false };
          const action: Action = (alert, at) =>
            does === 'takes' ? take(alert, by, how, at) : acknowledge(alert, by, at);
          await alerts.handle([{ id, action }], null);
        }
      }
    },
  };
}

async function send(
  test: TestServer,
  { patientId, token }: Bed,
  sent: readonly RecordedSample[],
  begun: number,
): Promise<void> {
  // As many as go into one call.
  for (let first = 0; first < sent.length; first += 1_000) {
    const samples = sent.slice(first, first + 1_000).map(({ kind, value, quality, atMs }) => ({
      patientId,
      kind,
      value,
      quality,
      takenAt: toInstant(begun + atMs),
    }));
    const response = await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
    if (response.statusCode !== 200) {
      throw new Error(`Ingest responded with ${response.statusCode}: ${response.body}`);
    }
  }
}

/** A recording that is over is no silent patient. */
function discharge({ server, now }: TestServer, patientId: number): void {
  const row = server.liveState.patients.get(patientId);
  if (row !== undefined) {
    server.liveState.putPatient({ ...row, state: 'discharged', version: row.version + 1, updated_at: now() });
  }
}

/** Reads what sounded while each recording lasted. */
async function heardFrom(
  test: TestServer,
  siteId: number,
  begun: number,
  beds: readonly Bed[],
): Promise<Omit<Played, 'beds' | 'starts'>> {
  const rows = await test.store.db
    .selectFrom('alert_events')
    .innerJoin('alerts', 'alerts.id', 'alert_events.alert_id')
    .select(['alert_id', 'event', 'patient_id', 'parameter'])
    .where('alerts.site_id', '=', siteId)
    .where('is_retrospective', '=', 0)
    .orderBy('alert_events.id')
    .execute();
  const sounds: Sound[] = [];
  const highs: HighTime[] = [];
  const active = new Map<number, HighTime>();
  const lengths = new Map(beds.map(({ patientId, lengthMs }) => [patientId, lengthMs]));
  for (const { alert_id, event: json, patient_id: patientId, parameter } of rows) {
    const event = alertEvent.parse(JSON.parse(json));
    const at = event.at - begun;
    if (patientId === null || at > (lengths.get(patientId) ?? 0)) {
      continue;
    }
    const reached =
      event.is === 'raised' || event.is === 'raised_again' ? event.priority : event.is === 'upgraded' ? event.to : null;
    if (reached !== null && reached !== 'low' && 'rule' in event) {
      sounds.push({ patientId, parameter, rule: event.rule, priority: reached });
    }
    if (reached === 'high' && parameter === 'spo2' && !active.has(alert_id)) {
      const high = { patientId, from: at, until: Infinity };
      active.set(alert_id, high);
      highs.push(high);
    }
    const isOver = event.is === 'ended' || event.is === 'closed' || event.is === 'withdrawn';
    if (isOver || event.is === 'downgraded') {
      const high = active.get(alert_id);
      if (high !== undefined) {
        high.until = at;
        active.delete(alert_id);
      }
    }
  }
  return { sounds, highs };
}

/** Consecutive valid SpO2 values under 88 of a recording, since its start in milliseconds. */
interface LowRun {
  file: string;
  patientId: number;
  from: number;
  until: number;
  values: number[];
  isDoubtful: boolean;
}

function lowRunsOf({ file, patientId, recording }: Bed): LowRun[] {
  const first = Math.min(...recording.samples.map(({ atMs }) => atMs));
  const values = recording.samples
    .flatMap(({ kind, value, quality, atMs }) =>
      kind === 'spo2' && typeof value === 'number' && quality !== 'invalid'
        ? [{ value: roundVital('spo2', value), quality, at: atMs - first }]
        : [],
    )
    .sort((a, b) => a.at - b.at);
  const runs: LowRun[] = [];
  let run: LowRun | null = null;
  for (const { value, quality, at } of values) {
    if (value >= low.below) {
      run = null;
      continue;
    }
    if (run === null) {
      run = { file, patientId, from: at, until: at, values: [], isDoubtful: false };
      runs.push(run);
    }
    run.until = at;
    run.values.push(value);
    run.isDoubtful ||= quality === 'questionable';
  }
  return runs;
}

/** Returns why a run of low values raised nothing: by design, or null. */
function reasonOf(run: LowRun, { expectedEveryMs }: Recording): string | null {
  const lastsMs = run.until - run.from + expectedEveryMs;
  return expectedEveryMs < low.delayMs && lastsMs < low.delayMs
    ? `lasts ${lastsMs / second} s, the delay is 15 s`
    : null;
}

interface Sum {
  days: number;
  sounds: readonly Sound[];
}

function line(name: string, patients: number, { days, sounds }: Sum): string {
  const rate = (count: number): string => (count / days).toFixed(2);
  const count = (priority: Priority, technical: boolean): number =>
    sounds.filter((sound) => sound.priority === priority && isTechnical(sound.parameter) === technical).length;
  const ofScore = sounds.filter(({ rule }) => rule.startsWith('news2.')).length;
  const share = sounds.length === 0 ? '-' : `${((100 * ofScore) / sounds.length).toFixed(0)} %`;
  const cells = [
    name,
    patients,
    days.toFixed(1),
    rate(count('high', false)),
    rate(count('medium', false)),
    rate(count('high', true) + count('medium', true)),
    rate(sounds.length),
    sounds.length,
    share,
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** Prints how often each rule sounded, the most frequent first. */
function printRules({ days, sounds }: Sum): void {
  process.stdout.write('\n| rule | sounded | a patient and day | share |\n| --- | --- | --- | --- |\n');
  const byRule = new Map<string, number>();
  for (const { rule, priority } of sounds) {
    byRule.set(`${rule} ${priority}`, (byRule.get(`${rule} ${priority}`) ?? 0) + 1);
  }
  for (const [rule, count] of [...byRule].sort((a, b) => b[1] - a[1])) {
    const share = ((100 * count) / sounds.length).toFixed(1);
    process.stdout.write(`| ${rule} | ${count} | ${(count / days).toFixed(2)} | ${share} % |\n`);
  }
}

/**
 * Plays the recordings through the whole server on a moved clock, and prints how often an alert sounded a patient and
 * day, by which rules, and whether each run of SpO2 under 88 was within a HIGH alert. No one answers an alert.
 */
export async function benchAlarmBurden(): Promise<void> {
  const table: string[] = [];
  const startsTable: string[] = [];
  const all: Played[] = [];
  for (const set of recordingSets) {
    const recordings = readRecordings(set);
    if (recordings === null) {
      continue;
    }
    const played = await play(set, recordings, 'nobody');
    all.push(played);
    const days = played.beds.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / dayMs;
    const starts: string[] = [];
    for (const [responder, limit] of responders) {
      const each = responder === 'nobody' ? played : await play(set, recordings, responder);
      starts.push((each.starts / days).toFixed(2));
      if (set.name === measuredSet && limit !== null) {
        atMost(`starts of sound a patient and day, who ${responder}`, [each.starts / days], limit, 'starts');
      }
    }
    startsTable.push(`| ${[set.name, ...starts].join(' | ')} |\n`);
    table.push(line(set.name, played.beds.length, { days, sounds: played.sounds }));
    const isShort = played.beds.every(({ lengthMs }) => lengthMs < 3_600 * second);
    const [value, limit] = isShort ? [played.sounds.length, mostInShortSet] : [played.sounds.length / days, mostPerDay];
    atMost(`audible alerts ${isShort ? 'in all' : 'a patient and day'}, ${set.name}`, [value], limit, 'alerts');
  }
  if (all.length === 0) {
    process.stdout.write('The alarm burden was not measured\n');
    return;
  }
  const head = 'recordings,patients,days,HIGH,MEDIUM,equipment,audible,audible in all,of these the score'.split(',');
  process.stdout.write(`\nAudible alerts a patient and day (HIGH and MEDIUM, raised again included)\n`);
  process.stdout.write(`| ${head.join(' | ')} |\n|${head.map(() => ' --- |').join('')}\n${table.join('')}`);
  const beds = all.flatMap((played) => played.beds);
  const sounds = all.flatMap((played) => played.sounds);
  const days = beds.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / dayMs;
  process.stdout.write(line('all', beds.length, { days, sounds }));
  process.stdout.write('\nStarts of sound a patient and day, repeats, reminders and asked steps included\n');
  process.stdout.write(`| recordings | ${responders.map(([responder]) => responder).join(' | ')} |\n`);
  process.stdout.write(`| --- | --- | --- | --- |\n${startsTable.join('')}`);
  printRules({ days, sounds });
  let [runs, missed] = [0, 0];
  process.stdout.write(
    '\n| run of SpO2 under 88 without an alert | from | values | why |\n| --- | --- | --- | --- |\n',
  );
  for (const played of all) {
    for (const bed of played.beds) {
      for (const run of lowRunsOf(bed)) {
        runs += 1;
        const isRaised = played.highs.some(
          ({ patientId, from, until }) =>
            patientId === run.patientId && from <= run.until + 60 * second && until >= run.from,
        );
        if (!isRaised) {
          const reason = reasonOf(run, bed.recording);
          missed += reason === null ? 1 : 0;
          const lowest = `lowest ${Math.min(...run.values)}${run.isDoubtful ? ', doubtful' : ''}`;
          const values = `${run.values.length} (${lowest})`;
          const from = `${(run.from / 60_000).toFixed(1)} min`;
          process.stdout.write(`| ${run.file} | ${from} | ${values} | ${reason ?? 'MISSED'} |\n`);
        }
      }
    }
  }
  process.stdout.write(`\n${runs} runs of SpO2 under 88\n`);
  atMost('runs of SpO2 under 88 without an alert or a reason', [missed], 0, 'runs');
}
