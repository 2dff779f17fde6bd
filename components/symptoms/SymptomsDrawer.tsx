import { Checkbox, Select, Form, Button } from 'antd';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import type { ApiFailure } from '../../lib/browser/client';
import { serverNow } from '../../lib/browser/serverClock';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { staffAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { type NewSymptomReport, newSymptomReport } from '../../lib/symptoms/schema';
import { redFlags, symptoms, type RedFlag, type Symptom, type SymptomAnswer } from '../../lib/symptoms/symptoms';
import { mmrcWords, sinceYesterdayWords } from '../../lib/symptoms/words';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { patientIdentity } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { AnswerField } from './AnswerField';
import { ReportText } from './ReportText';
import styles from './SymptomsDrawer.module.css';

interface ReportConflictProps {
  patientId: number;
  reportedAt: string;
  typed: NewSymptomReport;
  timeZone: string;
  /** Called when the typed one shall be a report of its own. */
  onOwn: () => void;
}

/** The report that is stored for the same moment beside the typed one. */
function ReportConflict({ patientId, reportedAt, typed, timeZone, onOwn }: ReportConflictProps) {
  const at = Date.parse(reportedAt);
  const query = { from: reportedAt, to: new Date(at + 1).toISOString(), page: 1, pageSize: 25 };
  const stored = useRead('listSymptomReports', { params: { id: patientId }, query }).data?.items ?? [];
  return (
    <section className={styles.conflict} aria-label="Two reports of one moment">
      <p>
        <strong>Stored for {formatDayAndTime(at, timeZone)}:</strong>
      </p>
      {stored.map((report) => (
        <p key={report.id}>
          <ReportText report={report} />
        </p>
      ))}
      <p>
        <strong>Typed:</strong>
      </p>
      <p>
        <ReportText report={{ ...typed, redFlags: redFlagsOf(typed.answers, typed.redFlags) }} />
      </p>
      <Button onClick={onOwn}>Keep both: the typed one as a new report</Button>
    </section>
  );
}

interface AdviceNowProps {
  profile: Patient['profile'];
  /** The site's; null: none is set. */
  emergencyNumber: string | null;
}

/** The fields of the form. What is undefined was not asked and is not sent. */
interface TypedReport {
  redFlags: RedFlag[];
  answers: Partial<Record<Symptom, SymptomAnswer | undefined>>;
  breathlessness?: number | null;
  sinceYesterday?: NewSymptomReport['sinceYesterday'];
  mmrc?: number | null;
  minutesAgo: number;
}

const emptyReport: TypedReport = { redFlags: [], answers: {}, minutesAgo: 0 };

/** Returns the body of what was typed, without the time of the report. */
function bodyOf({ redFlags, answers, breathlessness, sinceYesterday, mmrc }: TypedReport): unknown {
  return {
    redFlags,
    breathlessness: breathlessness ?? null,
    sinceYesterday: sinceYesterday ?? null,
    mmrc: mmrc ?? null,
    answers: Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)),
  };
}

/** The body of the call. That nothing is filled in is an error of the first field, because each needs a place. */
const reportForm = z.unknown().transform((body, context): NewSymptomReport => {
  const parsed = newSymptomReport.safeParse(body);
  if (parsed.success) {
    return parsed.data;
  }
  for (const { path, message } of parsed.error.issues) {
    const isEmpty = path.join('.') === 'answers';
    context.addIssue({
      code: 'custom',
      path: isEmpty ? ['redFlags'] : path,
      message: isEmpty ? 'or an answer is needed' : message,
    });
  }
  return z.NEVER;
});

/**
 * What to do at once, as soon as a red flag is ticked or follows from an answer: it does not wait for the report to be
 * saved. Its place at the top of the drawer stays in sight.
 */
function AdviceNow({ profile, emergencyNumber }: AdviceNowProps) {
  const form = Form.useFormInstance<TypedReport>();
  const answers = Form.useWatch('answers', form);
  const ticked = Form.useWatch('redFlags', form);
  const found = redFlagsOf(answers ?? {}, ticked ?? []);
  return (
    <div role="alert" className={styles.adviceSlot}>
      {found.length === 0 ? null : (
        <div className={styles.advice}>
          <strong>{staffAdvice(profile, emergencyNumber)}</strong>
          <span>Red flag: {found.map((flag) => redFlags[flag]).join('; ')}.</span>
        </div>
      )}
    </div>
  );
}

