import { Button } from 'antd';
import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import { parameterLabels } from '../../lib/alerts/parameters';
import { noteTypes } from '../../lib/notes/noteTypes';
import type { Note } from '../../lib/notes/schema';
import { noteInView } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import styles from './NoteCard.module.css';
import { entryLabels, noteActions, noteTime, type NoteAct } from './noteWords';

/** A note counts as read after this time in view, in milliseconds (design.md section 4). */
const readAfterMs = 2_000;

/**
 * Marks an unread note as read once its user can have seen it: 2 s in view, in the tab in front. In view is half of it,
 * or as much as fills half of the screen. A failure is tried again with the next response that still says unread.
 */
function useNoteSeen(place: RefObject<HTMLElement | null>, { id, version, isUnread }: Note): void {
  const markRead = useCall('markNoteRead');
  useEffect(() => {
    const shown = place.current;
    if (!isUnread || shown === null || typeof IntersectionObserver !== 'function') {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInView = false;
    let isOver = false;
    const follow = (): void => {
      clearTimeout(timer);
      if (isInView && document.visibilityState === 'visible') {
        timer = setTimeout(() => {
          markRead({ params: { id }, body: { version } }).catch(() => {
            // Still unread: it is tried again, but not once the note has left the page: another user may be here then.
            if (!isOver) {
              follow();
            }
          });
        }, readAfterMs);
      }
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        const half = (last?.rootBounds?.height ?? Number.POSITIVE_INFINITY) / 2;
        isInView = last !== undefined && (last.intersectionRatio >= 0.5 || last.intersectionRect.height >= half);
        follow();
      },
      { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5] },
    );
    observer.observe(shown);
    document.addEventListener('visibilitychange', follow);
    return () => {
      isOver = true;
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [place, id, version, isUnread, markRead]);
}

interface NoteCardProps {
  note: Note;
  user: User;
  timeZone: string;
  now: EpochMs;
  /** The user may write about this patient. */
  canWrite: boolean;
  onAct: (act: NoteAct, note: Note) => void;
}

/** One signed note as it was written, and below it everything that was added since. Nothing of it ever goes. */
export const NoteCard = memo(function NoteCard({ note, user, timeZone, now, canWrite, onAct }: NoteCardProps) {
  const place = useRef<HTMLElement>(null);
  useNoteSeen(place, note);
  useEffect(() => {
    if (window.location.hash === noteInView(note.id)) {
      place.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [note.id]);
  const { opened, open, problem } = useOpenedText(note.id);
  const { data: openAlerts } = useAlerts();
  const isLost = useServerLost() !== null;
  const isStruck = note.state === 'entered_in_error';
  const isAmended = note.entries.some(({ kind }) => kind === 'amendment');
  const shown = note.text === null && opened !== null ? opened : note;
  const timeOf = (instant: string): string => noteTime(Date.parse(instant), now, timeZone);
  const isComplete = openAlerts !== undefined && openAlerts.items.length >= openAlerts.total;
  const linked = note.alertIds.map((id) => {
    const parameter = openAlerts?.items.find((alert) => alert.id === id)?.parameter;
    return parameter === undefined
      ? isComplete
        ? 'a closed alert'
        : 'an alert'
      : `alert: ${parameterLabels[parameter]}`;
  });
  return (
    <article
      ref={place}
      className={styles.card}
      data-note={note.id}
      data-unread={note.isUnread ? '' : undefined}
      aria-label={`${noteTypes[note.type]} note by ${note.author.name}, ${timeOf(note.eventTime)}`}
    >
      <header className={styles.head}>
        <time className={styles.time} dateTime={note.eventTime}>
          {timeOf(note.eventTime)}
        </time>
        <strong>{noteTypes[note.type]}</strong>
        {note.isUnread ? <strong className={styles.unread}>Unread</strong> : null}
        <span className={styles.by}>
          {note.author.name}, {userTypeLabels[note.author.type]}
        </span>
      </header>
      {note.isLateEntry ? <p className={styles.quiet}>Late entry: written {timeOf(note.writtenAt)}</p> : null}
      {note.isMoved ? <p className={styles.quiet}>Was written under another patient first</p> : null}
      {linked.length === 0 ? null : <p className={styles.quiet}>Linked to {linked.join(', ')}</p>}
      {note.mentions.length === 0 ? null : (
        <p className={styles.quiet}>Mentions {note.mentions.map(({ name }) => name).join(', ')}</p>
      )}
      {isAmended && !isStruck ? <p className={styles.quiet}>As first signed, amended below:</p> : null}
      {shown.text === null ? (
        <p className={styles.quiet}>
          Entered in error: wrong patient.{' '}
          <Button aria-disabled={isLost} onClick={isLost ? undefined : open}>
            Show text
          </Button>
        </p>
      ) : (
        <p className={styles.text} data-struck={isStruck ? '' : undefined}>
          {isStruck ? <span className="visually-hidden">Entered in error: </span> : null}
          {shown.text}
        </p>
      )}
      {problem === null ? null : <p role="alert">{notDone('opened', problem)}</p>}
      {shown.entries.map((entry) => (
        <section key={entry.id} className={styles.entry} aria-label={entryLabels[entry.kind]}>
          <p className={styles.quiet}>
            <strong>{entryLabels[entry.kind]}</strong> {timeOf(entry.at)}, {entry.author.name},{' '}
            {userTypeLabels[entry.author.type]}
          </p>
          {entry.reason === '' ? null : <p>Reason: {entry.reason}</p>}
          {entry.text === '' ? null : (
            <p className={styles.text} data-struck={isStruck ? '' : undefined}>
              {entry.text}
            </p>
          )}
        </section>
      ))}
      {canWrite && note.state === 'signed' ? (
        <div className={styles.actions}>
          {actsFor(note, user).map((act) => (
            <Button
              key={act}
              aria-disabled={isLost}
              title={isLost ? 'Not reachable: nothing can be sent now' : undefined}
              onClick={() => {
                if (!isLost) {
                  onAct(act, note);
                }
              }}
            >
              {noteActions[act]}
            </Button>
          ))}
        </div>
      ) : null}
    </article>
  );
});

/** An amendment speaks for the author; what is wrong altogether a ward lead marks as well (docs/decisions/notes.md). */
function actsFor({ author }: Note, { id, type }: User): NoteAct[] {
  const isAuthor = author.id === id;
  return [
    'addendum',
    ...(isAuthor ? (['amendment'] as const) : []),
    ...(isAuthor || type === 'ward_lead' ? (['entered_in_error', 'move'] as const) : []),
  ];
}

/** The text of a note that was moved to another patient is read, and audited, only when someone opens it. */
function useOpenedText(noteId: number) {
  const readNote = useCall('readNote');
  const { failure: problem, carryOut } = useAction();
  const [opened, setOpened] = useState<Note | null>(null);
  const open = (): void => {
    void carryOut(async () => {
      setOpened(await readNote({ params: { id: noteId } }));
    });
  };
  return { opened, open, problem };
}
