import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';
import type { ListedDevice } from '../../lib/devices/schema';
import { formatDtm } from '../../lib/hl7/formatDtm';
import type { AlertsPage } from '../../lib/alerts/schema';
import { nothingSeen, proposedAnswers } from '../../lib/hl7/seenStructure';
import { versionOne } from '../../lib/hl7/senderSettings';
import type { ListedSender, ListedSettings, SendersResponse } from '../../lib/interfaces/schema';
import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode } from '../../lib/vitals/kinds';
import { rawPoint, type LatestValues, type VitalsResponse } from '../../lib/vitals/schema';
import { addBedMapping } from '../../test/addBedMapping';
import { addDecider } from '../../test/addDecider';
import { addSender, answerFor } from '../../test/addSender';
import { apiEngines, engines } from '../../test/database';
import { holdWrites } from '../../test/holdWrites';
import { clientCertificate, subjectPart, subjectTypes } from '../../test/clientCertificate';
import { gatewayAddress, hl7Port } from '../../test/hl7Door';
import { parseCsv } from '../../test/parseCsv';
import { connectMllp as connectMllpBy, frame, type Ack, type MllpClient } from '../../test/mllpClient';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { makeTestFolder } from '../../test/testFolder';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { tlsCertificate } from '../../test/tlsCertificate';
import { isWithdrawn, qualityOf } from '../vitals/qualityCode';
import { system } from '../audit/actor';
import { deleteAnswers } from './answers';
import { acceptSender } from './commands';
import { createHl7, type Hl7Limits } from './hl7';

/** Is one hour ahead all year: a server that tests share may be in any month. */
const timeZone = 'Africa/Lagos';
const gatewayVariables = { HL7_PORT: '0' };

/** Of the test that runs: its server, when it began, at a full hour, and the address of its gateways. */
let served: TestServer;
let beganAt = 0;
let address = '';

/** Returns a time so many seconds after the test began as the site's gateways write it, without an offset. */
const at = (seconds: number): string =>
  toInstant(beganAt + 3_600_000 + seconds * 1_000)
    .slice(0, 19)
    .replaceAll(/[-T:]/g, '');
const timeText = (time: number | string): string => (typeof time === 'number' ? at(time) : time);
const mdc = {
  spo2: ['150456^MDC_PULS_OXIM_SAT_O2^MDC', '262688^MDC_DIM_PERCENT^MDC'],
  pulse: ['149530^MDC_PULS_OXIM_PULS_RATE^MDC', '264864^MDC_DIM_BEAT_PER_MIN^MDC'],
  heartRate: ['147842^MDC_ECG_HEART_RATE^MDC', '264864^MDC_DIM_BEAT_PER_MIN^MDC'],
  temperature: ['150364^MDC_TEMP_BODY^MDC', '268192^MDC_DIM_DEGC^MDC'],
} as const;

interface Obx {
  status?: string;
  flags?: string;
  unit?: string;
  /** Seconds after the test began, or any text. */
  time?: number | string;
  subId?: string;
}

function obx(kind: keyof typeof mdc, value: string | number, more: Obx = {}): string {
  const [code, usual] = mdc[kind];
  const { status = 'F', flags = '', unit = usual, time = '', subId = '' } = more;
  return `OBX||NM|${code}|${subId}|${value}|${unit}||${flags}|||${status}|||${timeText(time)}`;
}

interface Oru {
  id?: string;
  application?: string;
  type?: string;
  mode?: string;
  processing?: string;
  version?: string;
  pid?: string;
  /** Seconds after the test began, or any text. */
  time?: number | string;
}

/** A message of the patient P-100, Ada Harbour. */
function oru(values: readonly string[], more: Oru = {}): string {
  const { id = 'M1', application = 'GATEWAY', type = 'ORU^R01', mode = '', processing = 'P', version = '2.5' } = more;
  const { pid = 'PID|||P-100^^^^MR||Harbour^Ada||19500307', time = 0 } = more;
  return [
    `MSH|^~\\&|${application}||||${at(0)}||${type}|${id}|${processing}|${version}|||${mode}`,
    pid,
    'PV1|||2 NORTH^^7',
    `OBR|||||||${timeText(time)}`,
    ...values,
  ].join('\n');
}

/** A site of a server with a port for gateways, and the patient P-100. */
async function beginWard(test: TestServer) {
  const port = await hl7Port(test);
  served = test;
  address = gatewayAddress();
  const hour = 3_600_000;
  test.advance(hour - (test.now() % hour));
  await test.server.storage.check();
  beganAt = test.now();
  const site = await test.addSite('Test ward', timeZone);
  const admin = await test.signIn(site, 'administrator', true);
  const patientId = await test.addPatient(site, { mrn: 'P-100', familyName: 'Harbour', dateOfBirth: '1950-03-07' });
  return { test, site, admin, patientId, port };
}

/** Connects as a gateway of the test does. */
const connectMllp = (port: number): Promise<MllpClient> =>
  connectMllpBy(port, connect({ port, host: '127.0.0.1', localAddress: address }));

/** Of the unknown senders those of the test. */
const listSenders = async (admin: Caller): Promise<SendersResponse> => {
  const senders = (await admin.call('GET', '/api/v2/admin/senders')).json<SendersResponse>();
  return { ...senders, unknown: senders.unknown.filter((one) => one.address === address) };
};

/** Accepts the unknown sender that was heard last, and answers about it as of those from before that was asked. */
async function accept(admin: Caller): Promise<void> {
  const [unknown] = (await listSenders(admin)).unknown;
  const body = { unknownId: unknown?.id, name: 'North gateway', address: unknown?.address };
  await answerFor(served, (await admin.call('POST', '/api/v2/admin/senders', body)).json<{ id: number }>().id);
}

/** Connects a gateway that is accepted. */
async function connectAccepted(admin: Caller, port: number, application = 'GATEWAY'): Promise<MllpClient> {
  const first = await connectMllp(port);
  first.send(oru([], { application }));
  await first.next();
  await first.closed;
  await accept(admin);
  return await connectMllp(port);
}

/** Returns the network of an address whose other addresses no other test has. */
const networkOf = (own: string): string => own.replace(/\.\d+$/, '.0/24');

/** A sender that has said neither MSH-3 nor MSH-4. */
const from = (remote: string) => ({ address: remote, certificate: null, application: '', facility: '' });

/** Of a good value from a source whose clock is not known yet (clinical.md C3). */
const ofNewClock = 'questionable';

const samplesOf = async ({ store }: TestServer, site: number) =>
  (
    await store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .selectAll()
      .orderBy('taken_at')
      .orderBy('kind')
      .execute()
  ).map((row) => ({
    patientId: row.patient_id,
    kind: kindOfCode(row.kind),
    value: row.value,
    quality: qualityOf(row.quality),
  }));
const quarantineOf = async ({ store }: TestServer, site: number) =>
  (await store.db.selectFrom('quarantine').where('site_id', '=', site).selectAll().orderBy('id').execute()).map(
    ({ code }) => code,
  );

