import Link from 'next/link';
import type { ReadState } from '../../../hooks/readState';
import { usePatient } from '../../../hooks/usePatient';
import { paths } from '../../../lib/paths';
import type { User } from '../../../lib/session/schema';
import type { Patient } from '../../../lib/patients/schema';
import type { ChartRange } from '../../../lib/vitals/chartRanges';
import type { VitalsResponse } from '../../../lib/vitals/schema';
import { ActionsMenu } from '../../care/ActionsMenu';
import { AsyncView, FailureNotice, type ViewState } from '../../ui/AsyncView';
import { useCharts } from '../../vitals/useCharts';
import { VitalCharts } from '../../vitals/VitalCharts';
import { patientName } from '../../ui/PatientName';
import { CurrentValues } from './CurrentValues';
import { IdentityBanner } from './IdentityBanner';
import { News2Panel } from './News2Panel';
import styles from './PatientDetails.module.css';

interface PatientPaneProps {
  /** The patient as the page came. */
  patient: Patient;
  /** The server's time then, epoch milliseconds. */
  now: number;
  range: ChartRange;
  user: User;
  isCompact: boolean;
  /** Whether the user can write to the patient's care team. */
  canChat: boolean;
}

/** One patient: identity, current values, charts. The caller keys it by the patient's id. */
export function PatientPane({ patient: firstPatient, now, range, user, isCompact, canChat }: PatientPaneProps) {
  const { timeZone } = user.site;
  const response = usePatient(firstPatient.id, firstPatient);
  const charts = useCharts(firstPatient.id, range, isCompact);
  const current = response.data ?? firstPatient;
  return (
    <section className={styles.pane} aria-label={patientName(firstPatient)} data-patient={firstPatient.id}>
      <FailureNotice answer={failureOf(response, charts.response)} timeZone={timeZone} />
      <AsyncView
        answer={response}
        isFailureShownOutside
        isEmpty={() => false}
        skeleton={null}
        empty={() => null}
        timeZone={timeZone}
      >
        {(patient) => (
          <>
            <IdentityBanner patient={patient} now={now} timeZone={timeZone} />
            <ActionsMenu
              patient={patient}
              user={user}
              now={now}
              onChanged={() => {
                void response.refresh();
              }}
            />
            {canChat && patient.state === 'active' ? (
              <Link href={paths.careTeamChat(patient.id)} prefetch={false}>
                Chat with the care team
              </Link>
            ) : null}
            <CurrentValues patient={patient} now={now} timeZone={timeZone} />
            <News2Panel patient={patient} now={now} timeZone={timeZone} />
          </>
        )}
      </AsyncView>
      <VitalCharts charts={charts} patient={current} patientName={patientName(current)} timeZone={timeZone} />
    </section>
  );
}

/** Returns one failure for both, because a server that fails often fails both. Another try reads both again. */
function failureOf(patient: ReadState<Patient>, vitals: ReadState<VitalsResponse>): ViewState<unknown> {
  const failed = patient.error === undefined ? vitals : patient;
  return {
    ...failed,
    refresh: () => {
      void patient.refresh();
      void vitals.refresh();
    },
  };
}
