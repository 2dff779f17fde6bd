import type { Generated } from 'kysely';
import type { Parameter } from '../../lib/alerts/parameters';
import type { Priority } from '../../lib/alerts/priority';

/** The tables of alerts and of what decides when one is raised. */
export interface AlertTables {
  alerts: AlertsTable;
  alert_events: AlertEventsTable;
  alert_history: AlertHistoryTable;
  alert_actors: AlertActorsTable;
  rule_states: RuleStatesTable;
  retrospective_queue: RetrospectiveQueueTable;
  alert_limits: AlertLimitsTable;
  standbys: StandbysTable;
  comfort_cares: ComfortCaresTable;
}

export interface AlertsTable {
  id: Generated<number>;
  site_id: number;
  /** An alert is about a patient or about a device: exactly one of the two is null. */
  patient_id: number | null;
  device_id: number | null;
  parameter: Parameter;
  rule: string;
  priority: Priority;
  condition: 'active' | 'ended';
  started_at: number;
  raised_at: number;
  closed_at: number | null;
  /**
   * 1: raised by values that arrived too late, and closed from the start. It never counts as a patient's last alert.
   */
  is_retrospective: 0 | 1;
  /** When a start could not read the row; null: it can be read. Nothing but this is ever written to the row then. */
  unreadable_at: Generated<number | null>;
  /** An `Alert` of lib/alerts as JSON. */
  facts: string;
  /** What raised it, as JSON: the version of the rules, the limits, the samples. */
  evidence: string;
}

interface AlertEventsTable {
  id: Generated<number>;
  site_id: number;
  alert_id: number;
  at: number;
  /** An `AlertEvent` of lib/alerts as JSON. */
  event: string;
}

/** What happened to an alert, for reports: a narrow row of each but those of the heartbeat. */
export interface AlertHistoryTable {
  site_id: number;
  /** When the alert was first raised; `alerts.raised_at` is that of its last episode. */
  raised_at: number;
  alert_id: number;
  patient_id: number | null;
  parameter: Parameter;
  /** The rule that is active now, or was active last. */
  rule: string;
  /** The most urgent that it had. */
  priority: Priority;
  closed_at: number | null;
  is_retrospective: 0 | 1;
  /** The first acknowledgement that was not taken back, and how many there are. */
  acknowledged_at: number | null;
  acknowledgements: Generated<number>;
  accepted_at: number | null;
  acceptances: Generated<number>;
  /** The last step of its plans that was asked; null: none. */
  highest_step: number | null;
}

/** Who did something to an alert. */
interface AlertActorsTable {
  user_id: number;
  alert_id: number;
}

interface RuleStatesTable {
  /** 0 if it is about a device. */
  patient_id: number;
  /** 0 if it is about a patient. */
  device_id: number;
  site_id: number;
  state: string;
}

export interface RetrospectiveQueueTable {
  patient_id: number;
  /** Epoch minutes of `takenAt`, as in the key of samples. */
  from_minute: number;
  until_minute: number;
  /** When the first of the late values arrived, and when the last did. */
  since: number;
  touched_at: number;
  /** How many calls brought late values. */
  touches: number;
}

export interface AlertLimitsTable {
  id: Generated<number>;
  site_id: number;
  /** Null: the limits of all patients of the site. */
  patient_id: number | null;
  rule: string;
  /** The SpO2 scale that it applies to. Null: both, as for the rules of the rates. */
  scale: 1 | 2 | null;
  /** `LimitValues` of lib/alerts as JSON. */
  limit_values: string;
  reason: string;
  review_at: number | null;
  set_at: number;
  set_by: number;
  /** Who approved the limits of a site; null for a patient's, and for those that one user set in an earlier release. */
  approved_by: Generated<number | null>;
}

interface StandbysTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  reason: string;
  started_at: number;
  started_by: number;
  until: number;
  /** 1: it goes on from another one. */
  is_renewal: Generated<0 | 1>;
  ended_at: number | null;
  ended_by: number | null;
}

interface ComfortCaresTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  reason: string;
  confirmed_at: number;
  confirmed_by: number;
  ended_at: number | null;
  ended_by: number | null;
}
