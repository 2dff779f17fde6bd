import { acknowledge, take } from '../lib/alerts/actions';
import { isSounding, type Alert } from '../lib/alerts/alert';
import { alertEvent } from '../lib/alerts/alertFacts';
import { isTechnical, type Parameter } from '../lib/alerts/parameters';
import type { Priority } from '../lib/alerts/priority';
import type { EpochMs } from '../lib/time/epochMs';
import { toInstant } from '../lib/time/schema';
import { roundVital } from '../lib/vitals/roundVital';
import type { Action } from '../server/alerts/handleActions';
import type { RecordedSample, Recording } from '../server/replay/recording';
import { recordReadings } from '../server/vitals/manualReadings';
import { sourceOfUser } from '../server/vitals/manualSource';
import { startTestServer, type TestServer } from '../test/testServer';
import { atMost, printTable } from './lines';
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
/** So long after values there are minutes and late values to evaluate: the latter wait for 2 min at most. */
const settledMs = 5 * 60 * second;
/** Below this an alert of SpO2 is HIGH, after the delay (clinical.md section 2.4). */
const low = { below: 88, delayMs: 15 * second };

type Recorded = readonly { file: string; recording: Recording }[];

/**
 * How the values of a set reach the server. Typed: a nurse types each row. Two oximeters: a second one, on no monitor,
 * shows each SpO2 and pulse one reading later and up to 2 off. A gap: what was measured in the 13th and 14th hour of
 * each day comes at the end of it.
 */
const ways = ['as recorded', 'typed', 'two oximeters', '2 h gaps'] as const;
type Way = (typeof ways)[number];
const gap = { from: 12 * 3_600 * second, until: 14 * 3_600 * second };

interface Scene {
  name: string;
  set: (typeof recordingSets)[number];
  way: Way;
  recordings: Recorded;
}

/** A value that a device or a nurse sends at `dueMs`. */
interface Sent extends RecordedSample {
  dueMs: number;
}

/** A recording as the patient of a server. */
interface Bed {
  file: string;
  patientId: number;
  recording: Recording;
  lengthMs: number;
  /** Who sends, and what is left of it, in order. */
  feeds: { token: string | null; waiting: Sent[] }[];
}

/** Why something begins to sound. Asked again: after the last step (A2); owner: as E5 asks it. */
const causes = ['raised', 'raised again, upgraded', 'step', 'asked again', 'reminded', 'owner'] as const;
type Starts = Record<(typeof causes)[number], number>;

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
  /** How often something began to sound, or sounded for others as well. */
  starts: Starts;
  beds: Bed[];
  sounds: Sound[];
  highs: HighTime[];
}

/** Returns what each source of a recording sends, in the order of sending. */
function feedsOf({ samples }: Recording, way: Way, first: number): Sent[][] {
  const sent = samples
    .map((sample) => {
      const atMs = sample.atMs - first;
      const ofDay = atMs % dayMs;
      const isInGap = way === '2 h gaps' && ofDay >= gap.from && ofDay < gap.until;
      return { ...sample, atMs, dueMs: isInGap ? atMs - ofDay + gap.until : atMs };
    })
    .sort((a, b) => a.atMs - b.atMs);
  if (way !== 'two oximeters') {
    return [sent];
  }
  const second = (['spo2', 'pulseRate'] as const).flatMap((kind) => {
    const own = sent.filter((sample) => sample.kind === kind);
    return own.slice(1).map((sample, index): Sent => {
      const { value = 0, quality } = own[index] ?? sample;
      const off = Number(value) + (index % 5) - 2;
      return { ...sample, quality, value: kind === 'spo2' ? Math.min(100, off) : off };
    });
  });
  return [sent, second.sort((a, b) => a.atMs - b.atMs)];
}

