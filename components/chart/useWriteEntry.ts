import type { z } from 'zod';
import { useCall } from '../../hooks/useCall';
import {
  newAllergy,
  newCodeStatus,
  newCondition,
  newContact,
  newIdentifier,
  newMedication,
  newOxygen,
  newTeamEntry,
  type ChartChange,
} from '../../lib/chart/schema';
import type { WrittenSection } from '../../lib/chart/sections';

/** What the server takes in each section. */
export const newEntries: Readonly<Record<WrittenSection, z.ZodType<object>>> = {
  codeStatus: newCodeStatus,
  allergies: newAllergy,
  oxygen: newOxygen,
  conditions: newCondition,
  medications: newMedication,
  contacts: newContact,
  team: newTeamEntry,
  identifiers: newIdentifier,
};

/** Returns a function that adds an entry to a section of a patient's chart. It throws `ApiFailure`. */
export function useWriteEntry(): (section: WrittenSection, patientId: number, body: unknown) => Promise<ChartChange> {
  const codeStatus = useCall('setCodeStatus');
  const allergy = useCall('addAllergy');
  const oxygen = useCall('setOxygen');
  const condition = useCall('addCondition');
  const medication = useCall('addMedication');
  const contact = useCall('addContact');
  const team = useCall('addToTeam');
  const identifier = useCall('addIdentifier');
  return (section, patientId, body) => {
    const params = { id: patientId };
    switch (section) {
      case 'codeStatus':
        return codeStatus({ params, body: newCodeStatus.parse(body) });
      case 'allergies':
        return allergy({ params, body: newAllergy.parse(body) });
      case 'oxygen':
        return oxygen({ params, body: newOxygen.parse(body) });
      case 'conditions':
        return condition({ params, body: newCondition.parse(body) });
      case 'medications':
        return medication({ params, body: newMedication.parse(body) });
      case 'contacts':
        return contact({ params, body: newContact.parse(body) });
      case 'team':
        return team({ params, body: newTeamEntry.parse(body) });
      case 'identifiers':
        return identifier({ params, body: newIdentifier.parse(body) });
      default:
        return section satisfies never;
    }
  };
}
