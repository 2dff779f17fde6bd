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
/** Each forgets what it keeps. */
const forgets: (() => void)[] = [];

/**
 * Forgets what another user than this one has typed. What this user has typed outlives a lock and the end of the
 * session in this tab: it is not in the DOM, and only they see it again.
 */
export function keepTextsOf(user: number): void {
  if (userId === user) {
    return;
  }
  for (const forget of forgets) {
    forget();
  }
  askForReport(null);
  userId = user;
}

/** Returns a place for what is typed and not sent, by its subject: never another's, and never another user's. */
function keptBy<Subject, Typed>(): {
  of: (user: number, subject: Subject) => Typed | undefined;
  /** Null forgets it. */
  keep: (user: number, subject: Subject, typed: Typed | null) => void;
} {
  const kept = new Map<Subject, Typed>();
  forgets.push(() => kept.clear());
  return {
    of: (user, subject) => {
      keepTextsOf(user);
      return kept.get(subject);
    },
    keep: (user, subject, typed) => {
      keepTextsOf(user);
      if (typed === null) {
        kept.delete(subject);
      } else {
        kept.set(subject, typed);
      }
    },
  };
}

/** Under a signed note, by the kind of entry and the note. */
export const keptEntries = keptBy<string, TypedEntry>();
/** Under an issue report. */
export const keptComments = keptBy<number, TypedComment>();
/** In a patient's chart. */
export const keptInCharts = keptBy<number, TypedInChart>();

/** Returns a place for keepers, as `keptBy`. */
function keepersBy<Subject, Keeper extends { forget: () => void }>(): {
  of: (user: number, subject: Subject, create: () => Keeper) => Keeper;
  all: () => Keeper[];
} {
  const keepers = new Map<Subject, Keeper>();
  const all = (): Keeper[] => [...keepers.values()];
  forgets.push(() => {
    all().forEach((keeper) => keeper.forget());
    keepers.clear();
  });
  return {
    of: (user, subject, create) => {
      keepTextsOf(user);
      const keeper = keepers.get(subject) ?? create();
      keepers.set(subject, keeper);
      return keeper;
    },
    all,
  };
}

/** A user's draft of a note, by patient. */
export const keptDrafts = keepersBy<number, DraftKeeper>();
/** The handoff that a user writes, by patient. */
export const keptHandoffs = keepersBy<number, HandoffKeeper>();
/** The issue report that a user writes: one at a time. */
export const keptReports = keepersBy<'own', ReportKeeper>();

/** Stores the drafts that are typed on this page, before the page ends. Never rejects. */
export async function saveDrafts(): Promise<void> {
  await Promise.all([...keptDrafts.all(), ...keptHandoffs.all()].map((keeper) => keeper.save()));
}