/** Plays all recordings of a set side by side on one server, whose clock moves by `stepMs` a step. */
async function play({ set, way, recordings }: Scene, responder: Responder): Promise<Played> {
  const test = await startTestServer('sqlite');
  try {
    const siteId = await test.addSite('Burden', 'UTC');
    await test.startRules(siteId);
    const typist = (await test.addUser(siteId, 'nurse')).id;
    const beds: Bed[] = [];
    for (const { file, recording } of recordings) {
      const patientId = await test.addPatient(siteId);
      const first = Math.min(...recording.samples.map(({ atMs }) => atMs));
      const feeds: Bed['feeds'] = [];
      for (const waiting of feedsOf(recording, way, first)) {
        const { id, token } = await test.addDevice(siteId, { expectedEveryMs: recording.expectedEveryMs });
        if (set.isMonitor && feeds.length === 0) {
          test.server.liveState.deviceStays.assigned.set(id, patientId);
        }
        feeds.push({ token: way === 'typed' ? null : token, waiting });
      }
      beds.push({ file, patientId, recording, lengthMs: lengthOf(recording), feeds });
    }
    const begun = test.now();
    const stepMs = Math.min(60 * second, ...recordings.map(({ recording }) => recording.expectedEveryMs));
    const ward = responder === 'nobody' ? null : await person(test, siteId, responder);
    const heard = new Map<number, EpochMs>();
    const starts: Starts = { raised: 0, 'raised again, upgraded': 0, step: 0, 'asked again': 0, reminded: 0, owner: 0 };
    const longest = Math.max(...beds.map(({ lengthMs }) => lengthMs));
    let storedUntil = 0;
    for (let at = 0; at <= longest; at += stepMs) {
      for (const { patientId, lengthMs, feeds } of beds) {
        for (const { token, waiting } of feeds) {
          const due = waiting.findIndex(({ dueMs }) => dueMs > at);
          const sent = waiting.splice(0, due === -1 ? waiting.length : due);
          await (token === null ? type(test, patientId, typist, sent) : send(test, patientId, token, sent, begun));
          if (sent.length > 0) {
            await test.server.alerts.scored(patientId);
            storedUntil = at + settledMs;
          }
        }
        if (at - stepMs < lengthMs && at >= lengthMs) {
          discharge(test, patientId);
        }
      }
      // Often enough not to be taken for absent, or idle.
      if ((at / stepMs) % 4 === 0) {
        await ward?.isThere();
      }
      await test.server.alerts.evaluateClock();
      countStarts(test, siteId, heard, starts);
      await ward?.acts(heard);
      // Minutes and what came late are left to do for some time after values alone.
      if (at % (60 * second) === 0 && at <= storedUntil) {
        await test.server.alerts.evaluateRetrospective();
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
 * Counts the sounds that have begun: of alerts that did not sound before, that were raised again, that remind, or that
 * ask others or their owner. `heard` keeps when each of those that sound began to.
 */
function countStarts(test: TestServer, siteId: number, heard: Map<number, EpochMs>, starts: Starts): void {
  for (const { id, alert } of test.server.alerts.listOpen(siteId)) {
    const before = heard.get(id);
    const { at, cause } = lastStart(alert);
    if (alert.priority === 'low' || !(isSounding(alert, test.now()) || alert.escalation.answerBy !== null)) {
      heard.delete(id);
    } else if (before === undefined || at > before) {
      starts[cause] += 1;
      heard.set(id, test.now());
    }
  }
}

/** Returns when and why an alert began to sound last; of what came at once, what the others came with. */
function lastStart({ escalation, lastRaisedAt, remindedAt }: Alert): { at: EpochMs; cause: keyof Starts } {
  const { asked, ownerAskedAt, startedAt } = escalation;
  const begun: { at: EpochMs | null; cause: keyof Starts }[] = [
    { at: lastRaisedAt, cause: lastRaisedAt === startedAt ? 'raised' : 'raised again, upgraded' },
    { at: ownerAskedAt, cause: 'owner' },
    ...asked.map(({ at, step }) => ({ at, cause: step < 4 ? ('step' as const) : ('asked again' as const) })),
    { at: remindedAt, cause: 'reminded' },
  ];
  return begun.map(({ at, cause }) => ({ at: at ?? 0, cause })).reduce((last, one) => (one.at > last.at ? one : last));
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
  patientId: number,
  token: string,
  sent: readonly Sent[],
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

/** Types one set of values in, as the call of the page does. */
async function type({ server, now }: TestServer, patientId: number, by: number, sent: readonly Sent[]): Promise<void> {
  const patient = server.liveState.patients.get(patientId);
  const readings = Object.fromEntries(
    sent.flatMap(({ kind, value, quality }) => (quality === 'good' ? [[kind, value]] : [])),
  );
  if (patient !== undefined && Object.keys(readings).length > 0) {
    await recordReadings(server, now(), patient, sourceOfUser(by), toInstant(now()), readings);
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

/** Returns whether a HIGH alert of that patient was active during a run, or a minute later. */
const isWithin = (run: LowRun, { patientId, from, until }: HighTime): boolean =>
  patientId === run.patientId && from <= run.until + 60 * second && until >= run.from;

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

function cellsOf(name: string, patients: number, { days, sounds }: Sum): (string | number)[] {
  const rate = (count: number): string => (count / days).toFixed(2);
  const count = (priority: Priority, technical: boolean): number =>
    sounds.filter((sound) => sound.priority === priority && isTechnical(sound.parameter) === technical).length;
  const ofScore = sounds.filter(({ rule }) => rule.startsWith('news2.')).length;
  const share = sounds.length === 0 ? '-' : `${((100 * ofScore) / sounds.length).toFixed(0)} %`;
  const ofPatients = [rate(count('high', false)), rate(count('medium', false))];
  const ofEquipment = rate(count('high', true) + count('medium', true));
  return [name, patients, days.toFixed(1), ...ofPatients, ofEquipment, rate(sounds.length), sounds.length, share];
}

/** Prints how often each rule sounded, the most frequent first. */
function printRules({ days, sounds }: Sum): void {
  const byRule = new Map<string, number>();
  for (const { rule, priority } of sounds) {
    byRule.set(`${rule} ${priority}`, (byRule.get(`${rule} ${priority}`) ?? 0) + 1);
  }
  const rows = [...byRule].sort((a, b) => b[1] - a[1]);
  printTable(
    ['rule', 'sounded', 'a patient and day', 'share'],
    rows.map(([rule, n]) => [rule, n, (n / days).toFixed(2), `${((100 * n) / sounds.length).toFixed(1)} %`]),
  );
}

/** Every nth recording of a set is played, as the output says; 1: all of them. */
const every = Number(process.env.BURDEN_EVERY ?? 6);

/** Returns a set as it is, and in the ways that its recordings have: derived in memory. */
function scenesOf(set: Scene['set']): Scene[] {
  const recordings = (readRecordings(set) ?? []).filter((_, index) => index % every === 0);
  const longest = Math.max(0, ...recordings.map(({ recording }) => lengthOf(recording)));
  const isPossible = {
    'as recorded': longest > 0,
    typed: !set.isMonitor,
    'two oximeters': set.isMonitor,
    '2 h gaps': true,
  };
  return ways
    .filter((way) => isPossible[way] && longest > (way === '2 h gaps' ? gap.until : 0))
    .map((way) => ({ name: `${set.name}${way === 'as recorded' ? '' : `, ${way}`}`, set, way, recordings }));
}

/**
 * Plays the recordings through the whole server on a moved clock, and prints how often an alert sounded a patient and
 * day, by which rules, how often and why a sound began by what people do, and whether each run of SpO2 under 88 was
 * within a HIGH alert.
 */
export async function benchAlarmBurden(): Promise<void> {
  const table: (string | number)[][] = [];
  const startsTable: (string | number)[][] = [];
  const all: Played[] = [];
  if (every > 1) {
    process.stdout.write(`Of each set every ${every}th recording, from the first on\n`);
  }
  for (const scene of recordingSets
    .flatMap(scenesOf)
    .filter(({ name }) => new RegExp(process.env.ONLY ?? '.').test(name))) {
    const { name, set, way } = scene;
    const played = await play(scene, 'nobody');
    const days = played.beds.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / dayMs;
    for (const [responder, limit] of responders) {
      const { starts } = responder === 'nobody' ? played : await play(scene, responder);
      const counts = causes.map((cause) => starts[cause] / days);
      const rate = counts.reduce((sum, count) => sum + count, 0);
      startsTable.push([name, responder, ...[rate, ...counts].map((count) => count.toFixed(2))]);
      if (set.name === measuredSet && limit !== null) {
        atMost(`starts of sound a patient and day, ${name}, who ${responder}`, [rate], limit, 'starts');
      }
    }
    table.push(cellsOf(name, played.beds.length, { days, sounds: played.sounds }));
    const isShort = played.beds.every(({ lengthMs }) => lengthMs < 3_600 * second);
    const [value, limit] = isShort ? [played.sounds.length, mostInShortSet] : [played.sounds.length / days, mostPerDay];
    atMost(`audible alerts ${isShort ? 'in all' : 'a patient and day'}, ${name}`, [value], limit, 'alerts');
    if (way === 'as recorded') {
      all.push(played);
    }
  }
  if (all.length === 0) {
    process.stdout.write('The alarm burden was not measured\n');
    return;
  }
  const beds = all.flatMap((played) => played.beds);
  const sounds = all.flatMap((played) => played.sounds);
  const days = beds.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / dayMs;
  const head = 'recordings,patients,days,HIGH,MEDIUM,equipment,audible,audible in all,of these the score'.split(',');
  process.stdout.write(`\nAudible alerts a patient and day (HIGH and MEDIUM, raised again included)\n`);
  printTable(head, [...table, cellsOf('all, as recorded', beds.length, { days, sounds })]);
  process.stdout.write('\nStarts of sound a patient and day, by what began them\n');
  printTable(['recordings', 'who', 'in all', ...causes], startsTable);
  printRules({ days, sounds });
  const runs = all.flatMap((played) =>
    played.beds.flatMap((bed) => lowRunsOf(bed).map((run) => ({ ...run, bed, highs: played.highs }))),
  );
  const unraised = runs
    .filter(({ bed, highs, ...run }) => !highs.some((high) => isWithin(run, high)))
    .map(({ bed, ...run }) => ({ run, reason: reasonOf(run, bed.recording) ?? 'MISSED' }));
  printTable(
    ['run of SpO2 under 88 without an alert', 'from', 'values', 'why'],
    unraised.map(({ run: { file, from, values, isDoubtful }, reason }) => {
      const lowest = `lowest ${Math.min(...values)}${isDoubtful ? ', doubtful' : ''}`;
      return [file, `${(from / 60_000).toFixed(1)} min`, `${values.length} (${lowest})`, reason];
    }),
  );
  process.stdout.write(`\n${runs.length} runs of SpO2 under 88\n`);
  const missed = unraised.filter(({ reason }) => reason === 'MISSED').length;
  atMost('runs of SpO2 under 88 without an alert or a reason', [missed], 0, 'runs');
}
