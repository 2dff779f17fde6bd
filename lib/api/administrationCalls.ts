import { alertSettingsCalls } from '../alerts/alertSettingsCalls';
import { assignmentCalls } from '../assignments/calls';
import { auditCalls } from '../audit/calls';
import { breakGlassCalls } from '../breakGlass/calls';
import { deviceCalls } from '../devices/calls';
import { interfaceCalls } from '../interfaces/calls';
import { mappingCalls } from '../mappings/calls';
import { monitoringCalls } from '../monitoring/calls';
import { siteCalls } from '../site/calls';
import { unitCalls } from '../units/calls';
import { userCalls } from '../users/calls';

/**
 * The calls of administration, alert settings, assignments and emergency access. The browser loads their schemas as
 * it loads those of `clinicalCalls`.
 */
export const administrationCalls = {
  ...unitCalls,
  ...assignmentCalls,
  ...breakGlassCalls,
  ...userCalls,
  ...monitoringCalls,
  ...auditCalls,
  ...siteCalls,
  ...alertSettingsCalls,
  ...deviceCalls,
  ...interfaceCalls,
  ...mappingCalls,
} as const;
