import { Button, Modal } from 'antd';
import Link from 'next/link';
import { useRouter } from 'next/router';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import { useSound, type ShownSound } from '../../hooks/SoundProvider';
import type { ReportStart } from '../../hooks/issueReporting';
import { useNow } from '../../hooks/useNow';
import { useReportDraft } from '../../hooks/useReportDraft';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import { readConnectionLog } from '../../lib/browser/connectionLog';
import { routePattern } from '../../lib/monitoring/routePattern';
import { paths } from '../../lib/paths';
import { release } from '../../lib/release';
import { isUntouched, reportBody, type ReportFields } from '../../lib/reports/reportFields';
import { newReport, type NewReportContext, type IssueReport, type ReportContext } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import { isVitalKind } from '../../lib/vitals/kinds';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { fieldErrors, focusFirstError } from '../ui/fieldErrors';
import { LossContext } from '../ui/formContext';
import { useSubmit } from '../ui/useSubmit';
import { ContextLines } from './ContextLines';
import { ReportForm } from './ReportForm';
import styles from './reports.module.css';

type Tile = ReportContext['tiles'][number];

/** The states of `VitalValue`; a value without a signal is withdrawn as an old one is. */
const tileStates = {
  live: 'live',
  ageing: 'ageing',
  stale: 'stale',
  off: 'off',
  'no-signal': 'off',
  none: 'none',
} as const satisfies Record<string, Tile['state']>;

/** Returns how many values of each kind the page shows in each state. It tells no value and no patient. */
function countShownValues(page: ParentNode): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const { dataset } of page.querySelectorAll<HTMLElement>('[data-vital]')) {
    const { vital: kind = '', state: shown = '' } = dataset;
    if (isVitalKind(kind) && isState(shown)) {
      const state = tileStates[shown];
      const tile = tiles.get(`${kind} ${state}`) ?? { kind, state, count: 0 };
      tiles.set(`${kind} ${state}`, { ...tile, count: tile.count + 1 });
    }
  }
  return [...tiles.values()];
}

function isState(text: string): text is keyof typeof tileStates {
  return Object.hasOwn(tileStates, text);
}

/** Returns the state of the page at the first call: no address of a patient, no value, nothing that anyone typed. */
function useReportContext(errorReportId: string | null): NewReportContext {
  const { asPath } = useRouter();
  const sound = useSound();
  const [context] = useState<NewReportContext>(() => {
    const { connection, requestIds } = readConnectionLog();
    return {
      page: routePattern(asPath),
      release,
      ruleVersion,
      browser: navigator.userAgent.slice(0, 300),
      sound: soundState(sound),
      errorReportId,
      tiles: countShownValues(document),
      connection: connection.map(({ at, is }) => ({ at: toInstant(at), is })),
      requestIds: [...requestIds],
    };
  });
  return context;
}

function soundState({ isNeeded, isOn, pause }: ShownSound): NewReportContext['sound'] {
  if (!isNeeded) {
    return 'not_needed';
  }
  return pause !== null ? 'paused' : isOn ? 'on' : 'off';
}

/** Says what became of a report that was just sent, and whom it alerted. */
function FiledReport({ report, onClose }: { report: IssueReport; onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that had the focus is gone with the form.
    button.current?.focus();
  }, []);
  return (
    <div className={styles.form}>
      <p role="status">
        <strong>Report {report.id} is sent.</strong> {alertWords(report)}
      </p>
      <p className={styles.quiet}>You can follow it on the start page and under Issue reports.</p>
      <div className={styles.row}>
        <Button ref={button} type="primary" onClick={onClose}>
          Close
        </Button>
        <Link
          className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
          href={paths.report(report.id)}
          prefetch={false}
          onClick={onClose}
        >
          <span>Open the report</span>
        </Link>
      </div>
    </div>
  );
}

function alertWords({ alarm, severity, unit }: IssueReport): string {
  const whom = unit === null ? 'The ward leads of the site' : unit.name;
  switch (alarm) {
    case 'opening':
    case 'open':
      return `${whom} ${unit === null ? 'are' : 'is'} alerted now.`;
    case 'ended':
      return 'The alert has ended already.';
    case 'rules_off':
      return 'No one was alerted, because the alert rules of this site are off. Tell the unit yourself.';
    case 'none':
      return severity === 'S1' ? 'No one was alerted. Tell the unit yourself.' : '';
  }
}

interface ReportDrawerProps {
  user: User;
  /** The server's time of the page, epoch milliseconds. */
  now: number;
  start: ReportStart;
  onClose: () => void;
}

