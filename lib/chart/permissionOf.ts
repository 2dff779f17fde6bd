import type { Permission } from '../session/permissions';
import type { WrittenSection } from './sections';

/** Returns the permission that a user needs to add to a section, and to end or mark its entries. */
export function permissionOf(section: WrittenSection): Permission {
  switch (section) {
    case 'codeStatus':
      return 'setCodeStatus';
    case 'team':
    case 'identifiers':
      return 'writePatients';
    case 'allergies':
    case 'oxygen':
    case 'conditions':
    case 'medications':
    case 'contacts':
      return 'writeChart';
    default:
      return section satisfies never;
  }
}
