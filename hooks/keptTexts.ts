import type { WrittenEntry } from '../lib/chart/schema';
import type { WrittenSection } from '../lib/chart/sections';
import type { Note } from '../lib/notes/schema';
import type { DraftKeeper } from './draftKeeper';
import type { HandoffKeeper } from './handoffKeeper';
import { askForReport } from './issueReporting';
import type { ReportKeeper } from './reportKeeper';

/** What is typed under a signed note and not sent. */
export interface TypedEntry {
  /** Of this text: the same again after a lost response adds nothing. */
  clientId: string;
  text: string;
  reason: string;
  /** The note as it was when this was begun. */
  seen: Note;
}

/** What is typed under an issue report and not sent. */
interface TypedComment {
  /** Of this text: the same again after a lost response adds nothing. */
  clientId: string;
  text: string;
}

/** What is typed in a form of a patient's chart, field by field. */
export interface ChartFields {
  value: Readonly<Record<string, string>>;
  source: string;
  /** On the site's clocks: "2026-03-07T15:00". */
  effectiveAt: string;
  reason: string;
}

/** An entry that is typed in a patient's chart and not sent. */
export interface TypedChartEntry {
  section: WrittenSection;
  /** Of this text: the same again after a lost response adds nothing. */
  clientId: string;
  /** Of the chart that its author saw. */
  version: number;
  /** The entry that it corrects; null: a new one. */
  replaced: WrittenEntry | null;
  fields: ChartFields;
}

/** Why an entry of a chart ends or is marked, typed and not sent. */
export interface TypedChartMark {
  entry: WrittenEntry;
  as: 'ended' | 'entered_in_error';
  /** Of the chart that its author saw. */
  version: number;
  reason: string;
}

/** What is typed in a patient's chart: one form of a chart is open at a time. */
export type TypedInChart = { is: 'write'; typed: TypedChartEntry } | { is: 'mark'; typed: TypedChartMark };

let userId: number | null = null;
const drafts = new Map<number, DraftKeeper>();
const handoffs = new Map<number, HandoffKeeper>();
const entries = new Map<string, TypedEntry>();
let report: ReportKeeper | null = null;
const comments = new Map<number, TypedComment>();
const inCharts = new Map<number, TypedInChart>();

/**
 * Forgets what another user than this one has typed. What this user has typed outlives a lock and the end of the
 * session in this tab: it is not in the DOM, and only they see it again.
 */
export function keepTextsOf(user: number): void {
  if (userId === user) {
    return;
  }
  for (const keeper of [...drafts.values(), ...handoffs.values()]) {
    keeper.forget();
  }
  drafts.clear();
  handoffs.clear();
  entries.clear();
  comments.clear();
  inCharts.clear();
  report?.forget();
  report = null;
  askForReport(null);
  userId = user;
}

/** Returns the keeper of a user's draft about a patient: never another patient's, and never another user's. */
export function keptDraft(user: number, patientId: number, create: () => DraftKeeper): DraftKeeper {
  keepTextsOf(user);
  const keeper = drafts.get(patientId) ?? create();
  drafts.set(patientId, keeper);
  return keeper;
}

/** Stores the drafts that are typed on this page, before the page ends. Never rejects. */
export async function saveDrafts(): Promise<void> {
  await Promise.all([...drafts.values(), ...handoffs.values()].map((keeper) => keeper.save()));
}

/** Returns the keeper of the handoff that a user writes about a patient, as `keptDraft`. */
export function keptHandoff(user: number, patientId: number, create: () => HandoffKeeper): HandoffKeeper {
  keepTextsOf(user);
  const keeper = handoffs.get(patientId) ?? create();
  handoffs.set(patientId, keeper);
  return keeper;
}

/** Returns what a user has typed under a note and not sent; undefined if nothing. */
export function keptEntry(user: number, key: string): TypedEntry | undefined {
  keepTextsOf(user);
  return entries.get(key);
}

/** Keeps what a user has typed under a note; null forgets it. */
export function keepEntry(user: number, key: string, entry: TypedEntry | null): void {
  keepTextsOf(user);
  if (entry === null) {
    entries.delete(key);
  } else {
    entries.set(key, entry);
  }
}

/** Returns the keeper of the issue report that a user writes, as `keptDraft`. One is written at a time. */
export function keptReport(user: number, create: () => ReportKeeper): ReportKeeper {
  keepTextsOf(user);
  report ??= create();
  return report;
}

/** Returns what a user has typed under an issue report and not sent; undefined if nothing. */
export function keptComment(user: number, reportId: number): TypedComment | undefined {
  keepTextsOf(user);
  return comments.get(reportId);
}

/** Keeps what a user has typed under an issue report; null forgets it. */
export function keepComment(user: number, reportId: number, comment: TypedComment | null): void {
  keepTextsOf(user);
  if (comment === null) {
    comments.delete(reportId);
  } else {
    comments.set(reportId, comment);
  }
}

/** Returns what a user has typed in a patient's chart and not sent; undefined if nothing. */
export function keptInChart(user: number, patientId: number): TypedInChart | undefined {
  keepTextsOf(user);
  return inCharts.get(patientId);
}

/** Keeps what a user has typed in a patient's chart; null forgets it. */
export function keepInChart(user: number, patientId: number, typed: TypedInChart | null): void {
  keepTextsOf(user);
  if (typed === null) {
    inCharts.delete(patientId);
  } else {
    inCharts.set(patientId, typed);
  }
}
