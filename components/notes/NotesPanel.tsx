import { useCallback, useState } from 'react';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { isGone } from '../../lib/api/failureCause';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import type { User } from '../../lib/session/schema';
import type { Note } from '../../lib/notes/schema';
import { antdOnDemand } from '../ui/antdOnDemand';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Pages } from '../ui/Pages';
import { NoteCard } from './NoteCard';
import { NoteComposer } from './NoteComposer';
import type { NoteEntryProps } from './NoteEntryDrawer';
import styles from './NotesArea.module.css';
import type { NoteAct } from './noteWords';

const NoteEntryDrawer = antdOnDemand(() => import('./NoteEntryDrawer').then((module) => module.NoteEntryDrawer));

const NoteMoveDrawer = antdOnDemand(() => import('./NoteMoveDrawer').then((module) => module.NoteMoveDrawer));

const pageSize = 25;

interface NotesPanelProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** How often a press or a key has asked to write: the keyboard then goes to the text. */
  asked: number;
}

/** A patient's notes, the newest event first, and the user's own draft above them. In the browser only. */
export function NotesPanel({ patient, user, now: initialNow, asked }: NotesPanelProps) {
  const { timeZone } = user.site;
  const [page, setPage] = useState(1);
  const response = useRead('listNotes', { params: { id: patient.id }, query: { page, pageSize } });
  const now = useNow(initialNow);
  const [opened, setOpened] = useState<{ act: NoteAct; note: Note } | null>(null);
  const onAct = useCallback((act: NoteAct, note: Note) => setOpened({ act, note }), []);
  // Emergency access opens reading, nothing else.
  const canWrite = can(user, 'writeNotes') && reachesUnit(user, patient.location?.unit ?? null);
  const { refresh } = response;
  const onChanged = useCallback(() => {
    setPage(1);
    void refresh();
  }, [refresh]);
  if (response.error !== undefined && isGone(response.error)) {
    return <p className={styles.quiet}>You cannot see this patient any more.</p>;
  }
  return (
    <>
      {canWrite ? (
        <NoteComposer
          patient={patient}
          user={user}
          now={now}
          notes={response.data}
          asked={asked}
          onChanged={onChanged}
        />
      ) : null}
      <AsyncView
        answer={response}
        isEmpty={({ total }) => total === 0}
        skeleton={<ListSkeleton label="Notes are loading" rows={3} />}
        empty={() => <p className={styles.quiet}>No notes yet.</p>}
        timeZone={timeZone}
      >
        {({ items, total }) => (
          <>
            <ul className={styles.list} aria-label="Signed notes">
              {items.map((note) => (
                <li key={note.id}>
                  <NoteCard
                    note={note}
                    user={user}
                    timeZone={timeZone}
                    // Only its day counts, not each second.
                    now={now - (now % 60_000)}
                    canWrite={canWrite}
                    onAct={onAct}
                  />
                </li>
              ))}
            </ul>
            {total > pageSize ? <Pages current={page} pageSize={pageSize} total={total} onPage={setPage} /> : null}
          </>
        )}
      </AsyncView>
      {opened === null ? null : (
        <OpenedAct
          key={`${opened.act} ${opened.note.id}`}
          act={opened.act}
          // As the last response has it: a change by another user is shown beside what is typed.
          note={response.data?.items.find(({ id }) => id === opened.note.id) ?? opened.note}
          patient={patient}
          userId={user.id}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function OpenedAct({ act, ...note }: Omit<NoteEntryProps, 'kind'> & { act: NoteAct }) {
  return act === 'move' ? <NoteMoveDrawer {...note} /> : <NoteEntryDrawer kind={act} {...note} />;
}
