import { reachOf } from '../session/permissions';
import type { UserType } from '../session/userTypes';
import type { ReportKind } from './reportKinds';
import { changeableFields, type ChangeableField, type Sight } from './schema';

/** The user who reads a report. */
export interface ReportReader {
  type: UserType;
  isAdmin: boolean;
}

/** What of a report decides who sees it. */
export interface ReportReach {
  kind: ReportKind;
  /** The reader has filed it. */
  isOwn: boolean;
  /** Its patient, or without one its unit, is among those whose notes the reader may read. */
  isInReach: boolean;
}

/** Returns how much of a report a user sees (clinical.md section 9); null: nothing, not even that it is there. */
export function sightOf({ type, isAdmin }: ReportReader, { kind, isOwn, isInReach }: ReportReach): Sight | null {
  const readsNotes = reachOf({ type, isAdmin: false }, 'readNotes') !== null;
  if (isOwn || (readsNotes && isInReach)) {
    return 'whole';
  }
  if (type === 'technician' && kind === 'device') {
    return 'device';
  }
  return isAdmin && kind === 'software' ? 'software' : null;
}

/** What a technician, or an administrator, changes of the reports that they manage. */
const ofSome: readonly ChangeableField[] = ['status', 'severity', 'assigneeId', 'externalReference'];

/** Returns what of a report a user can change, in the order of `changeableFields`; nothing: they do not manage it. */
export function fieldsToChange({ type, isAdmin }: ReportReader, report: ReportReach): readonly ChangeableField[] {
  if (type === 'ward_lead' && report.isInReach) {
    return changeableFields;
  }
  if (type === 'technician' && report.kind === 'device') {
    return [...ofSome, 'isQuarantined'];
  }
  return isAdmin && report.kind === 'software' ? ofSome : [];
}

/** Returns the kinds of reports that a user of the site can be made the assignee of. */
export function kindsToManage({ type, isAdmin }: ReportReader, kinds: readonly ReportKind[]): ReportKind[] {
  return kinds.filter(
    (kind) => type === 'ward_lead' || (type === 'technician' && kind === 'device') || (isAdmin && kind === 'software'),
  );
}
