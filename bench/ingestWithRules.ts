import { Client } from 'pg';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../test/embeddedPostgres';
import { startIngest, type IngestProcess } from './ingestProcess';
import { compare } from './lines';
import { load, post } from './load';

const rounds = 5;
const seconds = 2;

/**
 * One second of a mostly calm ward: values that change as real ones do, a probe that slips for three seconds every ten
 * minutes, and a desaturation of 40 s of each patient every hour. That is 24 alerts a patient and day.
 */
export function secondOfWard(patients: readonly number[], at: number): string {
  const takenAt = new Date(at).toISOString();
  const second = Math.floor(at / 1_000);
  const samples = patients.flatMap((patientId) => {
    const phase = (second + patientId * 137) % 3_600;
    const spo2 = phase < 40 ? 85 : phase % 600 < 3 ? 87 : 96 + ((second + patientId) % 3);
    return [
      { patientId, kind: 'spo2', value: spo2, takenAt, quality: 'good' },
      { patientId, kind: 'heartRate', value: 70 + ((second + patientId) % 11), takenAt, quality: 'good' },
    ];
  });
  return JSON.stringify({ samples });
}

async function compareOn(engine: string, databaseUrls: readonly [string, string] | null): Promise<void> {
  const on = await startIngest({ databaseUrl: databaseUrls?.[0], rules: true, isSecondPerCall: true });
  const off = await startIngest({ databaseUrl: databaseUrls?.[1], isSecondPerCall: true });
  const measured: { on: number[]; off: number[] } = { on: [], off: [] };
  const run = async (server: IngestProcess & { patients: number[] }): Promise<number> => {
    const next = (): Buffer =>
      post('/api/v2/vitals', secondOfWard(server.patients, server.nextSecond()), {
        Authorization: `Bearer ${server.token}`,
      });
    return (await load(server.port, 4, seconds, next)).perSecond * 500;
  };
  try {
    await run(on);
    await run(off);
    for (let round = 0; round < rounds; round += 1) {
      measured.on.push(await run(on));
      measured.off.push(await run(off));
    }
  } finally {
    on.stop();
    off.stop();
  }
  compare(
    `ingest with rules on ${engine}, 250 patients x 2 kinds, batches of 500, 4 connections`,
    measured.on,
    measured.off,
    'rows/s',
    'rules off',
    0.6,
  );
}

/** Measures the cost of the rules up to the ACK: the same server, with and without the intended use accepted. */
export async function benchIngestWithRules(): Promise<void> {
  await compareOn('SQLite', null);
  const url = await startEmbeddedPostgres();
  try {
    const client = new Client({ connectionString: url });
    await client.connect();
    const names = ['bench_on', 'bench_off'];
    for (const name of names) {
      await client.query(`CREATE DATABASE ${name}`);
    }
    await client.end();
    const [on = '', off = ''] = names.map((name) => Object.assign(new URL(url), { pathname: name }).toString());
    await compareOn('PostgreSQL', [on, off]);
  } finally {
    await stopEmbeddedPostgres();
  }
}
