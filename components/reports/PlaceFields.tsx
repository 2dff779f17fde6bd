import { useRouter } from 'next/router';
import { useRead } from '../../hooks/useRead';
import { parseIds } from '../../lib/patients/parseIds';
import type { ReportFields } from '../../lib/reports/reportFields';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { AlertLinks } from '../ui/AlertLinks';
import type { FieldErrors } from '../ui/fieldErrors';
import { NativeButton } from '../ui/NativeButton';
import { PatientField } from '../ui/PatientField';
import { patientName } from '../ui/PatientName';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import styles from './reports.module.css';

interface PlaceFieldsProps {
  user: User;
  fields: ReportFields;
  isLocked: boolean;
  errors: FieldErrors;
  onChange: (change: Partial<ReportFields>) => void;
}

/** Where it happened, and about whom if the reporter says so: no patient is part of a report by itself. */
export function PlaceFields({ user, fields, isLocked, errors, onChange }: PlaceFieldsProps) {
  const { patientId, unitId, bed } = fields;
  const ownUnit = user.units.length === 1 ? String(user.units[0]?.id ?? '') : '';
  const choosePatient = (id: string): void =>
    // A patient's place is known. Alerts of another patient do not belong to the report any more.
    onChange({ patientId: id, alertIds: [], unitId: id === '' ? ownUnit : '', bed: id === '' ? bed : '' });
  return (
    <div className={styles.fields}>
      {can(user, 'readPatients') ? (
        <>
          <div className={isLocked ? styles.locked : undefined} inert={isLocked}>
            <PatientField
              value={patientId}
              placeholder="No patient. Name or MRN"
              error={errors.patientId}
              onChange={choosePatient}
            />
          </div>
          {isLocked ? null : <PagePatients chosen={patientId} onChoose={choosePatient} />}
        </>
      ) : null}
      <div className={styles.pair}>
        <UnitChoice
          value={unitId}
          none={patientId === '' ? 'No unit' : 'The patient’s unit'}
          isLocked={isLocked}
          error={errors.unitId}
          onChange={(id) => onChange({ unitId: id })}
        />
        <TextField
          label="Bed"
          isOptional
          error={errors.bed}
          autoComplete="off"
          maxLength={30}
          readOnly={isLocked}
          value={bed}
          onChange={(text) => onChange({ bed: text })}
        />
      </div>
      {can(user, 'readAlerts') ? (
        <AlertLinks
          // Another patient has other alerts.
          key={patientId}
          // Those of equipment belong to no patient.
          isOffered={(alert) => alert.patientId === null || String(alert.patientId) === patientId}
          timeZone={user.site.timeZone}
          linked={fields.alertIds}
          isLocked={isLocked}
          onChange={(alertIds) => onChange({ alertIds })}
        />
      ) : null}
    </div>
  );
}

/** The patients of the page are offered, and not part of the report before someone presses. */
function PagePatients({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { pathname, query } = useRouter();
  const ids = pathname === '/patient_details' ? parseIds(query.ids).ids.map(String) : [];
  const offered = ids.filter((id) => id !== chosen);
  return offered.length === 0 ? null : (
    <div className={styles.offers}>
      {offered.map((id) => (
        <OfferedPatient key={id} id={id} onChoose={() => onChoose(id)} />
      ))}
    </div>
  );
}

function OfferedPatient({ id, onChoose }: { id: string; onChoose: () => void }) {
  const patient = useRead('getPatient', { params: { id } }, { everyMs: 600_000 }).data;
  return patient === undefined ? null : (
    <NativeButton onClick={onChoose}>{`About ${patientName(patient)}, MRN ${patient.mrn}`}</NativeButton>
  );
}

interface UnitChoiceProps {
  value: string;
  /** What no choice means. */
  none: string;
  isLocked: boolean;
  error: string | undefined;
  onChange: (id: string) => void;
}

function UnitChoice({ value, none, isLocked, error, onChange }: UnitChoiceProps) {
  const units = useRead('listUnits', {}, { everyMs: 600_000 }).data?.items ?? [];
  const choices = [{ value: '', label: none }, ...units.map(({ id, name }) => ({ value: String(id), label: name }))];
  const shown = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
  return (
    <SelectField label="Unit" value={value} choices={shown} disabled={isLocked} error={error} onChange={onChange} />
  );
}
