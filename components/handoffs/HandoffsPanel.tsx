import { Button } from 'antd';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createHandoffKeeper } from '../../hooks/handoffKeeper';
import { useKept } from '../../hooks/kept';
import { keptHandoffs } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import { isGone } from '../../lib/api/failureCause';
import type { Handoff } from '../../lib/handoffs/schema';
import type { Patient } from '../../lib/patients/schema';
import { toPlainText } from '../../lib/plainText';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import { TextField } from '../ui/TextField';
import { useAction } from '../ui/useAction';
import { HandoffComposer } from './HandoffComposer';
import { HandoffFactList, HandoffText } from './HandoffText';
import { OpenActions } from './OpenActions';
import { courseWords, stateWords } from './handoffWords';
import styles from './handoffs.module.css';

interface ReceiveFormProps {
  handoff: Handoff;
  name: string;
  userId: number;
  onChanged: (said: string) => void;
}

/** Receives a handoff with a read-back, or returns it with a question. The text is for one of the two. */
function ReceiveForm({ handoff, name, userId, onChanged }: ReceiveFormProps) {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const { failure, isWaiting, carryOut } = useAction();
  const receiveHandoffs = useCall('receiveHandoffs');
  const returnHandoff = useCall('returnHandoff');
  const isLost = useServerLost() !== null;
  const { id, version } = handoff;
  const isBlank = text.trim() === '' || isLost || isWaiting;

  const receive = async (): Promise<void> => {
    let problem: string | null = null;
    const isSent = await carryOut(async () => {
      const { items } = await receiveHandoffs({ body: { ids: [{ id, version }], authorId: userId, readBack: text } });
      problem = items[0]?.error?.message ?? null;
      setRefused(problem);
    });
    if (isSent && problem === null) {
      onChanged(`Handoff of ${name} received. You are responsible now.`);
    }
  };
  const giveBack = async (): Promise<void> => {
    const body = { version, authorId: userId, question: text };
    if (await carryOut(() => returnHandoff({ params: { id }, body }))) {
      onChanged('Handoff returned with your question');
    }
  };
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        void receive();
      }}
    >
      <TextField
        label="Read back, or your question"
        hint={isLost ? 'Not reachable: nothing can be sent now' : 'Receive and Return need a text'}

        autoComplete="off"
        maxLength={500}
        value={text}
        onChange={(value) => setText(toPlainText(value))}
      />
      <FormFailure failure={failure} done="done" />
      <FormFailure>{refused === null ? null : `Not received. ${refused}`}</FormFailure>
      <div className={styles.row}>
        <Button type="primary" htmlType="submit" disabled={isBlank}>
          Receive<span className="visually-hidden"> the handoff of {name}</span>
        </Button>
        <Button disabled={isBlank} onClick={() => void giveBack()}>
          Return with the question
        </Button>
      </div>
    </form>
  );
}

interface HandoffCardProps {
  handoff: Handoff;
  now: number;
  timeZone: string;
  /** What can be done with it. */
  children?: ReactNode;
}

/** One handoff that is not written any more, with what was known when it was given. */
function HandoffCard({ handoff, now, timeZone, children }: HandoffCardProps) {
  const { state, facts } = handoff;
  return (
    <article className={styles.card} aria-label={`Handoff, ${stateWords[state].toLowerCase()}`} data-state={state}>
      <p className={styles.course}>
        <strong>{stateWords[state]}</strong> {courseWords(handoff, now, timeZone)}
      </p>
      <HandoffText handoff={handoff} now={now} timeZone={timeZone} />
      {facts === null ? null : (
        <details>
          <summary>What was known when it was given</summary>
          <HandoffFactList facts={facts} timeZone={timeZone} />
        </details>
      )}
      {children}
    </article>
  );
}

/** A handoff changes now and then, and a draft reads 12 hours of minutes. In milliseconds. */
const everyMs = 15_000;

interface HandoffsPanelProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** How often a key has asked for it: the keyboard then goes to what is written, or to the button that starts it. */
  asked: number;
}

