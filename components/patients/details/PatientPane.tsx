import Link from 'next/link';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ReadState } from '../../../hooks/readState';
import { useFollow } from '../../../hooks/useFollow';
import { usePatient } from '../../../hooks/usePatient';
import { isGone } from '../../../lib/api/failureCause';
import { paths } from '../../../lib/paths';
import type { Patient } from '../../../lib/patients/schema';
import { can } from '../../../lib/session/can';
import { reachesUnit } from '../../../lib/session/reachesUnit';
import type { User } from '../../../lib/session/schema';
import type { ChartRange } from '../../../lib/vitals/chartRanges';
import { PatientAlerts } from '../../alerts/PatientAlerts';
import { BreakGlassOffer } from '../../breakGlass/BreakGlassOffer';
import { ActionsMenu } from '../../care/ActionsMenu';
import { HeldValues } from '../../care/HeldValues';
import { ChartButton } from '../../chart/ChartButton';
import { SafetyMarks } from '../../chart/SafetyMarks';
import { ClosedDeviceAlarms } from '../../deviceAlarms/ClosedDeviceAlarms';
import { DeviceAlarmList } from '../../deviceAlarms/DeviceAlarmList';
import { DeviceAlarmMark } from '../../deviceAlarms/DeviceAlarmMark';
import { SymptomBreakdown } from '../../symptoms/SymptomBreakdown';
import { FailureNotice, type ViewState } from '../../ui/AsyncView';
import { FormFailure } from '../../ui/FormFailure';
import { patientName } from '../../ui/PatientName';
import { notDone } from '../../ui/notDone';
import { useAction } from '../../ui/useAction';
import { VitalCharts } from '../../vitals/VitalCharts';
import type { ChartView } from '../../vitals/useChartView';
import { useCharts } from '../../vitals/useCharts';
import { FollowButton } from './FollowButton';
import { IdentityStrip } from './IdentityStrip';
import { News2Button } from './News2Button';
import styles from './PatientPane.module.css';
import { PauseMarks } from './PauseMarks';
import { SilentGatewayMark } from './SilentGatewayMark';
import { ValueTiles } from './ValueTiles';

/**
 * In the place of a patient who left the user's reach while the page was open. It names the patient, who was on the
 * screen, and nothing else of them: not where they are now.
 */
function PatientGone({ name, user }: { name: string; user: User }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the keyboard has gone with the values. Elsewhere on the page it stays where it is.
    if (document.activeElement === document.body) {
      message.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div ref={message} role="alert" tabIndex={-1} className={styles.gone}>
      <h2>{name}</h2>
      <p>
        <strong>You can no longer see this patient.</strong> They were moved out of your units, or your access ended. No
        values and no alerts of this patient are shown here.
      </p>
      <p>
        <Link href={paths.patients}>Back to the patients</Link>
      </p>
      <BreakGlassOffer user={user} />
    </div>
  );
}

interface PatientPaneProps {
  /** The patient as the page came. */
  patient: Patient;
  /** The server's time then, epoch milliseconds. */
  now: number;
  /** The time that the charts of the page show. */
  view: ChartView;
  /** Chooses another time for all charts of the page. */
  onRange: (range: ChartRange) => void;
  user: User;
  isCompact: boolean;
  /** Whether the installation has a key of the chat service. */
  hasChat: boolean;
  /** Below the charts. */
  children: ReactNode;
}

/**
 * One patient: identity, current values, charts. The parts are the rows of a grid that all panes share, so that what is
 * compared is at the same height. The caller keys it by the patient's id.
 */