interface SymptomsDrawerProps {
  patient: Patient;
  user: User;
  /** Called after the report was stored, before the drawer closes. */
  onChanged: () => void;
  onClose: () => void;
}

const flagNames = Object.keys(redFlags) as RedFlag[];
const symptomNames = Object.keys(symptoms) as Symptom[];
const scores = Array.from({ length: 11 }, (_, score) => ({
  value: score,
  label: score === 0 ? '0, not at all' : score === 10 ? '10, the worst imaginable' : String(score),
}));
const hour = 60;
const minutesAgo = [0, 15, 30, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour];

/** Both reports of one moment: what is stored and what was typed. */
interface Conflict {
  reportedAt: string;
  typed: NewSymptomReport;
}

/**
 * The form for what a patient says. What was not asked is left open and is not sent. All attempts at one report carry
 * one moment, so a repeat after a lost response is the same report.
 */
export function SymptomsDrawer({ patient, user, onChanged, onClose }: SymptomsDrawerProps) {
  const add = useCall('addSymptomReport');
  const sentAt = useRef<number | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { emergencyNumber, timeZone } = user.site;
  return (
    <FormDrawer title={`Symptoms: ${patientIdentity(patient)}`} onClose={onClose}>
      <SchemaForm
        schema={reportForm}
        initial={emptyReport}
        bodyOf={bodyOf}
        send={async (body, { minutesAgo: minutes }) => {
          setConflict(null);
          sentAt.current ??= serverNow();
          const reportedAt =
            sentAt.current === null ? undefined : new Date(sentAt.current - minutes * 60_000).toISOString();
          await add({ params: { id: patient.id }, body: { ...body, reportedAt } }).catch((failure: ApiFailure) => {
            if (failure.code === 'report_exists' && reportedAt !== undefined) {
              setConflict({ reportedAt, typed: body });
            }
            throw failure;
          });
          onChanged();
          onClose();
        }}
        submitLabel="Save report"
      >
        <AdviceNow profile={patient.profile} emergencyNumber={emergencyNumber} />
        <FormField name="redFlags" label="Red flags" hint="Saving one raises a high priority alert" isOptional>
          <Checkbox.Group className={styles.flags}>
            {flagNames.map((flag) => (
              <Checkbox key={flag} value={flag}>
                {redFlags[flag]}
              </Checkbox>
            ))}
          </Checkbox.Group>
        </FormField>
        <FormField name="sinceYesterday" label="Since yesterday" isOptional>
          <Select
            allowClear
            placeholder="Not asked"
            options={Object.entries(sinceYesterdayWords).map(([value, label]) => ({ value, label }))}
          />
        </FormField>
        <h3 className={styles.heading}>Symptoms</h3>
        <p className={styles.note}>Leave open what you did not ask.</p>
        <div className={styles.answers}>
          {symptomNames.map((symptom) => (
            <FormField key={symptom} name={['answers', symptom]} label="" isOptional>
              <AnswerField label={symptoms[symptom].label} />
            </FormField>
          ))}
        </div>
        <FormField name="breathlessness" label="Breathlessness now, 0 to 10" isOptional>
          <Select allowClear placeholder="Not asked" options={scores} />
        </FormField>
        <FormField name="mmrc" label="Lasting breathlessness (mMRC)" hint="Once a week. Raises no alert." isOptional>
          <Select allowClear placeholder="Not asked" options={mmrcWords.map((label, value) => ({ value, label }))} />
        </FormField>
        <FormField name="minutesAgo" label="Reported">
          <Select options={minutesAgo.map((minutes) => ({ value: minutes, label: agoText(minutes) }))} />
        </FormField>
        {conflict === null ? null : (
          <ReportConflict
            patientId={patient.id}
            reportedAt={conflict.reportedAt}
            typed={conflict.typed}
            timeZone={timeZone}
            onOwn={() => {
              // Another moment makes it another report.
              sentAt.current = null;
              setConflict(null);
            }}
          />
        )}
      </SchemaForm>
    </FormDrawer>
  );
}

function agoText(minutes: number): string {
  return minutes === 0 ? 'Now' : minutes < hour ? `${minutes} min ago` : `${minutes / hour} h ago`;
}
