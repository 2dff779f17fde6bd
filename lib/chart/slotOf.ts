import type { WrittenValue } from './schema';

/**
 * Returns what an entry is about: of two entries about the same thing only one is current. Null: any number can be. A
 * drug may be given in two doses, and a person reached by two phones.
 */
export function slotOf(entry: WrittenValue): string | null {
  switch (entry.section) {
    case 'codeStatus':
    case 'oxygen':
      return entry.section;
    case 'identifiers':
      return `${entry.value.type} ${folded(entry.value.value)}`;
    case 'team':
      return entry.value.role === 'responsibleClinician' ? 'responsible' : `member ${folded(entry.value.name)}`;
    case 'allergies':
      return entry.value.is === 'none' ? 'none' : `to ${folded(entry.value.substance)}`;
    case 'conditions':
      return entry.value.is === 'caution' ? `caution ${entry.value.caution}` : `of ${folded(entry.value.name)}`;
    case 'medications':
      return entry.value.is === 'none' ? 'none' : null;
    case 'contacts':
      return null;
    default:
      return entry satisfies never;
  }
}

/** Returns whether an entry says that there is nothing in its list. */
export function isNone({ section, value }: WrittenValue): boolean {
  return (section === 'allergies' || section === 'medications') && value.is === 'none';
}

const folded = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ');
