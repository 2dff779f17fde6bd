import { Button } from 'antd';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { poll } from '../../hooks/poll';
import { useCall } from '../../hooks/useCall';
import { useFreeze } from '../../hooks/useFreeze';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import type { Handoff, HandoffResult, WardHandoff } from '../../lib/handoffs/schema';
import { severities } from '../../lib/handoffs/severities';
import { paths } from '../../lib/paths';
import { bedlessText } from '../../lib/patients/bedlessText';
import { toPlainText } from '../../lib/plainText';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import { SelectBox } from '../ui/SelectBox';
import { SelectField } from '../ui/SelectField';
import { TextField } from '../ui/TextField';
import { useAction } from '../ui/useAction';
import type { ScreenProps } from '../ui/screenPage';
import styles from './HandoversScreen.module.css';
import { PrintedHandovers } from './PrintedHandovers';
import { actionWords, courseWords, stateWords } from './handoffWords';
import { useHeldOrder } from './useHeldOrder';

interface HandoverRowProps {
  item: WardHandoff;
  now: number;
  timeZone: string;
  isChosen: boolean;
  /** Null: the user hands no one on. */
  onToggle: (() => void) | null;
}

/** One patient of the list: where the handoff is, and what matters of it. */
function HandoverRow({ item, now, timeZone, isChosen, onToggle }: HandoverRowProps) {
  const { patient, severity, writing, given, received, openActions } = item;
  const shown = [writing, given, received].filter((handoff) => handoff !== null);
  const [text = null] = shown;
  return (
    <tr data-severity={severity ?? undefined}>
      {onToggle === null ? null : (
        <td>
          <SelectBox label={`Select ${patientName(patient)}`} isChecked={isChosen} onChange={onToggle} />
        </td>
      )}
      <th scope="row">
        <Link href={paths.patientHandoffs(patient.id)} prefetch={false}>
          {patientName(patient)}
        </Link>
        <div>
          MRN {patient.mrn} · {formatCalendarDate(patient.dateOfBirth)}
        </div>
        <div>
          {patient.unit === null ? bedlessText(patient.profile) : `${patient.unit} · Bed ${patient.bed ?? 'not set'}`}
        </div>
      </th>
      <td>{severity === null ? 'Not set' : <span className={styles.severity}>{severities[severity]}</span>}</td>
      <td>
        {shown.length === 0 ? 'No handoff yet' : null}
        {shown.map((handoff) => (
          <div key={handoff.id}>
            <strong>{stateWords[handoff.state]}</strong> {courseWords(handoff, now, timeZone)}
          </div>
        ))}
        {text === null || text.summary === '' ? null : <div>{text.summary}</div>}
        {text?.question == null ? null : <div>Question: {text.question}</div>}
      </td>
      <td>
        {(text?.contingencies ?? []).map(({ condition, action }) => (
          <div key={`${condition} ${action}`}>
            If {condition}, then {action}
          </div>
        ))}
        {openActions.map((action) => (
          <div key={action.id}>{actionWords(action, now, timeZone)}</div>
        ))}
      </td>
    </tr>
  );
}

const everyMs = 15_000;

/** The handoffs of a ward, the most ill first: several are started, given or received at once, and printed. */
export function HandoversScreen({ user, now: initialNow }: ScreenProps) {
  const { timeZone } = user.site;
  const [unit, setUnit] = useState(String(user.units[0]?.id ?? ''));
  const query = unit === '' ? {} : { unit };
  const response = useRead('listHandoffs', { query }, { everyMs, keepPreviousData: true });
  const now = useNow(initialNow);
  const { data, refresh } = response;
  // What was known of each patient is read for paper alone: it is much, and the facts of drafts are of now.
  const [paper, setPaper] = useState<{ items: readonly WardHandoff[]; asOf: number } | null>(null);
  const { failure, isWaiting, carryOut } = useAction();
  useEffect(() => {
    if (paper !== null) {
      window.print();
    }
  }, [paper]);
  const print = (): Promise<boolean> =>
    carryOut(async () => {
      const { data: list, serverTime } = await poll('listHandoffs', { query: { ...query, facts: 'true' } });
      setPaper({ items: list.items, asOf: serverTime ?? now });
    });
  const units = data?.units ?? [];
  const choices = [
    { value: '', label: 'All units' },
    ...units.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <div className={styles.screen}>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>Handoffs</h1>
        <SelectField
          label="Unit"
          value={unit}
          choices={choices}
          onChange={(name) => {
            setPaper(null);
            setUnit(name);
          }}
        />
        <Button loading={isWaiting && { delay: 300 }} onClick={() => void print()}>
          Print
        </Button>
      </div>
      <FormFailure failure={failure} done="printed" />
      <AsyncView
        answer={response}
        isEmpty={({ total }) => total === 0}
        skeleton={<ListSkeleton rows={6} label="Handoffs are loading" />}
        empty={() => <p>No patients in this unit.</p>}
        timeZone={timeZone}
      >
        {({ items }) => (
          <>
            <Handovers key={unit} items={items} user={user} now={now} onChanged={() => void refresh()} />
            <PrintedHandovers
              items={paper?.items ?? items}
              user={user}
              now={now}
              asOf={paper?.asOf ?? response.asOf ?? now}
            />
          </>
        )}
      </AsyncView>
    </div>
  );
}

interface HandoversProps {
  items: readonly WardHandoff[];
  user: User;
  now: number;
  onChanged: () => void;
}

interface Refused {
  patient: WardHandoff['patient'] | null;
  text: string;
}