/** Files an issue report from any page. What is typed stays over a lock and an outage, for this user alone. */
export function ReportDrawer(props: ReportDrawerProps) {
  const { user, now, start, onClose } = props;
  const context = useReportContext(start.errorReportId ?? null);
  const { draft, keeper } = useReportDraft(user.id);
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isBegun.current) {
      isBegun.current = true;
      const [unit] = user.units.length === 1 && start.patientId === undefined ? user.units : [];
      keeper.begin(context, { patientId: String(start.patientId ?? ''), unitId: String(unit?.id ?? '') });
    }
  }, [keeper, context, start, user.units]);
  const close = (): void => {
    keeper.drop();
    onClose();
  };
  return (
    <FormDrawer title="Report issue" onClose={close}>
      {draft.context === null ? null : <DraftForm user={user} now={now} context={draft.context} />}
      {draft.filed === null ? null : <FiledReport report={draft.filed} onClose={close} />}
    </FormDrawer>
  );
}

interface DraftFormProps extends Pick<ReportDrawerProps, 'user' | 'now'> {
  context: NewReportContext;
}

function DraftForm({ user, now: initialNow, context }: DraftFormProps) {
  const { draft, keeper } = useReportDraft(user.id);
  const { fields, isSending, mayBeFiled, failure } = draft;
  const now = useNow(initialNow);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const noteLoss = useContext(LossContext);
  const [attempts, setAttempts] = useState(0);
  const [isAsking, setIsAsking] = useState(false);
  const isTyped = !isUntouched(fields);
  useEffect(() => {
    noteLoss(id, isTyped ? 'typed' : null);
    return () => noteLoss(id, null);
  }, [noteLoss, id, isTyped]);
  const alarmsUnit = fields.severity === 'S1';
  const isPlaceless = fields.unitId === '' && fields.patientId === '';
  const parsed = newReport.safeParse(
    reportBody(fields, { clientId: keeper.clientId(), authorId: user.id, alarmsUnit, context }),
  );
  const errors = {
    ...failure?.fields,
    ...(attempts === 0 || parsed.error === undefined ? {} : fieldErrors(parsed.error)),
  };
  useEffect(() => {
    if (attempts > 0 || (failure !== null && !isSending)) {
      focusFirstError(form.current);
    }
  }, [attempts, failure, isSending]);
  const send = async (): Promise<void> => {
    setIsAsking(false);
    if (parsed.data !== undefined) {
      await keeper.send(parsed.data);
    }
  };
  const onSubmit = useSubmit(async () => {
    setAttempts(attempts + 1);
    if (parsed.success && alarmsUnit) {
      setIsAsking(true);
    } else {
      await send();
    }
  });
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={onSubmit}>
      <NotForHelp emergencyNumber={user.site.emergencyNumber} />
      <ReportForm
        user={user}
        fields={fields}
        now={now}
        isLocked={isSending}
        errors={errors}
        onChange={(change) => keeper.change(change)}
      />
      <ContextLines title="What is sent with it" context={context} timeZone={user.site.timeZone} />
      <p className={styles.quiet} role="status">
        {isSending && failure === null ? 'Sending' : isTyped ? 'Not sent yet' : ''}
      </p>
      <FormFailure>
        {failure === null ? null : isSending ? (
          <>
            {mayBeFiled ? 'It is not known whether this was sent. ' : 'Not sent. '}
            {failure.message} It is sent again every 5 s, and filed once.
            {alarmsUnit ? ' Do not count on the alert: tell the unit yourself.' : null}
          </>
        ) : Object.keys(failure.fields).length > 0 ? (
          'Not sent. Look at the marked fields.'
        ) : (
          `Not sent. ${failure.message}`
        )}
      </FormFailure>
      <div className={styles.row}>
        <Button type="primary" htmlType="submit" disabled={isSending}>
          Send report
        </Button>
        {isSending && failure !== null && !mayBeFiled ? (
          <Button onClick={() => keeper.stopSending()}>Change it</Button>
        ) : null}
      </div>
      <Modal
        title="This alarms the unit now"
        open={isAsking}
        closable={false}
        width={400}
        okText="Alert and send"
        onOk={() => void send()}
        cancelText={isPlaceless ? 'Choose a unit' : 'Cancel'}
        cancelButtonProps={{ autoFocus: true }}
        onCancel={() => setIsAsking(false)}
      >
        {isPlaceless && user.site.rulesAreOn ? (
          <strong>No unit is chosen: only the ward leads of the site are alerted. </strong>
        ) : null}
        {user.site.rulesAreOn
          ? `S1 sends a high-priority alert to ${alertedPlace(fields)}, until someone triages the report.`
          : 'The alert rules of this site are off, so no one is alerted. Tell the unit yourself.'}
      </Modal>
    </form>
  );
}

function alertedPlace({ unitId, patientId }: ReportFields): string {
  if (unitId !== '') {
    return 'the chosen unit';
  }
  return patientId === '' ? 'the ward leads of the site' : 'the patient’s unit, or to the ward leads if there is none';
}

function NotForHelp({ emergencyNumber }: { emergencyNumber: string | null }) {
  return (
    <p className={styles.notForHelp}>
      <strong>Not for urgent help.</strong>{' '}
      {emergencyNumber === null
        ? 'In an emergency, call the emergency number.'
        : `In an emergency, call ${emergencyNumber}.`}
    </p>
  );
}