export function PatientPane({
  patient: firstPatient,
  now,
  view,
  onRange,
  user,
  isCompact,
  hasChat,
  children,
}: PatientPaneProps) {
  const { timeZone } = user.site;
  const response = usePatient(firstPatient.id, firstPatient);
  const { isFollowed, change: changeFollow } = useFollow(firstPatient.id, user);
  const following = useAction();
  const charts = useCharts(firstPatient.id, view, isCompact);
  const patient = response.data ?? firstPatient;
  const name = patientName(patient);
  if ([response.error, charts.response.error].some((error) => error !== undefined && isGone(error))) {
    return (
      <section className={styles.pane} aria-label={patientName(firstPatient)}>
        <PatientGone name={patientName(firstPatient)} user={user} />
      </section>
    );
  }
  const alarmsId = `device-alarms-${patient.id}`;
  // Emergency access opens reading and acknowledging, nothing else.
  const isOwn = reachesUnit(user, patient.location?.unit ?? null);
  const refresh = (): void => {
    void response.refresh();
    // The target is read with the charts.
    void charts.marks.refresh();
    void charts.symptoms.refresh();
  };
  return (
    <section className={styles.pane} aria-label={patientName(firstPatient)} data-patient={patient.id}>
      {/* The walkthrough has the same steps for users who read no chart and no notes. */}
      <div className={styles.identity} data-tour={can(user, 'readChart') ? undefined : 'patient-chart'}>
        <IdentityStrip
          patient={patient}
          target={charts.marks.data?.target}
          now={now}
          timeZone={timeZone}
          isCompact={isCompact}
          canChat={hasChat && can(user, 'chat')}
          marks={
            <>
              {can(user, 'readChart') ? <SafetyMarks patientId={patient.id} /> : null}
              <DeviceAlarmMark alarms={patient.deviceAlarms} listId={alarmsId} initialNow={now} timeZone={timeZone} />
            </>
          }
        >
          {can(user, 'readChart') ? (
            <ChartButton patient={patient} user={user} now={now} isCompact={isCompact} onChanged={refresh} />
          ) : null}
          {can(user, 'readNotes') && patient.state === 'active' ? (
            <FollowButton
              name={name}
              isFollowed={isFollowed}
              isWaiting={following.isWaiting}
              isCompact={isCompact}
              onPress={() => void following.carryOut(() => changeFollow(isFollowed !== true))}
            />
          ) : null}
          <ActionsMenu patient={patient} user={user} now={now} onChanged={refresh} />
        </IdentityStrip>
      </div>
      <div className={styles.notes}>
        {following.failure === null ? null : <FormFailure>{notDone('saved', following.failure)}</FormFailure>}
        <FailureNotice answer={failureOf(response, charts.response, charts.marks)} timeZone={timeZone} />
        <SilentGatewayMark patient={patient} initialNow={now} timeZone={timeZone} />
        <PauseMarks
          patient={patient}
          initialNow={now}
          timeZone={timeZone}
          canEnd={isOwn && can(user, 'setStandby') && patient.state === 'active'}
          onEnded={refresh}
        />
        <HeldValues patient={patient} user={user} initialNow={now} canRelease={isOwn && can(user, 'writePatients')} />
      </div>
      <div className={styles.alerts} data-expected={patient.alerts.length > 0 ? '' : undefined}>
        {can(user, 'readAlerts') ? <PatientAlerts patientId={patient.id} user={user} initialNow={now} /> : null}
      </div>
      <div
        className={styles.values}
        data-tour={can(user, 'readNotes') ? undefined : 'notes'}
        data-old={response.error === undefined ? undefined : ''}
      >
        <ValueTiles patient={patient} now={now} timeZone={timeZone}>
          <News2Button
            patient={patient}
            now={now}
            timeZone={timeZone}
            canRecord={isOwn && can(user, 'recordObservations')}
            onSaved={refresh}
          />
        </ValueTiles>
      </div>
      <div className={styles.charts} data-tour="charts">
        <VitalCharts charts={charts} patient={patient} patientName={name} timeZone={timeZone} />
        <SymptomBreakdown
          symptoms={charts.symptoms}
          patient={patient}
          patientName={name}
          now={now}
          timeZone={timeZone}
          onRange={onRange}
          canMark={isOwn && can(user, 'recordObservations')}
          onChanged={() => {
            refresh();
            void charts.response.refresh();
          }}
        />
      </div>
      <div className={styles.below}>
        <DeviceAlarmList alarms={patient.deviceAlarms} id={alarmsId} initialNow={now} timeZone={timeZone} />
        <ClosedDeviceAlarms patientId={patient.id} initialNow={now} timeZone={timeZone} />
        {children}
      </div>
    </section>
  );
}

/** Returns one failure for all, because a server that fails often fails all. Another try reads all again. */
function failureOf(...reads: readonly [ReadState<Patient>, ...ReadState<unknown>[]]): ViewState<unknown> {
  return {
    ...(reads.find(({ error }) => error !== undefined) ?? reads[0]),
    refresh: () => {
      for (const { refresh } of reads) {
        void refresh();
      }
    },
  };
}
