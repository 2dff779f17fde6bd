import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useHandoffDraft } from '../../hooks/useHandoffDraft';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import { isGone } from '../../lib/api/failureCause';
import type { Handoff } from '../../lib/handoffs/schema';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { notDone } from '../ui/notDone';
import { patientName } from '../ui/PatientName';
import { useAction } from '../ui/useAction';
import { HandoffCard } from './HandoffCard';
import { HandoffComposer } from './HandoffComposer';
import styles from './handoffs.module.css';
import { OpenActions } from './OpenActions';
import { ReceiveForm } from './ReceiveForm';

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
  const { draft, keeper } = useHandoffDraft(user.id, patient.id);
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
      <FormFailure>{failure === null ? null : notDone('done', failure)}</FormFailure>
      <AsyncView
        answer={{ ...response, refresh: () => void refresh() }}
        isEmpty={() => false}
        skeleton={<ListSkeleton label="Handoffs are loading" rows={3} />}
        empty={() => null}
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
