import type { Selectable } from 'kysely';
import type { OpenAlarm } from '../../lib/deviceAlarms/applyAlarms';
import { getOrAdd } from '../../lib/getOrAdd';
import type { EpochMs } from '../../lib/time/epochMs';
import { movedClock, unknownClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import type { DeviceAlarmsTable } from '../db/hl7Tables';

/** An open alarm as the store has it. */
export interface StoredAlarm extends OpenAlarm {
  id: number;
  deviceId: number;
  siteId: number;
  /** The newest `lastSeenAt` that is stored. */
  storedSeenAt: EpochMs;
  /** The device said it since the start. Of what an earlier process knew the end may have been missed. */
  isSaid: boolean;
}

/** A monitor and the patient of whom it speaks: what it says of another one says nothing of this one's alarms. */
export interface MonitorKey {
  deviceId: number;
  patientId: number;
}

/** What is known of a monitor and a patient. */
interface Heard {
  open: Map<string, StoredAlarm>;
  /** The time of the newest message. Null: none since the start. */
  heardAt: EpochMs | null;
  clock: DeviceClock;
}

/** The alarms that devices have not ended. They change after the commit. */
export class DeviceAlarmBoard {
  private readonly byDevice = new Map<number, Map<number, Heard>>();
  private readonly devicesOf = new Map<number, Set<number>>();

  constructor(private readonly changed: (siteId: number) => void) {}

  /** Returns the open alarms of a monitor and a patient. */
  openOf(key: MonitorKey): readonly StoredAlarm[] {
    return [...(this.find(key)?.open.values() ?? [])];
  }

  /** Returns the open alarms of a monitor about others who were not heard of there since `before`. */
  openOfOthers({ deviceId, patientId }: MonitorKey, before: EpochMs): StoredAlarm[] {
    return [...(this.byDevice.get(deviceId) ?? [])].flatMap(([id, heard]) =>
      id !== patientId && (heard.heardAt ?? Number.NEGATIVE_INFINITY) < before
        ? [...heard.open.values()].filter(({ lastSeenAt }) => lastSeenAt < before)
        : [],
    );
  }

  /** Returns the time of the newest message; after a start that of the newest alarm that is open. */
  newestOf(key: MonitorKey): EpochMs {
    const heardAt = this.find(key)?.heardAt ?? Number.NEGATIVE_INFINITY;
    return Math.max(heardAt, ...this.openOf(key).map(({ lastSeenAt }) => lastSeenAt));
  }

  /** Returns the open alarms of a patient, the newest first. An event lasts as long as its monitor is heard of them. */
  ofPatient(patientId: number): StoredAlarm[] {
    return [...(this.devicesOf.get(patientId) ?? [])]
      .flatMap((deviceId) => {
        const newest = this.newestOf({ deviceId, patientId });
        return this.openOf({ deviceId, patientId }).map((alarm) =>
          alarm.isEvent && alarm.isSaid ? { ...alarm, lastSeenAt: Math.max(alarm.lastSeenAt, newest) } : alarm,
        );
      })
      .sort((a, b) => b.startedAt - a.startedAt);
  }

  /** Adds an open alarm from the store. */
  load(row: Selectable<DeviceAlarmsTable>): void {
    const { id, code, text, priority, inactivation } = row;
    this.put({
      ...{ id, key: row.alarm_key, code, text, priority, inactivation },
      ...{ isTechnical: row.is_technical === 1, isEvent: row.is_event === 1 },
      ...{ patientId: row.patient_id, deviceId: row.device_id, siteId: row.site_id },
      ...{ startedAt: row.started_at, lastSeenAt: row.last_seen_at, storedSeenAt: row.last_seen_at, isSaid: false },
    });
  }

  /** Adds or changes an open alarm. */
  put(alarm: StoredAlarm): void {
    this.make(alarm).open.set(alarm.key, alarm);
    this.changed(alarm.siteId);
  }

  /** Takes away an alarm that has ended. */
  remove(alarm: StoredAlarm): void {
    const heard = this.find(alarm);
    if (heard?.open.get(alarm.key)?.id === alarm.id) {
      heard.open.delete(alarm.key);
      this.changed(alarm.siteId);
    }
  }

  /** Takes away all alarms of a patient, and what is known of their monitors. */
  removeOf(patientId: number): void {
    for (const deviceId of this.devicesOf.get(patientId) ?? []) {
      const patients = this.byDevice.get(deviceId);
      patients?.delete(patientId);
      if (patients?.size === 0) {
        this.byDevice.delete(deviceId);
      }
    }
    this.devicesOf.delete(patientId);
  }

  /** Returns what is known of a monitor's clock since the start. */
  clockOf(key: MonitorKey): DeviceClock {
    return this.find(key)?.clock ?? unknownClock;
  }

  /** Notes that a message has come, of this time, and what it says of the monitor's clock. */
  noteHeard(key: MonitorKey, at: EpochMs, clock: DeviceClock): void {
    const heard = this.make(key);
    heard.heardAt = Math.max(heard.heardAt ?? at, at);
    heard.clock = clock;
  }

  /** Moves all times with a step of the server's clock. */
  moveClock(ms: number): void {
    for (const patients of this.byDevice.values()) {
      for (const heard of patients.values()) {
        heard.heardAt = heard.heardAt === null ? null : heard.heardAt + ms;
        heard.clock = movedClock(heard.clock, ms);
        for (const alarm of heard.open.values()) {
          this.put({
            ...alarm,
            startedAt: alarm.startedAt + ms,
            lastSeenAt: alarm.lastSeenAt + ms,
            storedSeenAt: alarm.storedSeenAt + ms,
          });
        }
      }
    }
  }

  private find({ deviceId, patientId }: MonitorKey): Heard | undefined {
    return this.byDevice.get(deviceId)?.get(patientId);
  }

  private make({ deviceId, patientId }: MonitorKey): Heard {
    getOrAdd(this.devicesOf, patientId, () => new Set<number>()).add(deviceId);
    const patients = getOrAdd(this.byDevice, deviceId, () => new Map<number, Heard>());
    const begin = (): Heard => ({ open: new Map(), heardAt: null, clock: unknownClock });
    return getOrAdd(patients, patientId, begin);
  }
}
