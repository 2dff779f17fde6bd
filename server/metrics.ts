import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EpochMs } from '../lib/time/epochMs';
import type { AlertPathWatch } from './alertPath';
import type { AlertFaults } from './alerts/alertFaults';
import { readHead } from './audit/verify';
import type { Store } from './db/open';
import type { Connections } from './http/connections';
import type { LiveState } from './liveState';

/** Creates the metrics for operators. Labels hold routes, codes and numbers of rows, never a person or a place. */
export function createMetrics(
  liveState: LiveState,
  { db }: Store,
  alertPath: AlertPathWatch,
  faults: AlertFaults,
  now: () => EpochMs,
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'wardlight_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  /** Adds a gauge of the seconds since an instant of the alarm path. */
  const ageOf = (name: string, help: string, instant: 'lastTickAt' | 'lastHeartbeatAt') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set((now() - alertPath.read()[instant]) / 1_000);
      },
    });
  ageOf('wardlight_alert_tick_age_seconds', 'Time since alerts were last evaluated by the clock', 'lastTickAt');
  ageOf('wardlight_heartbeat_age_seconds', 'Time since the last heartbeat that went all the way', 'lastHeartbeatAt');
  return {
    registry,
    /** Records one response. `route` is the pattern, never the address. */
    observe: (method: string, route: string, status: number, seconds: number): void => {
      requests.observe({ method, route, status }, seconds);
    },
    /** Adds a gauge of open connections and a counter of those that were closed. */
    countConnections: ({ open, closed }: Pick<Connections, 'open' | 'closed'>): void => {
      new Gauge({
        name: 'wardlight_open_connections',
        help: 'Connections that are open',
        registers: [registry],
        collect() {
          this.set(open.size);
        },
      });
      new Counter({
        name: 'wardlight_closed_connections_total',
        help: 'Connections closed: too many of an address, to make room, or too many requests at once',
        labelNames: ['why'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [why, count] of Object.entries(closed)) {
            this.inc({ why }, count);
          }
        },
      });
    },
    /** Adds a gauge of the rows that devices have sent and that wait for a transaction. */
    countWaiting: (rows: () => number): void => {
      new Gauge({
        name: 'wardlight_waiting_rows',
        help: 'Rows of devices that wait to be stored',
        registers: [registry],
        collect() {
          this.set(rows());
        },
      });
    },
    /** Adds a gauge of the room on the disk with the data. */
    measureDisk: (space: () => { freeBytes: number } | null): void => {
      new Gauge({
        name: 'wardlight_free_bytes',
        help: 'Room on the disk with the data; NaN if it is not watched, as on PostgreSQL',
        registers: [registry],
        collect() {
          this.set(space()?.freeBytes ?? NaN);
        },
      });
    },
    samples: new Counter({
      name: 'wardlight_samples_total',
      help: 'Samples that devices sent, by what became of them',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    checkInBudget: new Counter({
      name: 'wardlight_check_in_budget_total',
      help: 'Check-ins from home that a link sent too often, by what became of them',
      labelNames: ['what'],
      registers: [registry],
    }),
    withheldFaults: new Counter({
      name: 'wardlight_faults_withheld_total',
      help: 'Faults of the server that were not reported because many had been within the hour; each is in the log',
      registers: [registry],
    }),
    loopStalls: new Counter({
      name: 'wardlight_loop_stalls_total',
      help: 'How often the thread that answers calls was busy with one thing for more than 200 ms',
      registers: [registry],
    }),
    ticks: new Counter({
      name: 'wardlight_alert_ticks_total',
      help: 'Evaluations of alerts by the clock that succeeded',
      registers: [registry],
    }),
    heartbeats: new Counter({
      name: 'wardlight_heartbeats_total',
      help: 'Heartbeats that went all the way: sample, rule, event, and a silence that the clock noticed',
      registers: [registry],
    }),
    heartbeat: new Gauge({
      name: 'wardlight_heartbeat_seconds',
      help: 'Time that the last heartbeat took from a sample to the alert that it raised; NaN when it was not heard',
      registers: [registry],
    }),
    heartbeatAt: new Gauge({
      name: 'wardlight_heartbeat_timestamp_seconds',
      help: 'When the last heartbeat was heard, seconds since 1970',
      registers: [registry],
    }),
    ruleFailures: new Counter({
      name: 'wardlight_rule_failures_total',
      help: 'How often evaluating the rules of a patient or device threw, by what was evaluated',
      labelNames: ['evaluating'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [evaluating, count] of faults.failures) {
          this.inc({ evaluating }, count);
        }
      },
    }),
    rebuiltRuleStates: new Counter({
      name: 'wardlight_rule_states_rebuilt_total',
      help: 'Rule states that could not be read and were rebuilt, by the number of the patient or device',
      labelNames: ['subject'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [subject, count] of faults.rebuiltSubjects) {
          this.inc({ subject }, count);
        }
      },
    }),
    unreadableRows: new Counter({
      name: 'wardlight_unreadable_rows_total',
      help: 'Rows of the alarm path that could not be read, by what they are',
      labelNames: ['what'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [what, count] of faults.unreadable) {
          this.inc({ what }, count);
        }
      },
    }),
    unknownKinds: new Counter({
      name: 'wardlight_unknown_kinds_total',
      help: 'Stored values of a kind that this release does not know, left out',
      registers: [registry],
      collect() {
        this.reset();
        this.inc(liveState.unknownKinds);
      },
    }),
    auditHead: new Gauge({
      name: 'wardlight_audit_head_id',
      help: 'Number of the newest row of the audit; it never goes down',
      registers: [registry],
      async collect() {
        // /readyz reports a store that is unavailable. The other metrics are still valid.
        const head = await readHead(db).catch(() => null);
        if (head !== null) {
          this.set(head.id);
        }
      },
    }),
    patients: new Gauge({
      name: 'wardlight_patients',
      help: 'Active patients',
      registers: [registry],
      collect() {
        this.set([...liveState.patients.values()].filter((row) => row.state === 'active').length);
      },
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
