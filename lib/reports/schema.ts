import { z } from 'zod';
import { idParam } from '../api/idParam';
import { line } from '../line';
import { plainText } from '../plainText';
import { userTypes } from '../session/userTypes';
import { instant } from '../time/schema';
import { vitalKinds } from '../vitals/kinds';
import { harms, type Harm } from './harms';
import { reportKinds, type ReportKind } from './reportKinds';
import { reportStatuses, type ReportStatus } from './reportStatuses';
import { serviceSeverities, type ServiceSeverity } from './serviceSeverities';

const keysOf = <Key extends string>(words: Readonly<Record<Key, unknown>>): [Key, ...Key[]] =>
  Object.keys(words) as [Key, ...Key[]];

const kind = z.enum(keysOf<ReportKind>(reportKinds));
const severity = z.enum(keysOf<ServiceSeverity>(serviceSeverities));
const status = z.enum(keysOf<ReportStatus>(reportStatuses));
const harm = z.object({
  physical: z.enum(keysOf<Harm>(harms)).nullable(),
  psychological: z.enum(keysOf<Harm>(harms)).nullable(),
});

const rowId = z.int().positive();
const version = rowId;
/** Made by the page for each new text: the same one again, after a lost response, adds nothing. */
const clientId = z.uuid();
/** The user of the page: another one may have signed in in this browser meanwhile. */
const authorId = rowId;

/** The longest text of a report, in characters. */
export const longestReportText = 4_000;
const text = z.string().trim().max(longestReportText).regex(plainText, 'holds a control character');
const comment = text.min(1, 'is empty');

/** What a page knows of its sound. */
export const soundStates = ['on', 'off', 'paused', 'not_needed'] as const;
/** What a page knows of its connection. */
export const connectionStates = ['live', 'lost', 'alerts_not_running'] as const;
const tileStates = ['live', 'ageing', 'stale', 'off', 'none'] as const;

const tile = z.object({ kind: z.enum(vitalKinds), state: z.enum(tileStates), count: z.int().min(0).max(100_000) });
const connectionChange = z.object({ at: instant, is: z.enum(connectionStates) });
const wordOf = (max: number) => z.string().regex(new RegExp(`^[\\w.:@/-]{1,${max}}$`), 'is not an id');

/** The state of the page from which a report was made. It names no patient, and holds no text that anyone typed. */
const pageState = {
  /** Its route pattern (lib/monitoring/routePattern): "/patient_details". */
  page: z.string().max(200),
  /** The release of the page, which may be older than the server's. */
  release: wordOf(60),
  /** The version of the rules that the page knew. */
  ruleVersion: z.int().nullable(),
  sound: z.enum(soundStates),
  errorReportId: wordOf(64).nullable(),
};
/** As a page sends it. At most 10 kB. */
const newContext = z
  .strictObject({
    ...pageState,
    /** The browser and its version, as `navigator.userAgent` says it. */
    browser: line(300),
    /** How many tiles of each kind were live, ageing, stale, off or without a value. */
    tiles: z.array(tile).max(80),
    /** The last 10 min, the oldest first. */
    connection: z.array(connectionChange).max(100),
    /** The newest last. */
    requestIds: z.array(wordOf(64)).max(20),
  })
  .refine((context) => JSON.stringify(context).length <= 10_000, 'is too long');
export type NewReportContext = z.output<typeof newContext>;

export const reportContext = z.object({
  ...pageState,
  browser: z.string(),
  tiles: z.array(tile),
  connection: z.array(connectionChange),
  requestIds: z.array(z.string()),
});
export type ReportContext = z.infer<typeof reportContext>;

/** What is known of the equipment. Null: not stated. */
const newDevice = z.object({
  maker: line(100).nullable(),
  model: line(100).nullable(),
  serial: line(100).nullable(),
  udi: line(200).nullable(),
  firmware: line(100).nullable(),
  /** The lot of an accessory. */
  lot: line(100).nullable(),
  /** It was taken out of use and put aside. */
  isQuarantined: z.boolean().nullable(),
});
/** As it is stored and shown. */
export const reportedDevice = z.object({
  maker: z.string().nullable(),
  model: z.string().nullable(),
  serial: z.string().nullable(),
  udi: z.string().nullable(),
  firmware: z.string().nullable(),
  lot: z.string().nullable(),
  isQuarantined: z.boolean().nullable(),
});

