import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { formatDtm } from '../lib/hl7/formatDtm';
import { type SenderSettings, unanswered } from '../lib/hl7/senderSettings';
import { freePort } from '../test/freePort';
import { connectMllp } from '../test/mllpClient';
import { firstLine, newFolder } from './ingestProcess';
import { atMost, compare, p99 } from './lines';
import { load, post } from './load';
import { mllpLoad } from './mllpLoad';
import { mostMemory } from './mostMemory';
import { signIn, startWard, type Ward } from './ward';

const rounds = 5;
const seconds = 3;
const connections = 50;
const limits = { ackMs: 100, memoryMb: 300 };

/** Five kinds as a monitor codes them. A message has each of them twice. */
const lines = [
  { kind: 'spo2', code: '150456^MDC_PULS_OXIM_SAT_O2^MDC', unit: '262688^MDC_DIM_PERCENT^MDC', value: 96 },
  { kind: 'pulseRate', code: '149530^MDC_PULS_OXIM_PULS_RATE^MDC', unit: '264864^MDC_DIM_BEAT_PER_MIN^MDC', value: 72 },
  { kind: 'heartRate', code: '147842^MDC_ECG_HEART_RATE^MDC', unit: '264864^MDC_DIM_BEAT_PER_MIN^MDC', value: 72 },
  { kind: 'respiratoryRate', code: '151562^MDC_RESP_RATE^MDC', unit: '264928^MDC_DIM_RESP_PER_MIN^MDC', value: 14 },
  { kind: 'temperature', code: '150364^MDC_TEMP_BODY^MDC', unit: '268192^MDC_DIM_DEGC^MDC', value: 37 },
] as const;
const valuesOfMessage = 2 * lines.length;

/**
 * Measures the HL7 port: one connection against a listener that only writes and flushes, 50 against the device call
 * with as many values a call, and 50 senders with a message a second each.
 */
export async function benchHl7(): Promise<void> {
  const hl7Port = await freePort();
  const ward = await startWard(connections, { env: { HL7_PORT: String(hl7Port) } });
  try {
    await acceptSenders(ward, hl7Port);
    // First, because memory that a load has used is given back late.
    await withFifty(ward, hl7Port);
    await against(hl7Port);
    await againstHttp(ward, hl7Port);
  } finally {
    await ward.server.remove();
  }
}

/** 50 senders with a message a second each. */
async function withFifty(ward: Ward, hl7Port: number): Promise<void> {
  const over = new AbortController();
  const memory = mostMemory(ward.server, over.signal);
  const { times } = await mllpLoad(
    hl7Port,
    { connections, seconds: 60, everyMs: 1_000 },
    messages((sender) => `GATEWAY ${sender}`),
  );
  over.abort();
  atMost(`HL7, 50 senders, a message a second each: p99 of ${times.length} answers`, [p99(times)], limits.ackMs, 'ms');
  atMost('HL7, 50 senders, a message a second each: memory', [await memory], limits.memoryMb, 'MB');
}

