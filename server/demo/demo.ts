import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Selectable, sql, type RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { DemoResponse } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import { kinds } from '../../lib/vitals/kinds';
import { openLine } from '../../simulator/callServer';
import { cast, type GatewayPart } from '../../simulator/cast';
import { startSimulator, type SimulatedGateway, type Simulator } from '../../simulator/simulator';
import { system, type Actor } from '../audit/actor';
import type { Alerts } from '../alerts/alerts';
import type { Engine } from '../db/engine';
import type { Store } from '../db/open';
import type { SitesTable } from '../db/schema';
import { addDevice, renewDeviceToken } from '../devices/commands';
import type { LiveState } from '../liveState';
import type { Passwords } from '../session/passwords';
import { createDemoWard } from './demoWard';

/** The demo ward of this process and the simulator that sends for its devices. */
export interface Demo {
  /** Whether this installation is a demo. */
  exists(): Promise<boolean>;
  /**
   * Creates the demo ward and, if the server listens already, starts its simulator. Returns its users with their
   * passwords. Rejects with 409 `already_set_up` if any user exists.
   */
  create(actor: Actor, timeZone: string): Promise<DemoResponse['people']>;
  /** Starts the simulator of a demo that was created earlier. Call it when the server listens. */
  listening(address: AddressInfo): Promise<void>;
  /** Ends the simulator. `listening` may start it again. */
  stop(): Promise<void>;
}

interface DemoParts {
  store: Store;
  liveState: LiveState;
  passwords: Passwords;
  alerts: Pick<Alerts, 'siteChanged'>;
  log: Logger;
  now: () => EpochMs;
  /** Writes what clinicians of the ward wrote, unless it is written already. */
  record: {
    notes: (siteId: number) => Promise<void>;
    /** Has figures of the last 12 h, so it comes after the history. */
    handoffs: (siteId: number) => Promise<void>;
  };
}

const minuteMs = 60_000;

/**
 * Returns the query for those of the given epoch minutes that have a sample of one kind of one patient. Each minute is
 * one look into the key, however many samples it has.
 */
function storedMinutesQuery(
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): RawBuilder<{ minute: number }> {
  const isStored = sql`EXISTS (SELECT 1 FROM samples s
    WHERE s.minute = m.minute AND s.patient_id = ${patientId} AND s.kind = ${kind})`;
  return engine === 'sqlite'
    ? sql`SELECT m.minute FROM (SELECT value AS minute FROM json_each(${JSON.stringify(minutes)})) m WHERE ${isStored}`
    : sql`SELECT m.minute FROM unnest(${minutes}::bigint[]) AS m (minute) WHERE ${isStored}`;
}

/** Returns the epoch minutes of a window that have a sample of one kind of one patient. */
export async function storedMinutes(
  store: Store,
  patientId: number,
  kind: number,
  from: EpochMs,
  to: EpochMs,
): Promise<Set<number>> {
  const first = Math.floor(from / minuteMs);
  const minutes = Array.from(
    { length: Math.max(0, Math.floor(to / minuteMs) - first + 1) },
    (_, index) => first + index,
  );
  const { rows } = await storedMinutesQuery(store.engine, patientId, kind, minutes).execute(store.db);
  return new Set(rows.map(({ minute }) => minute));
}

export function createDemo({ store, liveState, passwords, alerts, log, now, record }: DemoParts): Demo {
  let server: URL | null = null;
  let recorded: Promise<void> = Promise.resolve();
  let simulator: Promise<Simulator | null> = Promise.resolve(null);

  const demoSite = async (): Promise<Selectable<SitesTable> | null> =>
    (await store.db.selectFrom('sites').selectAll().where('is_demo', '=', 1).orderBy('id').executeTakeFirst()) ?? null;

  const openGateway = async ({ name, roles }: GatewayPart, siteId: number, url: URL): Promise<SimulatedGateway> => ({
    name,
    roles,
    line: openLine(url, await newToken(store, now(), siteId, name)),
    storedMinutes: async (from, to) => {
      const [first] = roles;
      const patient = first === undefined ? null : liveState.patientByMrn(first.patient.mrn, siteId);
      return patient === null ? new Set() : await storedMinutes(store, patient.id, kinds.spo2.code, from, to);
    },
  });

  const simulate = async (): Promise<Simulator | null> => {
    const site = await demoSite();
    const url = server;
    if (site === null || url === null) {
      return null;
    }
    const gateways = [];
    for (const part of cast) {
      gateways.push(await openGateway(part, site.id, url));
    }
    const started = startSimulator({
      gateways,
      startedAt: site.created_at,
      clock: { now, sleep: (ms, signal) => sleep(ms, undefined, { ref: false, signal }).catch(() => undefined) },
      onTrouble: (gateway, reason) => {
        log.warn({ gateway, reason }, 'a simulated gateway cannot send; it tries again');
      },
    });
    recorded = writeRecord(site.id, started.historySent);
    return started;
  };

  /** Never rejects: without its notes the ward is still a ward. */
  const writeRecord = async (siteId: number, historySent: Promise<void>): Promise<void> => {
    try {
      await record.notes(siteId);
      await historySent;
      // It is also over when the simulator is stopped.
      if (server !== null) {
        await record.handoffs(siteId);
      }
    } catch (error) {
      log.error({ code: error instanceof Error ? error.name : 'unknown' }, 'the record of the demo was not written');
    }
  };

  /** Starts the simulator. If that fails, the server goes on without it. */
  const start = async (): Promise<void> => {
    simulator = simulator
      .then(async (running) => running ?? (await simulate()))
      .catch((error: unknown) => {
        log.error({ code: error instanceof Error ? error.name : 'unknown' }, 'the simulator did not start');
        return null;
      });
    await simulator;
  };

  return {
    exists: async () => (await demoSite()) !== null,
    create: async (actor, timeZone) => {
      const people = await createDemoWard({ store, liveState, passwords }, now(), actor, timeZone);
      const site = await demoSite();
      if (site !== null) {
        await alerts.siteChanged(site.id);
      }
      await start();
      return people;
    },
    listening: async (address) => {
      server = urlOf(address);
      await start();
    },
    stop: async () => {
      server = null;
      const running = await simulator;
      simulator = Promise.resolve(null);
      await running?.stop();
      await recorded;
    },
  };
}

/**
 * Gives a gateway a new token. Each start needs one, because only the memory of the process has it. The devices stay,
 * so that what they send again after a restart counts as a duplicate.
 */
async function newToken(store: Store, now: EpochMs, siteId: number, name: string): Promise<string> {
  const devices = await store.db
    .selectFrom('devices')
    .select(['id', 'name', 'revoked_at'])
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute();
  const named = devices.filter((device) => unitKey(device.name) === unitKey(name));
  // If one was revoked and another has its name, only that one may send.
  const known = named.find(({ revoked_at }) => revoked_at === null) ?? named[0];
  // Its patients are invented.
  const gatewayUntil = now + 3_650 * 86_400_000;
  if (known !== undefined) {
    await store.db.updateTable('devices').set({ gateway_until: gatewayUntil }).where('id', '=', known.id).execute();
    return await renewDeviceToken(store.db, now, system, known.id, null);
  }
  return (
    await addDevice(store.db, now, system, { siteId, name, expectedEveryMs: null, expiresAt: null, gatewayUntil })
  ).token;
}

/** Returns the URL under which this process reaches itself. The address may be that of all interfaces. */
function urlOf({ address, family, port }: AddressInfo): URL {
  if (address === '0.0.0.0' || address === '::') {
    return new URL(`http://127.0.0.1:${port}`);
  }
  return new URL(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
}