/** What to do about a field that is missing (lib/handoffs/missingOf). */
const missingWords: Readonly<Record<string, string>> = {
  severity: 'Choose the severity.',
  contingencies: 'Add what to do if something happens.',
  summary: 'Confirm or change the summary.',
};

/** Returns what to do about a handoff that was refused. */
function refusalText({ message, fields = {} }: NonNullable<HandoffResult['error']>): string {
  const wanted = Object.entries(fields).map(([field, text]) => missingWords[field] ?? `${field} ${text}.`);
  return wanted.length === 0 ? message : wanted.join(' ');
}

const seenOf = (handoffs: readonly Handoff[]) => handoffs.map(({ id, version }) => ({ id, version }));

function Handovers({ items, user, now, onChanged }: HandoversProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [readBack, setReadBack] = useState('');
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [said, setSaid] = useState('');
  const { failure, isWaiting, carryOut } = useAction();
  const startHandoffs = useCall('startHandoffs');
  const giveHandoffs = useCall('giveHandoffs');
  const receiveHandoffs = useCall('receiveHandoffs');
  const isLost = useServerLost() !== null;
  const canWrite = can(user, 'writeNotes');
  const { frozen, handlers } = useFreeze();
  const rows = useHeldOrder(items, frozen);
  const wanted = rows.filter(({ patient }) => chosen.has(patient.id));
  const toStart = wanted.filter(({ writing }) => writing === null);
  const toGive = wanted.flatMap(({ writing }) => writing ?? []);
  const toReceive = wanted.flatMap(({ given }) => (given === null || given.giver?.id === user.id ? [] : [given]));
  const isBusy = isLost || isWaiting;
  const waits = isLost
    ? 'Not reachable: nothing can be sent now.'
    : chosen.size === 0
      ? 'Select patients.'
      : toReceive.length > 0 && readBack.trim() === ''
        ? 'To receive, say in “Read back” what you understood.'
        : '';

  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) {
      next.add(id);
    }
    setChosen(next);
  };
  /** Says of each that was refused why, under the patient's name, and keeps it selected; the others are done. */
  const report = (results: readonly HandoffResult[], done: string): void => {
    const failed = results.flatMap(({ id, error }) => {
      const patient = items.find(({ writing, given }) => writing?.id === id || given?.id === id)?.patient ?? null;
      return error === null ? [] : [{ patient, text: refusalText(error) }];
    });
    setRefused(failed);
    setSaid(`${results.length - failed.length} of ${results.length} ${done}`);
    setChosen(new Set(failed.flatMap(({ patient }) => patient?.id ?? [])));
  };
  const act = async (action: () => Promise<void>): Promise<void> => {
    setSaid('');
    setRefused([]);
    await carryOut(action);
    onChanged();
  };
  const start = () =>
    act(async () => {
      const patientIds = toStart.map(({ patient }) => patient.id);
      await startHandoffs({ body: { patientIds, authorId: user.id } });
      setSaid(`${patientIds.length} started`);
    });
  const give = () =>
    act(async () => {
      report((await giveHandoffs({ body: { ids: seenOf(toGive), authorId: user.id } })).items, 'given');
    });
  const receive = () =>
    act(async () => {
      const body = { ids: seenOf(toReceive), authorId: user.id, readBack };
      report((await receiveHandoffs({ body })).items, 'received');
      setReadBack('');
    });
  return (
    <div className={styles.list}>
      {canWrite ? (
        <div className={styles.bar} role="group" aria-label="For the selected patients">
          <Button disabled={isBusy || toStart.length === 0} onClick={() => void start()}>
            Start {toStart.length}
          </Button>
          <Button type="primary" disabled={isBusy || toGive.length === 0} onClick={() => void give()}>
            Give {toGive.length}
          </Button>
          <TextField
            label="Read back"

            autoComplete="off"
            maxLength={500}
            value={readBack}
            onChange={(text) => setReadBack(toPlainText(text))}
          />
          <Button disabled={isBusy || toReceive.length === 0 || readBack.trim() === ''} onClick={() => void receive()}>
            Receive {toReceive.length}
          </Button>
          {/* A button that does nothing takes no focus, so its reason is beside it. */}
          <span className={styles.waits}>{waits}</span>
          <span role="status">{said}</span>
        </div>
      ) : null}
      <FormFailure failure={failure} done="done" />
      {refused.length === 0 ? null : (
        <div role="alert" className={styles.refused}>
          <ul>
            {refused.map(({ patient, text }, place) => (
              <li key={place}>
                {patient === null ? (
                  'A patient'
                ) : (
                  <Link href={paths.patientHandoffs(patient.id)} prefetch={false}>
                    {patientName(patient)}
                  </Link>
                )}
                : {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.scroll} {...handlers}>
        <table className={styles.table}>
          <caption className="visually-hidden">Patients and their handoffs, the most ill first</caption>
          <thead>
            <tr>
              {canWrite ? (
                <th scope="col" className={styles.select}>
                  Select
                </th>
              ) : null}
              <th scope="col" className={styles.patient}>
                Patient
              </th>
              <th scope="col" className={styles.how}>
                Severity
              </th>
              <th scope="col">Handoff</th>
              <th scope="col" className={styles.then}>
                If-then and actions
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((item) => (
              <HandoverRow
                key={item.patient.id}
                item={item}
                now={now - (now % 60_000)}
                timeZone={user.site.timeZone}
                isChosen={chosen.has(item.patient.id)}
                onToggle={canWrite ? () => toggle(item.patient.id) : null}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
