import { Input, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { patientLabels, type PatientLabel } from '../../lib/chat/patientLabels';
import { sitePatch, type SiteSettings } from '../../lib/site/schema';
import { signUpModes, type SignUpMode } from '../../lib/site/signUpModes';
import { dateOrders, type DateOrder } from '../../lib/time/parseDateOfBirth';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useTimeZones } from '../ui/useTimeZones';
import styles from './admin.module.css';

const signUpLabels = {
  off: 'No sign-up',
  invitation: 'By invitation only',
  approval: 'By invitation or with approval',
} as const satisfies Record<SignUpMode, string>;
const signUpChoices = signUpModes.map((value) => ({ value, label: signUpLabels[value] }));

const patientLabelWords = {
  number: 'Only a number',
  bed: 'The bed',
  initials_and_bed: 'Initials and bed',
} as const satisfies Record<PatientLabel, string>;
const patientLabelChoices = patientLabels.map((value) => ({ value, label: patientLabelWords[value] }));

const dateOrderWords = {
  day_first: 'Day first: 11/2/1958 is 11 Feb',
  month_first: 'Month first: 2/11/1958 is 11 Feb',
} as const satisfies Record<DateOrder, string>;
const dateOrderChoices = dateOrders.map((value) => ({ value, label: dateOrderWords[value] }));

/** Returns the settings as the fields contain them: text, and lists with commas. */
function typedOf({ name, timeZone, signUpMode, chatPatientLabel, dateOrder, ...site }: SiteSettings) {
  return {
    name,
    timeZone,
    signUpMode,
    chatPatientLabel,
    dateOrder,
    emergencyNumber: site.emergencyNumber ?? '',
    rapidResponseNumber: site.rapidResponseNumber ?? '',
    idleMinutes: String(site.idleMinutes),
    shiftStarts: site.shiftStarts.join(', '),
    checkInTimes: site.checkInTimes.join(', '),
    outOfHoursText: site.outOfHoursText ?? '',
    mrnAuthorities: site.mrnAuthorities.join('\n'),
  };
}

const linesIn = (typed: string): string[] => typed.split('\n').filter((line) => line.trim() !== '');
/** Returns what no line names of the authorities that messages have; while there is no line, all count. */
function unlisted(seen: SiteSettings['seenAuthorities'], typed: string): SiteSettings['seenAuthorities'] {
  const lines = new Set(linesIn(typed).map((line) => line.trim().normalize('NFC')));
  return lines.size === 0 ? [] : seen.filter(({ names }) => !names.some((name) => lines.has(name)));
}

const timesIn = (typed: string): string[] => typed.split(/[\s,]+/).filter((time) => time !== '');

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

/**
 * The settings that administrators change. Typed text stays, also when it is refused or somebody else saves meanwhile.
 */
export function SiteForm({ site }: { site: SiteSettings }) {
  const change = useCall('changeSite');
  const { refresh } = useCurrentUser();
  const { zones } = useTimeZones();
  const [initial, setInitial] = useState(site);
  // The version that the user has seen. The server refuses to save over a newer one.
  const [version, setVersion] = useState(site.version);
  const [isSaved, setIsSaved] = useState(false);
  const [typedAuthorities, setTypedAuthorities] = useState(site.mrnAuthorities.join('\n'));
  const refused = unlisted(site.seenAuthorities, typedAuthorities);
  const isStale = site.version > version;
  const startAgain = (): void => {
    setInitial(site);
    setVersion(site.version);
    setIsSaved(false);
    setTypedAuthorities(site.mrnAuthorities.join('\n'));
  };
  return (
    <div className={styles.form}>
      <SchemaForm
        key={initial.version}
        schema={sitePatch}
        initial={typedOf(initial)}
        bodyOf={({
          emergencyNumber,
          rapidResponseNumber,
          idleMinutes,
          shiftStarts,
          checkInTimes,
          outOfHoursText,
          ...typed
        }) => ({
          ...typed,
          mrnAuthorities: linesIn(typed.mrnAuthorities),
          version,
          emergencyNumber: textOrNull(emergencyNumber),
          rapidResponseNumber: textOrNull(rapidResponseNumber),
          idleMinutes: Number(idleMinutes),
          shiftStarts: timesIn(shiftStarts),
          checkInTimes: timesIn(checkInTimes),
          outOfHoursText: textOrNull(outOfHoursText),
        })}
        send={async (body) => {
          setIsSaved(false);
          const saved = await change({ body });
          setVersion(saved.version);
          setIsSaved(true);
          // The shell shows the site's name and time as well.
          void refresh();
        }}
        submitLabel="Save"
        actions={
          <div role="status" className={styles.beside}>
            {isSaved && !isStale ? 'Saved. The settings now apply to everyone.' : null}
            {isStale ? (
              <>
                Someone else changed the settings.{' '}
                <button type="button" className={styles.plain} onClick={startAgain}>
                  Load their version and discard mine
                </button>
              </>
            ) : null}
          </div>
        }
        onTyped={({ mrnAuthorities }) => {
          setIsSaved(false);
          setTypedAuthorities(mrnAuthorities);
        }}
      >
        <FormField name="name" label="Name" hint="The hospital or ward" />
        <FormField name="timeZone" label="Time zone" hint="All times are shown in it">
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            options={
              zones.some(({ value }) => value === initial.timeZone)
                ? [...zones]
                : [{ value: initial.timeZone, label: initial.timeZone }, ...zones]
            }
          />
        </FormField>
        <FormField name="dateOrder" label="Dates in figures" hint="How staff type a date of birth">
          <Select options={dateOrderChoices} />
        </FormField>
        <FormField
          name="emergencyNumber"
          label="Emergency number"
          hint="What staff and patients dial in an emergency"
          isOptional
          inputMode="tel"
        />
        <FormField
          name="rapidResponseNumber"
          label="Rapid response"
          hint="Empty: the emergency number is called"
          isOptional
          inputMode="tel"
        />
        <FormField name="signUpMode" label="Accounts" hint="How users get an account">
          <Select options={signUpChoices} />
        </FormField>
        <FormField
          name="idleMinutes"
          label="Minutes until the screen locks"
          hint="Without input, 2 to 30"
          inputMode="numeric"
        />
        <FormField name="shiftStarts" label="Start of each shift" hint="Site time, such as 07:30, 19:30" />
        <FormField
          name="checkInTimes"
          label="Check-ins from home"
          hint="When they are due, such as 08:00, 14:00, 20:00"
        />
        <FormField
          name="outOfHoursText"
          label="Out of hours"
          hint="Patients at home read it: the ward’s hours, and whom to call outside them"
          isOptional
        />
        <FormField
          name="chatPatientLabel"
          label="What the chat service sees of a patient"
          hint="Shown in channel names at the chat service. They never include a patient’s name"
        >
          <Select options={patientLabelChoices} />
        </FormField>
        <FormField
          name="mrnAuthorities"
          label="Authorities of MRNs in HL7 messages"
          hint="One a line, as PID-3.4 names them. MRNs of others are then not used. Empty: any authority"
          isOptional
        >
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
        </FormField>
        <div role="status">
          {refused.length === 0 ? null : (
            <div className={styles.warning}>
              <strong>No line names these authorities of MR numbers, so their values are refused:</strong>
              <ul>
                {refused.map(({ names, messages }) => (
                  <li key={names.join('\n')}>
                    {names.join(' or ')}, in {messages} {messages === 1 ? 'message' : 'messages'} since the start of the
                    server
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </SchemaForm>
    </div>
  );
}
