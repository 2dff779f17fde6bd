import type { Selectable } from 'kysely';
import type { PatientMovesTable } from './chartTables';
import type { BedMappingsTable, CodeMappingsTable, Hl7SendersTable } from './hl7Tables';
import type { DevicesTable, PatientsTable, UnitsTable } from './schema';

/** Rows as a query returns them. */
export type PatientRow = Selectable<PatientsTable>;
export type DeviceRow = Selectable<DevicesTable>;
export type UnitRow = Selectable<UnitsTable>;
export type SenderRow = Selectable<Hl7SendersTable>;
export type BedMappingRow = Selectable<BedMappingsTable>;
export type CodeMappingRow = Selectable<CodeMappingsTable>;
export type PatientMoveRow = Selectable<PatientMovesTable>;