export const newReport = z
  .strictObject({
    clientId,
    authorId,
    kind,
    severity,
    harm,
    /** Not of characters alone that no one sees; one that is empty is refused already. */
    title: line(120).refine((title) => title === '' || /[^\p{Cf}\s]/u.test(title), 'is empty'),
    whatHappened: text,
    expected: text,
    immediateAction: text,
    /** Null: not stated. */
    occurredAt: instant.nullable(),
    discoveredAt: instant.nullable(),
    /** Any unit of the site; null: the patient's, if there is one. */
    unitId: rowId.nullable(),
    bed: line(30).nullable(),
    /** A patient whom the reporter may see. */
    patientId: rowId.nullable(),
    /** Alerts of this patient, or about equipment. */
    alertIds: z
      .array(rowId)
      .max(20)
      .transform((ids) => [...new Set(ids)]),
    /** A device of the site that the reporter may see. */
    deviceId: rowId.nullable(),
    device: newDevice.nullable(),
    /** From peers. Those who manage the report see the reporter all the same. */
    isReporterHidden: z.boolean(),
    /** The reporter has confirmed that S1 alarms the unit now. Wanted with S1, and with nothing else. */
    alarmsUnit: z.boolean(),
    context: newContext.nullable(),
  })
  .refine((report) => report.alarmsUnit === (report.severity === 'S1'), {
    path: ['alarmsUnit'],
    message: 'has to be confirmed for S1, and for S1 alone',
  });
export type NewReport = z.output<typeof newReport>;

/** What a manager can change; `mayChange` of a report names what the caller can. What is left out stays. */
export const changeableFields = [
  'status',
  'severity',
  'kind',
  'harm',
  'assigneeId',
  'externalReference',
  'isQuarantined',
] as const;
export type ChangeableField = (typeof changeableFields)[number];

export const reportChange = z.strictObject({
  version,
  authorId,
  status: status.optional(),
  severity: severity.optional(),
  /** Confirmed: wanted when the severity becomes S1, which alarms the unit now. */
  alarmsUnit: z.literal(true).optional(),
  kind: kind.optional(),
  harm: harm.optional(),
  assigneeId: rowId.nullable().optional(),
  externalReference: line(120).nullable().optional(),
  isQuarantined: z.boolean().nullable().optional(),
  /** Why, for the history. */
  comment: comment.optional(),
});
export type ReportChange = z.output<typeof reportChange>;

export const newComment = z.strictObject({ clientId, authorId, text: comment });
export type NewComment = z.output<typeof newComment>;

export const reportRead = z.strictObject({ version });

const person = z.object({ id: z.int(), name: z.string() });
const unit = z.object({ id: z.int(), name: z.string() });

/**
 * How much of a report its reader sees: all of it; what is about the equipment (a patient is a place and the end of an
 * MRN, no harm, no alerts); or what is about the software (no patient, no bed, no text, no harm, no alerts).
 */
export const sights = ['whole', 'device', 'software'] as const;
export type Sight = (typeof sights)[number];

/**
 * Whether S1 alarms: it never did; the alert opens within 2 s; it is open; it is over; it alarms no one, because the
 * site's rules are off.
 */
export const alarmStates = ['none', 'opening', 'open', 'ended', 'rules_off'] as const;

/** One line of a report's history. Nothing in it is ever changed. */
const reportEntry = z.object({
  id: z.int(),
  at: instant,
  /** Null: the reporter, who is hidden from the reader. */
  by: person.nullable(),
  isByReporter: z.boolean(),
  is: z.enum([
    'filed',
    'status',
    'severity',
    'kind',
    'harmPhysical',
    'harmPsychological',
    'assignee',
    'externalReference',
    'isQuarantined',
    /** Of a report that was raised to S1: where its patient was then. */
    'unit',
    'alarm',
    'comment',
  ]),
  /** As stored: 'new', 'S2'; an assignee and a unit by name; an alarm is 'on' or 'off'. Null: nothing, or withheld. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The text of a comment; null: none, or withheld. */
  text: z.string().nullable(),
});
export type ReportEntry = z.infer<typeof reportEntry>;

