import type { Permission } from '../../lib/session/permissions';
import { onDemand } from '../ui/onDemand';
import type { CareDrawerProps } from './careDrawer';

/** What can be done for a patient, in the order of the menu: the frequent first, the last one apart. */
export const careActions = {
  symptoms: {
    label: 'Enter symptoms',
    needs: 'recordObservations',
    drawer: onDemand<CareDrawerProps>(async () => (await import('../symptoms/SymptomsDrawer')).SymptomsDrawer),
  },
  standby: {
    label: 'Standby',
    needs: 'setStandby',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./StandbyDrawer')).StandbyDrawer),
  },
  comfortCare: {
    label: 'Comfort care',
    needs: 'orderComfortCare',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./ComfortCareDrawer')).ComfortCareDrawer),
  },
  target: {
    label: 'SpO2 target',
    needs: 'setSpo2Scale',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./Spo2TargetDrawer')).Spo2TargetDrawer),
  },
  limits: {
    label: 'Limits',
    needs: 'changeLimits',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./LimitsDrawer')).LimitsDrawer),
  },
  news2: {
    label: 'NEWS2 does not apply',
    needs: 'exemptFromNews2',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./News2ExemptionDrawer')).News2ExemptionDrawer),
  },
  device: {
    label: 'Device',
    needs: 'assignDevices',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./PatientDevicesDrawer')).PatientDevicesDrawer),
  },
  checkIn: {
    label: 'Check-in link',
    needs: 'sendCheckInLinks',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./CheckInLinksDrawer')).CheckInLinksDrawer),
  },
  move: {
    label: 'Move bed',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./MoveBedDrawer')).MoveBedDrawer),
  },
  edit: {
    label: 'Edit',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./EditPatientDrawer')).EditPatientDrawer),
  },
  export: {
    label: 'Export',
    needs: 'exportPatient',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./ExportDrawer')).ExportDrawer),
  },
  discharge: {
    label: 'Discharge',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./DischargeDrawer')).DischargeDrawer),
  },
} as const satisfies Record<string, { label: string; needs: Permission; drawer: unknown }>;
export type CareAction = keyof typeof careActions;
export const careActionNames = Object.keys(careActions).filter((name): name is CareAction => name in careActions);