/** A patient's handoffs: the one that is written, the one that waits, what is still to do, and those before. */
export function HandoffsPanel({ patient, user, now: initialNow, asked }: HandoffsPanelProps) {
  const { timeZone } = user.site;
  const response = useRead('readPatientHandoffs', { params: { id: patient.id } }, { everyMs });
  const { draft, keeper } = useKept(() =>
    keptHandoffs.of(user.id, patient.id, () => createHandoffKeeper(user.id, patient.id)),
  );
  const now = useNow(initialNow);
  const { failure, isWaiting, carryOut } = useAction();
  const [said, setSaid] = useState('');
  const startHandoffs = useCall('startHandoffs');
  const withdrawHandoff = useCall('withdrawHandoff');
  const isLost = useServerLost() !== null;
  const canWrite =
    can(user, 'writeNotes') && reachesUnit(user, patient.location?.unit ?? null) && patient.state === 'active';
  const { data, refresh } = response;
  const written = data?.items.find(({ state }) => state === 'draft' || state === 'returned') ?? null;

  useEffect(() => {
    if (data !== undefined) {
      keeper.follow(written);
    }
  }, [keeper, data, written]);

  const panel = useRef<HTMLDivElement>(null);
  const [isStarted, setIsStarted] = useState(false);
  const isKnown = data !== undefined;
  useEffect(() => {
    if (isKnown && (asked > 0 || isStarted)) {
      panel.current?.querySelector<HTMLElement>('[data-writing] select, [data-writing] button')?.focus();
    }
  }, [isKnown, asked, isStarted]);

  const changed = (words: string): void => {
    setSaid(words);
    void refresh();
  };
  const start = (): Promise<boolean> =>
    carryOut(async () => {
      await startHandoffs({ body: { patientIds: [patient.id], authorId: user.id } });
      await refresh();
      setIsStarted(true);
    });
  const withdraw = ({ id, version }: Handoff): Promise<boolean> =>
    carryOut(async () => {
      await withdrawHandoff({ params: { id }, body: { version, authorId: user.id } });
      changed('Handoff withdrawn');
    });
  const name = patientName(patient);
  if (response.error !== undefined && isGone(response.error)) {
    return <p>You cannot see this patient any more.</p>;
  }
  return (
    <div className={styles.panel}>
      <p role="status" className={said === '' ? 'visually-hidden' : undefined}>
        {said}
      </p>
      <FormFailure failure={failure} done="done" />
      <AsyncView
        answer={response}
        skeleton={<ListSkeleton label="Handoffs are loading" rows={3} />}
        timeZone={timeZone}
      >
        {({ items, openActions }) => (
          <div ref={panel} className={styles.panel}>
            {canWrite && written !== null && draft !== null ? (
              <HandoffComposer
                handoff={written}
                draft={draft}
                keeper={keeper}
                patient={patient}
                user={user}
                now={now}
                onChanged={changed}
              />
            ) : canWrite && written === null ? (
              <div data-writing>
                {draft === null ? null : (
                  <p role="alert">The handoff that you wrote is no longer open. Your text is kept for the next one.</p>
                )}
                <Button disabled={isLost || isWaiting} onClick={() => void start()}>
                  Write handoff<span className="visually-hidden"> of {name}</span>
                </Button>
              </div>
            ) : null}
            <OpenActions
              label="Still to do"
              actions={openActions}
              now={now}
              timeZone={timeZone}
              userId={user.id}
              canFinish={canWrite}
              onChanged={refresh}
            />
            {items.length === 0 ? <p>No handoffs yet.</p> : null}
            {items
              .filter(({ id }) => id !== written?.id)
              .map((handoff) => (
                <HandoffCard key={handoff.id} handoff={handoff} now={now} timeZone={timeZone}>
                  {canWrite && handoff.state === 'given' && handoff.giver?.id !== user.id ? (
                    <ReceiveForm handoff={handoff} name={name} userId={user.id} onChanged={changed} />
                  ) : null}
                  {canWrite &&
                  handoff.state === 'given' &&
                  (handoff.giver?.id === user.id || user.type === 'ward_lead') ? (
                    <div>
                      <ConfirmButton
                        label="Withdraw"
                        name={`Withdraw the given handoff of ${name}`}
                        question="Withdraw this handoff? It can no longer be received."
                        placement="bottom"
                        disabled={isLost || isWaiting}
                        onConfirm={() => void withdraw(handoff)}
                      />
                    </div>
                  ) : null}
                </HandoffCard>
              ))}
          </div>
        )}
      </AsyncView>
    </div>
  );
}