/** A report in a list. What its reader may not see is null or empty (`sight`). */
export const listedReport = z.object({
  id: z.int(),
  /** Grows with each change and each comment. */
  version: z.int(),
  sight: z.enum(sights),
  kind,
  severity,
  /** Null: withheld. */
  harm: harm.nullable(),
  /** Null: withheld. */
  title: z.string().nullable(),
  status,
  /** When it came to each status first; null: it has not yet. */
  reachedAt: z.record(status, instant.nullable()),
  reportedAt: instant,
  unit: unit.nullable(),
  bed: z.string().nullable(),
  /** `identity` is null for who may not see this patient now. */
  patient: z
    .object({
      mrnEnd: z.string(),
      isTrial: z.boolean(),
      identity: z.object({ id: z.int(), name: z.string(), mrn: z.string() }).nullable(),
    })
    .nullable(),
  /** Null: hidden from the reader. */
  reporter: person.extend({ type: z.enum(userTypes) }).nullable(),
  isReporterHidden: z.boolean(),
  isOwn: z.boolean(),
  assignee: person.nullable(),
  alarm: z.enum(alarmStates),
  /** The open alert; null: none, or withheld. */
  alertId: z.int().nullable(),
  /** It is the reader's own, and others have changed or added something that they have not opened. */
  isUnread: z.boolean(),
});
export type ListedReport = z.infer<typeof listedReport>;

/** Who can be made the assignee of reports of these kinds. */
const assignee = person.extend({ kinds: z.array(kind) });

export const issueReport = listedReport.extend({
  whatHappened: z.string().nullable(),
  expected: z.string().nullable(),
  immediateAction: z.string().nullable(),
  occurredAt: instant.nullable(),
  discoveredAt: instant.nullable(),
  alertIds: z.array(z.int()),
  /** `id` and `name` of a device that this site knows. */
  device: reportedDevice.extend({ id: z.int().nullable(), name: z.string().nullable() }).nullable(),
  externalReference: z.string().nullable(),
  context: reportContext.nullable(),
  /** Oldest first. */
  entries: z.array(reportEntry),
  /** What the reader can change; empty: they do not manage it. */
  mayChange: z.array(z.enum(changeableFields)),
  nextStatuses: z.array(status),
  mayComment: z.boolean(),
  /** Empty for a reader who cannot choose one. */
  assignees: z.array(assignee),
});
export type IssueReport = z.infer<typeof issueReport>;

export const reportsQuery = z.strictObject({
  /** `open`: all but the closed ones. */
  status: z.union([status, z.literal('open')]).optional(),
  kind: kind.optional(),
  severity: severity.optional(),
  unitId: idParam.optional(),
  /** A user's id, or `none`. */
  assigneeId: z.union([idParam, z.literal('none')]).optional(),
  patientId: idParam.optional(),
  /** Those that the caller has filed. */
  mine: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
});
export type ReportsQuery = z.output<typeof reportsQuery>;

/** Newest first. `assignees` is empty for a reader who manages nothing. */
export const reportsResponse = z.object({
  items: z.array(listedReport),
  total: z.int(),
  units: z.array(unit),
  assignees: z.array(assignee),
});
export type ReportsResponse = z.infer<typeof reportsResponse>;

/** For `/`: what the reader's own reports have come to since they opened them, and what waits for the reader. */
export const reportNews = z.object({
  /** The newest change first, at most 50. */
  items: z.array(z.object({ id: z.int(), kind, title: z.string(), status, changedAt: instant, changes: z.int() })),
  /** Reports that the reader can triage and no one has yet; 0 for who manages none. */
  toTriage: z.int(),
  /** Assigned to the reader, and not closed. */
  assigned: z.int(),
});
export type ReportNews = z.infer<typeof reportNews>;