/** One connection, against a listener that writes the text and flushes before its answer. */
async function against(hl7Port: number): Promise<void> {
  const folder = newFolder();
  const port = await freePort();
  const bare = spawn(process.execPath, ['dist/bench-bareMllp.js', String(port), path.join(folder, 'messages')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await firstLine(bare);
  const [ours, theirs]: [number[], number[]] = [[], []];
  const next = messages(() => 'GATEWAY 0');
  for (let round = 0; round < rounds; round += 1) {
    ours.push((await mllpLoad(hl7Port, { connections: 1, seconds }, next)).perSecond);
    theirs.push((await mllpLoad(port, { connections: 1, seconds }, next)).perSecond);
  }
  bare.kill();
  rmSync(folder, { recursive: true });
  compare(
    'HL7, one connection, ten values a message',
    ours,
    theirs,
    'messages/s',
    'a listener that writes and flushes',
    0.5,
  );
}

/** 50 connections, against calls of a device with as many values. */
async function againstHttp(ward: Ward, hl7Port: number): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const next = messages(() => 'GATEWAY 0');
  const times = newTimes();
  let patient = 0;
  const call = (): Buffer => {
    patient = (patient % connections) + 1;
    const samples = times(patient).flatMap((at) =>
      lines.map(({ kind, value }) => ({
        patientId: patient,
        kind,
        value,
        takenAt: new Date(at).toISOString(),
        quality: 'good',
      })),
    );
    return post('/api/v2/vitals', JSON.stringify({ samples }), { Authorization: `Bearer ${ward.token}` });
  };
  const httpPort = Number(new URL(ward.server.url).port);
  for (let round = 0; round < rounds; round += 1) {
    ours.push((await mllpLoad(hl7Port, { connections, seconds }, next)).perSecond * valuesOfMessage);
    theirs.push((await load(httpPort, connections, seconds, call)).perSecond * valuesOfMessage);
  }
  compare('HL7, 50 connections, ten values a message', ours, theirs, 'values/s', 'POST /api/v2/vitals', 0.5);
}

/** Returns a function that returns two times for a patient, epoch milliseconds: now, and none twice. */
function newTimes(): (patient: number) => [number, number] {
  const last = new Map<number, number>();
  return (patient) => {
    const at = Math.max(Date.now(), (last.get(patient) ?? 0) + 2);
    last.set(patient, at);
    return [at - 1, at];
  };
}

/** Returns a function that returns the next message of a connection, about the patient of its number. */
function messages(applicationOf: (connection: number) => string): (connection: number) => string {
  const times = newTimes();
  let count = 0;
  return (connection) => {
    const patient = connection + 1;
    const values = times(patient).flatMap((at) =>
      lines.map(({ code, unit, value }) => `OBX||NM|${code}||${value}|${unit}|||||F|||${formatDtm(at)}`),
    );
    count += 1;
    return [
      `MSH|^~\\&|${applicationOf(connection)}||||${formatDtm(Date.now())}||ORU^R01|${count}-${performance.now()}|P|2.5`,
      `PID|||B${patient}^^^^MR||Patient ${patient}^Bench||19500307`,
      `PV1|||Unit^^${patient}`,
      'OBR|1',
      ...values,
    ].join('\n');
  };
}

const unknownSenders = z.object({ unknown: z.array(z.object({ id: z.number(), application: z.string() })) });
const madeSender = z.object({ id: z.number() });
const proposals = z.object({ items: z.array(z.object({ proposal: z.object({ id: z.number() }).nullable() })) });

/** What holds for each sender: its bare MR numbers are MRNs, beside name and birth date. */
const settings: SenderSettings = { ...unanswered, identifiers: [{ type: 'MR', authority: '', is: 'mrn' }] };

/**
 * Each sends once, is listed as unknown, and is accepted from the whole loopback network; another person confirms what
 * holds for it.
 */
async function acceptSenders({ server, cookie }: Ward, port: number): Promise<void> {
  const send = async (own: string, path: string, body?: object): Promise<unknown> => {
    const xsrf = /XSRF-TOKEN=([^;]*)/.exec(own)?.[1] ?? '';
    const headers = { 'Content-Type': 'application/json', cookie: own, 'X-XSRF-TOKEN': xsrf };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v2/${path}`, { headers, ...sent });
    if (!response.ok) {
      throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    }
    return await response.json();
  };
  const lead = { email: 'lead@example.org', password: 'a password of the lead' };
  const invitation = { email: lead.email, type: 'ward_lead', isAdmin: false, unitIds: [] };
  const { link } = z.object({ link: z.string() }).parse(await send(cookie, 'admin/invitations', invitation));
  const person = { invitation: link.split('#invitation=')[1], fname: 'Lena', lname: 'Lead', password: lead.password };
  await send('', 'auth/sign-up', person);
  const next = messages((sender) => `GATEWAY ${sender}`);
  for (let sender = 0; sender < connections; sender += 1) {
    const stranger = await connectMllp(port);
    stranger.send(next(sender));
    await stranger.next();
    await stranger.closed;
    const { unknown } = unknownSenders.parse(await send(cookie, 'admin/senders'));
    const body = { unknownId: unknown[0]?.id, name: `Gateway ${sender}`, address: '127.0.0.0/8', isTrial: false };
    const { id } = madeSender.parse(await send(cookie, 'admin/senders', body));
    await send(cookie, `admin/senders/${id}/settings`, { basedOn: 0, settings });
  }
  const confirming = await signIn(server, lead);
  const { items } = proposals.parse(await send(confirming, 'admin/senders/settings'));
  for (const { proposal } of items) {
    await send(confirming, `admin/senders/settings/${proposal?.id}/confirm`, {});
  }
}
