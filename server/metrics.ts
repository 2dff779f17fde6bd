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
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [registry] });
  /** Adds a gauge that is read when an operator asks for it. */
  const gaugeOf = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  /** Adds a counter whose counts, by the value of its label, are kept elsewhere. */
  const countsOf = (name: string, help: string, label: string, read: () => Iterable<[string, number]>): void => {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of read()) {
          this.inc({ [label]: value }, count);
        }
      },
    });
  };

  const requests = new Histogram({
    name: 'wardlight_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  const secondsSince = (instant: 'lastTickAt' | 'lastHeartbeatAt') => () => (now() - alertPath.read()[instant]) / 1_000;
  gaugeOf(
    'wardlight_alert_tick_age_seconds',
    'Time since alerts were last evaluated by the clock',
    secondsSince('lastTickAt'),
  );
  gaugeOf(
    'wardlight_heartbeat_age_seconds',
    'Time since the last heartbeat that went all the way',
    secondsSince('lastHeartbeatAt'),
  );
  gaugeOf(
    'wardlight_patients',
    'Active patients',
    () => [...liveState.patients.values()].filter((row) => row.state === 'active').length,
  );
  countsOf(
    'wardlight_rule_failures_total',
    'How often evaluating the rules of a patient or device threw, by what was evaluated',
    'evaluating',
    () => faults.failures,
  );
  countsOf(
    'wardlight_rule_states_rebuilt_total',
    'Rule states that could not be read and were rebuilt, by the number of the patient or device',
    'subject',
    () => faults.rebuiltSubjects,
  );
  countsOf(
    'wardlight_unreadable_rows_total',
    'Rows of the alarm path that could not be read, by what they are',
    'what',
    () => faults.unreadable,
  );
  new Counter({
    name: 'wardlight_unknown_kinds_total',
    help: 'Stored values of a kind that this release does not know, left out',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(liveState.unknownKinds);
    },
  });
  new Gauge({
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
  });
  return {
    registry,
    /** Records one response. `route` is the pattern, never the address. */
    observe: (method: string, route: string, status: number, seconds: number): void => {
      requests.observe({ method, route, status }, seconds);
    },
    /** Adds a gauge of open connections and a counter of those that were closed. */
    countConnections: ({ open, closed }: Pick<Connections, 'open' | 'closed'>): void => {
      gaugeOf('wardlight_open_connections', 'Connections that are open', () => open.size);
      countsOf(
        'wardlight_closed_connections_total',
        'Connections closed: too many of an address, to make room, or too many requests at once',
        'why',
        () => Object.entries(closed),
      );
    },
    /** Adds a gauge of the rows that devices have sent and that wait for a transaction. */
    countWaiting: (rows: () => number): void => {
      gaugeOf('wardlight_waiting_rows', 'Rows of devices that wait to be stored', rows);
    },
    /** Adds a gauge of the room on the disk with the data. */
    measureDisk: (space: () => { freeBytes: number } | null): void => {
      gaugeOf(
        'wardlight_free_bytes',
        'Room on the disk with the data; NaN if it is not watched, as on PostgreSQL',
        () => space()?.freeBytes ?? NaN,
      );
    },
    samples: counter('wardlight_samples_total', 'Samples that devices sent, by what became of them', 'outcome'),
    checkInBudget: counter(
      'wardlight_check_in_budget_total',
      'Check-ins from home that a link sent too often, by what became of them',
      'what',
    ),
    withheldFaults: counter(
      'wardlight_faults_withheld_total',
      'Faults of the server that were not reported because many had been within the hour; each is in the log',
    ),
    loopStalls: counter(
      'wardlight_loop_stalls_total',
      'How often the thread that answers calls was busy with one thing for more than 200 ms',
    ),
    ticks: counter('wardlight_alert_ticks_total', 'Evaluations of alerts by the clock that succeeded'),
    heartbeats: counter(
      'wardlight_heartbeats_total',
      'Heartbeats that went all the way: sample, rule, event, and a silence that the clock noticed',
    ),
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
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