describe.each(engines)('the HL7 door on %s', (engine) => {
  let test: TestServer;
  let admin: Caller;
  let site: number;
  let patientId: number;
  let port: number;
  let gateway: MllpClient;

  beforeEach(async () => {
    const server = await restartableTestServer(engine, gatewayVariables);
    ({ test, site, admin, patientId, port } = await beginWard(server));
    gateway = await connectAccepted(admin, port);
  });
  afterEach(() => {
    gateway.socket.destroy();
  });
  const devicesOfSite = () => [...test.server.liveState.devices.values()].filter(({ site_id }) => site_id === site);
  const ask = async (...messages: string[]): Promise<Ack> => {
    gateway.send(...messages);
    return await gateway.next();
  };

  it('stores nothing if the store refuses, says so, and stores the repeat', async () => {
    await ask(oru([obx('spo2', 97)]));
    const allow = await refuseCommits(test.store);
    const message = oru([obx('spo2', 96), obx('pulse', 70)], { id: 'M2', time: 1 });
    const refused = await ask(message);
    expect([refused.code, refused.error, refused.controlId]).toEqual(['AR', '207', 'M2']);
    await expect(samplesOf(test, site)).resolves.toHaveLength(1);
    await allow();
    expect((await ask(message)).code).toBe('AA');
    await expect(samplesOf(test, site)).resolves.toHaveLength(3);
  });

  it('acknowledges only after the commit', async () => {
    await ask(oru([obx('spo2', 97)]));
    const release = holdWrites(test.store);
    gateway.send(oru([obx('spo2', 96)], { id: 'M2', time: 1 }));
    await wait(100);
    expect(gateway.waiting()).toBe(0);
    await expect(samplesOf(test, site)).resolves.toHaveLength(1);
    release();
    expect((await gateway.next()).controlId).toBe('M2');
    await expect(samplesOf(test, site)).resolves.toHaveLength(2);
  });

  it('gives a repeat the same answer, also after a restart, and stores nothing twice', async () => {
    const refused = oru([obx('spo2', 71)], { id: 'M2', pid: 'PID|||P-999^^^^MR' });
    const first = [await ask(oru([obx('spo2', 97)])), await ask(refused)];
    const again = [await ask(oru([obx('spo2', 97)])), await ask(refused)];
    await test.restart();
    gateway = await connectMllp(await hl7Port(test));
    const afterRestart = [await ask(oru([obx('spo2', 97)])), await ask(refused)];
    expect(first.map(({ code }) => code)).toEqual(['AA', 'AE']);
    expect(again).toEqual(first);
    expect(afterRestart).toEqual(first);
    await expect(samplesOf(test, site)).resolves.toHaveLength(1);
    await expect(quarantineOf(test, site)).resolves.toHaveLength(1);
  });

  it('takes other bytes under the same MSH-10 as a new message', async () => {
    await ask(oru([obx('spo2', 97)]));
    expect((await ask(oru([obx('spo2', 96)], { time: 1 }))).code).toBe('AA');
    await expect(samplesOf(test, site)).resolves.toHaveLength(2);
  });

  it('takes a patient whose name has a separator in its bytes, and repeats MSH-10 as it was sent', async () => {
    const familyName = '\u7cd6';
    const id = await test.addPatient(site, { mrn: 'P-200', familyName, dateOfBirth: '1960-04-08' });
    const send = async (charset: string, name: string, value: number): Promise<string[]> => {
      const pid = `PID|||P-200^^^^MR||${name}^A||19600408`;
      const message = oru([obx('spo2', value, { time: value })], { id: 'R22^7', pid, mode: `|||${charset}` });
      gateway.write(Buffer.from(frame(message), 'latin1'));
      const { code, text } = await gateway.next();
      return [code, text.split('\n')[1] ?? ''];
    };
    const taken = ['AA', 'MSA|AA|R22^7|'];
    await expect(send('~ISO IR87', '\x1b$B\x45\x7c\x1b(B', 91)).resolves.toEqual(taken);
    await expect(send('GB 18030-2000', '\xcc\xc7', 92)).resolves.toEqual(taken);
    await expect(send('BIG-5', '\xbf\x7d', 93)).resolves.toEqual(taken);
    await expect(send('ISO-8859-1', 'Harbour', 94)).resolves.toEqual(['AE', expect.stringContaining('R22^7')]);
    await expect(send('GB 18030-2000', '\xcc', 95)).resolves.toEqual(['AE', expect.stringContaining('R22^7')]);
    await expect(send('CNS 11643-1992', 'x', 96)).resolves.toEqual(['AR', expect.stringContaining('R22^7')]);
    const samples = await samplesOf(test, site);
    expect(samples.map(({ patientId: whose, value }) => [whose, value])).toEqual([91, 92, 93].map((one) => [id, one]));
  });

  it('stores one bad value in quarantine and the good ones beside it', async () => {
    const ack = await ask(
      oru([
        obx('spo2', 97),
        obx('temperature', 98.6, { unit: 'furlong' }),
        obx('heartRate', 900),
        obx('pulse', 70, { time: '2026' }),
        obx('pulse', 71, { status: '', subId: '2' }),
        'OBX||NM|X-1^Mystery^L||3|||||||F',
      ]),
    );
    expect([ack.code, ack.error]).toEqual(['AA', '']);
    await expect(samplesOf(test, site)).resolves.toEqual([
      { patientId, kind: 'spo2', value: 97, quality: ofNewClock },
      { patientId, kind: 'heartRate', value: 0, quality: 'invalid' },
    ]);
    expect((await quarantineOf(test, site)).sort()).toEqual(['malformed_sample', 'unknown_unit', 'unparsable_time']);
    const [sender] = (await listSenders(admin)).items;
    expect(sender?.unmapped).toEqual([{ code: 'X-1^Mystery^L', count: 1 }]);
  });

  it('replaces a value by its correction, and withdraws one that the sender deletes', async () => {
    await ask(oru([obx('spo2', 17), obx('pulse', 70)]));
    await ask(oru([obx('spo2', 97, { status: 'C' })], { id: 'M2' }));
    await ask(oru([obx('pulse', '', { status: 'D' })], { id: 'M3' }));
    await expect(samplesOf(test, site)).resolves.toEqual([
      { patientId, kind: 'spo2', value: 97, quality: ofNewClock },
      { patientId, kind: 'pulseRate', value: 70, quality: 'invalid' },
    ]);
    await ask(oru([obx('spo2', '', { status: 'W' })], { id: 'M4' }));
    const nurse = await test.signIn(site, 'nurse');
    const { latest } = (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<{ latest: object }>();
    expect(latest).toEqual({});
  });

  it('withdraws several values of one minute, and none of another patient from the same source', async () => {
    const second = await test.addPatient(site, { mrn: 'P-200' });
    const [early, late] = [{ time: -50 }, { time: -40 }];
    const next = ['PID|||P-200^^^^MR', 'PV1|||2 NORTH^^7', 'OBR|'];
    await ask(
      oru([obx('spo2', 97, early), obx('spo2', 96, late), ...next, obx('spo2', 91, early), obx('spo2', 90, late)]),
    );
    const gone = { status: 'D' };
    const taken = await ask(
      oru([obx('spo2', '', { ...early, ...gone }), ...next, obx('spo2', '', { ...late, ...gone })], { id: 'M2' }),
    );
    expect(taken.code).toBe('AA');
    const valid = async () => {
      const rows = await test.store.db
        .selectFrom('samples')
        .where('site_id', '=', site)
        .selectAll()
        .orderBy('value')
        .execute();
      return rows.filter(({ quality }) => !isWithdrawn(quality)).map(({ patient_id, value }) => [patient_id, value]);
    };
    await expect(valid()).resolves.toEqual([
      [second, 91],
      [patientId, 96],
    ]);
    const both = [obx('spo2', '', { ...early, ...gone }), obx('spo2', '', { ...late, ...gone })];
    expect((await ask(oru([...both, ...both], { id: 'M3' }))).code).toBe('AA');
    await expect(valid()).resolves.toEqual([[second, 91]]);
  });

  it('keeps a value that a message deletes first and then sends again', async () => {
    await ask(oru([obx('spo2', 17)]));
    await ask(oru([obx('spo2', '', { status: 'D' }), obx('spo2', 97)], { id: 'M2' }));
    await expect(samplesOf(test, site)).resolves.toEqual([{ patientId, kind: 'spo2', value: 97, quality: ofNewClock }]);
    const rows = await test.store.db.selectFrom('samples').where('site_id', '=', site).select('quality').execute();
    expect(rows.map(({ quality }) => isWithdrawn(quality))).toEqual([false]);
  });

  it('withdraws the values of several sources that one message deletes', async () => {
    await ask(oru([obx('spo2', 97), obx('pulse', 70), obx('heartRate', 71)]));
    const gone = { status: 'W' };
    const ack = await ask(
      oru([obx('spo2', '', gone), obx('pulse', '', gone), obx('heartRate', '', gone)], { id: 'M2' }),
    );
    expect(ack.code).toBe('AA');
    const rows = await test.store.db.selectFrom('samples').where('site_id', '=', site).select('quality').execute();
    expect(rows.map(({ quality }) => isWithdrawn(quality))).toEqual([true, true, true]);
  });

  it('says when it and each of its sources last sent, also what was refused, and after a restart', async () => {
    const seen = async () => {
      const { items } = (await admin.call('GET', '/api/v2/devices')).json<{ items: ListedDevice[] }>();
      return Object.fromEntries(items.map(({ name, lastSeenAt }) => [name, lastSeenAt]));
    };
    await expect(seen()).resolves.toEqual({ 'North gateway': null });
    await ask(oru([obx('spo2', 97)]));
    const taken = toInstant(test.now());
    test.advance(2_000);
    await ask(oru([obx('spo2', 71)], { id: 'M2', pid: 'PID|||P-999^^^^MR' }));
    const refused = toInstant(test.now());
    test.advance(2_000);
    await ask(oru([], { id: 'M3' }));
    const probe = '2 NORTH 7 MDC_PULS_OXIM_SAT_O2';
    const known = { 'North gateway': toInstant(test.now()), 'Monitor 2 NORTH 7': refused, [probe]: taken };
    await expect(seen()).resolves.toEqual(known);
    await test.restart();
    await test.app.ready();
    // What brought no value is on no record.
    await expect(seen()).resolves.toEqual({ ...known, 'North gateway': refused });
  });

  it('knows a source, and a revocation, whose commit had no result', async () => {
    await ask(oru([obx('spo2', 97)]));
    const { db } = test.store;
    const { hl7 } = test.server;
    const made = devicesOfSite().find(({ name }) => name.includes('SAT_O2'));
    const key = (made?.source_key ?? '').replace('150456', '149530');
    const { id: _, ...row } = made as NonNullable<typeof made>;
    const lost = { ...row, name: 'lost', source_key: key, token_hash: `sender:${row.sender_id}:${key}` };
    await db.insertInto('devices').values(lost).execute();
    expect((await ask(oru([obx('pulse', 70)], { id: 'M2' }))).code).toBe('AA');
    expect(devicesOfSite().filter(({ name }) => name === 'lost')).toHaveLength(1);
    await db.updateTable('hl7_senders').set({ revoked_at: 5 }).where('site_id', '=', site).execute();
    const [sender] = hl7.senders.ofSite(site);
    expect((await admin.call('POST', `/api/v2/admin/senders/${sender?.id}/revoke`)).statusCode).toBe(200);
    await gateway.closed;
    expect(hl7.connectionsOf(sender as NonNullable<typeof sender>)).toBe(0);
  });

  it('makes no source of a sender that is revoked meanwhile', async () => {
    await ask(oru([]));
    await test.store.db.updateTable('hl7_senders').set({ revoked_at: 5 }).where('site_id', '=', site).execute();
    const ack = await ask(oru([obx('spo2', 97)], { id: 'M2' }));
    expect([ack.code, ack.error]).toEqual(['AR', '207']);
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    expect(devicesOfSite().map(({ name }) => name)).toEqual(['North gateway']);
  });

  it('ends in the same state if three connections bring the same messages, shuffled and in pieces', async () => {
    const second = await test.addPatient(site, { mrn: 'P-200', familyName: 'Berg' });
    const pids = ['PID|||P-100^^^^MR||Harbour', 'PID|||P-200^^^^MR||Berg', 'PID|||P-200^^^^MR||Harbour'];
    const messages = Array.from({ length: 60 }, (_, index) =>
      oru([obx('spo2', 80 + (index % 20)), obx('heartRate', 100 + index)], {
        id: `M${index}`,
        pid: pids[index % 3] ?? '',
        time: index - 60,
      }),
    );
    const orders = [messages, messages.toReversed(), [...messages.slice(31), ...messages.slice(0, 31)]];
    const sendAll = async (order: readonly string[]): Promise<void> => {
      const own = await connectMllp(port);
      const bytes = Buffer.from(order.map(frame).join(''));
      for (let place = 0; place < bytes.length; place += 97) {
        own.write(bytes.subarray(place, place + 97));
      }
      for (let count = 0; count < order.length; count += 1) {
        expect((await own.next()).code).toMatch(/AA|AE/);
      }
      own.socket.destroy();
    };
    const valuesOf = async (id: number) =>
      (await samplesOf(test, site)).filter((one) => one.patientId === id).map(({ value }) => value);
    const sent = (rest: number) =>
      Array.from({ length: 20 }, (_, round) => 3 * round + rest).flatMap((index) => [80 + (index % 20), 100 + index]);
    const check = async (): Promise<void> => {
      expect((await valuesOf(patientId)).sort()).toEqual(sent(0).sort());
      expect((await valuesOf(second)).sort()).toEqual(sent(1).sort());
      await expect(quarantineOf(test, site)).resolves.toEqual(Array.from({ length: 20 }, () => 'identity_conflict'));
    };
    await Promise.all(orders.map(sendAll));
    await check();
    await sendAll(messages);
    await check();
  });

  it('finishes the message under way when the server stops, acknowledges it, and ends the connection', async () => {
    // On a server of its own, which it stops.
    gateway.socket.destroy();
    ({ test, site, admin, port } = await beginWard(await startTestServer(engine, gatewayVariables)));
    gateway = await connectAccepted(admin, port);
    await ask(oru([obx('spo2', 97)]));
    const release = holdWrites(test.store);
    const idle = await connectMllp(port);
    gateway.send(oru([obx('spo2', 96)], { id: 'M2', time: 1 }), oru([obx('spo2', 95)], { id: 'M3', time: 2 }));
    await wait(50);
    const stopped = test.server.hl7.stop();
    await idle.closed;
    release();
    await expect(gateway.next()).resolves.toMatchObject({ code: 'AA', controlId: 'M2' });
    await gateway.closed;
    await stopped;
    expect(gateway.waiting()).toBe(0);
    await expect(samplesOf(test, site)).resolves.toHaveLength(2);
    await test.stop();
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it.each([
    ['an unknown number', 'PID|||P-999^^^^MR||Harbour^Ada||19500307', 'identity_conflict'],
    ['a number without the type MR', 'PID|||P-100||Harbour^Ada||19500307', 'identity_conflict'],
    ['two numbers', 'PID|||P-100^^^^MR~P-200^^^^MR||Harbour^Ada||19500307', 'identity_conflict'],
    ['the birth date of somebody else', 'PID|||P-100^^^^MR||Harbour^Ada||19500308', 'identity_conflict'],
    ['the name of somebody else', 'PID|||P-100^^^^MR||Herbour^Ada||19500307', 'identity_conflict'],
    ['a damaged head', 'PXD|||P-100^^^^MR||Harbour^Ada||19500307', 'identity_conflict'],
    ['no number', 'PID|||""^^^^MR||Harbour^Ada||19500307', 'unknown_bed'],
    ['a name of the demo', 'PID|||P-100^^^^MR||Harbour^DEMO||19500307', 'training'],
  ])('gives no patient the values of a message with %s', async (_, pid, code) => {
    await test.addPatient(site, { mrn: 'P-200' });
    const ack = await ask(oru([obx('spo2', 71), obx('pulse', 40)], { pid }));
    expect([ack.code, ack.controlId]).toEqual(['AE', 'M1']);
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    await expect(quarantineOf(test, site)).resolves.toEqual([code]);
  });

  it('takes the numbers of the site’s authorities alone, from the next message on and after a restart', async () => {
    const say = async (mrnAuthorities: string[]) => {
      const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
      expect((await admin.call('PATCH', '/api/v2/admin/site', { version, mrnAuthorities })).statusCode).toBe(200);
    };
    const second = await test.addPatient(site, { mrn: 'P-200' });
    const of = (id: string, number: string, more = '') =>
      oru([obx('spo2', 97)], { id, time: Number(id), pid: `PID|||${number}^^^LAKE&9.9&ISO^MR${more}` });
    expect((await ask(of('01', 'P-100'))).code).toBe('AA');
    await say(['HARBOUR']);
    // The same message is judged again, and so is one that names ours beside it.
    expect((await ask(of('01', 'P-100'))).code).toBe('AE');
    expect((await ask(of('02', 'P-100', '~P-200^^^HARBOUR^MR'))).code).toBe('AA');
    expect((await ask(of('03', 'P-100', '~P-100'))).code).toBe('AE');
    await test.restart();
    gateway = await connectMllp(await hl7Port(test));
    expect((await ask(of('04', 'P-100'))).code).toBe('AE');
    await say([]);
    expect((await ask(of('04', 'P-100'))).code).toBe('AA');
    expect((await samplesOf(test, site)).map((sample) => sample.patientId)).toEqual([patientId, second, patientId]);
    await expect(quarantineOf(test, site)).resolves.toEqual(Array.from({ length: 3 }, () => 'identity_conflict'));
  });

  it('says to administrators by what authorities the numbers of its messages are, of their site alone', async () => {
    const seen = async (by: Caller) =>
      (await by.call('GET', '/api/v2/admin/site')).json<SiteSettings>().seenAuthorities;
    await expect(seen(admin)).resolves.toEqual([]);
    const pid = 'PID|||P-100^^^LAKE^MR~P-100^^^HARBOUR&9.9&ISO^MR~V-1^^^VISITS^VN~P-100^^^^MR';
    await ask(oru([obx('spo2', 97)], { pid }));
    await ask(oru([obx('spo2', 97)], { id: 'M2', pid: 'PID|||P-999^^^HARBOUR&9.9&ISO^MR' }));
    await ask(oru([obx('spo2', 97)], { id: 'M3', pid: 'PXD|||P-100^^^HARBUOR^MR' }));
    await ask(oru([obx('spo2', 97)], { id: 'M4', pid: `PID|||P-100^^^${'L'.repeat(201)}^MR` }));
    await expect(seen(admin)).resolves.toEqual([
      { names: ['HARBOUR', '9.9'], messages: 2 },
      { names: ['LAKE'], messages: 1 },
    ]);
    const elsewhere = await test.signIn(await test.addSite('Other ward'), 'administrator', true);
    await expect(seen(elsewhere)).resolves.toEqual([]);
    for (let count = 0; count < 60; count += 1) {
      await ask(oru([obx('spo2', 97)], { id: `N${count}`, pid: `PID|||P-100^^^LAKE${count}^MR` }));
    }
    const last = await seen(admin);
    expect(last).toHaveLength(50);
    expect(last).toContainEqual({ names: ['LAKE59'], messages: 1 });
  });

  it('gives a patient of another site, and a discharged one, no value', async () => {
    const elsewhere = await test.addSite('Other ward');
    await test.addPatient(elsewhere, { mrn: 'P-300' });
    const gone = await test.addPatient(site, { mrn: 'P-400' });
    const row = test.server.liveState.patients.get(gone);
    test.server.liveState.putPatient({ ...(row as NonNullable<typeof row>), state: 'discharged', version: 2 });
    for (const mrn of ['P-300', 'P-400']) {
      expect((await ask(oru([obx('spo2', 71)], { id: mrn, pid: `PID|||${mrn}^^^^MR` }))).code).toBe('AE');
    }
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    await expect(quarantineOf(test, site)).resolves.toEqual(['identity_conflict', 'identity_conflict']);
  });

  it('says how often a sender sends and how its clocks go, and nothing before that is known', async () => {
    const stateOf = async (by = admin) => {
      const { lastMessageAt, rate, answerMs, clockBehindMs } = (await listSenders(by)).items[0] ?? {};
      return { lastMessageAt, rate, answerMs, clockBehindMs };
    };
    const unknown = { lastMessageAt: null, rate: null, answerMs: null, clockBehindMs: null };
    await expect(stateOf()).resolves.toEqual(unknown);
    const say = (id: string) => {
      const [late, early] = [formatDtm(test.now() - 3_000), formatDtm(test.now() + 180_000)];
      const of = (time: string) => oru([obx('spo2', 97)], { id: `${id}${time}`, time });
      // Another bed is another monitor.
      return ask(of(late)).then(() => ask(of(early).replace('NORTH^^7', 'NORTH^^8')));
    };
    await say('C1');
    await expect(stateOf()).resolves.toMatchObject({ rate: null, clockBehindMs: null });
    test.advance(30_000);
    await say('C2');
    test.advance(30_000);
    await expect(stateOf()).resolves.toMatchObject({
      rate: { perMinute: 4, minutes: 1 },
      answerMs: { middle: 1, longest: 1 },
      clockBehindMs: { least: -180_000, most: 3_000 },
    });
    test.advance(3_600_000);
    await expect(stateOf(await test.signIn(site, 'administrator', true))).resolves.toMatchObject({
      rate: { perMinute: 0, minutes: 5 },
      answerMs: null,
      clockBehindMs: null,
    });
  });

  it('takes a heart rate of 0 for asystole, unless two people say that it means no signal', async () => {
    const [sender] = (await listSenders(admin)).items;
    expect((await ask(oru([obx('heartRate', 0)]))).code).toBe('AA');
    await answerFor(test, sender?.id ?? 0, { ...versionOne, isZeroRateNoSignal: true });
    // From the next message on, on the connection that is open.
    const time = 1;
    expect((await ask(oru([obx('heartRate', 0), obx('pulse', 71)], { id: 'M2', time }))).code).toBe('AA');
    expect((await samplesOf(test, site)).map(({ kind, value, quality }) => [kind, value, quality])).toEqual([
      ['heartRate', 0, ofNewClock],
      ['heartRate', 0, 'invalid'],
      ['pulseRate', 71, ofNewClock],
    ]);
  });

  it('keeps what an administrator said of a sender before two people were asked, as version 1', async () => {
    const [sender] = (await listSenders(admin)).items;
    await test.store.db
      .updateTable('hl7_senders')
      .set({ settings: null, zero_is_no_signal: 1, quarantine_is_accepted: 1 })
      .where('id', '=', sender?.id ?? 0)
      .execute();
    await test.restart();
    gateway = await connectMllp(await hl7Port(test));
    expect((await ask(oru([obx('heartRate', 0)], { pid: 'PID|||P-100^^^LAKE^MR' }))).code).toBe('AA');
    expect((await ask(oru([obx('spo2', 71)], { id: 'M2', pid: 'PID|||P-999^^^^MR' }))).code).toBe('AA');
    expect((await samplesOf(test, site)).map(({ value, quality }) => [value, quality])).toEqual([[0, 'invalid']]);
    expect((await listSenders(admin)).items[0]).toMatchObject({ settingsVersion: 1, takesNumberAlone: true });
  });

  it.each([
    ['AE', 'AE', 'AE ERR E', 'AE ERR E'],
    ['AA_WARNING', 'AA_WARNING', 'AA ERR W', 'AA ERR W'],
    ['AA', 'AE', 'AA', 'AE ERR E'],
  ] as const)(
    'answers %s to what is partly and %s to what is wholly in quarantine, where two people say so',
    async (partly, wholly, toPart, toAll) => {
      const [sender] = (await listSenders(admin)).items;
      await answerFor(test, sender?.id ?? 0, { ...versionOne, quarantine: { partly, wholly } });
      const said = ({ code, text }: Ack): string => {
        const error = /^ERR.*\|(.)$/m.exec(text)?.[1];
        return error === undefined ? code : `${code} ERR ${error}`;
      };
      const bad = obx('heartRate', 71, { unit: 'kg' });
      expect(said(await ask(oru([obx('spo2', 97)], { id: 'M0' })))).toBe('AA');
      expect(said(await ask(oru([obx('spo2', 96), bad], { id: 'M1', time: 1 })))).toBe(toPart);
      expect(said(await ask(oru([bad], { id: 'M2' })))).toBe(toAll);
      // A code that means nothing here is counted, and not in quarantine.
      const unknown = obx('pulse', 7).replace('149530^MDC_PULS_OXIM_PULS_RATE^MDC', 'X^Y^L');
      expect(said(await ask(oru([obx('spo2', 95), unknown], { id: 'M3', time: 2 })))).toBe('AA');
      expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([97, 96, 95]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['unknown_unit', 'unknown_unit']);
      expect((await listSenders(admin)).items[0]?.answers).toEqual({ AA: 3, AE: 1, AR: 0 });
    },
  );

  it('takes what its messages leave out as two people have said, and nothing of it before', async () => {
    const [sender] = (await listSenders(admin)).items;
    const temperature = (probe: string, value: number): string =>
      `OBX||NM|150344^MDC_TEMP^MDC|${probe}|${value}|268192^MDC_DIM_DEGC^MDC|||||`;
    const values = [temperature('T1', 37.1), temperature('T2', 31), `OBX||NM|${mdc.spo2[0]}||97||||||`];
    expect((await ask(oru(values))).code).toBe('AE');
    const [id = '', text = '', system = ''] = mdc.spo2[0].split('^');
    await answerFor(test, sender?.id ?? 0, {
      ...versionOne,
      missingStatus: 'F',
      coreTemperatures: ['T1'],
      missingUnits: [{ code: { id, text, system }, unit: '%' }],
    });
    expect((await ask(oru(values, { id: 'M2', time: 1 }))).code).toBe('AA');
    expect((await samplesOf(test, site)).map(({ kind, value }) => [kind, value])).toEqual([
      ['spo2', 97],
      ['temperature', 37.1],
    ]);
    await expect(quarantineOf(test, site)).resolves.toEqual(['malformed_sample']);
  });

  it('holds what comes beside a text that was not asked about, and takes it as two people have said', async () => {
    const senderId = (await listSenders(admin)).items[0]?.id ?? 0;
    const code = { id: '150456', text: 'Sat', system: 'MDC' };
    const named = (text: string, value: number): string => obx('spo2', value).replace('MDC_PULS_OXIM_SAT_O2', text);
    const codeOf = async (text: string, value: number): Promise<string> =>
      (await ask(oru([named(text, value)], { id: `M${value}`, time: value - 91 }))).code;
    await expect(codeOf('Sat', 91)).resolves.toBe('AA');
    await answerFor(test, senderId, { ...versionOne, texts: [] });
    await expect(codeOf('Sat', 92)).resolves.toBe('AE');
    await expect(codeOf('SpO2 left', 93)).resolves.toBe('AA');
    await expect(quarantineOf(test, site)).resolves.toEqual(['unknown_text']);
    const technician = await test.signIn(site, 'technician');
    const settings = await technician.call('GET', '/api/v2/admin/senders/settings');
    const [{ suggested }] = settings.json<{ items: [ListedSettings] }>().items;
    expect(suggested.texts).toEqual([
      { code, isMeant: false },
      { code: { ...code, text: 'SpO2 left' }, isMeant: true },
    ]);
    await answerFor(test, senderId, { ...versionOne, texts: [{ code, isMeant: false }] });
    await expect(codeOf('Sat', 94)).resolves.toBe('AE');
    expect((await listSenders(admin)).items[0]?.unmapped).toEqual([{ code: '150456^Sat^MDC', count: 1 }]);
    await answerFor(test, senderId, { ...versionOne, texts: [{ code, isMeant: true }] });
    await expect(codeOf('Sat', 95)).resolves.toBe('AA');
    expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([91, 93, 95]);
    await expect(quarantineOf(test, site)).resolves.toEqual(['unknown_text']);
  });

  it('takes a unit that no one knows as two people have said, of the code about which they said it', async () => {
    const senderId = (await listSenders(admin)).items[0]?.id ?? 0;
    const values = [obx('spo2', 97, { unit: 'pct' }), obx('heartRate', 71, { unit: 'pct' })];
    expect((await ask(oru(values))).code).toBe('AE');
    const code = { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' };
    await answerFor(test, senderId, { ...versionOne, missingUnits: [{ code, sent: 'pct', unit: '%' }] });
    expect((await ask(oru(values, { id: 'M2', time: 1 }))).code).toBe('AA');
    expect((await samplesOf(test, site)).map(({ kind, value }) => [kind, value])).toEqual([['spo2', 97]]);
    await expect(quarantineOf(test, site)).resolves.toEqual(Array(3).fill('unknown_unit'));
  });

  it('says nothing of what is in quarantine before that is stored', async () => {
    const [sender] = (await listSenders(admin)).items;
    const settings = { ...versionOne, quarantine: { partly: 'AA', wholly: 'AA' } } as const;
    await answerFor(test, sender?.id ?? 0, settings);
    const allow = await refuseCommits(test.store, 'quarantine');
    expect((await ask(oru([obx('spo2', 71)], { pid: 'PID|||P-999^^^^MR' }))).code).toBe('AR');
    await allow();
    expect((await ask(oru([obx('spo2', 71)], { pid: 'PID|||P-999^^^^MR' }))).code).toBe('AA');
  });

  it('gives no one the values of a sender about which nobody has answered, and answers its messages', async () => {
    const stranger = await connectMllp(port);
    stranger.send(oru([], { application: 'NEW' }));
    await stranger.closed;
    const [unknown] = (await listSenders(admin)).unknown;
    expect(unknown?.seen).toMatchObject({ messages: 1, identifiers: [{ type: 'MR', authority: '', count: 1 }] });
    const body = { unknownId: unknown?.id, name: 'New gateway', address };
    const accepted = (await admin.call('POST', '/api/v2/admin/senders', body)).json<ListedSender>();
    expect(accepted).toMatchObject({ settingsVersion: 0, takesNumberAlone: false });
    const fresh = await connectMllp(port);
    fresh.send(oru([obx('spo2', 71)], { application: 'NEW' }));
    expect((await fresh.next()).code).toBe('AE');
    fresh.send(oru([obx('spo2', 71)], { application: 'NEW', id: 'M2', pid: 'PID|||""' }));
    expect((await fresh.next()).code).toBe('AE');
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    await expect(quarantineOf(test, site)).resolves.toEqual(['no_identifier', 'no_identifier']);
    await answerFor(test, accepted.id, proposedAnswers(unknown?.seen ?? nothingSeen()));
    // Number and family name are not enough.
    const alone = oru([obx('spo2', 71)], { application: 'NEW', id: 'M3', pid: 'PID|||P-100^^^^MR||Harbour' });
    fresh.send(alone);
    expect((await fresh.next()).code).toBe('AE');
    fresh.send(oru([obx('spo2', 97)], { application: 'NEW', pid: 'PID|||P-100^^^^MR||Harbour^S||19500307' }));
    expect((await fresh.next()).code).toBe('AA');
    fresh.socket.destroy();
  });

  describe('of a sender on trial', () => {
    const demo = { pid: 'PID|||T-1^^^^MR||Harbour^DEMO', processing: 'T' };
    let trialId: number;
    beforeEach(async () => {
      await addSender(test, site, { name: 'Trial gateway', address, application: 'TRIAL', isTrial: true });
      trialId = await test.addPatient(site, { mrn: 'T-1', familyName: 'Harbour', isTrial: true });
    });
    const askTrial = (values: readonly string[], more: Oru = {}) => ask(oru(values, { application: 'TRIAL', ...more }));

    it('gives no value to a patient who is not on trial, and those of another sender to no trial patient', async () => {
      expect((await askTrial([obx('spo2', 71)])).code).toBe('AE');
      expect((await ask(oru([obx('spo2', 71)], { id: 'M2', pid: 'PID|||T-1^^^^MR' }))).code).toBe('AE');
      expect((await ask(oru([obx('spo2', 71)], { ...demo, id: 'M3' }))).code).toBe('AE');
      await expect(samplesOf(test, site)).resolves.toEqual([]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['identity_conflict', 'identity_conflict', 'training']);
    });

    it('gives values that are marked as training, test or demo to a trial patient', async () => {
      const values = [obx('spo2', 97), obx('pulse', 70, { flags: 'TEST' }), obx('heartRate', 71, { flags: 'DEMO' })];
      expect((await askTrial(values, demo)).code).toBe('AA');
      const taken = (await samplesOf(test, site)).map((sample) => [sample.patientId, sample.kind]);
      expect(taken).toHaveLength(3);
      expect(taken).toEqual(expect.arrayContaining(['spo2', 'pulseRate', 'heartRate'].map((kind) => [trialId, kind])));
      await expect(quarantineOf(test, site)).resolves.toEqual([]);
    });
  });

  describe('a message that names no patient', () => {
    const noOne = { pid: 'PID|||""' };
    let senderId: number;
    let unitId: number;
    beforeEach(async () => {
      unitId = await test.addUnit(site, 'North');
      senderId = test.server.hl7.senders.ofSite(site)[0]?.id ?? 0;
    });
    /** Confirms that the bed of the messages is a bed of ours. */
    const mapBed = (bed: string, senderBed = '2 NORTH^^7') =>
      addBedMapping(test, site, { senderId, senderBed, unitId, bed });
    const valuesBy = async () => (await samplesOf(test, site)).map((sample) => [sample.patientId, sample.value]);
    const hour = 3_600_000;

    it('gives no one its values while its bed is not confirmed, and lists the bed', async () => {
      await test.addPatient(site, { mrn: 'P-200', location: { unit: 'North', bed: '7' } });
      test.advance(hour);
      const wanted = { senderId, senderBed: '2 NORTH^^7', unitId, bed: '7' };
      await test.server.beds.propose(await addDecider(test, site, 'technician'), wanted);
      expect((await ask(oru([obx('spo2', 97)], { ...noOne, time: 3600 }))).code).toBe('AE');
      await expect(samplesOf(test, site)).resolves.toEqual([]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['unknown_bed']);
      expect([...test.server.hl7.senders.stateOf(senderId).unknownBeds]).toEqual([['2 NORTH^^7', 1]]);
    });

    it('gives its values to the patient of its bed, from a source of their own, also after a restart', async () => {
      const second = await test.addPatient(site, { mrn: 'P-200', location: { unit: 'North', bed: 'b 7' } });
      test.advance(hour);
      await mapBed('B 7');
      expect((await ask(oru([obx('spo2', 97)], { ...noOne, time: 3600 }))).code).toBe('AA');
      await test.restart();
      await test.app.ready();
      gateway = await connectMllp(await hl7Port(test));
      const next = { ...noOne, id: 'M2', time: 3601 };
      expect((await ask(oru([obx('spo2', 96)], next))).code).toBe('AA');
      await expect(valuesBy()).resolves.toEqual([
        [second, 97],
        [second, 96],
      ]);
      const { name } = await test.store.db
        .selectFrom('devices')
        .where('site_id', '=', site)
        .select('name')
        .where('source_key', 'like', 'bed %')
        .executeTakeFirstOrThrow();
      expect(name).toBe('2 NORTH 7 MDC_PULS_OXIM_SAT_O2 by bed');
    });

    it('gives them to no one in an empty bed and near a change of its patient, and to the next one after', async () => {
      await mapBed('7');
      const at = { ...noOne, time: 0 };
      await ask(oru([obx('spo2', 71)], at));
      await test.addPatient(site, { mrn: 'P-200' });
      const second = test.server.liveState.patientByMrn('P-200', site)?.id ?? 0;
      const move = async (version: number, bed: string | null) => {
        const location = bed === null ? null : { unit: 'North', bed };
        const lead = await test.signIn(site, 'ward_lead');
        return (await lead.call('PATCH', `/api/v2/patients/${second}`, { version, location })).statusCode;
      };
      test.advance(hour);
      await expect(move(1, '7')).resolves.toBe(200);
      await ask(oru([obx('spo2', 72)], { ...noOne, id: 'M2', time: 3600 }));
      test.advance(301_000);
      await ask(oru([obx('spo2', 97)], { ...noOne, id: 'M3', time: 3901 }));
      await expect(move(2, null)).resolves.toBe(200);
      test.advance(301_000);
      await ask(oru([obx('spo2', 73)], { ...noOne, id: 'M4', time: 4202 }));
      // Of before, but it comes only now: the bed has had no one meanwhile.
      await ask(oru([obx('spo2', 74)], { ...noOne, id: 'M5', time: 3900 }));
      await expect(valuesBy()).resolves.toEqual([[second, 97]]);
      await expect(quarantineOf(test, site)).resolves.toEqual([
        'empty_bed',
        'bed_changing',
        'empty_bed',
        'bed_changing',
      ]);
    });

    it('says so where two patients swap their beds', async () => {
      await mapBed('7');
      await mapBed('8', '2 NORTH^^8');
      const [first, second] = [
        await test.addPatient(site, { mrn: 'P-200', location: { unit: 'North', bed: '7' } }),
        await test.addPatient(site, { mrn: 'P-201', location: { unit: 'North', bed: '8' } }),
      ];
      test.advance(hour);
      await ask(oru([obx('spo2', 97)], { ...noOne, time: 3600 }));
      const lead = await test.signIn(site, 'ward_lead');
      const patients = [first, second].map((id) => ({ id, version: 1 }));
      expect((await lead.call('POST', '/api/v2/patients/swap-beds', { patients })).statusCode).toBe(200);
      await ask(oru([obx('spo2', 71)], { ...noOne, id: 'M2', time: 3601 }));
      test.advance(301_000);
      await ask(oru([obx('spo2', 91)], { ...noOne, id: 'M3', time: 3901 }));
      await expect(valuesBy()).resolves.toEqual([
        [first, 97],
        [second, 91],
      ]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['bed_changing']);
    });

    it('of a clock that is wrong gives them to no one who was there in between', async () => {
      await mapBed('7');
      const first = await test.addPatient(site, { mrn: 'P-200', location: { unit: 'North', bed: '7' } });
      test.advance(2 * hour);
      const lead = await test.signIn(site, 'ward_lead');
      const left = await lead.call('PATCH', `/api/v2/patients/${first}`, { version: 1, state: 'discharged' });
      expect(left.statusCode).toBe(200);
      await test.addPatient(site, { mrn: 'P-201', location: { unit: 'North', bed: '7' } });
      test.advance(hour);
      // The gateway's clock is two hours behind: the value is of now.
      await ask(oru([obx('spo2', 71)], { ...noOne, time: 3600 }));
      await expect(valuesBy()).resolves.toEqual([]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['bed_changing']);
    });

    it('takes nothing of a patient who is named, and whom we hold in another bed', async () => {
      await mapBed('7');
      await test.addPatient(site, { mrn: 'P-200', location: { unit: 'North', bed: '9' } });
      expect((await ask(oru([obx('spo2', 71)], { pid: 'PID|||P-200^^^^MR' }))).code).toBe('AE');
      await expect(samplesOf(test, site)).resolves.toEqual([]);
      await expect(quarantineOf(test, site)).resolves.toEqual(['identity_conflict']);
    });
  });

  describe('a monitor whose values are refused', () => {
    const wrong = 'PID|||P-999^^^^MR';
    beforeEach(async () => {
      await test.startRules(site);
    });
    const alerts = async () => {
      await test.server.alerts.evaluateClock();
      return (
        await test.store.db.selectFrom('alerts').where('site_id', '=', site).selectAll().orderBy('id').execute()
      ).map((row) => [
        test.server.liveState.devices.get(row.device_id ?? 0)?.name,
        row.rule,
        row.priority,
        row.closed_at === null,
      ]);
    };
    const raised = (bed: string, isActive = true) => [`Monitor 2 NORTH ${bed}`, 'monitor.identity', 'low', isActive];

    it('raises one LOW alert of its bed, however many probes it has, until it names ours for a minute', async () => {
      await ask(oru([obx('spo2', 71), obx('pulse', 40)], { pid: wrong }));
      await expect(alerts()).resolves.toEqual([raised('7')]);
      await ask(oru([obx('spo2', 71), obx('pulse', 40)], { id: 'M2', pid: wrong, time: 1 }));
      test.advance(59_000);
      await ask(oru([obx('spo2', 97)], { id: 'M3', time: 59 }));
      await expect(alerts()).resolves.toEqual([raised('7')]);
      test.advance(1_000);
      await ask(oru([obx('spo2', 97)], { id: 'M4', time: 60 }));
      await expect(alerts()).resolves.toEqual([raised('7', false)]);
    });

    it('keeps its alert while it is silent, after a restart, and while another bed is right', async () => {
      await ask(oru([obx('spo2', 71)], { pid: wrong }));
      await expect(alerts()).resolves.toEqual([raised('7')]);
      test.advance(20 * 60_000);
      await expect(alerts()).resolves.toEqual([raised('7')]);
      await test.restart();
      await test.app.ready();
      await expect(alerts()).resolves.toEqual([raised('7')]);
      gateway = await connectMllp(await hl7Port(test));
      const elsewhere = oru([obx('spo2', 97)], { id: 'M2', time: 1201 }).replace('NORTH^^7', 'NORTH^^8');
      expect((await ask(elsewhere)).code).toBe('AA');
      await expect(alerts()).resolves.toEqual([raised('7')]);
      expect((await ask(oru([obx('spo2', 97)], { id: 'M3', time: 1202 }))).code).toBe('AA');
      await expect(alerts()).resolves.toEqual([raised('7', false)]);
    });

    it('ends its alert when it has been taken away, and somebody has seen that', async () => {
      await ask(oru([obx('spo2', 71)], { pid: wrong }));
      await alerts();
      const nurse = await test.signIn(site, 'nurse');
      const [open] = test.server.alerts.listOpen(site);
      const body = { version: open?.alert.version };
      const seen = await nurse.call('POST', `/api/v2/alerts/${open?.id ?? 0}/acknowledge`, body);
      expect(seen.statusCode).toBe(200);
      test.advance(15 * 60_000);
      await expect(alerts()).resolves.toEqual([raised('7')]);
      test.advance(1_000);
      await expect(alerts()).resolves.toEqual([raised('7', false)]);
    });

    it('ends its alert with the right of its sender to send', async () => {
      await ask(oru([obx('spo2', 71)], { pid: wrong }));
      await alerts();
      const senderId = test.server.hl7.senders.ofSite(site)[0]?.id ?? 0;
      expect((await admin.call('POST', `/api/v2/admin/senders/${senderId}/revoke`)).statusCode).toBe(200);
      await expect(alerts()).resolves.toEqual([raised('7', false)]);
    });

    it('is one from before two people were asked, 30 days later, until they have decided', async () => {
      const [{ id } = { id: 0 }] = test.server.hl7.senders.ofSite(site);
      const before = { settings: null, settings_at: test.now() - 30 * 86_400_000 + 1_000 };
      const row = test.store.db.updateTable('hl7_senders').set(before).where('id', '=', id).returningAll();
      test.server.hl7.senders.put(await row.executeTakeFirstOrThrow());
      await ask(oru([obx('spo2', 97)]));
      await expect(alerts()).resolves.toEqual([]);
      test.advance(1_000);
      await ask(oru([obx('spo2', 97)], { id: 'M2', time: 1 }));
      const undecided = (isActive: boolean) => [['North gateway', 'monitor.undecided', 'low', isActive]];
      await expect(alerts()).resolves.toEqual(undecided(true));
      test.advance(120_000);
      await ask(oru([obx('spo2', 97)], { id: 'M3', time: 121 }));
      await expect(alerts()).resolves.toEqual(undecided(true));
      await answerFor(test, id);
      test.advance(60_000);
      await ask(oru([obx('spo2', 97)], { id: 'M4', time: 181 }));
      await expect(alerts()).resolves.toEqual(undecided(false));
    });

    it.each([
      ['training', { processing: 'T' }],
      ['clock', { time: -172800 }],
    ])('says whether it is for its %s', async (reason, more) => {
      await ask(oru([obx('spo2', 71)], more));
      await expect(alerts()).resolves.toEqual([['Monitor 2 NORTH 7', `monitor.${reason}`, 'low', true]]);
    });

    it('says whether it is for the authority of its number, as far as its numbers can be read', async () => {
      const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
      await admin.call('PATCH', '/api/v2/admin/site', { version, mrnAuthorities: ['HARBUOR'] });
      const pid = 'PID|||P-100^^^HARBOUR&9.9&ISO^MR';
      await ask(oru([obx('spo2', 71)], { pid }));
      await expect(alerts()).resolves.toEqual([['Monitor 2 NORTH 7', 'monitor.authority', 'low', true]]);
      const nurse = await test.signIn(site, 'nurse');
      const [shown] = (await nurse.call('GET', '/api/v2/alerts')).json<AlertsPage>().items;
      expect(shown?.sentence).toContain('MR number of an authority that the site does not list');
      expect(JSON.stringify(shown)).not.toMatch(/P-100|HARB/);
      await ask(oru([obx('spo2', 71)], { id: 'M2', pid: pid.replace('PID', 'PXD') }));
      await expect(alerts()).resolves.toContainEqual(['North gateway', 'monitor.identity', 'low', true]);
    });

    it('is the sender itself where its bed may be damaged, or is not said', async () => {
      await ask(oru([obx('spo2', 71)], { pid: 'PXD|||P-100^^^^MR' }));
      await expect(alerts()).resolves.toEqual([['North gateway', 'monitor.identity', 'low', true]]);
      expect(devicesOfSite()).toHaveLength(1);
    });
  });

  it('stores the qualities of a sender, and no signal for X, for text and for numbers that are no values', async () => {
    await ask(
      oru([
        obx('spo2', 91, { flags: 'QUES' }),
        obx('pulse', 70, { flags: 'INV' }),
        obx('heartRate', '', { status: 'X' }),
        obx('temperature', -100),
      ]),
    );
    await expect(samplesOf(test, site)).resolves.toEqual([
      { patientId, kind: 'spo2', value: 91, quality: 'questionable' },
      { patientId, kind: 'heartRate', value: 0, quality: 'invalid' },
      { patientId, kind: 'pulseRate', value: 70, quality: 'invalid' },
      { patientId, kind: 'temperature', value: 10, quality: 'invalid' },
    ]);
  });

  it('knows the clock of a source after two messages that agree, and its values are good from then on', async () => {
    for (const [index, second] of ['00', '05', '10'].entries()) {
      await ask(oru([obx('spo2', 97)], { id: `M${index}`, time: Number(second) }));
      test.advance(5_000);
    }
    const qualities = (await samplesOf(test, site)).map(({ quality }) => quality);
    expect(qualities).toEqual([ofNewClock, 'good', 'good']);
  });

  it('takes the clock of the monitor for a new source, whose first value may be of yesterday', async () => {
    const yesterday = -82800;
    for (const [index, second] of ['00', '05', '10'].entries()) {
      const values = [obx('spo2', 97), obx('temperature', 41.5, { time: yesterday })];
      await ask(oru(values, { id: `M${index}`, time: Number(second) }));
      test.advance(5_000);
    }
    const rows = await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .select(['kind', 'offset_ms'])
      .orderBy('taken_at')
      .execute();
    expect(rows.map((row) => [kindOfCode(row.kind), row.offset_ms])).toEqual([
      ['temperature', 0],
      ['spo2', 0],
      ['spo2', 0],
      ['spo2', 0],
    ]);
    await test.server.alerts.evaluateClock();
    const raised = await test.store.db.selectFrom('alerts').where('site_id', '=', site).select('rule').execute();
    expect(raised.map(({ rule }) => rule)).not.toContain('clock.off');
  });

  describe('the time of a value', () => {
    const [minute, hour] = [60_000, 3_600_000];
    /** Returns what a clock shows that is so many milliseconds ahead of UTC. */
    const wall = (aheadMs: number): string => formatDtm(test.now() + aheadMs).slice(0, 14);
    const send = (aheadMs: number, zone: string, value = 97): Promise<Ack> => {
      const line = obx('spo2', value, { time: wall(aheadMs) });
      const message = oru([line], { id: `T${test.now()}`, time: wall(aheadMs) });
      return ask(message.replace(at(0), `${wall(aheadMs)}${zone}`));
    };
    /** Values that are sent 6 s apart, and when each came. */
    const sendThree = async (aheadMs: number, zone = ''): Promise<string[]> => {
      const came = [];
      for (let sent = 0; sent < 3; sent += 1) {
        expect((await send(aheadMs, zone)).code).toBe('AA');
        came.push(toInstant(test.now()));
        test.advance(6_000);
      }
      return came;
    };
    const shown = async () => {
      const physician = await test.signIn(site, 'physician');
      const get = async (path: string) => await physician.call('GET', `/api/v2/patients/${patientId}${path}`);
      const { latest } = (await get('')).json<{ latest: LatestValues }>();
      const window = `from=${toInstant(test.now() - hour)}&to=${toInstant(test.now())}`;
      const { series } = (await get(`/vitals?kind=spo2&${window}`)).json<VitalsResponse>();
      const points = rawPoint.array().parse(series[0]?.points);
      test.advance(2 * minute);
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
      const minutes = await test.store.db.selectFrom('minutes').where('site_id', '=', site).selectAll().execute();
      const [head = [], ...rows] = parseCsv((await get('/export?kind=vitals')).body.slice(1));
      const column = (name: string) => rows.slice(0, -1).map((row) => row[head.indexOf(name)] ?? '');
      return {
        tile: [latest.spo2?.asOf, latest.spo2?.ageUnknown ?? false],
        chart: points.map(({ takenAt }) => takenAt),
        qualities: points.map(({ quality }) => quality),
        sentAs: points.map(({ sentAs }) => sentAs ?? null),
        isInMinutes: minutes.every((row) => Math.abs(row.minute * minute - beganAt) <= minute),
        export: column('time_utc'),
        exportSent: column('time_as_sent_utc'),
        clocks: column('device_clock'),
      };
    };
    const asSent = (came: string[], aheadMs: number): string[] =>
      came.map((instant) => toInstant(Date.parse(instant) + aheadMs));

    it.each([
      ['of a gateway in UTC', 0, '+0000'],
      ['of a gateway nine hours ahead', 9 * hour, '+0900'],
      ['of a gateway that states no zone and has that of the site', hour, ''],
    ])('is one in tile, chart and export, by the zone of MSH-7: %s', async (_, aheadMs, zone) => {
      const came = await sendThree(aheadMs, zone);
      await expect(shown()).resolves.toEqual({
        tile: [came[2], false],
        chart: came,
        qualities: [ofNewClock, 'good', 'good'],
        sentAs: [null, null, null],
        isInMinutes: true,
        export: came,
        exportSent: came,
        clocks: ['unknown', 'known', 'known'],
      });
    });

    it.each([
      ['5 min behind', -5 * minute],
      ['50 s ahead', 50_000],
      ['5 h 05 behind', -305 * minute],
    ])('is one in tile, chart and export, with that of a device whose clock is %s beside it', async (_, offMs) => {
      const came = await sendThree(hour + offMs);
      await expect(shown()).resolves.toEqual({
        tile: [came[2], false],
        chart: came,
        qualities: [ofNewClock, 'good', 'good'],
        sentAs: asSent(came, offMs),
        isInMinutes: true,
        export: came,
        exportSent: asSent(came, offMs),
        clocks: ['unknown', 'known', 'known'],
      });
    });

    it.each([
      ['a clock that was not changed', 0, '', 'Device clock 1 h 00 behind: is its time zone right?'],
      ['a gateway nine hours ahead', 9 * hour, '', 'Device clock 8 h 00 ahead: is its time zone right?'],
      ['an engine that writes +0000', hour, '+0000', 'Device clock 1 h 00 ahead: is its time zone right?'],
    ])('is that of its arrival, and doubtful, while the zone may be wrong: %s', async (_, aheadMs, zone, sentence) => {
      await test.startRules(site);
      const came = await sendThree(aheadMs, zone);
      await test.server.alerts.evaluateClock();
      const technician = await test.signIn(site, 'technician');
      const { items } = (await technician.call('GET', '/api/v2/alerts')).json<AlertsPage>();
      expect(items.map((item) => item.sentence)).toEqual([sentence]);
      await expect(shown()).resolves.toEqual({
        tile: [came[2], true],
        chart: came,
        qualities: [ofNewClock, ofNewClock, ofNewClock],
        sentAs: asSent(came, aheadMs - (zone === '' ? hour : 0)),
        isInMinutes: true,
        export: came,
        exportSent: asSent(came, aheadMs - (zone === '' ? hour : 0)),
        clocks: ['unknown', 'unknown', 'unknown'],
      });
    });

    it.each([
      ['an hour behind', 0, hour],
      ['nine hours ahead', 10 * hour, hour],
      ['from an hour behind to nine ahead', 0, 10 * hour],
      ['right until then', hour, 2 * hour],
    ])('is right from the first value on after its clock was set: %s', async (_, before, after) => {
      const came = [...(await sendThree(before)), ...(await sendThree(after))];
      expect((await shown()).chart).toEqual(came);
    });

    it('is not that of a value that is sent again, however old and however often', async () => {
      const line = obx('temperature', 38.2, { time: wall(20 * minute) });
      for (let sent = 0; sent < 4; sent += 1) {
        await ask(oru([line], { id: `N${sent}`, time: wall(hour) }));
        test.advance(2 * minute);
      }
      expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([38.2]);
    });

    it('of a low value whose zone may be wrong holds back no alert', async () => {
      await test.startRules(site);
      await sendThree(0);
      for (let second = 0; second < 60; second += 1) {
        await send(0, '', 70);
        test.advance(1_000);
        await test.server.alerts.evaluateClock();
      }
      const rules = await test.store.db.selectFrom('alerts').where('site_id', '=', site).select('rule').execute();
      expect(rules.map(({ rule }) => rule)).toContain('spo2.desat');
    });

    it('learns no zone after a restart, and keeps an hour that an earlier release has learnt', async () => {
      await sendThree(0);
      await test.restart();
      gateway = await connectMllp(await hl7Port(test));
      await sendThree(0);
      const offsets = async () =>
        (await test.store.db.selectFrom('devices').where('site_id', '=', site).select('clock_offset_ms').execute()).map(
          ({ clock_offset_ms }) => clock_offset_ms,
        );
      expect((await offsets()).filter((offsetMs) => offsetMs !== null)).toEqual([]);
      const probe = devicesOfSite().find(({ name }) => name.includes('SAT_O2'))?.id ?? 0;
      await test.store.db.updateTable('devices').set({ clock_offset_ms: hour }).where('id', '=', probe).execute();
      await test.restart();
      gateway = await connectMllp(await hl7Port(test));
      const came = await sendThree(0);
      expect((await offsets()).filter((offsetMs) => offsetMs !== null)).toEqual([hour]);
      expect((await shown()).tile).toEqual([came[2], false]);
    });

    it('lets a repeat stay one, and a value be corrected and withdrawn, whatever the clock of its device', async () => {
      const first = wall(hour - 5 * minute);
      await sendThree(hour - 5 * minute);
      test.advance(40_000);
      await sendThree(hour - 5 * minute);
      const again = { time: first };
      await ask(oru([obx('spo2', 91, { ...again, status: 'C' })], { id: 'C1', time: first }));
      expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([91, 97, 97, 97, 97, 97]);
      await ask(oru([obx('spo2', '', { ...again, status: 'D' })], { id: 'C2', time: first }));
      expect((await shown()).chart).toHaveLength(5);
      await test.restart();
      gateway = await connectMllp(await hl7Port(test));
      await ask(oru([obx('spo2', 91, again)], { id: 'C3', time: first }));
      await expect(samplesOf(test, site)).resolves.toHaveLength(6);
      expect((await shown()).chart).toHaveLength(5);
    });

    it('is that of OBR-14 if no other is sent', async () => {
      const message = oru([obx('spo2', 97)], { time: '' }).replace(at(0), '');
      const ack = await ask(message.replace('OBR|||||||', `OBR||||||||||||||${wall(hour)}`));
      expect(ack.code).toBe('AA');
      expect((await shown()).export).toEqual([toInstant(beganAt)]);
    });
  });

  it('learns no clock that is wrong by more than a day, and shows no old value as new', async () => {
    for (const [index, second] of ['00', '10', '20'].entries()) {
      const ack = await ask(oru([obx('spo2', 71)], { id: `M${index}`, time: `201608021048${second}` }));
      expect(ack.code).toBe('AE');
      test.advance(10_000);
    }
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    await expect(quarantineOf(test, site)).resolves.toEqual(['clock_wrong', 'clock_wrong', 'clock_wrong']);
  });

  it('makes a source for each code of a bed or device, and none of them can call by itself', async () => {
    await ask(oru([obx('spo2', 97), obx('pulse', 70), obx('spo2', 95, { subId: '2' })]));
    await ask(oru([obx('spo2', 97)], { id: 'M2', time: 1 }));
    const sources = await test.store.db
      .selectFrom('devices')
      .where('site_id', '=', site)
      .selectAll()
      .where('sender_id', 'is not', null)
      .orderBy('id')
      .execute();
    expect(sources.map(({ name }) => name)).toEqual([
      'North gateway',
      '2 NORTH 7 MDC_PULS_OXIM_SAT_O2',
      '2 NORTH 7 MDC_PULS_OXIM_PULS_RATE',
      '2 NORTH 7 MDC_PULS_OXIM_SAT_O2 2',
    ]);
    for (const { id, token_hash } of sources) {
      expect((await test.ingest(token_hash, [])).statusCode).toBe(401);
      for (const act of ['token', 'revoke']) {
        const { statusCode } = await admin.call('POST', `/api/v2/devices/${id}/${act}`, {});
        expect(statusCode).toBe(409);
      }
      const ending = { expiresAt: toInstant(test.now() + 86_400_000) };
      expect((await admin.call('PATCH', `/api/v2/devices/${id}`, ending)).statusCode).toBe(409);
      expect((await admin.call('PATCH', `/api/v2/devices/${id}`, { expectedEveryMs: 60_000 })).statusCode).toBe(200);
    }
  });

  it('takes twenty sources of a vital sign of a patient in an hour, and others when they are silent', async () => {
    const from = (first: number): string[] =>
      Array.from({ length: 20 }, (_, index) => obx('spo2', 97, { subId: `${first + index}` }));
    const atNow = formatDtm(test.now());
    expect((await ask(oru([...from(1), ...from(21)], { time: atNow }))).code).toBe('AA');
    await expect(samplesOf(test, site)).resolves.toHaveLength(20);
    await expect(quarantineOf(test, site)).resolves.toEqual(Array.from({ length: 20 }, () => 'too_many_sources'));
    expect((await ask(oru(from(21), { id: 'M2', time: atNow }))).code).toBe('AE');
    test.advance(59 * 60_000);
    await ask(oru([...from(20), obx('pulse', 70)], { id: 'M3', time: formatDtm(test.now()) }));
    await expect(samplesOf(test, site)).resolves.toHaveLength(22);
    test.advance(60_000);
    await ask(oru(from(30), { id: 'M4', time: formatDtm(test.now()) }));
    await expect(samplesOf(test, site)).resolves.toHaveLength(41);
  });

  it('is named at each of its sources', async () => {
    await ask(oru([obx('spo2', 97)]));
    const { items } = (await admin.call('GET', '/api/v2/devices')).json<{ items: ListedDevice[] }>();
    expect(items.map(({ sender }) => sender)).toEqual(['North gateway', 'North gateway']);
  });
});

describe.each(apiEngines)('the connections of the HL7 door on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let admin: Caller;
  let port: number;

  beforeEach(async () => {
    ({ test, site, admin, port } = await beginWard(await sharedTestServer(engine, gatewayVariables)));
  });
  /** A second door with limits that a test can wait for. */
  const openDoor = (limits: Partial<Hl7Limits>) =>
    createHl7(test.server.env.hl7, test.server.hl7.senders, () => test.server, { connections: 20, ...limits });

  it('keeps places for accepted senders, whatever strangers hold, and says that these were cut', async () => {
    await test.startRules(site);
    const alerts = async (): Promise<string[]> => {
      await test.server.alerts.evaluateClock();
      return test.server.alerts
        .listOpen(site)
        .filter(({ alert }) => alert.parameter === 'gateway' && alert.condition === 'active')
        .map(({ alert }) => `${alert.rule} ${alert.priority}`);
    };
    const door = openDoor({ connections: 200 });
    const own = (await door.listen())?.port ?? 0;
    const strangers: MllpClient[] = [];
    for (let number = 0; number < 200; number += 1) {
      const localAddress = `127.77.0.${1 + Math.floor(number / 10)}`;
      const stranger = await connectMllpBy(own, connect({ port: own, host: '127.0.0.1', localAddress }));
      stranger.write('\x0bMSH|^~\\&|');
      strangers.push(stranger);
    }
    const isOpen = ({ socket }: MllpClient) => !socket.closed;
    await Promise.all(strangers.slice(0, 180).map(({ closed }) => closed));
    expect(strangers.filter(isOpen)).toHaveLength(20);
    await expect(alerts()).resolves.toEqual(['hl7.strangers low']);
    const gateways: MllpClient[] = [await connectAccepted(admin, own)];
    for (let number = 1; number < 11; number += 1) {
      gateways.push(await connectMllp(own));
    }
    await gateways[10]?.closed;
    expect(gateways.filter(isOpen)).toHaveLength(10);
    gateways[9]?.send(oru([obx('spo2', 97)]));
    expect((await gateways[9]?.next())?.code).toBe('AA');
    await expect(alerts()).resolves.toEqual(['hl7.refused high']);
    test.advance(3_600_000);
    await expect(alerts()).resolves.toEqual([]);
    for (const { socket } of [...gateways, ...strangers]) {
      socket.destroy();
    }
    await door.stop();
  });

  it('gives a stranger a short time to its first whole header, and an accepted sender longer', async () => {
    const door = openDoor({ headerMs: 50 });
    const own = (await door.listen())?.port ?? 0;
    const gateway = await connectAccepted(admin, own);
    gateway.write('\x0bMSH|');
    const localAddress = '127.77.1.1';
    const open = () => connectMllpBy(own, connect({ port: own, host: '127.0.0.1', localAddress }));
    const whole = await open();
    whole.write('\x0bMSH|^~\\&|STRANGER\r');
    const half = await open();
    half.write('\x0bMSH|');
    await half.closed;
    expect([whole.socket.closed, gateway.socket.closed]).toEqual([false, false]);
    whole.socket.destroy();
    gateway.socket.destroy();
    await door.stop();
  });

  it('lists the newest unknown sender of each address, also if others send as many', async () => {
    const { senders } = test.server.hl7;
    senders.noteUnknown({ ...from('10.8.0.1'), application: 'MONITOR' }, test.now());
    for (let number = 0; number < 300; number += 1) {
      senders.noteUnknown({ ...from(`10.8.1.${Math.floor(number / 10)}`), application: `A${number}` }, test.now());
    }
    const listed = senders.unknown().filter(({ address: of }) => of.startsWith('10.8.'));
    expect(new Set(listed.map(({ address: of }) => of)).size).toBe(31);
    expect(listed).toContainEqual(expect.objectContaining({ application: 'MONITOR' }));
    expect(listed).toContainEqual(expect.objectContaining({ application: 'A299' }));
  });

  it('refuses an unknown sender, ends its connection, and lists it without anything of its messages', async () => {
    const stranger = await connectMllp(port);
    stranger.send(oru([obx('spo2', 71)], { application: 'STRANGER' }), oru([], { application: 'STRANGER', id: 'M2' }));
    await expect(stranger.next()).resolves.toMatchObject({ code: 'AR', controlId: 'M1' });
    await stranger.closed;
    expect(stranger.waiting()).toBe(0);
    await expect(samplesOf(test, site)).resolves.toEqual([]);
    await expect(quarantineOf(test, site)).resolves.toEqual([]);
    const { unknown, items } = await listSenders(admin);
    expect(items).toEqual([]);
    expect(unknown).toEqual([
      {
        id: expect.any(Number) as unknown,
        address,
        certificate: null,
        application: 'STRANGER',
        facility: '',
        messages: 1,
        firstAt: toInstant(test.now()),
        lastAt: toInstant(test.now()),
        seen: expect.objectContaining({ messages: 1, beds: [{ shape: '9 a^^9', count: 1 }] }) as unknown,
      },
    ]);
    expect(JSON.stringify(unknown)).not.toMatch(/P-100|Harbour|Ada|NORTH|1950/);
  });

  it('knows a sender by MSH-3 and MSH-4, also if both are empty', async () => {
    const gateway = await connectAccepted(admin, port, '');
    gateway.send(oru([obx('spo2', 97)], { application: '' }));
    expect((await gateway.next()).code).toBe('AA');
    gateway.send(oru([obx('spo2', 97)], { application: 'OTHER' }));
    expect((await gateway.next()).code).toBe('AR');
    await gateway.closed;
  });

  it('accepts a sender once, and only with a network that holds its address', async () => {
    const stranger = await connectMllp(port);
    stranger.send(oru([]));
    await stranger.closed;
    const [unknown] = (await listSenders(admin)).unknown;
    const body = { unknownId: unknown?.id, name: 'Gateway', address: networkOf(address) };
    const call = (more: object) => admin.call('POST', '/api/v2/admin/senders', { ...body, ...more });
    for (const wrong of ['10.1.2.0/24', '0.0.0.0/0', 'gateway.example']) {
      expect((await call({ address: wrong })).statusCode).toBe(422);
    }
    expect((await call({})).statusCode).toBe(201);
    expect((await call({})).statusCode).toBe(404);
    const gateway = await connectMllp(port);
    gateway.send(oru([obx('spo2', 97)]));
    expect((await gateway.next()).code).toBe('AE');
    gateway.socket.destroy();
  });

  it('lets no other site accept a part of a network that a sender has, or a larger one around it', async () => {
    test.server.hl7.senders.noteUnknown(from('10.1.2.3'), test.now());
    test.server.hl7.senders.noteUnknown(from('10.1.3.3'), test.now());
    const other = await test.signIn(await test.addSite('Other ward'), 'administrator', true);
    const unknown = async (by: Caller) =>
      (await by.call('GET', '/api/v2/admin/senders'))
        .json<SendersResponse>()
        .unknown.filter((one) => one.address.startsWith('10.1.'));
    const [far, near] = await unknown(admin);
    const call = async (caller: Caller, unknownId: number | undefined, network: string): Promise<number> =>
      (await caller.call('POST', '/api/v2/admin/senders', { unknownId, name: 'Gateway', address: network })).statusCode;
    await expect(call(admin, near?.id, '10.1.2.0/25')).resolves.toBe(201);
    await expect(call(other, far?.id, '10.1.0.0/16')).resolves.toBe(409);
    await expect(call(admin, far?.id, '10.1.0.0/16')).resolves.toBe(201);
    // It is known by now.
    test.server.hl7.senders.noteUnknown(from('10.1.2.4'), test.now());
    await expect(unknown(other)).resolves.toEqual([]);
    await expect(call(other, (far?.id ?? 0) + 1, '10.1.2.4')).resolves.toBe(404);
  });

  it('lets one of two sites accept networks that overlap, also at the same moment', async () => {
    const elsewhere = await test.addSite('Other ward');
    const third = await test.addSite('Third ward');
    const sites = [[third, '10.2.0.0/16'] as const, [elsewhere, '10.2.2.0/24'] as const];
    const { senders } = test.server.hl7;
    senders.noteUnknown(from('10.2.2.3'), test.now());
    senders.noteUnknown(from('10.2.2.4'), test.now());
    const lastId = senders.unknown()[0]?.id ?? 0;
    const outcomes = await Promise.allSettled(
      sites.map(([siteId, network], index) => {
        const accepted = { unknownId: lastId - 1 + index, name: 'Gateway', address: network, isTrial: false };
        return acceptSender(test.server, test.now(), system, siteId, accepted);
      }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const accepted = test.store.db.selectFrom('hl7_senders').where('site_id', 'in', [third, elsewhere]);
    await expect(accepted.selectAll().execute()).resolves.toHaveLength(1);
  });

  it('counts what a sender did, and refuses it once it is revoked, with the sources that it had', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.send(
      oru([obx('spo2', 97)]),
      oru([obx('spo2', 97)]),
      oru([obx('spo2', 71)], { id: 'M2', pid: 'PID|||P-9^^^^MR' }),
      oru([], { id: 'M3', type: 'ADT^A01' }),
    );
    for (let count = 0; count < 4; count += 1) {
      await gateway.next();
    }
    const [sender] = (await listSenders(admin)).items;
    expect(sender).toMatchObject({
      connections: 1,
      lastMessageAt: toInstant(test.now()),
      answers: { AA: 1, AE: 1, AR: 1 },
      repeated: 1,
    });
    const stranger = await test.signIn(await test.addSite('Other ward'), 'administrator', true);
    const url = `/api/v2/admin/senders/${sender?.id ?? 0}/revoke`;
    expect((await stranger.call('POST', url)).statusCode).toBe(404);
    expect((await admin.call('POST', url)).json<{ revokedAt: string }>().revokedAt).toBe(toInstant(test.now()));
    await gateway.closed;
    const again = await connectMllp(port);
    again.send(oru([obx('spo2', 96)], { id: 'M9' }));
    expect((await again.next()).code).toBe('AR');
    const devices = [...test.server.liveState.devices.values()].filter(({ site_id }) => site_id === site);
    // The sender, the probe, and the monitor whose patient did not match.
    expect(devices.map(({ revoked_at }) => revoked_at)).toEqual([test.now(), test.now(), test.now()]);
    expect((await admin.call('GET', '/api/v2/audit')).body).toMatch(/"revoke_sender"[^]*"accept_sender"/);
  });

  it.each([
    ['ADT^A01', {}, '200'],
    ['ORU^R30', {}, '200'],
    ['ORU^R01', { processing: 'X' }, '202'],
    ['ORU^R01', { version: '3.0' }, '203'],
    ['ORU^R01', { id: '' }, '101'],
  ])('refuses a message of the type %s with %j by the number %s', async (type, more, error) => {
    const gateway = await connectAccepted(admin, port);
    gateway.send(oru([obx('spo2', 97)], { type, ...more }));
    await expect(gateway.next()).resolves.toMatchObject({ code: 'AR', error });
    gateway.send(oru([obx('spo2', 97)], { id: 'M2' }));
    expect((await gateway.next()).code).toBe('AA');
    gateway.socket.destroy();
  });

  it('answers no answer', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.send(oru(['MSA|AA|M1'], { type: 'ACK' }), oru([obx('spo2', 97)], { id: 'M2' }));
    expect((await gateway.next()).controlId).toBe('M2');
    gateway.socket.destroy();
  });

  it('ends a connection that sends something else than HL7', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.send('GET / HTTP/1.1');
    expect((await gateway.next()).code).toBe('AR');
    await gateway.closed;
    const flood = await connectMllp(port);
    flood.write('x'.repeat(100_000));
    await flood.closed;
  });

  it.each([
    ['AL|NE', ['CA'], ['CR']],
    ['NE|AL', ['AA'], ['AR']],
    ['AL|AL', ['CA', 'AA'], ['CR']],
    ['ER|NE', [], ['CR']],
  ])('gives a sender with MSH-15 and MSH-16 %s the answers that it wants', async (mode, ifTaken, ifRefused) => {
    const gateway = await connectAccepted(admin, port);
    const last = oru([obx('spo2', 97)], { id: 'LAST' });
    const codesOf = async (message: string): Promise<string[]> => {
      gateway.send(message, last);
      const codes: string[] = [];
      for (let ack = await gateway.next(); ack.controlId !== 'LAST'; ack = await gateway.next()) {
        codes.push(ack.code);
      }
      return codes;
    };
    await expect(codesOf(oru([obx('spo2', 96)], { mode }))).resolves.toEqual(ifTaken);
    await expect(codesOf(oru([], { mode, type: 'ADT^A01', id: 'M2' }))).resolves.toEqual(ifRefused);
    gateway.socket.destroy();
  });

  it('reads a message in single bytes, several in one packet, and one whose sender has ended its half', async () => {
    const gateway = await connectAccepted(admin, port);
    for (const byte of Buffer.from(frame(oru([obx('spo2', 97)])))) {
      gateway.write(Uint8Array.of(byte));
    }
    expect((await gateway.next()).controlId).toBe('M1');
    gateway.send(...['M2', 'M3', 'M4'].map((id) => oru([obx('spo2', 97)], { id })));
    gateway.socket.end();
    for (const id of ['M2', 'M3', 'M4']) {
      await expect(gateway.next()).resolves.toMatchObject({ code: 'AA', controlId: id });
    }
    await gateway.closed;
  });

  it('gives a message that two connections bring at once one answer', async () => {
    const gateways = [await connectAccepted(admin, port), await connectMllp(port)];
    const message = oru([obx('spo2', 71)], { pid: 'PID|||P-9^^^^MR' });
    for (const gateway of gateways) {
      gateway.send(message);
    }
    const [first, second] = await Promise.all(gateways.map((gateway) => gateway.next()));
    expect(second).toEqual(first);
    await expect(quarantineOf(test, site)).resolves.toHaveLength(1);
    for (const { socket } of gateways) {
      socket.destroy();
    }
  });

  it('answers a message over 128 KiB with AR and ends the connection', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.write(frame(oru([`NTE|||${'x'.repeat(140_000)}`])));
    await gateway.closed;
    await expect(quarantineOf(test, site)).resolves.toEqual([]);
  });

  it('holds ten connections of an address and closes the next', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => connectMllp(port)));
    const next = await connectMllp(port);
    await next.closed;
    held[0]?.socket.destroy();
    await held[0]?.closed;
    await wait(50);
    const again = await connectMllp(port);
    again.send(oru([]));
    expect((await again.next()).code).toBe('AR');
    for (const { socket } of held) {
      socket.destroy();
    }
  });

  it('ends a connection that is silent inside a frame, and keeps one that is silent between two', async () => {
    await connectAccepted(admin, port).then(({ socket }) => socket.destroy());
    const door = openDoor({ idleMs: 200 });
    const short = (await door.listen())?.port ?? 0;
    const quiet = await connectMllp(short);
    const stuck = await connectMllp(short);
    stuck.write('\x0bMSH|');
    await stuck.closed;
    await wait(300);
    quiet.send(oru([obx('spo2', 97)]));
    expect((await quiet.next()).code).toBe('AA');
    await door.stop();
  });

  it('ends the connection of a stranger that keeps it busy with single bytes', async () => {
    const door = openDoor({ idleMs: 200 });
    const stranger = await connectMllp((await door.listen())?.port ?? 0);
    const trickle = setInterval(() => {
      stranger.write('\x0b');
    }, 20);
    await stranger.closed;
    clearInterval(trickle);
    await expect(quarantineOf(test, site)).resolves.toEqual([]);
    await door.stop();
  });

  it('ends a connection that sends nothing but broken frames', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.write('\x0bMSH'.repeat(99) + frame(oru([obx('spo2', 97)])));
    expect((await gateway.next()).code).toBe('AA');
    gateway.write('\x0bMSH'.repeat(200));
    await gateway.closed;
  });

  it('takes no value that an end byte has cut, and answers at once a frame that 0x1C alone ends', async () => {
    const gateway = await connectAccepted(admin, port);
    const whole = frame(oru([obx('spo2', 97)])).slice(0, -2);
    gateway.write(`${whole}\x1c`);
    expect((await gateway.next()).code).toBe('AA');
    gateway.socket.destroy();
    const door = openDoor({ pauseMs: 60_000 });
    const patient = await connectMllp((await door.listen())?.port ?? 0);
    const next = frame(oru([obx('spo2', 97)], { id: 'M2' }));
    patient.write(`${whole.replace('|97|', '|9\x1c|')}\x1c\r${next.slice(0, -2)}\x1c${next.replace('|M2|', '|M3|')}`);
    for (const id of ['M2', 'M3']) {
      await expect(patient.next()).resolves.toMatchObject({ code: 'AA', controlId: id });
    }
    patient.socket.destroy();
    await door.stop();
    expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([97]);
  });

  const unframed = oru([obx('spo2', 71)], { id: 'M7' }).replaceAll('\n', '\r');
  it.each([
    ['a message in no frame', unframed, [], 'no_frame', 'aaa|^~\\&|aaaaaaa||||99999999999999||aaa^'],
    [
      'a message without 0x0B',
      `${unframed}\x1c\r`,
      ['AR 207 M7'],
      'no_start',
      'aaa|^~\\&|aaaaaaa||||99999999999999||aaa^',
    ],
    ['another protocol', 'GET /P-100 HTTP/1.1\r\n', [], 'no_frame', 'aaa /a-999 aaaa/9.9\ufffd\ufffd'],
    ['a file', '\x0bFHS|^~\\&|X\rBHS|7\r\x1c\r', ['AR 100 '], 'batch', 'aaa|^~\\&|a\ufffdaaa|9\ufffd'],
    [
      'a batch',
      `\x0bBHS|^~\\&\r${unframed}\x1c\r`,
      ['AR 100 '],
      'batch',
      'aaa|^~\\&\ufffdaaa|^~\\&|aaaaaaa||||99999999999',
    ],
    [
      'a byte order mark',
      `\x0b\ufeff${unframed}\x1c\r`,
      ['AR 100 '],
      'bom',
      '\ufffd\ufffd\ufffdaaa|^~\\&|aaaaaaa||||99999999999999||a',
    ],
  ])(
    'lists the shape of %s, takes nothing of it, and keeps the connection',
    async (_name, sent, said, reason, shape) => {
      await connectAccepted(admin, port).then(({ socket }) => socket.destroy());
      const door = openDoor({ pauseMs: 1 });
      const gateway = await connectMllp((await door.listen())?.port ?? 0);
      gateway.write(sent);
      // Also if nothing more comes.
      while (door.refusedConnections.list().length === 0) {
        await wait(1);
      }
      expect(door.refusedConnections.list()).toMatchObject([{ address, reason, shape, count: 1 }]);
      gateway.send(oru([obx('spo2', 97)]));
      const answers: string[] = [];
      while (answers.at(-1) !== 'AA  M1') {
        const { code, error, controlId } = await gateway.next();
        answers.push(`${code} ${error} ${controlId}`);
      }
      expect(answers).toEqual([...said, 'AA  M1']);
      expect((await samplesOf(test, site)).map(({ value }) => value)).toEqual([97]);
      gateway.socket.destroy();
      await door.stop();
    },
  );

  it('ends the connection of a stranger after a batch, and lists it', async () => {
    const stranger = await connectMllp(port);
    stranger.send('BHS|^~\\&|X');
    await expect(stranger.next()).resolves.toMatchObject({ code: 'AR', error: '100' });
    await stranger.closed;
    const { refusedConnections } = await listSenders(admin);
    expect(refusedConnections.find((one) => one.address === address)).toMatchObject({ reason: 'batch', count: 1 });
  });

  it('keeps a connection on which single bytes come between messages', async () => {
    const gateway = await connectAccepted(admin, port);
    for (let count = 0; count < 150; count += 1) {
      gateway.write('\0\x1c\r');
    }
    gateway.send(oru([obx('spo2', 97)]));
    expect((await gateway.next()).code).toBe('AA');
    gateway.socket.destroy();
  });

  it('asks a sender to send again if the store takes too long, and stores that once', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.send(oru([obx('spo2', 97)]));
    await gateway.next();
    gateway.socket.destroy();
    const door = openDoor({ answerWithinMs: 200 });
    const quick = await connectMllp((await door.listen())?.port ?? 0);
    const message = oru([obx('spo2', 96)], { id: 'M2', time: 1 });
    const release = holdWrites(test.store);
    quick.send(message);
    await expect(quick.next()).resolves.toMatchObject({ code: 'AR', error: '207', controlId: 'M2' });
    await expect(samplesOf(test, site)).resolves.toHaveLength(1);
    release();
    quick.send(message);
    await expect(quick.next()).resolves.toMatchObject({ code: 'AA', controlId: 'M2' });
    await expect(samplesOf(test, site)).resolves.toHaveLength(2);
    quick.socket.destroy();
    await door.stop();
  });

  it('forgets an answer after 24 h and not before', async () => {
    const gateway = await connectAccepted(admin, port);
    gateway.send(oru([obx('spo2', 97)]));
    await gateway.next();
    const { db } = test.store;
    const kept = async (hours: number): Promise<number> => {
      await deleteAnswers(db, test.now() + hours * 3_600_000, new AbortController().signal);
      const senderIds = test.server.hl7.senders.ofSite(site).map(({ id }) => id);
      return (await db.selectFrom('hl7_answers').select('id').where('sender_id', 'in', senderIds).execute()).length;
    };
    await expect(kept(23)).resolves.toBe(1);
    await expect(kept(25)).resolves.toBe(0);
    gateway.socket.destroy();
  });

  it('logs nothing of a message', async () => {
    const before = test.logLines.length;
    const gateway = await connectAccepted(admin, port);
    jest.spyOn(test.server.recorder, 'recordTogether').mockRejectedValue(new TypeError('P-100 Harbour'));
    gateway.send(oru([obx('spo2', 97)]));
    await expect(gateway.next()).resolves.toMatchObject({ code: 'AR', error: '207' });
    const logged = test.logLines.slice(before);
    expect(logged.filter(({ msg }) => msg === 'an HL7 message failed')).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/P-100|Harbour/);
    gateway.socket.destroy();
  });
});

/** Writes the files of a server whose gateways need a certificate, and returns the variables that name them. */
function tlsVariables() {
  const folder = makeTestFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, tlsCertificate.cert);
  writeFileSync(key, tlsCertificate.key);
  return { ...gatewayVariables, HL7_TLS_CERT: cert, HL7_TLS_KEY: key, HL7_TLS_CA: cert };
}

let certificates = 0;

/** Opens a TLS connection from the address of the test. */
const openTls = (port: number, own: ConnectionOptions) =>
  connectTls({
    ...{ socket: connect({ port, host: '127.0.0.1', localAddress: address }) },
    ...{ host: '127.0.0.1', ca: tlsCertificate.cert, ...own },
  });

const certificateOf = (name: string, more: { isExpired?: boolean; isStrange?: boolean } = {}) =>
  clientCertificate([subjectPart(subjectTypes.o, 'Hospital'), subjectPart(subjectTypes.cn, name)], more);

describe.each(engines)('a gateway with a certificate on %s', (engine) => {
  const variables = tlsVariables();
  /** The names and certificates of the test: a sender is known by its certificate from any address. */
  let northName: string;
  let southName: string;
  let north: { cert: string; key: string };
  let test: TestServer;
  let admin: Caller;
  let site: number;
  let port: number;

  beforeEach(async () => {
    ({ test, admin, site, port } = await beginWard(await restartableTestServer(engine, variables)));
    certificates += 1;
    [northName, southName] = [`north ${certificates}`, `south ${certificates}`];
    north = certificateOf(northName);
  });

  const open = (own: ConnectionOptions) => openTls(port, own);
  const connectWith = ({ cert, key }: { cert: string; key: string }) => connectMllpBy(port, open({ cert, key }));
  /** Resolves with the answer to one message on a connection of its own. */
  const ask = async (own: { cert: string; key: string }, more: Oru = {}): Promise<string> => {
    const gateway = await connectWith(own);
    gateway.send(oru([obx('spo2', 97)], more));
    const { code } = await gateway.next();
    gateway.socket.destroy();
    return code;
  };
  /** Resolves with the answer to an administrator who accepts the unknown sender that was heard last. */
  const acceptBy = async (range: string | null, by = admin): Promise<[number, unknown]> => {
    const [unknown] = (await listSenders(by)).unknown;
    const body = { unknownId: unknown?.id, name: 'North gateway', address: range };
    const answer = await by.call('POST', '/api/v2/admin/senders', body);
    if (answer.statusCode === 201) {
      await answerFor(test, answer.json<{ id: number }>().id);
    }
    return [answer.statusCode, answer.json<{ error?: { code?: string } }>().error?.code];
  };
  const revoke = async (): Promise<void> => {
    const [sender] = test.server.hl7.senders.ofSite(site);
    expect((await admin.call('POST', `/api/v2/admin/senders/${sender?.id}/revoke`)).statusCode).toBe(200);
  };
  const restart = async (): Promise<void> => {
    await test.restart();
    port = await hl7Port(test);
  };

  it('is known by it from any address, whatever it calls itself, renewed, and after a restart', async () => {
    await expect(ask(north)).resolves.toBe('AR');
    const name = `CN=${northName}, O=Hospital`;
    expect((await listSenders(admin)).unknown).toMatchObject([{ address, certificate: name }]);
    await expect(acceptBy(null)).resolves.toEqual([201, undefined]);
    const sender = (await listSenders(admin)).items[0];
    expect(sender).toMatchObject({ certificate: name, address: '', application: '', facility: '' });
    await expect(ask(north)).resolves.toBe('AA');
    await expect(ask(certificateOf(northName), { application: 'OTHER', id: 'M2' })).resolves.toBe('AA');
    await expect(ask(certificateOf(southName), { id: 'M3' })).resolves.toBe('AR');
    await restart();
    await expect(ask(north, { id: 'M4' })).resolves.toBe('AA');
  });

  it('is unknown once it is revoked, also by its address, after a restart, until it is accepted again', async () => {
    await ask(north);
    await acceptBy(null);
    const [silent, speaking] = [await connectWith(north), await connectWith(north)];
    speaking.send(oru([obx('spo2', 97)]));
    await speaking.next();
    expect((await listSenders(admin)).items[0]?.connections).toBe(2);
    await revoke();
    await Promise.all([silent.closed, speaking.closed]);
    await ask(certificateOf(southName));
    await expect(acceptBy(networkOf(address))).resolves.toEqual([201, undefined]);
    await restart();
    await expect(ask(certificateOf(southName), { id: 'M2' })).resolves.toBe('AA');
    await expect(ask(north, { id: 'M3' })).resolves.toBe('AR');
    expect((await listSenders(admin)).unknown).toMatchObject([{ certificate: `CN=${northName}, O=Hospital` }]);
    await expect(acceptBy(address)).resolves.toEqual([409, 'certificate_revoked']);
    await expect(acceptBy(null)).resolves.toEqual([201, undefined]);
    await expect(ask(north, { id: 'M4' })).resolves.toBe('AA');
  });

  it('is one site’s, and takes no messages from a sender of another site', async () => {
    const other = await test.signIn(await test.addSite('Other ward'), 'administrator', true);
    await ask(north);
    await ask(certificateOf(southName), { application: 'SOUTH' });
    // Its address is a sender of this site by now.
    await expect(acceptBy(address)).resolves.toEqual([201, undefined]);
    await expect(acceptBy(null, other)).resolves.toEqual([409, 'sender_exists']);
    await revoke();
    // Both list it, and both accept it.
    const unknownId = (await listSenders(other)).unknown.find(({ certificate }) =>
      certificate?.includes(northName),
    )?.id;
    const body = { unknownId, name: 'North gateway', address: null };
    const both = await Promise.all([admin, other].map((by) => by.call('POST', '/api/v2/admin/senders', body)));
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 404]);
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it('is not heard with one that is expired, or that another CA has signed', async () => {
    const strangers = [certificateOf(northName, { isExpired: true }), certificateOf(northName, { isStrange: true })];
    for (const stranger of strangers) {
      const gateway = await connectWith(stranger);
      gateway.send(oru([]));
      await gateway.closed;
      expect(gateway.waiting()).toBe(0);
    }
    expect((await listSenders(admin)).unknown).toEqual([]);
  });

  it('is known by its address while no sender has its certificate', async () => {
    await ask(north);
    await expect(acceptBy(address)).resolves.toEqual([201, undefined]);
    await expect(ask(north)).resolves.toBe('AA');
    await expect(ask(certificateOf(southName), { id: 'M2' })).resolves.toBe('AA');
    await expect(ask(north, { application: 'OTHER' })).resolves.toBe('AR');
  });

  it('cannot be accepted by a certificate that it has not shown', async () => {
    test.server.hl7.senders.noteUnknown(from(address), test.now());
    await expect(acceptBy(null)).resolves.toEqual([422, 'invalid']);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'shows it on each connection, and goes on with none (%s)',
    async (version) => {
      await ask(north);
      await acceptBy(null);
      let session: Buffer | undefined;
      const first = open({ cert: north.cert, key: north.key, maxVersion: version });
      first.on('session', (given) => {
        session = given;
      });
      const gateway = await connectMllpBy(port, first);
      gateway.send(oru([obx('spo2', 97)]));
      expect((await gateway.next()).code).toBe('AA');
      session ??= first.getSession();
      const second = open({ maxVersion: version, session });
      let isReused = false;
      second.once('secureConnect', () => {
        isReused = second.isSessionReused();
      });
      second.on('error', () => undefined);
      second.write(frame(oru([obx('spo2', 96)], { id: 'M2' })));
      const isAnswered = await new Promise((resolve) => {
        second.once('data', () => {
          resolve(true);
        });
        second.once('close', () => {
          resolve(false);
        });
      });
      expect([isReused, isAnswered]).toEqual([false, false]);
      first.destroy();
      second.destroy();
    },
  );

  it('cannot show another one on the connection that is open', async () => {
    const socket = open({ cert: north.cert, key: north.key, maxVersion: 'TLSv1.2' });
    const gateway = await connectMllpBy(port, socket);
    const error = await new Promise((resolve) => {
      socket.renegotiate({ rejectUnauthorized: true }, resolve);
      void gateway.closed.then(() => {
        resolve(new Error('closed'));
      });
    });
    expect(error).toBeInstanceOf(Error);
    socket.destroy();
  });
});

describe('the HL7 door with TLS', () => {
  it('needs a certificate of the CA, if there is one, before it reads anything', async () => {
    // On a server of its own, which it stops.
    const { test, site, admin, port } = await beginWard(await startTestServer('sqlite', tlsVariables()));
    const open = (own: object) => openTls(port, own);
    const gateway = await connectMllpBy(port, open(tlsCertificate));
    gateway.send(oru([obx('spo2', 97)]));
    expect((await gateway.next()).code).toBe('AR');
    await accept(admin);
    const again = await connectMllpBy(port, open(tlsCertificate));
    again.send(oru([obx('spo2', 97)]));
    expect((await again.next()).code).toBe('AA');
    again.socket.destroy();
    const without = await connectMllpBy(port, open({}));
    without.send(oru([obx('spo2', 96)]));
    await without.closed;
    await expect(samplesOf(test, site)).resolves.toHaveLength(1);
    for (const how of [{ isStrange: true }, { isExpired: true }]) {
      const other = await connectMllpBy(port, open(clientCertificate([subjectPart(subjectTypes.cn, 'other')], how)));
      await other.closed;
    }
    const plain = await connectMllp(port);
    plain.send(oru([obx('spo2', 96)]));
    await plain.closed;
    const listed = (await listSenders(admin)).refusedConnections.map(({ address, reason, count }) => [
      address,
      reason,
      count,
    ]);
    expect(listed).toEqual([
      [address, 'not_tls', 1],
      [address, 'expired', 1],
      [address, 'wrong_certificate', 1],
      [address, 'no_certificate', 1],
    ]);
    // Its handshake never comes: it must not hold up the stop.
    const silent = await connectMllp(port);
    await test.stop();
    await silent.closed;
  });

  it('ends a connection whose handshake does not end, silent or byte by byte', async () => {
    const { HL7_TLS_CA: _, ...variables } = tlsVariables();
    const { test } = await beginWard(await sharedTestServer('sqlite', variables));
    const door = createHl7(test.server.env.hl7, test.server.hl7.senders, () => test.server, {
      handshakeMs: 200,
    });
    const port = (await door.listen())?.port ?? 0;
    const silent = await connectMllp(port);
    const slow = await connectMllp(port);
    // The first bytes of a handshake that is 512 bytes long.
    slow.write(Uint8Array.of(22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3));
    const trickle = setInterval(() => {
      slow.write('x');
    }, 50);
    await silent.closed;
    await slow.closed;
    clearInterval(trickle);
    expect([silent.waiting(), slow.waiting()]).toEqual([0, 0]);
    expect(door.refusedConnections.list()).toMatchObject([{ address, reason: 'unfinished', count: 2 }]);
    await door.stop();
  });

  it('is not opened with files that cannot be read', async () => {
    const files = { HL7_TLS_CERT: '/nowhere/cert.pem', HL7_TLS_KEY: '/nowhere/key.pem' };
    const test = await sharedTestServer('sqlite', { ...gatewayVariables, ...files });
    await expect(hl7Port(test)).rejects.toThrow('HL7_TLS_CERT names a file that cannot be read');
  });
});

it('there is no HL7 door unless HL7_PORT is set', async () => {
  const test = await sharedTestServer('sqlite');
  await test.app.ready();
  await expect(test.server.hl7.listen()).resolves.toBeNull();
});
